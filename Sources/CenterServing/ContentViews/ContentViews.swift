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
        var last: Int64 = 0
    }

    private let state = Locked(State())
    private let hasViews = Signal()

    /// Makes a view that no host has yet; `nil` means that the owner has as many as it may.
    func make(_ subject: ContentView.Subject) -> (number: Int64, view: ContentView)? {
        let made = state.withLock { state -> (number: Int64, view: ContentView)? in
            let own = state.views.values.filter { $0.subject.key.owner == subject.key.owner }
            guard own.count < Self.keptLimit, own.count(where: \.isOpen) < Self.ownerLimit else { return nil }
            state.last += 1
            let view = ContentView(subject)
            state.views[state.last] = view
            return (state.last, view)
        }
        hasViews.raise()
        return made
    }

    /// A view of an owner; `nil` means that there is none of the number.
    func view(_ number: Int64, of owner: OwnerName) -> ContentView? {
        state.withLock { $0.views[number] }.flatMap { $0.subject.key.owner == owner ? $0 : nil }
    }

    /// The open views of a notification.
    func views(of number: Int64, owner: OwnerName) -> [ContentView] {
        state.withLock { state in
            state.views.values.filter { $0.subject.number == number && $0.subject.key.owner == owner && $0.isOpen }
        }
    }

    func forget(_ number: Int64) { state.withLock { $0.views[number] = nil } }

    var count: Int { state.withLock { $0.views.count } }

    /// Looks after the views until the task is cancelled.
    package func run(_ clock: some Clock<Duration>) async {
        while !Task.isCancelled {
            if count == 0 { await hasViews.wait() }
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
}
