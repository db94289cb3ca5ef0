// SPDX-License-Identifier: Apache-2.0

import CSodium
import Glibc

/// Makes the heap of a process that will get no more memory from the kernel.
///
/// One arena, no block of its own for large allocations, nothing given back, and a reserve that is touched now. From
/// then on an allocation within the reserve makes no system call.
package enum HeapReserve {
    /// Far over what the largest packet needs.
    package static let byteCount = 8 << 20

    /// False when the C library does not take a setting.
    package static func take() -> Bool {
        let isSet =
            mallopt(M_ARENA_MAX, 1) == 1 && mallopt(M_MMAP_MAX, 0) == 1
            && mallopt(M_TRIM_THRESHOLD, CInt.max) == 1
        guard isSet, let reserve = unsafe malloc(byteCount) else { return false }
        unsafe memset(reserve, 0, byteCount)
        unsafe free(reserve)
        return true
    }
}
