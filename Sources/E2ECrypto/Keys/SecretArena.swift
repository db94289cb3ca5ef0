// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

/// The memory in which every secret of a process lives: one region for keys, one for the intermediate values of the
/// message at hand.
///
/// Less than 64 KiB of guarded memory, unless there are many keys, that never reaches swap or a core dump. Key rings,
/// sealers and openers keep their arena alive and have their secrets in it; a sealer's go with the sealer, all others
/// with the arena, and libsodium wipes them. A ring that is read again, after a rotation, needs an arena of its own.
///
/// An arena is not `Sendable`, like everything that has secrets: whatever shares it belongs to one actor or thread, and
/// a server that seals on several has an arena for each.
/// Source: FORMAT.md, "Keys in memory".
public final class SecretArena {
    /// Room for about 700 keys beside the largest key file.
    package static let keyByteCount = 32 * 1024 - 64
    /// The largest region, for a process that may lock 8 MiB.
    private static let largestKeyByteCount = 6 << 20

    private let keys: LockedPages
    private var used = 0
    /// Places that were given back.
    private var free: [(place: Location, byteCount: Int)] = []
    package private(set) var isReadOnly = false
    package let workspace: Workspace

    /// Takes the memory from the kernel.
    ///
    /// Throws when it cannot be had or locked, `notLocked` above all: the caller ends or raises `ulimit -l`, there is
    /// no unlocked way.
    public convenience init() throws(SecretMemoryError) {
        try self.init(roomFor: 0)
    }

    /// Takes memory for secrets of so many bytes, if that is more than usual.
    package init(roomFor byteCount: Int) throws(SecretMemoryError) {
        // Beside them a key file is read, and the secrets of a self-test lie there.
        let wanted = (byteCount + 16 * 1024 + 63) & ~63
        keys = try LockedPages(byteCount: min(Self.largestKeyByteCount, max(Self.keyByteCount, wanted)))
        workspace = try Workspace()
    }

    /// Ends writing to the keys' pages, so that a stray write ends the process; what is there stays usable.
    ///
    /// Afterwards whatever would put a secret there throws `arenaFull`: for openers, which need no more room.
    public func makeReadOnly() throws(SecretMemoryError) {
        guard keys.makeReadOnly() else { throw .notProtected(errno: EPERM) }
        isReadOnly = true
    }

    /// The place of a secret, as an offset, which may be copied and compared without touching the secret.
    struct Location {
        let offset: Int
    }

    var remainingByteCount: Int { keys.byteCount - used }

    /// Takes `byteCount` bytes, in multiples of 8; nil when the arena is full or read-only.
    func reserve(_ byteCount: Int) -> Location? {
        guard !isReadOnly else { return nil }
        let rounded = Self.rounded(byteCount)
        if let index = free.lastIndex(where: { $0.byteCount == rounded }) { return free.remove(at: index).place }
        guard rounded <= remainingByteCount else { return nil }
        defer { used += rounded }
        return Location(offset: used)
    }

    /// Wipes what `reserve` gave for as many bytes, and takes it back; a read-only arena keeps it.
    func release(_ place: Location, _ byteCount: Int) {
        guard !isReadOnly else { return }
        unsafe sodium_memzero(pointer(to: place), byteCount)
        free.append((place, Self.rounded(byteCount)))
    }

    private static func rounded(_ byteCount: Int) -> Int { (byteCount + 7) & ~7 }

    /// The secret's bytes, valid as long as the arena.
    func pointer(to location: Location) -> UnsafeMutablePointer<UInt8> {
        unsafe keys.start + location.offset
    }

    /// Lends the last `byteCount` bytes of the region for reading a key file, wiped afterwards; nil when the arena is
    /// full or read-only.
    func withReadingRoom<Result: ~Copyable, Failure: Error>(
        _ byteCount: Int,
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard !isReadOnly, byteCount <= remainingByteCount else { return nil }
        let room = unsafe UnsafeMutableBufferPointer(
            start: keys.start + (keys.byteCount - byteCount),
            count: byteCount
        )
        defer { unsafe sodium_memzero(room.baseAddress, byteCount) }
        return unsafe try body(room)
    }
}
