// SPDX-License-Identifier: Apache-2.0

internal import E2ECrypto

/// Bytes in memory as a source, for checks.
package struct MemorySource: ByteSource {
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count = min(buffer.count, bytes.count - offset)
        let (_, end) = unsafe buffer.update(from: bytes[offset..<offset + count])
        offset += count
        return end
    }
}

/// Memory as a sink, for checks: it is neither locked nor wiped.
package struct MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes.append(contentsOf: bytes)
    }
}
