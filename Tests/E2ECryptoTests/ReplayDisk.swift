// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import E2ECrypto

/// Two files in memory that remember which calls were made, fail when told to, and know what an end leaves of them.
final class ReplayDisk {
    enum Call: Equatable { case read, write, truncate, sync }

    /// An end of the process or the machine between two calls, by the bytes that it leaves on the disk.
    enum End: CaseIterable {
        /// The end of the process: whatever was written stays.
        case process
        /// The end of the machine: what was synced stays, and nothing after it.
        case machine
        /// The end of the machine: lengths as they were written, zeros where the bytes had not been synced.
        case machineWithHoles
        /// The end of the machine with such zeros, but the last write reached the disk before those ahead of it.
        case machineOutOfOrder
        /// The end of the machine: the first file as written, the second as synced.
        case machineFirstWritten
        /// The end of the machine: the first file as synced, the second as written.
        case machineSecondWritten
    }

    private(set) var calls: [Call] = []
    /// Calls that still work; nil: all of them.
    var remainingCalls: Int?
    /// The largest number of bytes that the last working call writes, if it is a write; `nil` means all of them.
    var tornByteCount: Int?
    /// Bytes both files may have together.
    var room = Int.max
    var syncFails = false
    fileprivate var contents: [[UInt8]]
    fileprivate var synced: [[UInt8]]
    fileprivate var lastWrite: (file: Int, range: Range<Int>)?

    init(_ first: [UInt8] = [], _ second: [UInt8] = []) {
        contents = [first, second]
        synced = contents
    }

    var files: (any ReplayFile, any ReplayFile) { (File(disk: self, index: 0), File(disk: self, index: 1)) }

    var bytes: [[UInt8]] { contents }

    func count(of call: Call) -> Int { calls.count { $0 == call } }

    func forgetCalls() { calls = [] }

    /// The disk as the next process finds it.
    func after(_ end: End) -> ReplayDisk {
        let holes = zip(contents, synced).map { written, synced in
            written.indices.map { $0 < synced.count && synced[$0] == written[$0] ? written[$0] : 0 }
        }
        var reordered = holes
        if let (file, range) = lastWrite, range.upperBound <= contents[file].count {
            reordered[file].replaceSubrange(range, with: contents[file][range])
        }
        return switch end {
        case .process: ReplayDisk(contents[0], contents[1])
        case .machine: ReplayDisk(synced[0], synced[1])
        case .machineWithHoles: ReplayDisk(holes[0], holes[1])
        case .machineOutOfOrder: ReplayDisk(reordered[0], reordered[1])
        case .machineFirstWritten: ReplayDisk(contents[0], synced[1])
        case .machineSecondWritten: ReplayDisk(synced[0], contents[1])
        }
    }

    private struct File: ReplayFile {
        let disk: ReplayDisk
        let index: Int

        private func note(_ call: Call) throws(ReplayFileError) {
            if let remaining = disk.remainingCalls {
                guard remaining > 0 else { throw ReplayFileError(code: ECANCELED) }
                disk.remainingCalls = remaining - 1
            }
            disk.calls.append(call)
        }

        /// Never more than 100 bytes at once.
        func read(_ count: Int, at offset: Int, to bytes: inout [UInt8]) throws(ReplayFileError) {
            try note(.read)
            bytes += disk.contents[index].dropFirst(offset).prefix(min(count, 100))
        }

        func write(_ bytes: Span<UInt8>, at offset: Int) throws(ReplayFileError) -> Int {
            try note(.write)
            let content = disk.contents[index]
            let other = disk.contents[1 - index].count
            var count = min(bytes.count, max(0, disk.room - other - offset))
            if disk.remainingCalls == 0, let torn = disk.tornByteCount { count = min(count, torn) }
            guard count > 0 else { throw ReplayFileError(code: ENOSPC) }
            var grown = content + [UInt8](repeating: 0, count: max(0, offset + count - content.count))
            for place in 0..<count { grown[offset + place] = bytes[place] }
            disk.contents[index] = grown
            disk.lastWrite = (index, offset..<offset + count)
            return count
        }

        func truncate(to byteCount: Int) throws(ReplayFileError) {
            try note(.truncate)
            disk.contents[index] = Array(disk.contents[index].prefix(byteCount))
        }

        func sync() throws(ReplayFileError) {
            try note(.sync)
            if disk.syncFails { throw ReplayFileError(code: EIO) }
            disk.synced[index] = disk.contents[index]
        }
    }
}
