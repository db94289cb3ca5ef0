// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

/// Makes the heap of a process that will get no more memory from the kernel, and gives none back.
///
/// Settled first of all: one arena, no block of its own for large allocations, nothing trimmed. When all tables have
/// their size, a reserve is touched; from then on an allocation within the reserve makes no system call, nor does any
/// freeing.
package enum HeapReserve {
    /// Far over what the largest packet needs.
    package static let byteCount = 8 << 20

    /// False when the C library does not take a setting.
    package static func settle() -> Bool {
        mallopt(M_ARENA_MAX, 1) == 1 && mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, CInt.max) == 1
    }

    /// False when there is not that much memory, or the heap does not hold it afterwards.
    ///
    /// Touched by a call that no optimizer takes away, as it would memset(3) and with it the allocation.
    package static func take() -> Bool {
        guard let reserve = unsafe malloc(byteCount) else { return false }
        unsafe sodium_memzero(reserve, byteCount)
        unsafe free(reserve)
        return mallinfo2().fordblks >= byteCount
    }
}
