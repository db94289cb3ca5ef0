// SPDX-License-Identifier: Apache-2.0

/// Where an ingress hands over what it accepted.
package protocol PushAcceptor: Sendable {
    /// Takes a batch in the order of acceptance and answers every element exactly once, in the same order.
    ///
    /// Returns at once and never blocks; `answer` may be called before it returns or later, on any thread. An
    /// `accepted` push will have exactly one delivery record, whatever happens to the sender.
    func accept(_ batch: [IncomingPush], answer: @escaping @Sendable ([Acceptance]) -> Void)
}

/// What the sender is told.
package enum Acceptance: Sendable, Equatable {
    case accepted
    /// It is known already, and is not run again; `id` is the one under which it was first accepted.
    case repeated(id: String)
    /// This device has too many pushes without an outcome: 429.
    case deviceBusy
    /// The host has no room for more, or is stopping: 503.
    case unavailable

    /// The sender hears that all is well.
    package var isAcceptance: Bool {
        switch self {
        case .accepted, .repeated: true
        case .deviceBusy, .unavailable: false
        }
    }
}
