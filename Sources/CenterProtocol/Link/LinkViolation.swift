// SPDX-License-Identifier: Apache-2.0

/// A breach of the link's rules: whoever commits it is ended, and nothing more is taken from it.
///
/// Source: PROTOCOL.md, "Link".
package enum LinkViolation: Error, Equatable {
    case packet(PacketFault)
    case member(LinkMessageType, MemberFault)
    case wrongDirection(LinkMessageType)
    case wrongPhase(LinkMessageType)
    /// Other descriptors came with a message than it announces.
    case descriptors(LinkMessageType, announced: Int, came: Int)
    case idNotRising(LinkMessageType, UInt64)
    /// An answer to what was not asked, or was answered before.
    case unknownID(LinkMessageType, UInt64)
    case tooManyOpen(LinkMessageType)
    case recordInFlight(Int64)
    /// More records, or longer ones, than may be in flight.
    case windowFull(Int64)
    /// A record is settled that is not in flight.
    case notInFlight(LinkMessageType, Int64)
    case floorNotRising(Int64)
    case pieceOutOfOrder(LinkMessageType, UInt64)
    case tooManyOwners(Int)
    case tooManyApps(Int)
    case tooManyGates(Int)
    case repeatedOwner
    case repeatedApp(String)
    case tooManyFiles(Int)
    /// A file of an app comes twice before one list.
    case repeatedFile(String)
    /// The first list of gates names changes, or one list does both.
    case gatesNotWhole
}

extension LinkViolation: CustomStringConvertible {
    /// One clause for a log: types, numbers, sizes and topics, never content.
    package var description: String {
        switch self {
        case .packet(let fault): "\(fault)"
        case .member(let type, let fault): "a message \"\(type)\" that cannot be used: \(fault)"
        case .wrongDirection(let type): "a message \"\(type)\", which goes the other way"
        case .wrongPhase(let type): "a message \"\(type)\" out of order"
        case .descriptors(let type, let announced, let came):
            "a message \"\(type)\" with \(came) descriptors in place of \(announced)"
        case .idNotRising(let type, let id): "a message \"\(type)\" whose id \(id) does not rise"
        case .unknownID(let type, let id): "a message \"\(type)\" for \(id), which is not open"
        case .tooManyOpen(let type): "too many messages \"\(type)\" without an answer"
        case .recordInFlight(let number): "record \(number), which is in flight already"
        case .windowFull(let number): "record \(number), for which the window has no room"
        case .notInFlight(let type, let number): "a message \"\(type)\" on record \(number), which is not in flight"
        case .floorNotRising(let floor): "the floor \(floor), which does not rise"
        case .pieceOutOfOrder(let type, let number): "piece \(number) of \"\(type)\" out of order"
        case .tooManyOwners(let count): "\(count) owners, more than there may be"
        case .tooManyApps(let count): "\(count) apps, more than there may be"
        case .tooManyGates(let count): "\(count) gates, more than there may be"
        case .repeatedOwner: "an owner that comes twice"
        case .repeatedApp(let topic): "the app \"\(topic)\", which comes twice"
        case .tooManyFiles(let count): "\(count) files of apps, more than there may be"
        case .repeatedFile(let topic): "a file of the app \"\(topic)\" that comes twice"
        case .gatesNotWhole: "changes of gates where all of them belong"
        }
    }
}
