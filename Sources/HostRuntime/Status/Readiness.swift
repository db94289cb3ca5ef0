// SPDX-License-Identifier: Apache-2.0

private import Locking

/// The readiness of a host to take pushes, as its parts report it and `/ready` answers it.
package final class Readiness: Sendable {
    package enum State: String, Sendable, CaseIterable {
        case starting, ready
        /// Senders hear 503: the disk does not take what they send.
        case journalFailing = "journal-failing"
        /// The host is not a member of its fleet: it takes pushes, and works on none.
        case joining
        case draining
    }

    private let current = Locked(State.starting)
    private let obstacle = Locked<@Sendable () -> State?>({ nil })
    /// True if the host has a state folder, so that its state outlives the process.
    package let keepsState: Bool

    package init(keepsState: Bool) {
        self.keepsState = keepsState
    }

    package var state: State {
        let state = current.withLock { $0 }
        return state == .ready ? obstacle.withLock({ $0 })() ?? .ready : state
    }

    /// Has `obstacle` be asked why a host that is ready by its parts is not; it returns `nil` if nothing is in the way.
    package func watch(obstacle: @escaping @Sendable () -> State?) {
        self.obstacle.withLock { $0 = obstacle }
    }

    /// A host that drains stays so.
    package func become(_ state: State) {
        current.withLock { if $0 != .draining { $0 = state } }
    }
}
