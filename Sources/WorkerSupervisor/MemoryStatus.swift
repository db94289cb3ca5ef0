// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A process's memory as the limit counts it: what is its own, without the pages of libraries it shares.
///
/// Source: proc_pid_status(5).
struct MemoryStatus: Equatable {
    /// RssAnon + RssShmem + VmSwap + VmPTE, in bytes.
    var countedByteCount: UInt64
    /// RssFile, in bytes.
    var fileByteCount: UInt64

    /// Reads an open /proc/PID/status; nil when the process is gone.
    init?(descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        self.init(buffer.prefix(count))
    }

    init?(_ text: some Sequence<UInt8>) {
        countedByteCount = 0
        fileByteCount = 0
        var isAnonymousKnown = false
        for line in Array(text).split(separator: UInt8(ascii: "\n")) {
            if let value = Self.kibibytes(in: line, of: "RssAnon:") {
                isAnonymousKnown = true
                countedByteCount += value << 10
            } else if let value = Self.kibibytes(in: line, of: "RssShmem:")
                ?? Self.kibibytes(in: line, of: "VmSwap:") ?? Self.kibibytes(in: line, of: "VmPTE:")
            {
                countedByteCount += value << 10
            } else if let value = Self.kibibytes(in: line, of: "RssFile:") {
                fileByteCount = value << 10
            }
        }
        // A zombie has a status without memory.
        guard isAnonymousKnown else { return nil }
    }

    private static func kibibytes(in line: ArraySlice<UInt8>, of key: StaticString) -> UInt64? {
        let length = key.utf8CodeUnitCount
        guard line.count > length else { return nil }
        for index in 0..<length where unsafe line[line.startIndex + index] != key.utf8Start[index] { return nil }
        return line.dropFirst(length).reduce(into: UInt64?(0)) { value, byte in
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                value = value.map { $0 &* 10 &+ UInt64(byte - UInt8(ascii: "0")) }
            }
        }
    }
}
