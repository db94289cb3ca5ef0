// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

/// Where every secret of a process lives: one region for keys, one for the intermediate values of the message at hand.
///
/// Nothing is given back before the whole arena goes; then libsodium wipes it. An arena belongs to one thread.
/// Source: FORMAT.md, "Keys in memory".
public final class SecretArena {
    /// Room for about 700 keys beside the largest key file.
    package static let keyByteCount = 32 * 1024 - 64

    private let keys: LockedPages
    private var used = 0
    package private(set) var isReadOnly = false
    let workspace: Workspace

    /// Throws when the memory cannot be had or locked; the caller ends, there is no unlocked way.
    public init() throws(SecretMemoryError) {
        keys = try LockedPages(byteCount: Self.keyByteCount)
        workspace = try Workspace()
    }

    /// Ends writing to the keys' pages; the workspace stays writable.
    public func makeReadOnly() throws(SecretMemoryError) {
        guard keys.makeReadOnly() else { throw .notProtected(errno: EPERM) }
        isReadOnly = true
    }

    /// Where a secret begins, as an offset: what may be copied and compared without touching the secret.
    struct Location {
        let offset: Int
    }

    var remainingByteCount: Int { keys.byteCount - used }

    /// Takes `byteCount` bytes, in multiples of 8; nil when the arena is full.
    func reserve(_ byteCount: Int) -> Location? {
        precondition(!isReadOnly)
        let rounded = (byteCount + 7) & ~7
        guard rounded <= remainingByteCount else { return nil }
        defer { used += rounded }
        return Location(offset: used)
    }

    /// The secret's bytes, valid as long as the arena.
    func pointer(to location: Location) -> UnsafeMutablePointer<UInt8> {
        unsafe keys.start + location.offset
    }

    /// Lends the last `byteCount` bytes of the region for reading a key file, wiped afterwards.
    func withReadingRoom<Result: ~Copyable, Failure: Error>(
        _ byteCount: Int,
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        precondition(!isReadOnly)
        guard byteCount <= remainingByteCount else { return nil }
        let room = unsafe UnsafeMutableBufferPointer(
            start: keys.start + (keys.byteCount - byteCount),
            count: byteCount
        )
        defer { unsafe sodium_memzero(room.baseAddress, byteCount) }
        return unsafe try body(room)
    }
}
