// SPDX-License-Identifier: Apache-2.0

/// A way of sealing, by the name that configuration and records use.
public enum SealFormat: String, Sendable, CaseIterable, Hashable {
    /// Our envelope: HPKE, padded, dated, bound to its push.
    case v1
    /// libsodium's `crypto_box_seal`, as any binding makes it: anonymous, undated.
    case sealedBox = "sealed-box"
}

/// What a format has to do: tell its texts from others, and turn one into plaintext.
///
/// A new format is one file with one type, and one line in `SealedFormats`.
protocol SealedFormat: Sendable {
    static var format: SealFormat { get }
    /// What stands before the first dot of a text; nil for texts without a dot.
    static var textPrefix: String? { get }
    /// Decodes and decrypts `text`, prefix included, into the workspace's plaintext.
    ///
    /// Order: strict text, length, public checks, and only then secrets. Reads no clock, remembers nothing.
    static func unseal(
        _ text: Span<UInt8>,
        context: PushContext,
        with keys: OpenerKeys
    ) throws(OpenError) -> Unsealed
}

/// A decrypted text whose sender, if it has one, is authentic; time and replay are not yet judged.
struct Unsealed {
    /// Where the content lies in the workspace's plaintext.
    let content: Range<Int>
    let kind: ContentRules.Kind
    let replayID: ReplaySet.ID
    /// Unix milliseconds; nil for formats without a date.
    let issued: Int64?
    /// Milliseconds that it stays valid, at most `maximumLifetime`.
    let lifetime: Int64
    /// nil for anonymous formats.
    let sender: KeyID?

    /// 30 days.
    static let maximumLifetime: Int64 = 30 * 24 * 60 * 60 * 1000
}

/// The formats there are.
enum SealedFormats {
    static let all: [any SealedFormat.Type] = [EnvelopeV1.self, SealedBox.self]

    /// The format that a text claims to have; nil when it claims an unknown one.
    static func format(of text: Span<UInt8>) -> (any SealedFormat.Type)? {
        let dot = text.indices.first { text[$0] == UInt8(ascii: ".") }
        return all.first { format in
            switch (dot, format.textPrefix) {
            case (let dot?, let prefix?):
                prefix.utf8.count == dot && zip(0..<dot, prefix.utf8).allSatisfy { text[$0] == $1 }
            case (nil, nil): true
            case (.some, nil), (nil, .some): false
            }
        }
    }
}
