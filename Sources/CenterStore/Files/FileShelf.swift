// SPDX-License-Identifier: Apache-2.0

private import Glibc
private import Locking
package import NotificationPayload

/// The files of notifications, in the centre's folder: `files/RUN/NUMBER`, both in hex digits.
///
/// RUN is a number that each process draws, so that whatever another run left and no row names can be removed while
/// this one writes. A file is never changed once it is kept. Calls block; they may come from any thread.
package final class FileShelf: Sendable {
    /// A file that is on the disk.
    package struct File: Sendable, Equatable, Hashable {
        package let id: Int64
        package let byteCount: Int64
        /// The key under which it is sealed; `nil` means that its bytes lie open on the disk.
        package let key: FileKey?

        package init(id: Int64, byteCount: Int64, key: FileKey? = nil) {
            self.id = id
            self.byteCount = byteCount
            self.key = key
        }
    }

    /// The reason for which a file is not kept.
    package enum Refusal: Error, Sendable, Equatable {
        /// None of the types that may be attached.
        case type
        /// The source is no regular file, or cannot be read.
        case unreadable
        /// Empty, or larger than files of its kind may be.
        case size
        /// The first bytes are of no type of its kind.
        case content
        /// The disk is full or failing: an errno.
        case disk(CInt)
    }

    /// The name of the folder.
    package static let name = "files"
    private static let chunkByteCount = 256 << 10

    private let folder: CInt
    private let isDurable: Bool
    private let seals: Bool
    private let run: Int64
    private struct State {
        var last: Int64 = 0
        /// The run's folder is there.
        var hasFolder = false
    }

    private let state = Locked(State())

    /// Opens the folder `files` in another one, and makes it if it is not there; `seals` means that files are sealed.
    init(in path: String, isDurable: Bool, seals: Bool) throws(Refusal) {
        let place = "\(path)/\(Self.name)"
        guard mkdir(place, 0o700) == 0 || errno == EEXIST else { throw .disk(errno) }
        folder = Glibc.open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw .disk(errno) }
        self.isDurable = isDurable
        self.seals = seals
        if isDurable { Self.sync(path) }
        run = Int64.random(in: 1...Int64(Int32.max))
    }

    deinit { Glibc.close(folder) }

    // MARK: Keeping

    /// Copies a file from its beginning, judges the copy by its kind, and has it on the disk when this returns.
    ///
    /// The descriptor stays the caller's. Nothing is left of a file that is refused.
    package func keep(_ source: CInt, as type: AttachmentType) throws(Refusal) -> File {
        var facts = stat()
        guard fstat(source, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
        guard (1...type.kind.maximumByteCount).contains(Int(facts.st_size)) else { throw .size }
        let draft = try begin()
        do {
            try fill(draft, from: source, atMost: type.kind.maximumByteCount)
            return try finish(draft, as: type)
        } catch {
            discard(draft)
            throw error
        }
    }

    /// Copies a file from its beginning for this process alone: the next one removes it.
    ///
    /// `fits` judges the first bytes of the copy. The descriptor stays the caller's, and nothing is left of a file that
    /// is refused.
    package func keepForRun(
        _ source: CInt,
        atMost limit: Int,
        fits: ([UInt8]) -> Bool
    ) throws(Refusal) -> FileDraft {
        var facts = stat()
        guard fstat(source, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
        guard (1...limit).contains(Int(facts.st_size)) else { throw .size }
        let draft = try begin()
        do throws(Refusal) {
            try fill(draft, from: source, atMost: limit)
            try draft.end()
            guard fits(draft.read(from: 0, atMost: 64) ?? []) else { throw .content }
            return draft
        } catch {
            discard(draft)
            throw error
        }
    }

    /// Begins a file whose bytes come one after the other.
    package func begin() throws(Refusal) -> FileDraft {
        let id = run << 32 | (try nextNumber())
        let file = openat(folder, Self.place(of: id), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .disk(errno) }
        return FileDraft(id: id, key: seals ? FileKey() : nil, descriptor: file, isWhole: false)
    }

    /// Takes a number; the first of them make the folder, one after the other, until it is there.
    private func nextNumber() throws(Refusal) -> Int64 {
        try state.withLock { state throws(Refusal) in
            if !state.hasFolder {
                // A folder of this name is one of another run, which nobody writes to.
                guard mkdirat(folder, Self.hex(run), 0o700) == 0 || errno == EEXIST else { throw .disk(errno) }
                guard !isDurable || fsync(folder) == 0 else { throw .disk(errno) }
                state.hasFolder = true
            }
            state.last += 1
            return state.last
        }
    }

    /// Has the names in a folder on the disk.
    private static func sync(_ path: String) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }

    /// Judges a file that is written, and has it on the disk when this returns.
    package func finish(_ draft: FileDraft, as type: AttachmentType) throws(Refusal) -> File {
        try draft.end()
        let file = draft.file
        guard (1...type.kind.maximumByteCount).contains(Int(file.byteCount)) else { throw .size }
        let start = draft.read(from: 0, atMost: AttachmentType.lookedAtByteCount) ?? []
        guard !start.isEmpty, type.fits(start[...]) else { throw .content }
        try sync(draft)
        return file
    }

    /// Has a file and its name on the disk.
    private func sync(_ draft: FileDraft) throws(Refusal) {
        guard isDurable else { return }
        guard fsync(draft.descriptor) == 0 else { throw .disk(errno) }
        let run = openat(folder, Self.hex(run), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard run >= 0 else { throw .disk(errno) }
        defer { Glibc.close(run) }
        guard fsync(run) == 0 else { throw .disk(errno) }
    }

    private func fill(_ draft: FileDraft, from source: CInt, atMost limit: Int) throws(Refusal) {
        var buffer = [UInt8](repeating: 0, count: Self.chunkByteCount)
        var total = 0
        // Its owner may change the file meanwhile: the copy is judged, and never longer than is permitted.
        while true {
            let count = pread(source, &buffer, buffer.count, off_t(total))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            guard count > 0 else { return }
            total += count
            guard total <= limit else { throw .size }
            try draft.append(buffer[..<count])
        }
    }

    // MARK: Reading and removing

    /// Opens a kept file for reading; `nil` means that there is none.
    package func open(_ file: File) -> FileDraft? {
        let descriptor = openat(folder, Self.place(of: file.id), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        return FileDraft(id: file.id, key: file.key, descriptor: descriptor, isWhole: true)
    }

    /// Opens a kept file that lies open on the disk for another process, for reading; `nil` means that there is none.
    ///
    /// The descriptor is the caller's.
    package func descriptor(of file: File) -> CInt? {
        guard file.key == nil else { return nil }
        let descriptor = openat(folder, Self.place(of: file.id), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Copies a kept file that lies open into a sealed one; `nil` means that there is no such file any more.
    func seal(_ file: File) throws(Refusal) -> File? {
        guard let source = open(file) else {
            // Out of descriptors, say: the file is there, and would stay open.
            guard errno == ENOENT else { throw .disk(errno) }
            return nil
        }
        let draft = try begin()
        do throws(Refusal) {
            var position: Int64 = 0
            while true {
                guard let bytes = source.read(from: position, atMost: Self.chunkByteCount) else { throw .unreadable }
                guard !bytes.isEmpty else { break }
                try draft.append(bytes)
                position += Int64(bytes.count)
            }
            try draft.end()
            try sync(draft)
            return draft.file
        } catch {
            discard(draft)
            throw error
        }
    }

    package func discard(_ draft: FileDraft) { remove(draft.id) }

    package func discard(_ files: some Sequence<File>) { for file in files { remove(file.id) } }

    func remove(_ id: Int64) { unlinkat(folder, Self.place(of: id), 0) }

    /// Removes what other runs left and `isKept` does not know; returns how many files that were.
    func sweep(_ isKept: (Int64) throws -> Bool) rethrows -> Int {
        var removed = 0
        for name in Self.names(in: folder) {
            guard let other = Int64(name, radix: 16), other != run, name == Self.hex(other) else { continue }
            let place = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard place >= 0 else { continue }
            defer { Glibc.close(place) }
            for file in Self.names(in: place) {
                guard let number = Int64(file, radix: 16), file == Self.hex(number) else { continue }
                guard try !isKept(other << 32 | number) else { continue }
                if unlinkat(place, file, 0) == 0 { removed += 1 }
            }
            // One that still has files stays.
            unlinkat(folder, name, AT_REMOVEDIR)
        }
        return removed
    }

    private static func hex(_ number: Int64) -> String { String(number, radix: 16) }

    private static func place(of id: Int64) -> String { "\(hex(id >> 32))/\(hex(id & 0xFFFF_FFFF))" }

    private static func names(in folder: CInt) -> [String] {
        let listing = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listing >= 0, let directory = fdopendir(listing) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
