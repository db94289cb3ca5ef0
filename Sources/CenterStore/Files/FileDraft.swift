// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import Locking

/// An open file of the shelf, which closes with its last reference.
///
/// A sealed one has its bytes on the disk in whole pieces; what does not fill one waits in memory until `end`.
package final class FileDraft: Sendable {
    package let id: Int64
    /// `nil` means that the bytes lie open on the disk.
    package let key: FileKey?
    let descriptor: CInt
    private let seal: FileSeal?

    /// The end of a sealed file that is written.
    private struct Tail {
        var bytes: [UInt8] = []
        var pieces: Int64 = 0
        var isEnded: Bool
    }

    private let tail: Locked<Tail>

    /// Takes a descriptor; `isWhole` means that nothing is written to the file any more.
    init(id: Int64, key: FileKey?, descriptor: CInt, isWhole: Bool) {
        self.id = id
        self.key = key
        self.descriptor = descriptor
        seal = key.map { FileSeal($0) }
        tail = Locked(Tail(isEnded: isWhole))
    }

    /// Makes another descriptor of a file that is none of the shelf, for reading alone; `nil` when there is none left.
    package convenience init?(reading foreign: CInt) {
        let copy = fcntl(foreign, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.init(id: 0, key: nil, descriptor: copy, isWhole: true)
    }

    deinit { close(descriptor) }

    /// The file as a content names it, with the bytes that it has now.
    package var file: FileShelf.File { FileShelf.File(id: id, byteCount: byteCount, key: key) }

    /// The length in bytes; 0 where the file cannot be asked.
    package var byteCount: Int64 {
        guard seal != nil else { return lengthOnDisk }
        return FileSeal.byteCount(ofSealed: lengthOnDisk) + tail.withLock { Int64($0.bytes.count) }
    }

    private var lengthOnDisk: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    // MARK: Writing

    /// Writes bytes behind those that were written before; blocks.
    package func append(_ bytes: some Sequence<UInt8>) throws(FileShelf.Refusal) {
        guard let seal else { return try write(Array(bytes)) }
        try tail.withLock { tail throws(FileShelf.Refusal) in
            guard !tail.isEnded else { throw .unreadable }
            tail.bytes.append(contentsOf: bytes)
            // The last piece is sealed as such, and so stays until it is known to be the last.
            var start = 0
            while tail.bytes.count - start > FileSeal.pieceByteCount {
                let piece = tail.bytes[start..<start + FileSeal.pieceByteCount]
                try write(seal, piece, number: tail.pieces, isLast: false)
                tail.pieces += 1
                start += FileSeal.pieceByteCount
            }
            tail.bytes.removeFirst(start)
        }
    }

    /// Writes what waits in memory; nothing can be written behind it.
    package func end() throws(FileShelf.Refusal) {
        guard let seal else { return }
        try tail.withLock { tail throws(FileShelf.Refusal) in
            guard !tail.isEnded else { return }
            try write(seal, tail.bytes[...], number: tail.pieces, isLast: true)
            tail = Tail(isEnded: true)
        }
    }

    private func write(
        _ seal: FileSeal,
        _ piece: ArraySlice<UInt8>,
        number: Int64,
        isLast: Bool
    ) throws(FileShelf.Refusal) {
        guard let sealed = try? seal.seal(piece, number: number, isLast: isLast) else { throw .disk(EIO) }
        try write(sealed)
    }

    private func write(_ bytes: [UInt8]) throws(FileShelf.Refusal) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            guard count > 0 || errno == EINTR else { throw .disk(errno) }
            written += max(0, count)
        }
    }

    // MARK: Reading

    /// Reads bytes of a whole file from an offset on, `limit` at most: none at the end, and `nil` when the disk fails
    /// or has other bytes than were written.
    ///
    /// Blocks.
    package func read(from offset: Int64, atMost limit: Int) -> [UInt8]? {
        guard let seal else { return readDisk(from: offset, atMost: limit) }
        let piece = Int64(FileSeal.pieceByteCount)
        let length = lengthOnDisk
        let end = min(offset + Int64(limit), FileSeal.byteCount(ofSealed: length))
        guard offset < end else { return [] }
        let numbers = offset / piece..<(end + piece - 1) / piece
        let start = numbers.lowerBound * Int64(FileSeal.sealedByteCount)
        let sealed = readDisk(from: start, atMost: numbers.count * FileSeal.sealedByteCount)
        guard let sealed, !sealed.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for (index, number) in numbers.enumerated() {
            let first = index * FileSeal.sealedByteCount
            guard first < sealed.count else { return nil }
            let last = min(first + FileSeal.sealedByteCount, sealed.count)
            let isLast = start + Int64(last) == length
            guard let opened = seal.open(sealed[first..<last], number: number, isLast: isLast) else { return nil }
            bytes += opened
        }
        let skipped = Int(offset - numbers.lowerBound * piece)
        return Array(bytes.dropFirst(skipped).prefix(Int(end - offset)))
    }

    /// Reads until it has `limit` bytes, or the file ends.
    private func readDisk(from offset: Int64, atMost limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        var total = 0
        while total < limit {
            let count = buffer.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress?.advanced(by: total), limit - total, off_t(offset) + off_t(total))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            total += count
        }
        return Array(buffer[..<total])
    }
}
