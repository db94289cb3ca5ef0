// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Keeps a `ReplaySet` on disk, so that what one process has opened the next one refuses.
///
/// ```swift
/// let set = ReplaySet()
/// let journal = try ReplayJournal(descriptors: (first, second), of: set, now: milliseconds)   // fills the set
/// // … payloads are opened, the set grows …
/// try journal.commit(now: milliseconds)   // only now may anybody hear of them
/// ```
/// Shape: two files, each a head of 24 bytes, "nestbox-replays" ‖ 01 ‖ u64 generation, and rows of 24 bytes. Rows are
/// only added. When the file in use is full, the live rows go into the other one: rows first, then, when they are on
/// the disk, the head of the next generation, then the full file is emptied. A file whose head is missing or cut is
/// unfinished and counts for nothing, so a process that ends at any instruction leaves all live rows in files that
/// count. A row cut short at the end of a file is one that nobody was told of.
/// Source: FORMAT.md, "Replays".
public final class ReplayJournal {
    private static let mark = Array("nestbox-replays".utf8) + [1]
    private static let headByteCount = ReplayRow.byteCount
    /// Bytes read or written at once.
    private static let stretch = ReplayRow.byteCount * 2730

    private let files: [any ReplayFile]
    private let set: ReplaySet
    /// Rows a file may have before the other one's turn comes.
    private let rowLimit: Int
    /// The file in use.
    private var current = 1
    private var generation: UInt64 = 0
    private var rowCount = 0

    /// Returns the length, in bytes, that a file can reach for a set of `capacity`.
    package static func largestFile(capacity: Int) -> Int {
        headByteCount + rowLimit(capacity: capacity) * ReplayRow.byteCount
    }

    private static func rowLimit(capacity: Int) -> Int { 2 * capacity }

    /// Takes two files, open for reading and writing, empty at first, which stay open as long as the journal is used.
    ///
    /// Fills `set` with what they hold and has not expired at `now`, in Unix milliseconds, and writes that to one of
    /// them anew, which repairs whatever an earlier end had torn. Each grows to 6 MiB at most. Nobody else may use
    /// them: lock them. Throws every case of `ReplayJournalError`; after `foreign` no file has changed.
    public convenience init(
        descriptors: (Int32, Int32),
        of set: ReplaySet,
        now: Int64
    ) throws(ReplayJournalError) {
        try self.init((DescriptorFile(descriptors.0), DescriptorFile(descriptors.1)), of: set, now: now)
    }

    /// Fills `set` with what the two files hold and has not expired at `now`, in Unix milliseconds, and writes that to
    /// one of them anew, which repairs whatever an earlier end had torn.
    ///
    /// Nobody else may use the files. Throws every case of `ReplayJournalError`; after `foreign` no file has changed.
    package init(
        _ files: (any ReplayFile, any ReplayFile),
        of set: ReplaySet,
        now: Int64
    ) throws(ReplayJournalError) {
        self.files = [files.0, files.1]
        self.set = set
        rowLimit = Self.rowLimit(capacity: set.rows.count)
        var generations: [UInt64?] = []
        for index in self.files.indices { generations.append(try head(of: index)) }
        // The older one first: of two rows with one id the later counts.
        let isSecondNewer = (generations[0] ?? 0) <= (generations[1] ?? 0)
        for index in isSecondNewer ? [0, 1] : [1, 0] {
            guard let generation = generations[index] else { continue }
            try load(index, now: now)
            current = index
            self.generation = generation
        }
        set.keepChanges()
        set.tracksChanges = true
        try moveOn(now: now)
    }

    /// Returns when every change of the set is on the disk.
    ///
    /// Throws `notWritten` when there is no room: the changes are undone, nobody may hear of them, and the next commit
    /// may succeed; `notSynced` when nobody knows what is on the disk: the process should end.
    public func commit(now: Int64) throws(ReplayJournalError) {
        guard set.changeCount > 0 else { return }
        do {
            if rowCount + set.changeCount > rowLimit { try moveOn(now: now) } else { try append() }
        } catch {
            set.undoChanges()
            throw error
        }
        set.keepChanges()
    }
}

/// The reason for which a journal cannot be read or written; codes are errnos.
public enum ReplayJournalError: Error, Equatable, Sendable {
    /// The file, 0 or 1, begins like no file of this version.
    case foreign(file: Int)
    /// The file, 0 or 1, cannot be read; `EFBIG` for one longer than this journal writes.
    case unreadable(file: Int, code: CInt)
    /// The payloads opened since the last commit are not on the disk, and count as not opened.
    case notWritten(code: CInt)
    /// Nobody knows what is on the disk: end, and read the files anew.
    case notSynced(code: CInt)
}

