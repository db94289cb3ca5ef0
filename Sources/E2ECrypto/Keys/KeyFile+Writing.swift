// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

extension KeyFile {
    /// Creates the file at `path` with mode 0600 and writes the ring into it.
    ///
    /// `created` is a comment for people, as a date. Throws `exists` rather than overwrite; a file that could not be
    /// written whole is removed.
    public static func create(path: String, ring: borrowing KeyRing, created: String) throws(KeyFileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KeyFileError(errno == EEXIST ? .exists : .system(errno)) }
        do throws(KeyFileError) {
            try write(ring: ring, created: created, to: descriptor)
            guard fsync(descriptor) == 0 else { throw KeyFileError(.system(errno)) }
            close(descriptor)
        } catch {
            close(descriptor)
            unsafe unlink(path)
            throw error
        }
    }

    /// Writes the ring as the text of a key file to an open descriptor.
    public static func write(
        ring: borrowing KeyRing,
        created: String,
        to descriptor: Int32
    ) throws(KeyFileError) {
        for entry in ring.entries {
            let comments = """
                # created: \(created)
                # public key: \(entry.publicKey)
                # key id: \(entry.publicKey.id)
                # fingerprint: \(entry.publicKey.fingerprint)

                """
            let written = unsafe Array(comments.utf8).withUnsafeBufferPointer { unsafe writeAll($0, to: descriptor) }
            guard written else { throw KeyFileError(.system(errno)) }
            try writeSecret(at: entry.secret, in: ring.arena, to: descriptor)
        }
    }

    /// The line is made in locked memory and goes from there to the kernel.
    private static func writeSecret(
        at place: SecretArena.Location,
        in arena: SecretArena,
        to descriptor: Int32
    ) throws(KeyFileError) {
        let prefix = "nse-secret-key-"
        let count = Bech32.characterCount(prefix: prefix, byteCount: PublicKey.byteCount)
        let isWritten = unsafe arena.withReadingRoom(count + 1) { line in
            guard let start = line.baseAddress else { return false }
            let secret = unsafe UnsafeBufferPointer(start: arena.pointer(to: place), count: PublicKey.byteCount)
            unsafe Bech32.encode(secret, prefix: prefix, into: start, uppercase: true)
            unsafe line[count] = UInt8(ascii: "\n")
            return unsafe writeAll(UnsafeBufferPointer(line), to: descriptor)
        }
        guard let isWritten else { throw KeyFileError(.arenaFull) }
        guard isWritten else { throw KeyFileError(.system(errno)) }
    }

    private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent)
            guard count >= 0 || errno == EINTR else { return false }
            sent += max(0, count)
        }
        return true
    }
}
