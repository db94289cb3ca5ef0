// SPDX-License-Identifier: Apache-2.0

/// The reason for which an object is not the message that it is meant to be.
///
/// A text in a fault is the path of a member, which is a constant of ours, and never what a peer wrote.
package enum MemberFault: Error, Equatable {
    case missing(String)
    /// A text where a number belongs, and the like.
    case wrongKind(String)
    /// A member that the object does not have; the path is that of the object, `""` for the message itself.
    case unknownMember(of: String)
    case outOfRange(String)
    /// A text without a byte where there must be one.
    case empty(String)
    case tooLong(String, byteCount: Int)
    case tooMany(String, count: Int)
    case tooDeep(String)
    /// A text that is none of the words that may stand there.
    case unknownWord(String)
    /// A text that has not the shape of what it names: a date, a token, a name.
    case malformed(String)
    /// Two elements of a list are one thing.
    case repeated(String)
    case unsupportedProtocol
    /// An id on a message that carries none, or none where one belongs.
    case badID(UInt64)
    /// A call that only an app may make.
    case onlyForApps(CallName)
}

extension MemberFault: CustomStringConvertible {
    /// One clause for a log: what is wrong and where, never what the peer wrote.
    package var description: String {
        switch self {
        case .missing(let path): "\"\(path)\" is missing"
        case .wrongKind(let path): "\"\(path)\" is of another kind"
        case .unknownMember(""): "an unknown member"
        case .unknownMember(let path): "an unknown member in \"\(path)\""
        case .outOfRange(let path): "\"\(path)\" is out of its range"
        case .empty(let path): "\"\(path)\" is empty"
        case .tooLong(let path, let byteCount): "\"\(path)\" has \(byteCount) bytes, more than it may"
        case .tooMany(let path, let count): "\"\(path)\" has \(count) elements, more than it may"
        case .tooDeep(let path): "\"\(path)\" is nested too deep"
        case .unknownWord(let path): "\"\(path)\" has an unknown word"
        case .malformed(let path): "\"\(path)\" has another shape"
        case .repeated(let path): "\"\(path)\" comes twice"
        case .unsupportedProtocol: "another protocol version than \(centerProtocolVersion)"
        case .badID(let id): "the id \(id)"
        case .onlyForApps(let name): "the call \"\(name.rawValue)\", which only an app may make"
        }
    }
}

extension PacketFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooShort(let byteCount): "a packet of \(byteCount) bytes, too short for its header"
        case .tooLong(let byteCount, let limit): "a packet of \(byteCount) bytes, at most \(limit) are allowed"
        case .unknownType(let type): "a packet of the unknown type \(type)"
        case .badBody(let error): "a packet whose body is no message: \(error)"
        }
    }
}

/// The version of both conversations that `hello` offers.
package let centerProtocolVersion: Int64 = 1
