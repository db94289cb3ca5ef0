// SPDX-License-Identifier: Apache-2.0

import CSodium

// SAFETY: written in the initialisers alone, before the reference is shared; read from any thread after that.
/// The key of one file, 32 bytes, as an entry holds it: in ordinary memory, wiped when the last copy of the entry goes.
///
/// The key travels in the text of a notification, so it is kept as that text is and not as a recipient's key is.
@safe package final class AttachmentKey: @unchecked Sendable {
    private let start: UnsafeMutablePointer<UInt8>

    /// The bytes, valid as long as the key.
    var bytes: UnsafePointer<UInt8> { unsafe UnsafePointer(start) }

    private init() {
        unsafe start = .allocate(capacity: AttachmentLayout.keyByteCount)
    }

    /// Takes a copy of 32 bytes.
    package convenience init(copying bytes: UnsafePointer<UInt8>) {
        self.init()
        unsafe start.update(from: bytes, count: AttachmentLayout.keyByteCount)
    }

    /// Reads base64url of exactly 32 bytes; returns `nil` for any other text.
    ///
    /// libsodium reads and writes the key, because its time does not depend on the characters; `Base64` looks them up
    /// in a table, which would leave a trace of the key in the cache.
    convenience init?(parsing text: String) {
        self.init()
        let isRead = unsafe Array(text.utf8).withUnsafeBytes { text in
            var count = 0
            let result = unsafe sodium_base642bin(
                start,
                AttachmentLayout.keyByteCount,
                text.baseAddress?.assumingMemoryBound(to: CChar.self),
                text.count,
                nil,
                &count,
                nil,
                Self.variant
            )
            return result == 0 && count == AttachmentLayout.keyByteCount
        }
        guard isRead else { return nil }
    }

    deinit {
        unsafe sodium_memzero(start, AttachmentLayout.keyByteCount)
        unsafe start.deallocate()
    }

    /// The key in base64url, 43 characters.
    var text: String {
        let count = sodium_base64_encoded_len(AttachmentLayout.keyByteCount, Self.variant)
        let room = UnsafeMutablePointer<CChar>.allocate(capacity: count)
        defer {
            unsafe sodium_memzero(room, count)
            unsafe room.deallocate()
        }
        unsafe sodium_bin2base64(room, count, start, AttachmentLayout.keyByteCount, Self.variant)
        return unsafe String(cString: room)
    }

    private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
}
