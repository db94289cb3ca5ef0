// SPDX-License-Identifier: Apache-2.0

/// The reason for which a text is no key.
///
/// Offsets count bytes from 0, in the text without white space around it.
public enum KeyTextError: Error, Equatable, Sendable {
    /// There is nothing but white space.
    case empty
    /// A secret key stands where its public half belongs.
    case secretKey
    /// A public key stands where the secret half belongs.
    case publicKey
    /// A paired secret stands where a key belongs.
    case pairedSecret
    /// A key has 32 bytes.
    case wrongByteCount(got: Int)
    /// The text is written with characters that no key has.
    case unexpectedCharacter(offset: Int)
    /// Bech32 is written in one case.
    case mixedCase
    /// A mistyped or cut key.
    case wrongChecksum
    /// A line of a key file begins like nothing that stands in one.
    case unknownKind
    /// The words of a line that begins with the format's name.
    case malformedSecret(SealFormat)
    /// The words behind a secret key are no ` retired=` with a date.
    case malformedAttribute
    /// The point has small order: no secret could come of it.
    case unusable
}

extension KeyTextError: CustomStringConvertible {
    /// One clause, to stand after the name of what was read; never a character of it.
    public var description: String {
        switch self {
        case .empty: "is empty"
        case .secretKey: "is a secret key"
        case .publicKey: "is a public key"
        case .pairedSecret: "is a paired secret"
        case .wrongByteCount(let got): "has \(got) bytes, expected 32"
        case .unexpectedCharacter(let offset): "has an unexpected character at \(offset)"
        case .mixedCase: "mixes upper and lower case"
        case .wrongChecksum: "has a wrong checksum"
        case .unknownKind: "is no key"
        case .malformedSecret(let format): "holds no \(format) secret"
        case .malformedAttribute: "has something unreadable behind the key"
        case .unusable: "is a point of small order"
        }
    }

    /// The next step, if there is one.
    package var hint: String? {
        switch self {
        case .secretKey: "that is a secret key; pass the public one"
        case .publicKey: "that is a public key; pass the file with the secret one"
        case .pairedSecret: "that is a paired secret; pass a key of a key pair"
        case .wrongChecksum, .mixedCase: "a character is wrong or missing; copy the key again"
        case .wrongByteCount, .unusable: "make a key pair with \"seal-payload keygen -o FILE\""
        case .unexpectedCharacter, .unknownKind:
            "a public key begins with \"nse1\"; hexadecimal and base64 are read too"
        case .malformedSecret(let format):
            SealedFormats.withSharedSecret.first { $0.format == format }.map { "\(format): \($0.secretNotation)" }
        case .malformedAttribute: "only \"retired=2026-11-21T02:40:00Z\" may stand there, in UTC"
        case .empty: nil
        }
    }
}
