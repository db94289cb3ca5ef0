// SPDX-License-Identifier: Apache-2.0

import CSodium

// SAFETY: all pointers lead into memory that the receiver owns.
/// Opens sealed files for a process that holds keys and may take no memory any more: one file after the other, in
/// pieces as they come.
///
/// Everything it needs is taken at its creation: locked pages for the keys of entries that wait for their file and for
/// the state of the file at hand, and the buffers of a chunk. Not `Sendable`.
/// Source: FORMAT.md, "Opening a file".
@safe package final class AttachmentReceiver {
    /// Entries that are held; with one more the oldest is forgotten.
    package static let heldLimit = 1024
    /// Entries of one owner; with one more that owner's oldest is forgotten.
    package let share: Int

    /// An entry that is held, without its key; `number` is the caller's name for the entry.
    private struct Held {
        let number: Number
        let owner: Int
        /// Rises with every entry.
        let serial: UInt64
        let size: Int
        let digest: [UInt8]
    }

    /// Names an entry: the payload it came in, and its place there.
    package struct Number: Hashable {
        package let payload: UInt64
        package let index: Int

        package init(payload: UInt64, index: Int) {
            self.payload = payload
            self.index = index
        }
    }

    private let keys: LockedPages
    private let cipher: AttachmentCipher
    private let buffers = ChunkBuffers()
    /// By slot; a slot's key stands at its place in `keys`.
    private var held = [Held?](repeating: nil, count: heldLimit)
    private var lastSerial: UInt64 = 0
    /// The file at hand; nil between files.
    private var file: File?

    private struct File {
        let size: Int
        let digest: [UInt8]
        let total: Int
        /// The prefix was read, and with it the key is in use.
        var isStarted = false
        /// Bytes of the sealed buffer that are there.
        var filled = 0
        /// Plaintext that is opened, padding included.
        var opened = 0

        var padded: Int { AttachmentLayout.paddedByteCount(of: size) }
        /// The number of sealed bytes that the buffer waits for: those of the prefix, or of the next chunk.
        var needed: Int {
            if !isStarted { return AttachmentLayout.prefixByteCount }
            return min(AttachmentLayout.chunkByteCount, padded - opened) + AttachmentLayout.chunkOverhead
        }
    }

    /// The owners share what is held: nobody's entries are forgotten for another's, up to 102 of them.
    package init(ownerCount: Int = 1) throws(AttachmentError) {
        share = max(10, min(128, Self.heldLimit / max(1, ownerCount)))
        do { keys = try LockedPages(byteCount: (Self.heldLimit + 1) * 64) } catch { throw .memory(error) }
        cipher = try AttachmentCipher()
    }

    // MARK: Entries

    /// Keeps what opens the file of an entry; what it had under this number before is forgotten.
    package func hold(_ entry: AttachmentEntry, as number: Number, of owner: Int = 0) {
        forget(number)
        let slot = slot(for: owner)
        lastSerial += 1
        unsafe key(slot).update(from: entry.key.bytes, count: AttachmentLayout.keyByteCount)
        held[slot] = Held(number: number, owner: owner, serial: lastSerial, size: entry.size, digest: entry.digest)
    }

    /// A free one, or the oldest: of the owner that has its share, else of all.
    private func slot(for owner: Int) -> Int {
        var (free, ownOldest, oldest): (Int?, Int?, Int) = (nil, nil, 0)
        var ownCount = 0
        for (slot, entry) in held.enumerated() {
            guard let entry else {
                free = free ?? slot
                continue
            }
            if entry.serial < held[oldest]?.serial ?? .max { oldest = slot }
            guard entry.owner == owner else { continue }
            ownCount += 1
            if entry.serial < ownOldest.flatMap({ held[$0]?.serial }) ?? .max { ownOldest = slot }
        }
        if let ownOldest, ownCount >= share { return ownOldest }
        return free ?? oldest
    }

    /// The last place is that of the file at hand.
    private func key(_ slot: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe keys.start + slot * 64
    }

    private func forget(_ number: Number) {
        for slot in held.indices where held[slot]?.number == number { forget(slot) }
    }

    private func forget(_ slot: Int) {
        held[slot] = nil
        unsafe sodium_memzero(key(slot), AttachmentLayout.keyByteCount)
    }

    // MARK: Files

    /// Begins a file; the one before it, if it did not end, is given up.
    ///
    /// False when no such entry is held, any more or yet. An entry opens one file.
    package func begin(_ number: Number) -> Bool {
        end()
        guard let slot = held.firstIndex(where: { $0?.number == number }), let entry = held[slot] else { return false }
        file = File(
            size: entry.size,
            digest: entry.digest,
            total: AttachmentLayout.sealedByteCount(of: entry.size)
        )
        unsafe key(Self.heldLimit).update(from: key(slot), count: AttachmentLayout.keyByteCount)
        forget(slot)
        return true
    }

    /// Takes the next bytes of the file, and hands out what they open; true at the end, when all of it was right.
    ///
    /// Bytes handed out count for nothing before the end. Throws `badPreamble`, `notOpened`, `trailingBytes`,
    /// `wrongDigest`, after which the file is given up; without a file `truncated`.
    package func take<E>(
        _ piece: Span<UInt8>,
        _ handOut: (Span<UInt8>) throws(E) -> Void
    ) throws -> Bool {
        guard file != nil else { throw AttachmentError.truncated(needed: 0, got: 0) }
        do {
            let isDone = try consume(piece, handOut)
            if isDone { end() }
            return isDone
        } catch {
            end()
            throw error
        }
    }

    private func consume<E>(_ piece: Span<UInt8>, _ handOut: (Span<UInt8>) throws(E) -> Void) throws -> Bool {
        guard var file else { return false }
        var rest = 0..<piece.count
        while true {
            let count = min(file.needed - file.filled, rest.count)
            let bytes = piece.extracting(rest.lowerBound..<rest.lowerBound + count)
            unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe (buffers.sealed + file.filled).update(from: start, count: count)
            }
            file.filled += count
            rest = rest.lowerBound + count..<rest.upperBound
            guard file.filled == file.needed else {
                self.file = file
                return false
            }
            unsafe cipher.addToDigest(buffers.sealed, file.filled)
            if !file.isStarted {
                try start()
                file.isStarted = true
            } else {
                let count = file.needed - AttachmentLayout.chunkOverhead
                let opened = try unsafe cipher.open(chunkAt: file.opened, count, ofFileWith: file.size, in: buffers)
                try handOut(unsafe Span(_unsafeElements: opened))
                file.opened += count
                if file.opened >= file.padded { return try finish(file, isAtEnd: rest.isEmpty) }
            }
            file.filled = 0
        }
    }

    private func start() throws(AttachmentError) {
        let preamble = unsafe UnsafeBufferPointer(start: buffers.sealed, count: AttachmentLayout.preamble.count)
        guard unsafe preamble.elementsEqual(AttachmentLayout.preamble) else { throw .badPreamble }
        unsafe cipher.start(key: key(Self.heldLimit), header: buffers.sealed + AttachmentLayout.preamble.count)
    }

    private func finish(_ file: File, isAtEnd: Bool) throws(AttachmentError) -> Bool {
        guard isAtEnd else { throw .trailingBytes(after: file.total) }
        guard unsafe sodium_memcmp(cipher.finalDigest(), file.digest, file.digest.count) == 0 else {
            throw .wrongDigest
        }
        return true
    }

    private func end() {
        file = nil
        unsafe sodium_memzero(key(Self.heldLimit), AttachmentLayout.keyByteCount)
        cipher.restart()
        buffers.wipe()
    }
}
