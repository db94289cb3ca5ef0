// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// The questions of one worker that wait for the host's answer: one about its keychain, and calls to its centre.
///
/// A pure value, which every kind of conversation with a worker has.
struct WorkerQuestions {
    /// Calls to the notification centre that may wait for their answers.
    static let callLimit = 64

    private var isKeychainAsked = false
    private var calls = OpenQuestions<CallName>(limit: callLimit)

    /// The worker asks about its keychain, which it may again once it has the answer.
    mutating func askKeychain() throws(WorkerConversation.Violation) {
        guard !isKeychainAsked else { throw .wrongPhase(.keychain) }
        isKeychainAsked = true
    }

    /// The worker calls its centre under an id that is above all before it.
    mutating func call(_ id: UInt64, _ name: CallName) throws(WorkerConversation.Violation) {
        do { try calls.open(id, name) } catch {
            switch error {
            case .notRising: throw .badCallID(id)
            case .full: throw .tooManyCalls
            }
        }
    }

    mutating func answerKeychain() { isKeychainAsked = false }

    /// Closes a call whose answer goes out; false if the worker does not wait for one under the id.
    mutating func answer(id: UInt64) -> Bool {
        guard calls[id] != nil else { return false }
        calls.close(id)
        return true
    }
}
