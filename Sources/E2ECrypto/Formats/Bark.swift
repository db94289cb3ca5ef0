// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// `"ciphertext"`: base64(ciphertext ‖ tag[16]), and `"iv"`, or the one of the key file.
///
/// Source: FORMAT.md, "Bark".
enum BarkGCM: BarkFormat {
    static let format = SealFormat.barkGCM
    static let ivByteCount = 12
    static let secretNotation = "a key of 16, 24 or 32 characters, and an iv of 12 if messages bring none"

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        let needed = AESDecryption.tagByteCount
        guard bytes.count >= needed else { throw .tooShort(needed: needed, got: bytes.count) }
        return .init()
    }

    /// A text with and one without padding are both messages.
    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .tag: message[message.count - 1] ^= 1
        case .length:
            let needed = AESDecryption.tagByteCount
            message.removeSubrange((needed - 1)...)
            return .tooShort(needed: needed, got: needed - 1)
        case .point, .padding: return nil
        }
        return .notOpened
    }

    /// Bark pads before it seals, other senders do not.
    static func open(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ secret: BarkSecret,
        _ iv: UnsafeBufferPointer<UInt8>,
        to plaintext: UnsafeMutablePointer<UInt8>
    ) -> Unsealed? {
        guard let count = unsafe AESDecryption.openGCM(bytes, key: secret.key, nonce: iv, to: plaintext) else {
            return nil
        }
        let content = unsafe AESDecryption.unpadded(Span(_unsafeStart: plaintext, count: count)) ?? count
        return Unsealed(content: 0..<content, isAuthenticated: true)
    }
}

/// `"ciphertext"`: base64(whole blocks), and `"iv"`, or the one of the key file.
///
/// Everything that is wrong with it is one error, so that nobody learns from changed texts.
/// Source: FORMAT.md, "Bark".
enum BarkCBC: BarkFormat {
    static let format = SealFormat.barkCBC
    static let ivByteCount = 16
    static let secretNotation = "a key of 16, 24 or 32 characters, and an iv of 16 if messages bring none"

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        let block = AESDecryption.blockByteCount
        let needed = max(block, (bytes.count + block - 1) / block * block)
        guard bytes.count == needed else { throw .tooShort(needed: needed, got: bytes.count) }
        return .init()
    }

    /// Damages a bit of the padding, which is a bit of the last block but one, because a message of this format has no
    /// tag.
    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .padding: message[message.count - AESDecryption.blockByteCount - 1] ^= 0x80
        case .length:
            let needed = message.count
            message.removeLast()
            return .tooShort(needed: needed, got: needed - 1)
        case .tag, .point: return nil
        }
        return .notOpened
    }

    static func open(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ secret: BarkSecret,
        _ iv: UnsafeBufferPointer<UInt8>,
        to plaintext: UnsafeMutablePointer<UInt8>
    ) -> Unsealed? {
        guard let count = unsafe AESDecryption.openCBC(bytes, key: secret.key, iv: iv, to: plaintext) else {
            return nil
        }
        return Unsealed(content: 0..<count, kind: .json, isAuthenticated: false, isIntact: false)
    }
}

/// The part that both of Bark's formats share: field, key line, and source of the iv.
protocol BarkFormat: SharedSecretFormat {
    static var ivByteCount: Int { get }
    static func open(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ secret: BarkSecret,
        _ iv: UnsafeBufferPointer<UInt8>,
        to plaintext: UnsafeMutablePointer<UInt8>
    ) -> Unsealed?
}

// SAFETY: the pointer leads into an arena that outlives every message.
/// A key and perhaps an iv, as they lie in the arena: two lengths, then 32 and 16 bytes.
@safe struct BarkSecret {
    static let byteCount = 50
    let start: UnsafePointer<UInt8>

    var key: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start + 2, count: Int(start[0])) }
    var iv: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start + 34, count: Int(start[1])) }
}

extension BarkFormat {
    static var secretByteCount: Int { BarkSecret.byteCount }

