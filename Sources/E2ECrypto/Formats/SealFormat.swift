// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A way of sealing, by the name that configuration and records use.
///
/// The known ones are constants of this type; `allCases` lists them.
/// Source: FORMAT.md, "The push".
public struct SealFormat: RawRepresentable, Hashable, Sendable {
    /// The name as `accept` of an app's policy has it.
    public var rawValue: String { name.rawValue }

    /// Our envelope: HPKE, padded, dated, bound to its push.
    public static let v1 = SealFormat(.v1)
    /// libsodium's `crypto_box_seal`, as any binding makes it: anonymous, undated.
    public static let sealedBox = SealFormat(.sealedBox)
    /// libsodium's `crypto_box_easy` from a sender whose key the receiver has pinned; undated.
    public static let box = SealFormat(.box)
    /// Web Push message encryption, RFC 8291, to a subscription of ours; undated.
    public static let webPush = SealFormat(.webPush)
    /// Home Assistant's encrypted pushes: libsodium's secretbox under a secret that the server has as well; undated.
    public static let homeAssistant = SealFormat(.homeAssistant)
    /// Bark's AES-GCM under a key that the sender has as well; undated, and authenticated if that key has no iv.
    public static let barkGCM = SealFormat(.barkGCM)
    /// Bark's AES-CBC: not authenticated, anyone on the way can change it; never on unless listed.
    public static let barkCBC = SealFormat(.barkCBC)

    let name: SealFormatName

    /// The format of that name; nil when there is none.
    public init?(rawValue: String) {
        guard let name = SealFormatName(rawValue: rawValue) else { return nil }
        self.name = name
    }

    init(_ name: SealFormatName) {
        self.name = name
    }
}

extension SealFormat: CaseIterable {
    /// In the order in which formats are looked for.
    public static var allCases: [SealFormat] { SealFormatName.allCases.map { SealFormat($0) } }
}

extension SealFormat: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

/// A format of sealed texts, which tells its texts from others, decodes them, and turns the bytes into plaintext.
///
/// A new format is one file with one type, and a case of `SealFormatName`.
protocol SealedFormat: Sendable {
    static var format: SealFormat { get }
    /// The characters before the first dot of a text; `nil` for texts without a dot.
    static var textPrefix: String? { get }
    /// Writes the bytes of a text, prefix included, to `output`; returns how many.
    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int
    /// Reads the names of keys that anyone can see in the bytes; throws if the bytes have a wrong shape.
    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names
    /// Decrypts the workspace's ciphertext into its plaintext.
    ///
    /// Public checks come first, secrets last. Reads no clock, remembers nothing.
    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed
    /// Makes a forgery of the bytes of a message that opens, and returns how it is refused; nil, and no change, for a
    /// format in which nothing of the kind can be wrong.
    ///
    /// The self-test opens each forgery of each format, so that no library meets its first error in service.
    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError?
    /// Messages that the self-test opens before the opener takes its first push; at least one.
    static var knownAnswers: [KnownAnswer] { get }
    /// Puts content without `aps` in the words of the content rules, where its system has others.
    static func translate(_ content: JSONObject) -> JSONObject
}

/// A fault of a message that somebody makes without the keys.
enum Fault: CaseIterable {
    /// The authentication tag does not fit.
    case tag
    /// A point that the sender chooses is none of the curve, or of small order.
    case point
    /// Bytes are missing.
    case length
    /// The padding is judged, and wrong.
    case padding
}

extension SealedFormat {
    static var textPrefix: String? { nil }
    static func translate(_ content: JSONObject) -> JSONObject { content }
    /// The field of a push that carries this format.
    static var field: SealedField { format.name.field }
}

/// The formats there are.
enum SealedFormats {
    static let all: [any SealedFormat.Type] = SealFormatName.allCases.map(implementation(of:))

    private static func implementation(of name: SealFormatName) -> any SealedFormat.Type {
        switch name {
        case .v1: EnvelopeV1.self
        case .sealedBox: SealedBox.self
        case .box: SenderBox.self
        case .webPush: WebPush.self
        case .homeAssistant: HomeAssistant.self
        case .barkGCM: BarkGCM.self
        case .barkCBC: BarkCBC.self
        }
    }

    /// The format that a text in `field` claims to have; nil when it claims an unknown one.
    ///
    /// A text that does not tell, as Bark's, counts as the first format that `accept` holds.
    static func format(
        of text: Span<UInt8>,
        in field: SealedField,
        accept: Set<SealFormat>
    ) -> (any SealedFormat.Type)? {
        guard field == .encryptedContent else {
            let claimants = all.lazy.filter { $0.field == field }
            return claimants.first { accept.contains($0.format) } ?? claimants.first
        }
        let dot = unsafe text.withUnsafeBufferPointer { unsafe $0.firstIndex(of: UInt8(ascii: ".")) }
        return all.first { format in
            switch (dot, format.textPrefix) {
            case (let dot?, let prefix?):
                prefix.utf8.count == dot && zip(0..<dot, prefix.utf8).allSatisfy { text[$0] == $1 }
            case (nil, nil): format.field == field
            case (.some, nil), (nil, .some): false
            }
        }
    }
}
