// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

// SAFETY: the room outlives the value, which never leaves the closure that lent it.
/// The text of a key file, put together in locked memory.
///
/// Bytes that do not fit are counted and not written; the caller asks `isWhole` before it uses the text.
@safe struct KeyText: ~Copyable {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var byteCount = 0

    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.room = room
    }

    var isWhole: Bool { unsafe byteCount <= room.count }

    mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        for index in unsafe bytes.indices { append(unsafe bytes[index]) }
    }

    private mutating func append(_ byte: UInt8) {
        if unsafe byteCount < room.count { unsafe room[byteCount] = byte }
        byteCount += 1
    }

    /// Lends room for `count` characters to `write`, if there is as much.
    private mutating func append(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        if let start = unsafe room.baseAddress, unsafe byteCount + count <= room.count {
            unsafe write(start + byteCount)
        }
        byteCount += count
    }

    /// Appends secret bytes as Bech32 in upper case.
    mutating func append(bech32 bytes: UnsafeBufferPointer<UInt8>, prefix: String) {
        unsafe append(Bech32.characterCount(prefix: prefix, byteCount: bytes.count)) { start in
            unsafe Bech32.encode(bytes, prefix: prefix, into: start, uppercase: true)
        }
    }

    /// Appends secret bytes as base64url without padding, by libsodium, whose time is the same for all; `Base64` is for
    /// public bytes.
    mutating func append(base64URL bytes: UnsafeBufferPointer<UInt8>) {
        let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
        let room = sodium_base64_encoded_len(bytes.count, variant)
        // The encoder ends its text with a zero, which the next character takes the place of.
        guard unsafe byteCount + room <= self.room.count else {
            byteCount += room
            return
        }
        unsafe append(room - 1) { start in
            unsafe start.withMemoryRebound(to: CChar.self, capacity: room) { start in
                _ = unsafe sodium_bin2base64(start, room, bytes.baseAddress, bytes.count, variant)
            }
        }
    }

    /// False when the descriptor takes no more; errno says why.
    func write(to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < byteCount {
            let rest = unsafe room.baseAddress.map { unsafe UnsafePointer($0) + sent }
            let count = unsafe Glibc.write(descriptor, rest, byteCount - sent)
            guard count >= 0 || errno == EINTR else { return false }
            sent += max(0, count)
        }
        return true
    }
}

// MARK: Secrets as `keygen` writes them

extension KeyText {
    /// Appends everything a ring holds that can be made here.
    mutating func append(_ ring: borrowing KeyRing, created: String) {
        for entry in ring.entries { append(entry, created: created, in: ring.arena) }
        for paired in ring.pairedSecrets {
            append("\(KeyComment.created.prefix)\(created)\n\(KeyComment.pairedSecret.prefix)\(paired.id)\n")
            let start = unsafe ring.arena.pointer(to: paired.secret) - KeyID.byteCount
            let bytes = unsafe UnsafeBufferPointer(start: start, count: KeyID.byteCount + SenderSecret.byteCount)
            unsafe append(bech32: bytes, prefix: SecretLine.pairedSecretPrefix)
            append("\n")
        }
        for shared in ring.sharedSecrets where shared.format == .webPush {
            let secret = unsafe WebPush.Secret(start: UnsafePointer(ring.arena.pointer(to: shared.secret)))
            append("\(KeyComment.created.prefix)\(created)\n\(KeyComment.subscription.prefix)")
            unsafe append(base64URL: secret.publicKeyBytes)
            append("\n\(SealFormat.webPush): ")
            unsafe append(base64URL: secret.privateKeyBytes)
            append(" ")
            unsafe append(base64URL: secret.authenticationBytes)
            append("\n")
        }
    }

    /// Appends a key pair: its comments and its secret.
    mutating func append(_ entry: KeyRing.Entry, created: String, in arena: SecretArena) {
        append("\(KeyComment.created.prefix)\(created)\n")
        for comment in KeyComment.ofKeyPair { append(comment.line(of: entry.publicKey) + "\n") }
        let secret = unsafe UnsafeBufferPointer(start: arena.pointer(to: entry.secret), count: PublicKey.byteCount)
        unsafe append(bech32: secret, prefix: SecretLine.keyPrefix)
        append("\n")
    }
}

/// The comment lines that stand above a secret, for people.
enum KeyComment: String {
    case created
    case publicKey = "public key"
    case keyID = "key id"
    case fingerprint
    case pairedSecret = "paired secret"
    case subscription = "p256dh"
    /// The trace of a deleted key: its id, a space and the date of the deletion.
    case pruned

    static let ofKeyPair: [KeyComment] = [.publicKey, .keyID, .fingerprint]

    /// The characters with which the line begins.
    var prefix: String { "# \(rawValue): " }

    /// The whole line of a key pair, without its end; only the prefix where the rest is not the key's.
    func line(of key: PublicKey) -> String {
        switch self {
        case .publicKey: prefix + key.description
        case .keyID: prefix + key.id.description
        case .fingerprint: prefix + key.fingerprint
        case .created, .pairedSecret, .subscription, .pruned: prefix
        }
    }
}