    /// `KEY` or `KEY IV`, printable characters that are used as bytes.
    static func readSecret(_ words: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) -> Bool {
        guard unsafe words.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return false }
        let keyEnd = unsafe words.firstIndex(of: 0x20) ?? words.count
        let ivStart = unsafe words[keyEnd...].firstIndex { $0 != 0x20 } ?? words.count
        let ivCount = words.count - ivStart
        guard [16, 24, 32].contains(keyEnd), ivCount == 0 || ivCount == ivByteCount,
            let start = words.baseAddress, unsafe !words[ivStart...].contains(0x20)
        else { return false }
        unsafe output[0] = UInt8(keyEnd)
        unsafe output[1] = UInt8(ivCount)
        unsafe (output + 2).update(from: start, count: keyEnd)
        unsafe (output + 34).update(from: start + ivStart, count: ivCount)
        return true
    }

    /// Keys in any case; a badge written as text; a group is the thread.
    static func translate(_ content: JSONObject) -> JSONObject {
        var translated = JSONObject()
        for member in content.members {
            let key = member.key.lowercased()
            // Two spellings of one key: the one that stands there first, whatever the case.
            if translated[key] == nil { translated[key] = member.value }
        }
        if let badge = translated["badge"]?.string.flatMap(Int64.init) { translated["badge"] = .integer(badge) }
        if translated["thread-id"] == nil, let group = translated["group"], group.string != nil {
            translated["thread-id"] = group
        }
        return translated
    }

    /// Line ends are passed over: the scripts that Bark shows send what base64(1) wraps after 76 characters.
    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int {
        let places = text.indices.filter { text[$0] != UInt8(ascii: "\n") && text[$0] != UInt8(ascii: "\r") }
        guard places.count < text.count else {
            return try unsafe Base64.ofSealedBox.decode(text, from: 0, into: output)
        }
        let joined = places.map { text[$0] }
        do {
            return try unsafe Base64.ofSealedBox.decode(joined.span, from: 0, into: output)
        } catch .malformedText(let offset) {
            throw .malformedText(offset: offset < places.count ? places[offset] : text.count)
        }
    }

    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed {
        let workspace = keys.workspace
        let bytes = unsafe UnsafeBufferPointer(start: workspace.ciphertext, count: sealed.summary.byteCount)
        let given = sealed.iv.map { Array($0.utf8) }
        for place in keys.sharedSecrets(for: format) {
            let secret = unsafe BarkSecret(start: keys.pointer(to: place))
            let unsealed = unsafe (given ?? Array(secret.iv)).withUnsafeBufferPointer { iv -> Unsealed? in
                guard iv.count == ivByteCount else { return nil }
                return unsafe open(bytes, secret, iv, to: workspace.plaintext)
            }
            guard var unsealed else { continue }
            // Two messages of GCM under one iv are enough to forge others without the key, under any iv once seen. So
            // no message is believed under a key that has an iv to repeat, whatever iv it brings.
            if unsafe !secret.iv.isEmpty { unsealed.isAuthenticated = false }
            // Under the iv of the key file the same words are the same bytes: there is nothing to tell them by.
            if given != nil { unsealed.identity = 0..<bytes.count }
            return unsealed
        }
        throw .notOpened
    }
}

// MARK: self-test

extension BarkGCM {
    static let publishedSecret = "1234567890123456 111111111111"
    static let strangersSecret = "6543210987654321 111111111111"

    static let knownAnswers = [
        KnownAnswer(
            "6tYbvXgiN6R6tFfiUkzAow6P/j++zuHUoRBbm5rEBID6uvXvLBrZywZ3GtTjGXoxuU253vDtG+059sY=",
            isAuthenticated: false
        )
    ]
}

extension BarkCBC {
    static let publishedSecret = "1234567890123456 1111111111111111"
    static let strangersSecret = "6543210987654321 1111111111111111"

    /// The example of Bark's documentation.
    static let knownAnswers = [
        KnownAnswer(
            "d3QhjQjP5majvNt5CjsvFWwqqj2gKl96RFj5OO+u6ynTt7lkyigDYNA3abnnCLpr",
            alert: #"{"body":"test"},"sound":"birdsong""#,
            isAuthenticated: false
        )
    ]
}
