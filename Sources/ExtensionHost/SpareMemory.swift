// SPDX-License-Identifier: Apache-2.0

import CLinux
import Locking

/// Gives the memory that a crowd of pushes needed back to the system once the crowd has gone.
///
/// glibc keeps what was freed for the next allocation: a host that had 500 connections open at a time held 33 MB
/// afterwards, of which it used 8. Returning them takes some milliseconds, and the next crowd has the kernel lay out
/// the pages anew; so it happens only once the journal has come to rest.
struct SpareMemory {
    /// Raised when pushes have not come for a while.
    let cameToRest: Signal
    /// Returns free pages of the heap to the system.
    var trim: @Sendable () -> Void = { malloc_trim(0) }

    /// Pieces of this many bytes and more have pages of their own, which go back when the piece is freed.
    private static let ownPagesByteCount: CInt = 128 << 10

    /// The free end of a heap is given back from this many bytes on, but for the spare ones.
    ///
    /// A transaction of a crowd makes a heap grow and shrink by some 300 KiB, most of which then stays.
    private static let heapEnd: (byteCount: CInt, spare: CInt) = (256 << 10, 128 << 10)

    /// Keeps the heaps of threads small; called before the second thread starts.
    ///
    /// A page of a heap goes back to the system only when nothing in it is in use. glibc's own size of a piece with
    /// pages of its own rises with each such piece that is freed, up to 32 MiB, and the free end that it keeps rises to
    /// twice that; `malloc_trim` leaves this end to the heap of each thread but the first. Sizes that are set stay.
    static func keepHeapsSmall() {
        mallopt(M_MMAP_THRESHOLD, ownPagesByteCount)
        mallopt(M_TRIM_THRESHOLD, heapEnd.byteCount)
        mallopt(M_TOP_PAD, heapEnd.spare)
    }

    /// Runs until the task is cancelled.
    func run() async {
        while true {
            await cameToRest.wait()
            guard !Task.isCancelled else { return }
            trim()
        }
    }
}
