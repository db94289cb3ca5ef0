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
    private var line: RequestLine
    private var questions = WorkerQuestions()
    /// Calls to the notification centre that may wait for their answers.
    package static let openCallLimit = WorkerQuestions.callLimit

    /// Begins with a worker that starts; `lanes` is the number of requests that it works on at once.
    package init(lanes: Int) {
        line = RequestLine(lanes: lanes)
    }

    package enum Violation: Error, Equatable {
        case packet(PacketError)
        case message(MessageError)
        /// `ready` twice, anything before it, or a message that a process of this kind never sends.
        case wrongPhase(MessageType)
        /// An id that was never given to this worker, or one on a message that carries none.
        case unknownID(UInt64)
        /// The content of a request that has others before it, or the return of one that was not asked back.
        case notItsTurn(UInt64)
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
        /// `ahead` is the number of requests that the worker takes beyond those that it works on.
        case becameReady(ahead: Int)
        case completed(id: UInt64, WorkerMessage.Content, late: Bool)
        /// A second completion: counted, without effect.
        case repeatedCompletion(id: UInt64)
        /// The first completion of a request that the host had closed without it: counted, without effect.
        case overdueCompletion(id: UInt64)
        /// The worker gives back a request that it has not begun; `isOpen` is false if the host has closed it.
        case returned(id: UInt64, isOpen: Bool)
        case log(WorkerMessage.Log)
        /// Answer it, then say so with `answerKeychain()`.
        case keychain(KeychainCall)
        /// Answer it, then say so with `answer(id:)`.
        case call(id: UInt64, CenterCall)
    }

    package var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    package var openRequests: Set<UInt64> { Set(line.openIDs) }

    /// Tells whether the host waits for the content of the request.
    package func isOpen(id: UInt64) -> Bool { line.isOpen(id) }

    /// The open requests behind those that are begun, in their order.
    package var waitingRequests: [UInt64] { line.waitingIDs }

    /// The next request is begun as soon as the worker has it.
    package var hasFreeLane: Bool { line.hasFreeLane }

    /// Opens a request under a new id, which rises by one each time.
    ///
    /// The id is `nil` before `ready` and after the end.
    package mutating func openRequest() -> UInt64? {
        guard isReady else { return nil }
        lastID += 1
        _ = line.append(lastID)
        return lastID
    }

    /// Returns the next request whose turn has come since the last question, once each.
    package mutating func beginNext() -> UInt64? { line.beginNext() }

    /// Takes back a request of which nothing was sent.
    package mutating func forget(id: UInt64) { _ = line.remove(id) }

    /// True once per request that is begun and open: the last call may be sent.
    package mutating func warn(id: UInt64) -> Bool { isReady && line.warn(id) }

    /// Tells whether the last call was sent for an open request.
    package func wasWarned(id: UInt64) -> Bool { line.isWarned(id) }

    /// True once per open request that waits behind others: the worker may be asked to give it back.
    package mutating func recall(id: UInt64) -> Bool { isReady && line.recall(id) }

    /// Tells whether the request was asked back and has not left.
    package func wasRecalled(id: UInt64) -> Bool { line.isRecalled(id) }

    /// The answer goes out; the worker may ask again.
    package mutating func answerKeychain() { questions.answerKeychain() }

    /// The answer to a call goes out; false if the worker does not wait for one under the id.
    package mutating func answer(id: UInt64) -> Bool { questions.answer(id: id) }

    /// Closes a request without its completion; a later one is overdue.
    ///
    /// Harmless when it was completed.
    package mutating func close(id: UInt64) { line.close(id) }

    /// Ends the conversation and returns the requests left open.
    package mutating func end() -> Set<UInt64> {
        phase = .ended
        defer { line = RequestLine(lanes: line.lanes) }
        return openRequests
    }

    /// Tells whether a packet claims to complete an open request, by its header alone.
    package func isOpenCompletion(_ bytes: Span<UInt8>) -> Bool {
        guard let header = PacketHeader(bytes) else { return false }
        return header.type == MessageType.content.rawValue && line.isOpen(header.id)
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
        case (.starting, .ready(let ahead)):
            phase = .ready
            return .becameReady(ahead: ahead)
        case (.ready, .content(let id, let content)):
            guard id > 0, id <= lastID else { throw .unknownID(id) }
            guard line.isInLane(id) || !line.isOpen(id) else { throw .notItsTurn(id) }
            guard let request = line.remove(id) else { return .repeatedCompletion(id: id) }
            return request.wasClosed
                ? .overdueCompletion(id: id) : .completed(id: id, content, late: request.wasWarned)
        case (.ready, .returned(let id)):
            guard id > 0, id <= lastID else { throw .unknownID(id) }
            guard line.isRecalled(id), let request = line.remove(id) else { throw .notItsTurn(id) }
            return .returned(id: id, isOpen: !request.wasClosed)
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
        case (_, .returned): throw .wrongPhase(.returned)
        case (_, .log): throw .wrongPhase(.log)
        case (_, .keychain): throw .wrongPhase(.keychain)
        case (_, .call): throw .wrongPhase(.call)
        case (_, .viewScene): throw .wrongPhase(.viewScene)
        }
    }
}
