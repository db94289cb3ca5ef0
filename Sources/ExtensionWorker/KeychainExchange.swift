// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Keychain
import Locking

/// One question after the other to the host's keychain, from any number of threads.
///
/// A thread waits for as long as the host takes: it answers each question, and a host that is gone ends the process.
final class KeychainExchange: Sendable {
    private let turn = DispatchSemaphore(value: 1)
    private let answered = DispatchSemaphore(value: 0)
    private let answer = Locked(KeychainAnswer.failed)

    /// Asks with `send` when it is this thread's turn; `failed` when that is false.
    func exchange(_ send: () -> Bool) -> KeychainAnswer {
        turn.wait()
        defer { turn.signal() }
        guard send() else { return .failed }
        answered.wait()
        return answer.withLock { $0 }
    }

    /// The host's answer to the question that waits.
    func receive(_ answer: KeychainAnswer) {
        self.answer.withLock { $0 = answer }
        answered.signal()
    }
}
