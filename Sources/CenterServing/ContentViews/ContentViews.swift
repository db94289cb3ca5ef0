// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Locking
import NotificationPayload

/// The views of content extensions that watchers have open, by numbers which are never given twice.
///
/// A view that nobody follows for 30 s is closed and forgotten, and so is one whose end was told.
package final class ContentViews: Sendable {
    /// Open views of one owner; a host has its own bounds.
    static let ownerLimit = 16
    /// The same with those whose end nobody has heard of.
    private static let keptLimit = 64
    /// The time between two looks at all views.
    private static let beat = Duration.seconds(5)
    /// Looks at a view that nobody follows.
    private static let lonelyLooks = 6

    private struct State {
        var views: [Int64: ContentView] = [:]
        /// The number that was given last.
        ///
        /// Numbers begin anywhere, so that an address of a former process leads to no other picture.
        var last = Int64.random(in: 1...(1 << 52))
        /// Views whose notifications have changed, and those with newer ones of their threads.
        var fates: [Int64: Fate] = [:]
    }

    /// The changes since a view was told of any.
    fileprivate struct Fate {
        var isGone = false
        /// True if a newer version has the place of its notification.
        var isReplaced = false
        /// The newest notification of its thread that has come since.
        var joined: Int64?

        mutating func add(_ later: Fate) {
            isGone = isGone || later.isGone
            isReplaced = isReplaced || later.isReplaced
            joined = later.joined ?? joined
        }
    }

    private let state = Locked(State())
    private let hasViews = Signal()
    private let hasFates = Signal()

    /// Makes a view that no host has yet; `nil` means that the owner has as many as it may.
    func make(of key: InstallationKey, number: Int64, thread: String?) -> (number: Int64, view: ContentView)? {
        let made = state.withLock { state -> (number: Int64, view: ContentView)? in
            let own = state.views.values.filter { $0.key.owner == key.owner }
            guard own.count < Self.keptLimit, own.count(where: \.isOpen) < Self.ownerLimit else { return nil }
            state.last += 1
            let view = ContentView(of: key, number: number, thread: thread)
            state.views[state.last] = view
            return (state.last, view)
        }
        hasViews.raise()
        return made
    }

    /// A view of an owner; `nil` means that there is none of the number.
    func view(_ number: Int64, of owner: OwnerName) -> ContentView? {
        state.withLock { $0.views[number] }.flatMap { $0.key.owner == owner ? $0 : nil }
    }

    /// The open views of a notification that somebody looks at, the newest first.
    func views(of number: Int64, owner: OwnerName) -> [ContentView] {
        state.withLock { state in
            state.views.sorted { $0.key > $1.key }.map(\.value).filter {
                $0.number == number && $0.key.owner == owner && $0.isOpen && $0.isFollowed
            }
        }
    }

    func forget(_ number: Int64) {
        state.withLock { state in
            state.views[number] = nil
            state.fates[number] = nil
        }
    }

    /// Takes in what a commit has done: notifications that it has taken away, or whose places newer versions have, and
    /// newer ones of the threads that views show.
    func follow(_ work: [CenterWork], _ results: [WorkResult]) {
        let views = state.withLock { $0.views }
        guard !views.isEmpty else { return }
        var fates: [Int64: Fate] = [:]
        for (work, result) in zip(work, results) {
            for (id, view) in views where view.key.owner == work.owner {
                if let fate = Fate(of: view, after: result, of: work) { fates[id, default: Fate()].add(fate) }
            }
        }
        guard !fates.isEmpty else { return }
        state.withLock { state in
            for (id, fate) in fates { state.fates[id, default: Fate()].add(fate) }
        }
        hasFates.raise()
    }

    /// Looks after the views of a centre until the task is cancelled.
    package func run(_ clock: some Clock<Duration>, of center: Center) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.look(clock) }
            group.addTask { await self.followFates(in: center) }
            await group.next()
            group.cancelAll()
        }
    }

    private func look(_ clock: some Clock<Duration>) async {
        while !Task.isCancelled {
            if state.withLock({ $0.views.isEmpty }) { await hasViews.wait() }
            guard (try? await clock.sleep(for: Self.beat)) != nil else { return }
            for (number, view) in state.withLock({ $0.views }) {
                if view.isForgotten(afterLooks: Self.lonelyLooks) {
                    await view.close()
                    forget(number)
                } else {
                    view.breakSilence()
                }
            }
        }
    }

    private func followFates(in center: Center) async {
        let content = ShownContent(center)
        while !Task.isCancelled {
            await hasFates.wait()
            let changed = state.withLock { state in
                defer { state.fates = [:] }
                return state.fates.compactMap { id, fate in state.views[id].map { ($0, fate) } }
            }
            for (view, fate) in changed {
                if fate.isGone {
                    await view.close()
                    continue
                }
                // One that is gone by now has another fate, and a disk that gives nothing changes nothing.
                if fate.isReplaced, let found = try? content.find(view.number, of: view.key.owner) {
                    view.move(toThread: found.content.thread)
                    await view.show(await content.hand(found))
                }
                guard let joined = fate.joined, let found = try? content.find(joined, of: view.key.owner),
                    center.app(found.key).content?.shows(found.content.category) == true
                else { continue }
                await view.show(await content.hand(found))
            }
        }
    }
}

extension ContentViews.Fate {
    /// `nil` means that the work left a view's notification and thread as they were.
    fileprivate init?(of view: ContentView, after result: WorkResult, of work: CenterWork) {
        let number = view.number
        switch result {
        case .listed(let newer, replaces: number, _):
            guard view.replace(number, by: newer) else { return nil }
            self.init(isReplaced: true)
        case .listed(let newer, _, _):
            // The commit of its own notification, or of one before it, is told after a view of it can be opened.
            guard newer > number, case .arrive(let arrival) = work, arrival.installation == view.key,
                case .listed(let content, _) = arrival.fate, let thread = content.thread, thread == view.thread
            else { return nil }
            self.init(joined: newer)
        case .removed(let removals) where removals.contains(where: { $0.target == number }): self.init(isGone: true)
        case .answered(_, let removal) where removal.target == number: self.init(isGone: true)
        case .uninstalled(let removals, _) where removals.contains(where: { $0.target == number }):
            self.init(isGone: true)
        case .renewed(let renewals):
            guard let renewal = renewals.first(where: { $0.former == number }),
                view.replace(number, by: renewal.number)
            else { return nil }
            self.init(isReplaced: true)
        default: return nil
        }
    }
}
