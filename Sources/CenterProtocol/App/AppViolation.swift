// SPDX-License-Identifier: Apache-2.0

/// A breach of the app socket's rules: the connection is closed, and nothing more is taken from it.
///
/// Source: PROTOCOL.md, "App socket".
package enum AppViolation: Error, Equatable {
    case packet(PacketFault)
    case member(AppMessageType, MemberFault)
    case wrongDirection(AppMessageType)
    case wrongPhase(AppMessageType)
    /// Other descriptors came with a message than it announces.
    case descriptors(AppMessageType, announced: Int, came: Int)
    case idNotRising(AppMessageType, UInt64)
    /// An answer to what was not asked, or was answered before, or was asked in another way.
    case unknownID(AppMessageType, UInt64)
    case tooManyOpen(AppMessageType)
    /// More calls than the rate allows.
    case tooManyCalls
    /// The app never announced that it takes this.
    case unannounced(AppMessageType)
}

extension AppViolation: CustomStringConvertible {
    /// One clause for a log: types, numbers and sizes, never content.
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
        case .tooManyCalls: "more calls than \(CallRate.app.perSecond) a second"
        case .unannounced(let type): "a message \"\(type)\", for which the app has no handler"
        }
    }
}
