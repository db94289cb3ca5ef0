// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import Logging

/// The state of a store, writable or not; the log tells the operator when it changes.
final class JournalHealth: Sendable {
    /// The store, by what becomes of pushes while it refuses.
    enum Store {
        /// The journal of one host, for all that comes in and ends.
        case journal
        /// The shared store, for what comes in.
        case intake
        /// The shared store, for what ends here.
        case ledger

        fileprivate var refusal: String {
            switch self {
            case .journal: "the journal cannot be written: pushes are refused until it can"
            case .intake: "the fleet's database takes no pushes: they are refused until it does"
            case .ledger: "ends of pushes cannot be written to the fleet's database: they wait until they can"
            }
        }

        fileprivate var recovery: String {
            switch self {
            case .journal: "the journal is written again: pushes are accepted"
            case .intake: "the fleet's database takes pushes again"
            case .ledger: "ends of pushes are written again"
            }
        }
    }

    private struct State {
        var isFailing = false
        /// True once the journal is found corrupt: this process writes no more, only another with a sound one helps.
        var isDamaged = false
    }

    private let store: Store
    private let logger: Logger
    private let state = Locked(State())

    init(of store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// True from the moment the disk refuses until maintenance and a read have succeeded again.
    var isFailing: Bool { state.withLock { $0.isFailing } }
    var isDamaged: Bool { state.withLock { $0.isDamaged } }

    /// Notes that the disk takes transactions again.
    func recovered() {
        state.withLock { $0.isFailing = false }
        logger.notice("\(store.recovery)")
    }

    /// Notes that the disk refused.
    func failed(_ error: JournalError) {
        var isDamage = false
        if case .corrupt = error { isDamage = true }
        let isNews = state.withLock { state in
            defer {
                state.isFailing = true
                state.isDamaged = state.isDamaged || isDamage
            }
            return isDamage ? !state.isDamaged : !state.isFailing
        }
        guard isNews else { return }
        let metadata: Logger.Metadata = ["error": "\(error)", "hint": "\(error.nextStep)"]
        if isDamage {
            logger.error("the journal is damaged: pushes are refused until the host has another", metadata: metadata)
        } else {
            logger.error("\(store.refusal)", metadata: metadata)
        }
    }
}
