// SPDX-License-Identifier: Apache-2.0

import CSodium

/// One file on its way from sealed chunks to plaintext.
///
/// The entry's size says what every chunk must be: its length, its tag, and which bytes are padding. What is written
/// counts for nothing until `run` returns.
package struct AttachmentOpening: ~Copyable {
    private let cipher: AttachmentCipher
    private let buffers = ChunkBuffers()
    private let entry: AttachmentEntry
    private let padded: Int
    private let total: Int
    private var received = 0

    package init(_ entry: AttachmentEntry) throws(AttachmentError) {
        cipher = try AttachmentCipher()
        self.entry = entry
        padded = AttachmentLayout.paddedByteCount(of: entry.size)
        total = entry.sealedByteCount
    }

    /// Opens all of `source`.
    ///
    /// Throws, in this order: `truncated` and `badPreamble`, `truncated` or `notOpened` of each chunk, `trailingBytes`,
    /// `wrongDigest`.
    package mutating func run(
        _ source: inout some ByteSource & ~Copyable,
        to sink: inout some ByteSink & ~Copyable,
        progress: Attachment.Listener
    ) throws(AttachmentError) {
        try receive(AttachmentLayout.prefixByteCount, from: &source)
        let preamble = unsafe UnsafeBufferPointer(start: buffers.sealed, count: AttachmentLayout.preamble.count)
        guard unsafe preamble.elementsEqual(AttachmentLayout.preamble) else { throw .badPreamble }
        unsafe cipher.start(key: entry.key.bytes, header: buffers.sealed + preamble.count)
        var opened = 0
        repeat {
            let count = min(AttachmentLayout.chunkByteCount, padded - opened)
            try receive(count + AttachmentLayout.chunkOverhead, from: &source)
            let plaintext = try unsafe cipher.open(chunkAt: opened, count, ofFileWith: entry.size, in: buffers)
            try unsafe sink.write(plaintext)
            opened += count
            let state = AttachmentProgress(completedByteCount: received, totalByteCount: total)
            guard progress(state) == .proceed else { throw .cancelled }
        } while opened < padded
        guard try unsafe source.read(into: UnsafeMutableBufferPointer(start: buffers.sealed, count: 1)) == 0 else {
            throw .trailingBytes(after: total)
        }
        guard unsafe sodium_memcmp(cipher.finalDigest(), entry.digest, entry.digest.count) == 0 else {
            throw .wrongDigest
        }
    }

    /// Takes exactly `count` bytes into the buffer of the sealed chunk, and into the digest.
    private mutating func receive(
        _ count: Int,
        from source: inout some ByteSource & ~Copyable
    ) throws(AttachmentError) {
        let got = try unsafe source.read(into: UnsafeMutableBufferPointer(start: buffers.sealed, count: count))
        received += got
        guard got == count else { throw .truncated(needed: total, got: received) }
        unsafe cipher.addToDigest(buffers.sealed, count)
    }
}