// MARK: Reading

extension ReplayJournal {
    /// The generation of a file that counts; nil for one that is empty or unfinished.
    private func head(of index: Int) throws(ReplayJournalError) -> UInt64? {
        let bytes = try read(Self.headByteCount, at: 0, of: index)
        let equalCount = zip(bytes, Self.mark).prefix { $0 == $1 }.count
        guard bytes.prefix(Self.mark.count).dropFirst(equalCount).allSatisfy({ $0 == 0 }) else {
            throw .foreign(file: index)
        }
        guard bytes.count == Self.headByteCount, equalCount == Self.mark.count else { return nil }
        let generation = KeyID(reading: bytes.span, at: Self.mark.count).number
        // No count gets there, and none goes on from it.
        guard generation < .max else { throw .foreign(file: index) }
        return generation == 0 ? nil : generation
    }

    /// Takes the whole rows of a file; what follows the last one is the rest of a write that was cut.
    private func load(_ index: Int, now: Int64) throws(ReplayJournalError) {
        var offset = Self.headByteCount
        while true {
            let bytes = try read(Self.stretch, at: offset, of: index)
            guard offset + bytes.count <= Self.largestFile(capacity: set.rows.count) else {
                throw .unreadable(file: index, code: EFBIG)
            }
            let whole = bytes.count / ReplayRow.byteCount * ReplayRow.byteCount
            for start in stride(from: 0, to: whole, by: ReplayRow.byteCount) {
                let row = ReplayRow(reading: bytes.span, at: start)
                if row.isLive(at: ReplayRow.minute(now)) { set.insert(row, now: now) } else { set.passOver(row) }
            }
            offset += whole
            guard bytes.count == Self.stretch else { return }
        }
    }

    /// `count` bytes, fewer only at the end of the file.
    private func read(_ count: Int, at offset: Int, of index: Int) throws(ReplayJournalError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while bytes.count < count {
                let before = bytes.count
                try files[index].read(count - before, at: offset + before, to: &bytes)
                guard bytes.count > before else { break }
            }
        } catch {
            throw .unreadable(file: index, code: error.code)
        }
        return bytes
    }
}

// MARK: Writing

extension ReplayJournal {
    private func append() throws(ReplayJournalError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(set.changeCount * ReplayRow.byteCount)
        for change in set.changes { change.row.write(to: &bytes) }
        let end = Self.headByteCount + rowCount * ReplayRow.byteCount
        do {
            try write(bytes, at: end, of: current)
        } catch {
            // The next row goes to the same place; until then nobody may find what was refused.
            try? files[current].truncate(to: end)
            throw error
        }
        try sync(current)
        rowCount += set.changeCount
    }

    /// Writes the live rows to the file that is not in use, and uses it from now on.
    private func moveOn(now: Int64) throws(ReplayJournalError) {
        let next = 1 - current
        do throws(ReplayFileError) { try files[next].truncate(to: 0) } catch { throw .notWritten(code: error.code) }
        let count: Int
        do {
            count = try writeLiveRows(to: next, now: now)
            try sync(next)
            var head = Self.mark
            KeyID(number: generation + 1).write(to: &head)
            try write(head, at: 0, of: next)
            try sync(next)
        } catch {
            // Room for others, where there is none.
            try? files[next].truncate(to: 0)
            throw error
        }
        // Rows that stay in the old file are in the new one too; it is emptied before its next turn at the latest.
        try? files[current].truncate(to: 0)
        current = next
        generation += 1
        rowCount = count
    }

    private func writeLiveRows(to index: Int, now: Int64) throws(ReplayJournalError) -> Int {
        let minute = ReplayRow.minute(now)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.stretch)
        var count = 0
        for row in set.rows where row.isLive(at: minute) {
            row.write(to: &bytes)
            count += 1
            if bytes.count == Self.stretch { try flush(&bytes, endingAt: count, of: index) }
        }
        try flush(&bytes, endingAt: count, of: index)
        return count
    }

    private func flush(_ bytes: inout [UInt8], endingAt count: Int, of index: Int) throws(ReplayJournalError) {
        let end = Self.headByteCount + count * ReplayRow.byteCount
        try write(bytes, at: end - bytes.count, of: index)
        bytes.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: [UInt8], at offset: Int, of index: Int) throws(ReplayJournalError) {
        var done = 0
        do {
            while done < bytes.count {
                done += try files[index].write(bytes.span.extracting(done...), at: offset + done)
            }
        } catch {
            throw .notWritten(code: error.code)
        }
    }

    private func sync(_ index: Int) throws(ReplayJournalError) {
        do { try files[index].sync() } catch { throw .notSynced(code: error.code) }
    }
}
