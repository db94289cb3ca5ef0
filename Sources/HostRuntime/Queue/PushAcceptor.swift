// SPDX-License-Identifier: Apache-2.0

/// Takes what an ingress accepted.
package protocol PushAcceptor: Sendable {
    /// Takes a batch in the order of acceptance and answers every element exactly once.
    ///
    /// `answer` gets the places from its first argument on. Most often it is called once for the whole batch; pushes
    /// that wait for room are answered later, alone. Returns at once and never blocks; `answer` may be called before
    /// it returns or later, on any thread. An `accepted` push will have exactly one delivery record, whatever happens
    /// to the sender; in a fleet none if it turns out to be a repeat. An empty answer says that there will be none,
    /// because of a mistake of the acceptor's.
    func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (_ place: Int, [Acceptance]) -> Void)
}

/// The answer to the sender of a push.
package enum Acceptance: Sendable, Equatable {
    case accepted
    /// The push is known already, and is not run again; `id` is the one under which it was first accepted.
    case repeated(id: String)
    /// The push's id is that of another push, and the push wants that refused: 400.
    case idTaken
    /// This device has too many pushes without an outcome, or gets them too fast: 429.
    case deviceBusy
    /// The host has no room for more, or is stopping: 503.
    case unavailable
    /// The disk takes nothing: 503, and a later repeat than after `unavailable`.
    case notStored
    /// Nobody may send to the device token.
    case badToken(BadToken)

    /// The sender hears that all is well.
    package var isAcceptance: Bool {
        switch self {
        case .accepted, .repeated: true
        case .idTaken, .deviceBusy, .unavailable, .notStored, .badToken: false
        }
    }

    /// True if it may help to offer the push again later.
    package var mayPass: Bool {
        switch self {
        case .accepted, .repeated, .idTaken, .badToken: false
        case .deviceBusy, .unavailable, .notStored: true
        }
    }
}
