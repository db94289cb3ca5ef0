// SPDX-License-Identifier: Apache-2.0

private import Locking

/// The readiness of a host to take pushes, as its parts report it and `/ready` answers it.
package final class Readiness: Sendable {
    package enum State: String, Sendable, CaseIterable {
        case starting, ready
        /// Senders hear 503: the disk does not take what they send.
        case journalFailing = "journal-failing"
        case draining
    }

    private let current = Locked(State.starting)
    private let isStoring = Locked<@Sendable () -> Bool>({ true })
    /// True if the host has a state folder, so that its state outlives the process.
    package let keepsState: Bool

    package init(keepsState: Bool) {
        self.keepsState = keepsState
    }

    package var state: State {
        let state = current.withLock { $0 }
        return state == .ready && !isStoring.withLock({ $0 })() ? .journalFailing : state
    }

    /// A host that is ready is so as long as its disk takes what senders send.
    package func watch(isStoring: @escaping @Sendable () -> Bool) {
        self.isStoring.withLock { $0 = isStoring }
    }

    /// A host that drains stays so.
    package func become(_ state: State) {
        current.withLock { if $0 != .draining { $0 = state } }
    }
}
