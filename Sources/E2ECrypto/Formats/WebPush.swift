// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// `wp.` ‖ base64url(salt[16] ‖ rs u32 ‖ 65 ‖ as_public[65] ‖ one record), the body of a Web Push message.
///
/// P-256, HKDF-SHA256, AES-128-GCM. Source: RFC 8291, RFC 8188; FORMAT.md, "Web Push".
package enum WebPush: SharedSecretFormat {
    static let format = SealFormat.webPush
    static let textPrefix: String? = "wp"
    private static let textStart = 3

    private static let saltByteCount = 16
    private static let keyLengthOffset = 20
    private static let recordStart = keyLengthOffset + 1 + P256Agreement.publicKeyByteCount
    /// A record of one byte, which ends the content.
    private static let shortest = recordStart + 1 + AESDecryption.tagByteCount
    /// The smallest record size that RFC 8188 allows, in bytes.
    private static let smallestRecord = 18
    private static let endOfContent: UInt8 = 2

    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int {
        try unsafe Base64.url.decode(text, from: textStart, into: output)
    }

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        guard bytes.count >= shortest else { throw .tooShort(needed: shortest, got: bytes.count) }
        let keyLength = bytes[keyLengthOffset]
        guard keyLength == P256Agreement.publicKeyByteCount else { throw .unsupportedVersion(keyLength) }
        let recordSize = (saltByteCount..<keyLengthOffset).reduce(0) { $0 << 8 | Int(bytes[$1]) }
        let record = bytes.count - recordStart
        guard recordSize >= smallestRecord, record <= recordSize else {
            throw .tooLarge(limit: recordSize, got: record)
        }
        return .init()
    }

    /// Makes each forgery but a wrong padding, which takes the key: the self-test has a record with one.
    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .tag: message[message.count - 1] ^= 1
        // Beside the curve: with this x there is no other y than that of the message and its negative.
        case .point: message[recordStart - 1] ^= 1
        case .length:
            message.removeSubrange((shortest - 1)...)
            return .tooShort(needed: shortest, got: shortest - 1)
        case .padding: return nil
        }
        return .notOpened
    }

    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed {
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let record = unsafe UnsafeBufferPointer(
            start: bytes + recordStart,
            count: sealed.summary.byteCount - recordStart
        )
        defer { workspace.wipeSecrets() }
        for place in keys.sharedSecrets(for: format) {
            let secret = unsafe Secret(start: keys.pointer(to: place))
            guard unsafe deriveKey(secret, salt: bytes, sender: bytes + keyLengthOffset + 1, workspace),
                let count = unsafe AESDecryption.openGCM(
                    record,
                    key: UnsafeBufferPointer(start: workspace.key, count: 16),
                    nonce: UnsafeBufferPointer(start: workspace.nonce, count: 12),
                    to: workspace.plaintext
                )
            else { continue }
            let start = unsafe workspace.plaintext
            let plaintext = unsafe Span(_unsafeStart: start, count: count)
            guard let end = contentEnd(in: plaintext) else {
                workspace.wipePlaintext(count)
                throw .notOpened
            }
            return Unsealed(
                content: 0..<end,
                identity: 0..<saltByteCount,
                isAuthenticated: true
            )
        }
        throw .notOpened
    }

    /// Returns the end of a record's content: before the last byte that is not zero, which says that no record follows.
    package static func contentEnd(in record: Span<UInt8>) -> Int? {
        guard let end = record.indices.last(where: { record[$0] != 0 }), record[end] == endOfContent else { return nil }
        return end
    }

    /// Leaves the content encryption key in `workspace.key` and the nonce in `workspace.nonce`.
    private static func deriveKey(
        _ secret: Secret,
        salt: UnsafePointer<UInt8>,
        sender: UnsafePointer<UInt8>,
        _ workspace: Workspace
    ) -> Bool {
        let isAgreed = unsafe P256Agreement.agree(
            privateKey: secret.privateKey,
            peer: sender,
            to: workspace.sharedPoint
        )
        guard isAgreed else { return false }
        let publicKeyCount = P256Agreement.publicKeyByteCount
        unsafe workspace.hmac(
            key: secret.authentication,
            Secret.authenticationByteCount,
            message: workspace.sharedPoint,
            32,
            to: workspace.pseudorandomKey
        )
        let count = keyInfo.count
        unsafe workspace.message.update(from: keyInfo, count: count)
        unsafe (workspace.message + count).update(from: secret.publicKey, count: publicKeyCount)
        unsafe (workspace.message + count + publicKeyCount).update(from: sender, count: publicKeyCount)
        unsafe workspace.message[count + 2 * publicKeyCount] = 1
        unsafe workspace.hmac(
            key: workspace.pseudorandomKey,
            32,
            message: workspace.message,
            count + 2 * publicKeyCount + 1,
            to: workspace.sharedSecret
        )
        unsafe workspace.hmac(
            key: salt,
            saltByteCount,
            message: workspace.sharedSecret,
            32,
            to: workspace.pseudorandomKey
        )
        let key = unsafe workspace.pseudorandomKey
        unsafe workspace.hmac(key: key, 32, message: contentKeyInfo, contentKeyInfo.count, to: workspace.key)
        unsafe workspace.hmac(key: key, 32, message: nonceInfo, nonceInfo.count, to: workspace.nonce)
        return true
    }

    private static let keyInfo = Array("WebPush: info\0".utf8)
    private static let contentKeyInfo = Array("Content-Encoding: aes128gcm\0\u{1}".utf8)
    private static let nonceInfo = Array("Content-Encoding: nonce\0\u{1}".utf8)
}

