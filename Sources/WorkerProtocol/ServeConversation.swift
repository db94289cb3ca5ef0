// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import Keychain
import SceneModel

/// A worker's own side of the conversation: which message of the host is allowed now.
///
/// A pure value without I/O. The host is trusted more than a worker, yet a message out of order means that one of the
/// two is broken, and a worker that guesses is worse than one that ends.
package struct ServeConversation: ~Copyable {
    private enum Phase {
        case waitingForHello
        case serving
        case ended
    }

    /// The work of the process: notifications on their way, or one view.
    package enum Role: Sendable {
        case service
        case view
    }

    private let role: Role
    private var phase = Phase.waitingForHello
    /// The `seq` of the view's last event; `nil` before the view is open.
    private var lastEvent: UInt64?
    private var lastID: UInt64 = 0
    private var line = RequestLine(lanes: 1)
    /// The requests that have others before them, by their ids.
    private var waiting: [UInt64: HostMessage.Request] = [:]
    /// The waiting requests whose last call has come already.
    private var expiring: Set<UInt64> = []
    private var isKeychainAsked = false
    private var calls = OpenQuestions<CallName>(limit: WorkerConversation.openCallLimit)

    /// The number of requests that a service takes beyond those that it works on.
    package static let ahead = 7

    package init(_ role: Role = .service) {
        self.role = role
    }

    package enum Violation: Error, Equatable {
        case packet(PacketError)
        case message(MessageError)
        case wrongPhase(MessageType)
        case unknownID(UInt64)
        /// An event whose number is not above those before it.
        case repeatedEvent(UInt64)
        /// More requests at once than `hello` and `ready` announced.
        case tooManyRequests(limit: Int)
        /// An answer that its call cannot have, or to no call.
        case answer(UInt64)
    }

    package enum Event: Equatable {
        /// Answer with `ready`.
        case hello(HostMessage.Hello)
        case request(id: UInt64, HostMessage.Request)
        /// A request that has others before it: nothing to do before `leave(id:)` returns it.
        case requestBehind(id: UInt64)
        /// A request is asked back and was not begun: answer with `returned`.
        case recalled(id: UInt64)
        /// The recall crossed the begin of its request: nothing to do.
        case recallOfBegunRequest
        /// The last call for an open request.
        case willExpire(id: UInt64)
        /// The last call crossed the completion, or is for a request that begins with it: nothing to do.
        case expiryOfClosedRequest
        case shutdown
        /// The host's answer to the keychain call that waits.
        case keychain(KeychainAnswer)
        /// The centre's answer to a call.
        case answer(id: UInt64, CallAnswer)
        /// The notification that the view is to show, and where it is shown.
        case view(ViewOpening)
        /// An event for the view, which an update of the scene acknowledges by its number.
        case viewEvent(seq: UInt64, ViewWord)
    }

    /// A request whose turn has come after others.
    package struct Turn {
        package let id: UInt64
        package let request: HostMessage.Request
        /// The last call came before the turn did.
        package let isExpiring: Bool
    }

    package mutating func receive(_ bytes: Span<UInt8>) throws(Violation) -> Event {
        let packet: Packet
        do { packet = try Packet(decoding: bytes, isAnswer: true) } catch { throw .packet(error) }
        let message: HostMessage
        do { message = try HostMessage(packet) } catch { throw .message(error) }
        switch (phase, message) {
        case (.serving, .view(let id, let opening)) where role == .view && lastEvent == nil:
            guard id == ViewConversation.viewID else { throw .unknownID(id) }
            lastEvent = 0
            return .view(opening)
        case (.serving, .viewEvent(let id, let seq, let word)):
            guard let lastEvent else { throw .wrongPhase(packet.type) }
            guard id == ViewConversation.viewID else { throw .unknownID(id) }
            guard seq > lastEvent else { throw .repeatedEvent(seq) }
            self.lastEvent = seq
            return .viewEvent(seq: seq, word)
        case (.waitingForHello, .hello(let hello)):
            phase = .serving
            line = RequestLine(lanes: hello.maxConcurrentRequests)
            return .hello(hello)
        case (.serving, .request(let id, let request)) where role == .service:
            guard id > lastID else { throw .unknownID(id) }
            guard line.openCount < line.lanes + Self.ahead else {
                throw .tooManyRequests(limit: line.lanes + Self.ahead)
            }
            lastID = id
            if line.append(id) { return .request(id: id, request) }
            waiting[id] = request
            return .requestBehind(id: id)
        case (.serving, .willExpire(let id)):
            guard id > 0, id <= lastID else { throw .unknownID(id) }
            if waiting[id] != nil { expiring.insert(id) }
            return line.warn(id) ? .willExpire(id: id) : .expiryOfClosedRequest
        case (.serving, .recall(let id)) where role == .service:
            guard id > 0, id <= lastID else { throw .unknownID(id) }
            guard !line.isDue(id), waiting.removeValue(forKey: id) != nil else { return .recallOfBegunRequest }
            _ = line.remove(id)
            expiring.remove(id)
            return .recalled(id: id)
        case (.serving, .shutdown):
            phase = .ended
            return .shutdown
        case (.serving, .keychain(let answer)) where isKeychainAsked:
            isKeychainAsked = false
            return .keychain(answer)
        case (.serving, .answer(let id, let body)):
            guard let name = calls[id], let answer = try? CallAnswer(body, to: name) else { throw .answer(id) }
            calls.close(id)
            return .answer(id: id, answer)
        case (_, .hello), (_, .request), (_, .willExpire), (_, .recall), (_, .shutdown), (_, .keychain), (_, .answer),
            (_, .view),
            (_, .viewEvent):
            throw .wrongPhase(packet.type)
        }
    }

    /// True when the host may be asked: not before `ready`, and not while another call waits.
    package mutating func askKeychain() -> Bool {
        guard case .serving = phase, !isKeychainAsked else { return false }
        isKeychainAsked = true
        return true
    }

    /// The id under which a call is to be sent; `nil` before `ready`, and while as many calls wait as may.
    package mutating func openCall(_ name: CallName) -> UInt64? {
        guard case .serving = phase, calls.hasRoom else { return nil }
        let id = calls.lastID + 1
        guard (try? calls.open(id, name)) != nil else { return nil }
        return id
    }

    /// True for the first completion of a request that is begun, which must be sent; false for every later one.
    ///
    /// The request keeps its place until `leave(id:)`.
    package mutating func complete(id: UInt64) -> Bool {
        guard waiting[id] == nil, line.isOpen(id) else { return false }
        line.close(id)
        return true
    }

    /// Takes a request out whose completion was sent, and returns the one whose turn has come, if there is one.
    ///
    /// No other request is begun in its place before, so that the host hears of contents in the order of turns, also
    /// when a request comes while the completion is on its way.
    package mutating func leave(id: UInt64) -> Turn? {
        _ = line.remove(id)
        guard let id = line.beginNext(), let request = waiting.removeValue(forKey: id) else { return nil }
        return Turn(id: id, request: request, isExpiring: expiring.remove(id) != nil)
    }
}
