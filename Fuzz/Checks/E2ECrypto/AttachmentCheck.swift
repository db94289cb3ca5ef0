// SPDX-License-Identifier: Apache-2.0

private import CSodium
public import E2ECrypto

/// Feeds hostile bytes to the opener of attachments, with a published key, and holds what comes out against FORMAT.md.
///
/// Bytes that begin with `entry:` are an entry in JSON. Those with `chunks:` describe chunks, which are sealed, so that
/// what stands behind the tag is reached: the size of the entry (u32), then for each chunk its tag (u8), its length
/// (u24), the byte that fills it and the byte at its end. All others are the size of the entry (u32) and a sealed file,
/// whose digest the entry has. Numbers are big-endian.
public struct AttachmentCheck {
    /// The outcome of one input.
    public enum Result: Equatable, Sendable {
        case opened
        case refused(AttachmentError)
        /// A fault of the opener: what it opened is another file when sealed again under the same key, an entry that
        /// it read is written otherwise, it refused good chunks, or it opened bad ones.
        case broken
    }

    static let key = [UInt8](repeating: 0x42, count: AttachmentLayout.keyByteCount)
    package static let header = [UInt8](repeating: 0x24, count: AttachmentLayout.headerByteCount)
    private static let chunkLimit = 8

    /// Nothing is kept from one input to the next.
    public init() {}

    /// Opens one input, whatever it is.
    public func callAsFunction(_ bytes: [UInt8]) -> Result {
        do {
            if bytes.starts(with: "entry:".utf8) {
                return try Self.isStable(try AttachmentEntry(parsing: Array(bytes.dropFirst(6)).span))
                    ? .opened : .broken
            }
            if bytes.starts(with: "chunks:".utf8) {
                return try Self.openChunks(Array(bytes.dropFirst(7)))
            }
            return try Self.open(Array(bytes.dropFirst(4)), size: Self.number(bytes.prefix(4)))
        } catch {
            return .refused(error)
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func isStable(_ entry: AttachmentEntry) throws(AttachmentError) -> Bool {
        let again = try AttachmentEntry(parsing: Array(entry.json.utf8).span)
        return again.json == entry.json && again.label == entry.label && again.size == entry.size
    }

    // MARK: Chunks

    private struct Chunk {
        let tag: UInt8
        let bytes: [UInt8]
    }

    private static func openChunks(_ bytes: [UInt8]) throws(AttachmentError) -> Result {
        let size = number(bytes.prefix(4))
        let chunks = stride(from: 4, to: bytes.count - 5, by: 6).prefix(chunkLimit).map { start in
            let count = min(number(bytes[start + 1..<start + 4]), AttachmentLayout.chunkByteCount + 2)
            var chunk = [UInt8](repeating: bytes[start + 4], count: count)
            if count > 0 { chunk[count - 1] = bytes[start + 5] }
            return Chunk(tag: bytes[start], bytes: chunk)
        }
        let sealed = try seal(chunks)
        do {
            let result = try open(sealed, size: size)
            return result == .opened && areGood(chunks, size: size) ? .opened : .broken
        } catch {
            guard !areGood(chunks, size: size) else { return .broken }
            throw error
        }
    }

    private static func seal(_ chunks: [Chunk]) throws(AttachmentError) -> [UInt8] {
        let cipher = try AttachmentCipher()
        unsafe cipher.start(key: key, header: header)
        var file = AttachmentLayout.preamble + header
        for (index, chunk) in chunks.enumerated() {
            var sealed = [UInt8](repeating: 0, count: chunk.bytes.count + AttachmentLayout.chunkOverhead)
            unsafe cipher.seal(chunk.bytes, chunk.bytes.count, isFirst: index == 0, tag: chunk.tag, to: &sealed)
            file += sealed
        }
        return file
    }

    /// Tells whether chunks are as FORMAT.md asks, by other code than the opener's.
    private static func areGood(_ chunks: [Chunk], size: Int) -> Bool {
        guard let last = chunks.last, last.tag == 3, !last.bytes.isEmpty || chunks.count == 1 else { return false }
        guard last.bytes.count <= 65536, chunks.dropLast().allSatisfy({ $0.tag == 0 && $0.bytes.count == 65536 }) else {
            return false
        }
        let plaintext = chunks.flatMap(\.bytes)
        return size <= plaintext.count && plaintext[size...].allSatisfy { $0 == 0 }
            && plaintext.count == AttachmentLayout.paddedByteCount(of: size)
    }

    // MARK: Files

    /// Opens, and seals again what came out: one plaintext under one key and header has one file.
    private static func open(_ sealed: [UInt8], size: Int) throws(AttachmentError) -> Result {
        guard size <= Attachment.maximumByteCount else { throw .tooLarge(limit: Attachment.maximumByteCount) }
        var digest = [UInt8](repeating: 0, count: AttachmentLayout.digestByteCount)
        _ = unsafe crypto_generichash(&digest, digest.count, sealed, UInt64(sealed.count), nil, 0)
        let label = try AttachmentLabel(id: "check")
        let entry = AttachmentEntry(label: label, size: size, key: unsafe AttachmentKey(copying: key), digest: digest)
        var source = MemorySource(sealed)
        var sink = MemorySink()
        var opening = try AttachmentOpening(entry)
        try opening.run(&source, to: &sink) { _ in .proceed }

        let header = Array(sealed[AttachmentLayout.preamble.count..<AttachmentLayout.prefixByteCount])
        var plaintext = MemorySource(sink.bytes)
        var again = MemorySink()
        var sealing = try AttachmentSealing(key: key, header: header)
        let count = try sealing.run(&plaintext, to: &again) { _ in .proceed }
        return count == size && again.bytes == sealed && sealing.cipher.finalDigest() == digest ? .opened : .broken
    }
}
