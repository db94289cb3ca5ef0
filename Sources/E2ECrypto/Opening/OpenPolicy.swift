// SPDX-License-Identifier: Apache-2.0

/// The rules by which an app accepts sealed payloads.
///
/// Source: FORMAT.md, "Policy".
public struct OpenPolicy: Sendable {
    /// A sender whose payloads count as authenticated.
    public struct Sender: Sendable, Equatable {
        /// The key that the sender seals with.
        public var publicKey: PublicKey
        /// For people; no decision depends on it.
        public var name: String?

        /// A sender known by its key.
        public init(publicKey: PublicKey, name: String? = nil) {
            self.publicKey = publicKey
            self.name = name
        }
    }

    /// Formats that are opened.
    ///
    /// A message does not tell `bark-gcm` from `bark-cbc`; the former is meant when both are listed.
    public var accept: Set<SealFormat>
    /// The senders that may seal with a key; empty if all payloads are anonymous or under a paired secret.
    public var senders: [Sender]
    /// Refuses payloads that name no sender before any key is touched, so that nobody can downgrade.
    public var requiresSender: Bool
    /// Keys beside the envelope that survive opening, listed as `clear` in `encryption`.
    public var keepClear: Set<String>
    /// Critical alerts and sounds stay; otherwise they become ordinary ones.
    public var allowsCritical: Bool

    /// The default of `accept`: the formats that need no secret of another system.
    public static let defaultAccept: Set<SealFormat> = [.v1, .sealedBox]

    /// Makes a policy; by default: `defaultAccept`, no senders, anonymous payloads, no clear keys, nothing critical.
    public init(
        accept: Set<SealFormat> = OpenPolicy.defaultAccept,
        senders: [Sender] = [],
        requiresSender: Bool = false,
        keepClear: Set<String> = [],
        allowsCritical: Bool = false
    ) {
        self.accept = accept
        self.senders = senders
        self.requiresSender = requiresSender
        self.keepClear = keepClear
        self.allowsCritical = allowsCritical
    }
}
