// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// The facts by which an open file is told from others, and from itself after a change.
package struct SourceFacts: Sendable, Equatable {
    private let device: UInt64
    private let number: UInt64
    private let byteCount: Int64
    /// The kernel's time of the last change, also of one that set another time back: nanoseconds since 1970.
    private let changed: Int64

    /// `nil` means that the file cannot be asked.
    package init?(of descriptor: CInt) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        device = UInt64(facts.st_dev)
        number = UInt64(facts.st_ino)
        byteCount = Int64(facts.st_size)
        changed = Int64(facts.st_ctim.tv_sec) * 1_000_000_000 + Int64(facts.st_ctim.tv_nsec)
    }
}
