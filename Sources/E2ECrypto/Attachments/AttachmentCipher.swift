// SPDX-License-Identifier: Apache-2.0

import CSodium

// SAFETY: all pointers lead into pages or memory that the cipher owns.
/// libsodium's secretstream over one file, with the digest of everything sealed.
///
/// Key and state are in a locked page of their own, so that files need no arena and threads share nothing; the digest
/// is over public bytes. About 20 µs to make, which is one chunk's work.
@safe package struct AttachmentCipher: ~Copyable {
    /// The stream's own byte in every chunk; the format uses two of libsodium's four.
    enum Tag: UInt8 {
        case message = 0
        case final = 3
    }

    private let pages: LockedPages
    /// libsodium's state, aligned for the widest vectors: Swift imports no type that asks for 64 bytes.
    private let digestMemory: UnsafeMutableRawPointer

    package init() throws(AttachmentError) {
        do { pages = try LockedPages(byteCount: 128) } catch { throw .memory(error) }
        unsafe digestMemory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        _ = unsafe crypto_generichash_init(digestState, nil, 0, AttachmentLayout.digestByteCount)
    }

    deinit {
        unsafe digestMemory.deallocate()
    }

    private var key: UnsafeMutablePointer<UInt8> { unsafe pages.start }

    private var digestState: OpaquePointer { unsafe OpaquePointer(digestMemory) }

    private var state: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state> {
        unsafe UnsafeMutableRawPointer(pages.start + 64)
            .assumingMemoryBound(to: crypto_secretstream_xchacha20poly1305_state.self)
    }

    // MARK: Start

    /// Draws a key, which stays in the locked page, and a header, which is written to `header`.
    func startSealing(header: UnsafeMutablePointer<UInt8>) {
        unsafe crypto_secretstream_xchacha20poly1305_keygen(key)
        _ = unsafe crypto_secretstream_xchacha20poly1305_init_push(state, header, key)
    }

    /// Takes the 32 bytes of a key and the header of a file: to open it, or to seal a known file again.
    package func start(key: UnsafePointer<UInt8>, header: UnsafePointer<UInt8>) {
        unsafe self.key.update(from: key, count: AttachmentLayout.keyByteCount)
        _ = unsafe crypto_secretstream_xchacha20poly1305_init_pull(state, header, self.key)
    }

    /// A copy of the key for the entry.
    func copyKey() -> AttachmentKey {
        unsafe AttachmentKey(copying: key)
    }

    /// Forgets one file before the next: key, state and digest.
    func restart() {
        unsafe sodium_memzero(pages.start, pages.byteCount)
        _ = unsafe crypto_generichash_init(digestState, nil, 0, AttachmentLayout.digestByteCount)
    }

    // MARK: Chunks

    /// Seals `count` bytes to `sealed`, which gets 17 more.
    ///
    /// The first chunk has the preamble as additional data.
    package func seal(
        _ plaintext: UnsafePointer<UInt8>,
        _ count: Int,
        isFirst: Bool,
        tag: UInt8,
        to sealed: UnsafeMutablePointer<UInt8>
    ) {
        let preamble = AttachmentLayout.preamble
        _ = unsafe crypto_secretstream_xchacha20poly1305_push(
            state,
            sealed,
            nil,
            plaintext,
            UInt64(count),
            preamble,
            isFirst ? UInt64(preamble.count) : 0,
            tag
        )
    }

    /// Opens `count` bytes of a chunk to `plaintext`, which gets 17 less; nil when they are not what was sealed.
    func open(
        _ sealed: UnsafePointer<UInt8>,
        _ count: Int,
        isFirst: Bool,
        to plaintext: UnsafeMutablePointer<UInt8>
    ) -> UInt8? {
        let preamble = AttachmentLayout.preamble
        var tag: UInt8 = 0
        let result = unsafe crypto_secretstream_xchacha20poly1305_pull(
            state,
            plaintext,
            nil,
            &tag,
            sealed,
            UInt64(count),
            preamble,
            isFirst ? UInt64(preamble.count) : 0
        )
        return result == 0 ? tag : nil
    }

    /// Opens the chunk at `offset` of a file's plaintext, `count` bytes with their padding, in the buffers.
    ///
    /// Returns the plaintext without padding; throws `notOpened` for a bad tag, a tag of another place, padding that is
    /// not zero.
    func open(
        chunkAt offset: Int,
        _ count: Int,
        ofFileWith size: Int,
        in buffers: borrowing ChunkBuffers
    ) throws(AttachmentError) -> UnsafeBufferPointer<UInt8> {
        let tag = unsafe open(
            buffers.sealed,
            count + AttachmentLayout.chunkOverhead,
            isFirst: offset == 0,
            to: buffers.plaintext
        )
        let isLast = offset + count == AttachmentLayout.paddedByteCount(of: size)
        let expected: Tag = isLast ? .final : .message
        let data = min(count, max(0, size - offset))
        guard tag == expected.rawValue, unsafe sodium_is_zero(buffers.plaintext + data, count - data) == 1 else {
            throw .notOpened
        }
        return unsafe UnsafeBufferPointer(start: buffers.plaintext, count: data)
    }

    // MARK: Digest

    func addToDigest(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        _ = unsafe crypto_generichash_update(digestState, bytes, UInt64(count))
    }

    /// Returns the digest of everything added; to be called once, at the end.
    package func finalDigest() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: AttachmentLayout.digestByteCount)
        _ = unsafe crypto_generichash_final(digestState, &digest, digest.count)
        return digest
    }
}
