// SPDX-License-Identifier: Apache-2.0

// What a peer did wrong, as one clause for a log or a developer's terminal: types and sizes, never content.

extension PacketError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooShort(let byteCount): "a packet of \(byteCount) bytes, too short for its header"
        case .tooLong(let byteCount): "a packet of \(byteCount) bytes, at most \(Packet.maximumByteCount) are allowed"
        case .unknownType(let type): "a packet of the unknown type \(type)"
        case .badBody(let error): "a packet whose body is no message: \(error)"
        }
    }
}

extension MessageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let key): "a message without a usable \"\(key)\""
        case .unsupportedProtocol: "a message of another protocol version than \(workerProtocolVersion)"
        case .member(let fault): "a call that is none: \(fault)"
        case .view(let fault): "a message of a view that is none: \(fault)"
        case .wrongDirection(let type): "a message of type \"\(type)\", which goes the other way"
        }
    }
}

extension WorkerConversation.Violation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .packet(let error): "\(error)"
        case .message(let error): "\(error)"
        case .wrongPhase(let type): "a message of type \"\(type)\" out of order"
        case .unknownID(let id): "a message under the id \(id), which it was not given"
        case .notItsTurn(let id): "a word on request \(id), whose turn it is not"
        case .badCallID(let id): "a call under id \(id), which does not rise"
        case .tooManyCalls: "more calls at once than \(WorkerConversation.openCallLimit)"
        case .scene(let fault): "a scene that does not fit: \(fault)"
        case .transport: "a packet that is too long or carries descriptors"
        case .chatter: "messages without end that mean nothing"
        }
    }
}

extension ServeConversation.Violation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .packet(let error): "\(error)"
        case .message(let error): "\(error)"
        case .wrongPhase(let type): "a message of type \"\(type)\" out of order"
        case .unknownID(let id): "a message for request \(id), which is not open"
        case .answer(let id): "an answer to call \(id), which is none of its answers"
        case .repeatedEvent(let seq): "event \(seq) of a view, whose number is not above those before it"
        case .tooManyRequests(let limit): "more requests at once than the announced \(limit)"
        }
    }
}
