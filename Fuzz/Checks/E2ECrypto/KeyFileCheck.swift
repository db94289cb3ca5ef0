// SPDX-License-Identifier: Apache-2.0

public import E2ECrypto
private import Glibc

/// Feeds hostile bytes to the reader of key files with secrets, through a file without a name.
public final class KeyFileCheck {
    /// The outcome of one input.
    public enum Result: Equatable, Sendable {
        /// A ring of `keyCount` secrets, read from the file; written and read again, it has the same public keys.
        case read(keyCount: Int)
        case refused(KeyFileError)
        /// The keys or the line of the error cannot come from this file, or the check could not write the file.
        case broken
    }

    private let descriptor: Int32

    /// nil when there is no place for a file.
    public init?() {
        var path = Array("/tmp/key-file-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe unlink(path)
    }

    deinit {
        close(descriptor)
    }

    /// Reads one input, whatever it is.
    public func callAsFunction(_ bytes: [UInt8]) -> Result {
        guard ftruncate(descriptor, 0) == 0, unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
            let arena = try? SecretArena()
        else { return .broken }
        do throws(KeyFileError) {
            let ring = try KeyFile.read(descriptor: descriptor, into: arena)
            return isSound(ring) ? .read(keyCount: ring.count) : .broken
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
            return (error.line ?? 1) <= lines ? .refused(error) : .broken
        }
    }

    private func isSound(_ ring: borrowing KeyRing) -> Bool {
        guard (1...KeyRing.limit).contains(ring.count), Set(ring.publicKeys).count == ring.publicKeys.count else {
            return false
        }
        // What is written for a key is read as the same key.
        guard !ring.publicKeys.isEmpty else { return true }
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0,
            (try? KeyFile.write(ring: ring, created: PublishedKeys.now, to: descriptor)) != nil,
            let arena = try? SecretArena(), let again = try? KeyFile.read(descriptor: descriptor, into: arena)
        else { return false }
        return again.publicKeys == ring.publicKeys
    }
}
