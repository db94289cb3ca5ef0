// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import Keychain
import NotificationPayload
package import SceneModel

/// The host's side of a conversation with one worker: which message is allowed now, and what it means.
///
/// A pure value; it does no I/O and knows no time. Every message of a worker is hostile: what the table of PROTOCOL.md
/// does not allow is a `Violation`, after which the worker is killed and nothing more is taken from it.
package struct WorkerConversation: ~Copyable {
    private enum Phase {
        case starting
        case ready
        case ended
    }

    private var phase = Phase.starting
    private var lastID: UInt64 = 0
    private var openIDs: Set<UInt64> = []
    private var warnedIDs: Set<UInt64> = []
    /// Closed by the host without a completion; few, because such a worker gets nothing new.
    private var overdueIDs: Set<UInt64> = []
    private var questions = WorkerQuestions()
    /// Calls to the notification centre that may wait for their answers.
    package static let openCallLimit = WorkerQuestions.callLimit

    package init() {}

    package enum Violation: Error, Equatable {
        case packet(PacketError)
        case message(MessageError)
        /// `ready` twice, anything before it, or a message that a process of this kind never sends.
        case wrongPhase(MessageType)
        /// An id that was never given to this worker, or one on a message that carries none.
        case unknownID(UInt64)
        /// A call under an id that is not above the last one.
        case badCallID(UInt64)
        case tooManyCalls
        /// An update that does not fit the scene of the view.
        case scene(SceneFault)
        /// Packets that were cut, or descriptors attached to one.
        case transport
        /// Messages without end that mean nothing.
        case chatter
    }

    package enum Event: Equatable {
        case becameReady
        case completed(id: UInt64, WorkerMessage.Content, late: Bool)
        /// A second completion: counted, without effect.
        case repeatedCompletion(id: UInt64)
        /// The first completion of a request that the host had closed without it: counted, without effect.
        case overdueCompletion(id: UInt64)
        case log(WorkerMessage.Log)
        /// Answer it, then say so with `answerKeychain()`.
        case keychain(KeychainCall)
        /// Answer it, then say so with `answer(id:)`.
        case call(id: UInt64, CenterCall)
    }

    package var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    package var openRequests: Set<UInt64> { openIDs }

    /// Opens a request under a new id, which rises by one each time.
    ///
    /// The id is `nil` before `ready` and after the end.
    package mutating func openRequest() -> UInt64? {
        guard isReady else { return nil }
        lastID += 1
        openIDs.insert(lastID)
        return lastID
    }

    /// True once per open request: the last call may be sent.
    package mutating func warn(id: UInt64) -> Bool {
        isReady && openIDs.contains(id) && warnedIDs.insert(id).inserted
    }

    /// Tells whether the last call was sent for an open request.
    package func wasWarned(id: UInt64) -> Bool {
        warnedIDs.contains(id)
    }

    /// The answer goes out; the worker may ask again.
    package mutating func answerKeychain() { questions.answerKeychain() }

    /// The answer to a call goes out; false if the worker does not wait for one under the id.
    package mutating func answer(id: UInt64) -> Bool { questions.answer(id: id) }

    /// Closes a request without its completion; a later one is overdue.
    ///
    /// Harmless when it was completed.
    package mutating func close(id: UInt64) {
        if openIDs.remove(id) != nil { overdueIDs.insert(id) }
        warnedIDs.remove(id)
    }

    /// Ends the conversation and returns the requests left open.
    package mutating func end() -> Set<UInt64> {
        phase = .ended
        defer {
            openIDs = []
            warnedIDs = []
        }
        return openIDs
    }

    /// Tells whether a packet claims to complete an open request, by its header alone.
    package func isOpenCompletion(_ bytes: Span<UInt8>) -> Bool {
        guard let header = PacketHeader(bytes) else { return false }
        return header.type == MessageType.content.rawValue && openIDs.contains(header.id)
    }

    /// Tells whether a packet claims to be a log message, by its first byte.
    package static func isLog(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > 0 && bytes[0] == MessageType.log.rawValue
    }

    /// Judges one packet of the worker.
    package mutating func receive(_ bytes: Span<UInt8>) throws(Violation) -> Event {
        do {
            return try event(for: try WorkerMessage(packet: bytes))
        } catch {
            phase = .ended
            throw error
        }
    }

    private mutating func event(for message: WorkerMessage) throws(Violation) -> Event {
        switch (phase, message) {
        case (.starting, .ready):
            phase = .ready
            return .becameReady
        case (.ready, .content(let id, let content)):
            guard id > 0, id <= lastID else { throw .unknownID(id) }
            guard openIDs.remove(id) != nil else {
                return overdueIDs.remove(id) == nil ? .repeatedCompletion(id: id) : .overdueCompletion(id: id)
            }
            let late = warnedIDs.remove(id) != nil
            return .completed(id: id, content, late: late)
        case (.ready, .log(let log)):
            return .log(log)
        case (.ready, .keychain(let call)):
            try questions.askKeychain()
            return .keychain(call)
        case (.ready, .call(let id, let call)):
            try questions.call(id, call.name)
            return .call(id: id, call)
        case (.ready, .ready): throw .wrongPhase(.ready)
        case (_, .ready): throw .wrongPhase(.ready)
        case (_, .content): throw .wrongPhase(.content)
        case (_, .log): throw .wrongPhase(.log)
        case (_, .keychain): throw .wrongPhase(.keychain)
        case (_, .call): throw .wrongPhase(.call)
        case (_, .viewScene): throw .wrongPhase(.viewScene)
        }
    }
}
