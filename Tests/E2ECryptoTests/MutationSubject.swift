// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import E2ECrypto

/// A message that opens, taken apart so that it can be changed, and what must become of a changed one.
///
/// `expected` is written from FORMAT.md alone: it reads the public bytes and knows no secret, so anything that passes
/// them and is not the message itself must be `notOpened`.
struct MutationSubject {
    enum Expectation: Equatable {
        case refused(OpenError)
        /// The message itself, in another spelling.
        case opens
        /// Nobody vouches for it: refused, or opened and marked as not authenticated.
        case unauthenticated
    }

    let vector: VectorFile
    let format: SealFormat
    let opener: Opener
    let text: [UInt8]
    /// The bytes that the text decodes to.
    let bytes: [UInt8]
    /// The payload that the unchanged message opens to.
    let payload: JSONObject
    private let push: JSONObject
    private let context: PushContext
    private let recipients: Set<KeyID>
    private let senders: Set<KeyID>

    init(_ name: String) throws {
        vector = try VectorFile.named(name)
        let arena = try SecretArena()
        let ring = try vector.ring(in: arena)
        recipients = Set(ring.publicKeys.map(\.id))
        let policy = try vector.policy
        senders = Set(policy.senders.map(\.publicKey.id))
        context = vector.context
        push = try vector.push.object
        payload = try #require(try vector.payload?.object)
        let name = try #require(payload["encryption"]?.object?["format"]?.string)
        format = try #require(SealFormat(rawValue: name))
        opener = try Opener(keys: ring, policy: OpenPolicy(accept: [format], senders: policy.senders))
        text = Array(try #require(push[Self.fields[format] ?? "encrypted-content"]?.string).utf8)
        bytes = try Self.decoded(text, format).get()
    }

    // MARK: Text

    private static let prefixes: [SealFormat: String] = [.v1: "v1.", .box: "box.", .webPush: "wp."]
    private static let fields: [SealFormat: String] = [
        .homeAssistant: "encrypted_data", .barkGCM: "ciphertext", .barkCBC: "ciphertext",
    ]

    /// The six-bit value of each byte in base64url; `nil` for a byte outside the alphabet.
    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = value }
        return values
    }()

    /// base64url without padding, which every format reads.
    func text(of bytes: [UInt8]) -> [UInt8] {
        let base64 = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return Array(((Self.prefixes[format] ?? "") + base64.replacing("=", with: "")).utf8)
    }

    /// FORMAT.md, "Text": strict base64url behind a prefix, or base64 in any alphabet, padded or not;
    /// for Bark with line ends anywhere.
    private static func decoded(_ text: [UInt8], _ format: SealFormat) -> Result<[UInt8], OpenError> {
        guard text.count <= 8192 else { return .failure(.tooLarge(limit: 8192, got: text.count)) }
        let places = text.indices.filter { ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(text[$0]) }
        if [.barkGCM, .barkCBC].contains(format), places.count < text.count {
            let result = decoded(places.map { text[$0] }, format)
            guard case .failure(.malformedText(let offset)) = result else { return result }
            return .failure(.malformedText(offset: offset < places.count ? places[offset] : text.count))
        }
        if fields[format] == nil, let other = Self.format(of: text), other != format {
            return .failure(.formatNotAccepted(other))
        }
        let prefix = prefixes[format] ?? ""
        guard text.starts(with: prefix.utf8) else { return .failure(.formatNotAccepted(nil)) }
        if fields[format] == nil, Self.format(of: text) == nil { return .failure(.formatNotAccepted(nil)) }
        let isStrict = !prefix.isEmpty
        var characters = text[prefix.utf8.count...]
        if !isStrict, text.count % 4 == 0 {
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        } else if !isStrict, characters.reversed().prefix(2).contains(UInt8(ascii: "=")) {
            // The place of the first padding character, unless something before it is worse.
            while characters.last == UInt8(ascii: "="), text.count - characters.endIndex < 2 { characters.removeLast() }
            return .failure(.malformedText(offset: firstInvalid(characters, isStrict) ?? characters.endIndex))
        }
        if let offset = firstInvalid(characters, isStrict) { return .failure(.malformedText(offset: offset)) }
        guard characters.count % 4 != 1 else { return .failure(.malformedText(offset: characters.endIndex)) }
        let values = characters.map { value($0, isStrict) ?? 0 }
        if isStrict, let last = values.last, last & [0, 0, 15, 3][values.count % 4] != 0 {
            return .failure(.malformedText(offset: characters.endIndex - 1))
        }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: values.count, by: 4) {
            let group = values[start..<min(start + 4, values.count)]
            let number = group.reduce(0) { $0 << 6 | $1 } << (6 * (4 - group.count))
            bytes += [number >> 16, number >> 8, number].prefix(group.count - 1).map { UInt8(truncatingIfNeeded: $0) }
        }
        return .success(bytes)
    }

    private static func value(_ character: UInt8, _ isStrict: Bool) -> Int? {
        switch character {
        case UInt8(ascii: "+") where !isStrict: 62
        case UInt8(ascii: "/") where !isStrict: 63
        default: values[Int(character)]
        }
    }

    private static func firstInvalid(_ characters: ArraySlice<UInt8>, _ isStrict: Bool) -> Int? {
        characters.firstIndex { value($0, isStrict) == nil }
    }

    /// Returns the format that a text in `encrypted-content` names by its prefix; without a dot it is a sealed box, and
    /// `nil` means an unknown prefix.
    private static func format(of text: [UInt8]) -> SealFormat? {
        guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return .sealedBox }
        let prefix = String(decoding: text[...dot], as: UTF8.self)
        return prefixes.first { $0.value == prefix }?.key
    }

    // MARK: What must become of it

    func expected(ofText text: [UInt8]) -> Expectation {
        switch Self.decoded(text, format) {
        case .success(let bytes): expected(bytes)
        case .failure(let error): .refused(error)
        }
    }

    func expected(_ changed: [UInt8]) -> Expectation {
        if let error = publicError(changed) { return .refused(error) }
        if changed == bytes { return .opens }
        switch format {
        // RFC 8188 leaves the record size outside what is authenticated.
        case .webPush where changed.dropFirst(20) == bytes.dropFirst(20) && changed.prefix(16) == bytes.prefix(16):
            return .opens
        case .barkCBC: return .unauthenticated
        default: return .refused(.notOpened)
        }
    }

    private func publicError(_ bytes: [UInt8]) -> OpenError? {
        let count = bytes.count
        func tooShort(_ needed: Int) -> OpenError? { count < needed ? .tooShort(needed: needed, got: count) : nil }
        switch format {
        case .v1: return tooShort(72) ?? envelopeError(bytes)
        case .sealedBox: return tooShort(48)
        case .box:
            let padded = bytes + [UInt8](repeating: 0, count: KeyID.byteCount)
            let id = KeyID(reading: padded.span, at: 0)
            return tooShort(48) ?? (senders.contains(id) ? nil : .unknownSender(id))
        case .webPush: return tooShort(103) ?? webPushError(bytes)
        case .homeAssistant: return tooShort(40)
        case .barkGCM: return tooShort(16)
        case .barkCBC: return tooShort(max(16, (count + 15) / 16 * 16))
        default:
            Issue.record("no expectation for \(format)")
            return nil
        }
    }

    private func envelopeError(_ bytes: [UInt8]) -> OpenError? {
        guard bytes[0] == 1 else { return .unsupportedVersion(bytes[0]) }
        guard bytes[1] & 0xF8 == 0 else { return .unknownFlags(bytes[1]) }
        let hasSender = bytes[1] & 1 != 0
        if hasSender, bytes.count < 80 { return .tooShort(needed: 80, got: bytes.count) }
        let recipient = KeyID(reading: bytes.span, at: 2)
        guard recipients.contains(recipient) else { return .unknownKey(recipient) }
        if hasSender {
            let sender = KeyID(reading: bytes.span, at: 10)
            guard senders.contains(sender) else { return .unknownSender(sender) }
        }
        if bytes[1] & 2 != 0, context.collapseID == nil { return .contextMissing(.collapseID) }
        if bytes[1] & 4 != 0, context.requestID == nil { return .contextMissing(.requestID) }
        return nil
    }

    private func webPushError(_ bytes: [UInt8]) -> OpenError? {
        guard bytes[20] == 65 else { return .unsupportedVersion(bytes[20]) }
        let size = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let record = bytes.count - 86
        return size < 18 || record > size ? .tooLarge(limit: size, got: record) : nil
    }

    // MARK: Trying it

    /// Opens the push with `text` in the place of its own, and other things beside it replaced.
    func open(
        _ text: [UInt8],
        context: PushContext? = nil,
        replacing: JSONObject = [:]
    ) throws(OpenError) -> Payload {
        var object = push
        for member in replacing.members { object[member.key] = member.value }
        object[Self.fields[format] ?? "encrypted-content"] = .string(String(decoding: text, as: UTF8.self))
        return try opener.open(payload: Payload(object), context: context ?? self.context, now: vector.now).payload
    }
}