// MARK: Key file

extension WebPush {
    // SAFETY: the pointer leads into an arena that outlives every message.
    /// A subscription as it lies in the arena: private key, authentication secret, public key.
    @safe struct Secret {
        static let authenticationByteCount = 16
        static let publicKeyOffset = P256Agreement.privateKeyByteCount + authenticationByteCount
        let start: UnsafePointer<UInt8>

        var privateKey: UnsafePointer<UInt8> { unsafe start }
        var authentication: UnsafePointer<UInt8> { unsafe start + P256Agreement.privateKeyByteCount }
        var publicKey: UnsafePointer<UInt8> { unsafe start + Self.publicKeyOffset }

        var privateKeyBytes: UnsafeBufferPointer<UInt8> {
            unsafe UnsafeBufferPointer(start: privateKey, count: P256Agreement.privateKeyByteCount)
        }

        var authenticationBytes: UnsafeBufferPointer<UInt8> {
            unsafe UnsafeBufferPointer(start: authentication, count: Self.authenticationByteCount)
        }

        var publicKeyBytes: UnsafeBufferPointer<UInt8> {
            unsafe UnsafeBufferPointer(start: publicKey, count: P256Agreement.publicKeyByteCount)
        }
    }

    static let secretByteCount = Secret.publicKeyOffset + P256Agreement.publicKeyByteCount
    static let secretNotation = "a private key of 32 bytes and an auth secret of 16, both in base64url"

    /// `PRIVATE AUTH`, base64url without padding.
    static func readSecret(_ words: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) -> Bool {
        guard let end = unsafe words.firstIndex(of: 0x20),
            let start = unsafe words[end...].firstIndex(where: { $0 != 0x20 })
        else { return false }
        let authentication = P256Agreement.privateKeyByteCount
        return unsafe decode(words[..<end], into: output, P256Agreement.privateKeyByteCount)
            && decode(words[start...], into: output + authentication, Secret.authenticationByteCount)
            && P256Agreement.publicKey(ofPrivate: output, to: output + Secret.publicKeyOffset)
    }

    /// Decodes by libsodium, whose time is the same for every secret; `Base64` is for public texts.
    private static func decode(
        _ word: Slice<UnsafeBufferPointer<UInt8>>,
        into output: UnsafeMutablePointer<UInt8>,
        _ byteCount: Int
    ) -> Bool {
        let word = unsafe UnsafeBufferPointer(rebasing: word)
        guard let start = word.baseAddress else { return false }
        var count = 0
        let isDecoded = unsafe start.withMemoryRebound(to: CChar.self, capacity: word.count) {
            unsafe sodium_base642bin(
                output,
                byteCount,
                $0,
                word.count,
                nil,
                &count,
                nil,
                sodium_base64_VARIANT_URLSAFE_NO_PADDING
            )
        }
        return isDecoded == 0 && count == byteCount
    }
}

// MARK: self-test

extension WebPush {
    static let publishedSecret = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg"
    static let strangersSecret = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA BTBZMqHH6r4Tts7J_aSIgg"

    static let knownAnswers = [
        KnownAnswer(
            message,
            alert: #"{"body":"When I grow up, I want to be a watermelon"}"#,
            badlyPadded: badlyPaddedMessage
        )
    ]

    /// The example of RFC 8291, Appendix A.
    private static let message = """
        wp.DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr\
        u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
        """

    /// The example, with a padding that is not zero.
    private static let badlyPaddedMessage =
        String(message.dropLast(77))
        + "e3c9cFr7_NBuel-EWqAcTv2frsaIXUIuj4XcSlfr0RPvNHjczBWDfUkPvrH-uYVfnRzeclGKe8YppCKzLJg"
}
