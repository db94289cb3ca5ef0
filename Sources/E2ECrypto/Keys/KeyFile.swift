// SPDX-License-Identifier: Apache-2.0

private import CLinux
import CSodium
import Glibc

/// A key file: comment lines, empty lines, and secrets one a line, the first of which is current.
///
/// The file is read with pread(2) into locked memory and decoded there. Kept 0600, never overwritten, never followed
/// through a symbolic link.
/// Source: FORMAT.md, "Key files".
public enum KeyFile {
    static let maximumByteCount = 8192

    /// Reads the ring in the file at `path`, which only its owner can read.
    public static func read(path: String, into arena: SecretArena) throws(KeyFileError) -> KeyRing {
        let descriptor = try openFile(path, requirePrivate: true)
        defer { close(descriptor) }
        return try read(descriptor: descriptor, into: arena)
    }

    /// Reads the ring through a descriptor that someone with the right to open the file has opened and checked.
    ///
    /// The descriptor stays open.
    public static func read(descriptor: Int32, into arena: SecretArena) throws(KeyFileError) -> KeyRing {
        try unsafe withContents(of: descriptor, in: arena) { contents throws(KeyFileError) in
            var ring = KeyRing(in: arena)
            try unsafe forEachLine(of: contents) { line, number throws(KeyFileError) in
                try unsafe SecretLine.read(line, number: number, into: &ring)
            }
            guard ring.count > 0 else { throw KeyFileError(.noKey) }
            return ring
        }
    }

    /// Reads public keys, one a line, from a file that may be read by anyone.
    ///
    /// Comment lines are skipped. A secret among them is an error, and is not kept.
    public static func readPublicKeys(path: String, in arena: SecretArena) throws(KeyFileError) -> [PublicKey] {
        let descriptor = try openFile(path, requirePrivate: false)
        defer { close(descriptor) }
        return try unsafe withContents(of: descriptor, in: arena) { contents throws(KeyFileError) in
            var keys: [PublicKey] = []
            try unsafe forEachLine(of: contents) { line, number throws(KeyFileError) in
                guard unsafe SecretLine(line) == nil else { throw KeyFileError(line: number, .key(.secretKey)) }
                do throws(KeyTextError) {
                    keys.append(try PublicKey(parsing: unsafe String(decoding: line, as: UTF8.self)))
                } catch {
                    throw KeyFileError(line: number, .key(error))
                }
            }
            guard !keys.isEmpty else { throw KeyFileError(.noKey) }
            return keys
        }
    }

    static func openFile(_ path: String, requirePrivate: Bool) throws(KeyFileError) -> Int32 {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw KeyFileError(errno == ELOOP ? .symbolicLink : .system(errno)) }
        var status = stat()
        let problem: KeyFileError.Problem? =
            if unsafe fstat(descriptor, &status) != 0 {
                .system(errno)
            } else if status.st_mode & S_IFMT != S_IFREG {
                .notARegularFile
            } else if requirePrivate, !linux_is_private(descriptor) {
                .readableByOthers
            } else {
                nil
            }
        guard let problem else { return descriptor }
        close(descriptor)
        throw KeyFileError(problem)
    }

    static func withContents<Result: ~Copyable>(
        of descriptor: Int32,
        in arena: SecretArena,
        _ body: (UnsafeBufferPointer<UInt8>) throws(KeyFileError) -> Result
    ) throws(KeyFileError) -> Result {
        // One byte more than allowed shows a file that is too long.
        let result = try unsafe arena.withReadingRoom(maximumByteCount + 1) { room throws(KeyFileError) -> Result in
            let count = try unsafe fill(room, from: descriptor)
            return try unsafe body(UnsafeBufferPointer(rebasing: room[..<count]))
        }
        guard let result else { throw KeyFileError(.arenaFull) }
        return result
    }

    /// Reads the whole file into `room`, which has a byte more than a file may; returns how many there were.
    static func fill(
        _ room: UnsafeMutableBufferPointer<UInt8>,
        from descriptor: Int32
    ) throws(KeyFileError) -> Int {
        var count = 0
        while count < room.count {
            let got = unsafe readSome(
                descriptor,
                room.baseAddress.map { unsafe $0 + count },
                room.count - count,
                count
            )
            guard got >= 0 || errno == EINTR else { throw KeyFileError(.system(errno)) }
            if got == 0 { break }
            count += max(0, got)
        }
        guard count <= maximumByteCount else { throw KeyFileError(.tooLong(limit: maximumByteCount)) }
        return count
    }

    /// By position, so that a descriptor shared with another process keeps its own; a pipe has none.
    private static func readSome(
        _ descriptor: Int32,
        _ start: UnsafeMutablePointer<UInt8>?,
        _ count: Int,
        _ offset: Int
    ) -> Int {
        let got = unsafe pread(descriptor, start, count, offset)
        return got < 0 && errno == ESPIPE ? unsafe Glibc.read(descriptor, start, count) : got
    }

    /// Visits lines that are neither empty nor comments, without white space at their ends.
    static func forEachLine(
        of contents: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws(KeyFileError) -> Void
    ) throws(KeyFileError) {
        var start = 0
        var number = 0
        while start < contents.count {
            number += 1
            var end = start
            while unsafe end < contents.count && contents[end] != UInt8(ascii: "\n") { end += 1 }
            let next = end + 1
            while unsafe start < end && isSpace(contents[start]) { start += 1 }
            while unsafe end > start && isSpace(contents[end - 1]) { end -= 1 }
            if unsafe start < end && contents[start] != UInt8(ascii: "#") {
                try unsafe body(UnsafeBufferPointer(rebasing: contents[start..<end]), number)
            }
            start = next
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

/// The text of an errno, as strerror(3) gives it, in lower case.
func systemMessage(_ code: Int32) -> String {
    let text = unsafe String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
}
