// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The faults of a request or of the host that every interface knows; each has its own words for all of them.
enum PushFault: Sendable, Equatable {
    /// The body did not come within the time that a request has.
    case late
    /// The body is longer than a push of this kind may be.
    case tooLong
    /// The device has too many pushes without an outcome, or gets them too fast.
    case tooFast
    /// The identifier is that of another push, and the interface minds.
    case idTaken
    /// The host has no room for more pushes, or stops taking them.
    case noRoom
    /// The disk takes nothing.
    case notStored
    /// Nobody may send to the device token, as the store of the pushes says.
    case badToken(BadToken)
    /// The connection is being drained, and this request came behind the last one that is taken.
    case drained
    /// The host gave no answer, which is a mistake of its own.
    case broken

    /// Returns `nil` when the push was accepted; a push without any answer counts as `broken`.
    init?(_ acceptance: Acceptance?) {
        switch acceptance {
        case .accepted, .repeated: return nil
        case .idTaken: self = .idTaken
        case .deviceBusy: self = .tooFast
        case .unavailable: self = .noRoom
        case .notStored: self = .notStored
        case .badToken(let fault): self = .badToken(fault)
        case nil: self = .broken
        }
    }
}

/// The reason for which a request is turned away: its interface's refusal, or a fault not yet put into its words.
enum Turndown: Sendable, Equatable {
    /// The interface's own rules refused the request.
    case judged(Refusal)
    /// The transport or the queue did.
    case fault(PushFault)
}
