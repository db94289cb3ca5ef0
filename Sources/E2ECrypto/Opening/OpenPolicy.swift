// SPDX-License-Identifier: Apache-2.0

/// What an app takes.
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
    public var accept: Set<SealFormat>
    /// Who may seal with mode psk; empty when only anonymous payloads are expected.
    public var senders: [Sender]
    /// Refuses anonymous payloads before any key is touched, so that nobody can downgrade.
    public var requiresSender: Bool
    /// Keys beside the envelope that survive opening, listed as `clear` in `encryption`.
    public var keepClear: Set<String>
    /// Critical alerts and sounds stay; otherwise they become ordinary ones.
    public var allowsCritical: Bool

    /// What is not said is the default: every format, any sender, no clear keys, nothing critical.
    public init(
        accept: Set<SealFormat> = Set(SealFormat.allCases),
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
