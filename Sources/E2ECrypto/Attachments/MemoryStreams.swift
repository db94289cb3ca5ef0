// SPDX-License-Identifier: Apache-2.0

/// Bytes in memory as a source, for checks.
struct MemorySource: ByteSource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count = min(buffer.count, bytes.count - offset)
        let (_, end) = unsafe buffer.update(from: bytes[offset..<offset + count])
        offset += count
        return end
    }
}

/// Memory as a sink, for checks: it is neither locked nor wiped.
struct MemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes.append(contentsOf: bytes)
    }
}
