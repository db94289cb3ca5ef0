// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

// SAFETY: the pages live as long as the one value that owns them; who takes a pointer out keeps the owner.
/// Guarded pages that never reach swap or a core dump; wiped and given back when the owner goes.
///
/// Opening them costs system calls and about 20 µs, so there are two for a process and none for a message.
@safe struct LockedPages: ~Copyable {
    let start: UnsafeMutablePointer<UInt8>
    let byteCount: Int

    /// `byteCount` is a multiple of 64, so that the start is aligned for every C type.
    ///
    /// Throws `notLocked` when the kernel refuses to lock: `sodium_malloc` alone would hand out swappable memory.
    init(byteCount: Int) throws(SecretMemoryError) {
        precondition(byteCount % 64 == 0)
        guard sodium_init() >= 0 else { throw .libraryUnavailable }
        guard let memory = unsafe sodium_malloc(byteCount) else { throw .outOfMemory(byteCount: byteCount) }
        guard unsafe sodium_mlock(memory, byteCount) == 0 else {
            let code = errno
            unsafe sodium_free(memory)
            throw .notLocked(byteCount: byteCount, errno: code)
        }
        unsafe sodium_memzero(memory, byteCount)
        unsafe start = memory.bindMemory(to: UInt8.self, capacity: byteCount)
        self.byteCount = byteCount
    }

    deinit {
        unsafe sodium_free(start)
    }

    /// Writing traps from here on.
    func makeReadOnly() -> Bool {
        unsafe sodium_mprotect_readonly(start) == 0
    }
}

/// The reason for which there is no memory for secrets.
///
/// Nothing was read by then.
public enum SecretMemoryError: Error, Equatable, Sendable {
    /// libsodium does not start.
    case libraryUnavailable
    /// The kernel has no so many bytes.
    case outOfMemory(byteCount: Int)
    /// The kernel refuses to lock the pages: `ulimit -l` is too low.
    case notLocked(byteCount: Int, errno: Int32)
    /// The kernel refuses to make the pages read-only.
    case notProtected(errno: Int32)
}

extension SecretMemoryError: CustomStringConvertible {
    /// One clause for a person.
    public var description: String {
        switch self {
        case .libraryUnavailable: "libsodium does not start"
        case .outOfMemory(let byteCount): "no memory for \(byteCount) bytes of keys"
        case .notLocked(let byteCount, let errno): "cannot lock \(byteCount) bytes of memory for keys (errno \(errno))"
        case .notProtected(let errno): "cannot make the memory of keys read-only (errno \(errno))"
        }
    }

    /// The next step, if there is one.
    package var hint: String? {
        switch self {
        case .notLocked: "raise the limit of locked memory, for example with \"ulimit -l 1024\""
        case .libraryUnavailable, .outOfMemory, .notProtected: nil
        }
    }
}
