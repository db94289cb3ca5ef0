// SPDX-License-Identifier: Apache-2.0

/// One file on its way from plaintext to sealed chunks.
///
/// The length need not be known before: Padmé only appends, and a chunk read ahead tells which one is the last.
package struct AttachmentSealing: ~Copyable {
    package let cipher: AttachmentCipher
    private var buffers = ChunkBuffers()
    private let total: Int?
    private let prefix: [UInt8]

    /// Draws key and header.
    ///
    /// `total` is for the listener alone.
    init(total: Int?) throws(AttachmentError) {
        cipher = try AttachmentCipher()
        var header = [UInt8](repeating: 0, count: AttachmentLayout.headerByteCount)
        unsafe cipher.startSealing(header: &header)
        prefix = AttachmentLayout.preamble + header
        self.total = total
    }

    /// With a known key and header, for vectors and checks: 32 and 24 bytes.
    package init(key: [UInt8], header: [UInt8]) throws(AttachmentError) {
        cipher = try AttachmentCipher()
        unsafe cipher.start(key: key, header: header)
        prefix = AttachmentLayout.preamble + header
        total = nil
    }

    /// Seals all of `source`; returns its length in bytes.
    package mutating func run(
        _ source: inout some ByteSource & ~Copyable,
        to sink: inout some ByteSink & ~Copyable,
        progress: Attachment.Listener
    ) throws(AttachmentError) -> Int {
        try unsafe prefix.withUnsafeBufferPointer { prefix throws(AttachmentError) in
            try unsafe send(prefix, to: &sink)
        }
        let chunk = AttachmentLayout.chunkByteCount
        var filled = try unsafe source.read(into: UnsafeMutableBufferPointer(start: buffers.plaintext, count: chunk))
        var size = filled
        var sealed = 0
        // Known from the end of the source on; chunks of nothing but padding may follow.
        var padded = filled < chunk ? AttachmentLayout.paddedByteCount(of: size) : nil
        while true {
            var ahead = 0
            if padded == nil {
                ahead = try unsafe source.read(into: UnsafeMutableBufferPointer(start: buffers.ahead, count: chunk))
                size += ahead
                guard size <= Attachment.maximumByteCount else { throw .tooLarge(limit: Attachment.maximumByteCount) }
                if ahead < chunk { padded = AttachmentLayout.paddedByteCount(of: size) }
            }
            let count = min(chunk, (padded ?? .max) - sealed)
            unsafe (buffers.plaintext + filled).update(repeating: 0, count: count - filled)
            let isLast = padded == sealed + count
            try seal(count, isFirst: sealed == 0, isLast: isLast, to: &sink)
            sealed += count
            let state = AttachmentProgress(completedByteCount: min(sealed, size), totalByteCount: total)
            guard progress(state) == .proceed else { throw .cancelled }
            if isLast { return size }
            buffers.advance()
            filled = ahead
        }
    }

    private func seal(
        _ count: Int,
        isFirst: Bool,
        isLast: Bool,
        to sink: inout some ByteSink & ~Copyable
    ) throws(AttachmentError) {
        let tag: AttachmentCipher.Tag = isLast ? .final : .message
        unsafe cipher.seal(buffers.plaintext, count, isFirst: isFirst, tag: tag.rawValue, to: buffers.sealed)
        let sealed = unsafe UnsafeBufferPointer(start: buffers.sealed, count: count + AttachmentLayout.chunkOverhead)
        try unsafe send(sealed, to: &sink)
    }

    private func send(
        _ bytes: UnsafeBufferPointer<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) throws(AttachmentError) {
        if let start = bytes.baseAddress { unsafe cipher.addToDigest(start, bytes.count) }
        try unsafe sink.write(bytes)
    }
}
