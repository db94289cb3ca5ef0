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
        /// Views whose notifications have changed, at most one fate each.
        var fates: [Int64: Fate] = [:]
    }

    /// The fate of a notification that a view shows.
    fileprivate enum Fate {
        case gone
        /// A newer version has its place, under this number.
        case replaced(by: Int64)
    }

    private let state = Locked(State())
    private let hasViews = Signal()
    private let hasFates = Signal()

    /// Makes a view that no host has yet; `nil` means that the owner has as many as it may.
    func make(of key: InstallationKey, number: Int64) -> (number: Int64, view: ContentView)? {
        let made = state.withLock { state -> (number: Int64, view: ContentView)? in
            let own = state.views.values.filter { $0.key.owner == key.owner }
            guard own.count < Self.keptLimit, own.count(where: \.isOpen) < Self.ownerLimit else { return nil }
            state.last += 1
            let view = ContentView(of: key, number: number)
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

    /// Takes in what a commit has done: notifications that it has taken away, or whose places newer versions have.
    func follow(_ work: [CenterWork], _ results: [WorkResult]) {
        let views = state.withLock { $0.views }
        guard !views.isEmpty else { return }
        var fates: [Int64: Fate] = [:]
        for (work, result) in zip(work, results) {
            for (id, view) in views where view.key.owner == work.owner {
                let number = view.number
                guard let fate = Fate(of: number, after: result) else { continue }
                if case .replaced(let newer) = fate, !view.replace(number, by: newer) { continue }
                fates[id] = fate
            }
        }
        guard !fates.isEmpty else { return }
        state.withLock { $0.fates.merge(fates) { $1 } }
        hasFates.raise()
    }

    /// Looks after the views of a centre until the task is cancelled.
    package func run(_ clock: some Clock<Duration>, of center: Center) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.look(clock) }
            group.addTask { await self.followFates(ShownContent(center)) }
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

    private func followFates(_ content: ShownContent) async {
        while !Task.isCancelled {
            await hasFates.wait()
            let changed = state.withLock { state in
                defer { state.fates = [:] }
                return state.fates.compactMap { id, fate in state.views[id].map { ($0, fate) } }
            }
            for (view, fate) in changed {
                switch fate {
                case .gone: await view.close()
                case .replaced:
                    // One that is gone by now has another fate, and a disk that gives nothing changes nothing.
                    guard let found = try? content.find(view.number, of: view.key.owner) else { continue }
                    await view.show(await content.hand(found))
                }
            }
        }
    }
}

extension ContentViews.Fate {
    /// `nil` means that the work left the notification as it was.
    fileprivate init?(of number: Int64, after result: WorkResult) {
        switch result {
        case .listed(let newer, replaces: number, _): self = .replaced(by: newer)
        case .removed(let removals) where removals.contains(where: { $0.target == number }): self = .gone
        case .answered(_, let removal) where removal.target == number: self = .gone
        case .uninstalled(let removals, _) where removals.contains(where: { $0.target == number }): self = .gone
        case .renewed(let renewals):
            guard let renewal = renewals.first(where: { $0.former == number }) else { return nil }
            self = .replaced(by: renewal.number)
        default: return nil
        }
    }
}
