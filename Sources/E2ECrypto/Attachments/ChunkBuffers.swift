// SPDX-License-Identifier: Apache-2.0

import CSodium

// SAFETY: all pointers lead into memory that the buffers own.
/// The only memory that grows with nothing: two chunks of plaintext and a sealed one, 192 KiB whatever the file.
///
/// The plaintext comes from or goes to a file that is as readable as this memory, so it is wiped and not locked.
@safe struct ChunkBuffers: ~Copyable {
    static let sealedByteCount = AttachmentLayout.chunkByteCount + AttachmentLayout.chunkOverhead

    private(set) var plaintext: UnsafeMutablePointer<UInt8>
    /// The chunk after it, read to know whether there is one.
    private(set) var ahead: UnsafeMutablePointer<UInt8>
    let sealed: UnsafeMutablePointer<UInt8>

    init() {
        unsafe plaintext = .allocate(capacity: AttachmentLayout.chunkByteCount)
        unsafe ahead = .allocate(capacity: AttachmentLayout.chunkByteCount)
        unsafe sealed = .allocate(capacity: Self.sealedByteCount)
    }

    deinit {
        wipe()
        unsafe plaintext.deallocate()
        unsafe ahead.deallocate()
        unsafe sealed.deallocate()
    }

    mutating func advance() {
        unsafe swap(&plaintext, &ahead)
    }

    func wipe() {
        unsafe sodium_memzero(plaintext, AttachmentLayout.chunkByteCount)
        unsafe sodium_memzero(ahead, AttachmentLayout.chunkByteCount)
    }
}
