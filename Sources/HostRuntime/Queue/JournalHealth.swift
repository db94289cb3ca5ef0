// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import Logging

/// The state of the journal, writable or not; the log tells the operator when it changes.
final class JournalHealth: Sendable {
    private struct State {
        var isFailing = false
        /// True once the journal is found corrupt: this process writes no more, only another with a sound one helps.
        var isDamaged = false
    }

    private let logger: Logger
    private let state = Locked(State())

    init(logger: Logger) {
        self.logger = logger
    }

    /// True from the moment the disk refuses until maintenance and a read have succeeded again.
    var isFailing: Bool { state.withLock { $0.isFailing } }
    var isDamaged: Bool { state.withLock { $0.isDamaged } }

    /// Notes that the disk takes transactions again.
    func recovered() {
        state.withLock { $0.isFailing = false }
        logger.notice("the journal is written again: pushes are accepted")
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
            logger.error("the journal cannot be written: pushes are refused until it can", metadata: metadata)
        }
    }
}
