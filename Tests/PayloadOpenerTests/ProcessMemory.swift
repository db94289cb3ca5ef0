// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The memory of another process as root sees it: every mapping that can be read, and whether it is locked.
struct ProcessMemory {
    struct Mapping {
        /// The name that the kernel gives to the mapping: a file, `[heap]`, `[stack]`, or nothing.
        let name: String
        let isLocked: Bool
        let bytes: [UInt8]
    }

    /// The places in which bytes were found.
    struct Places: Equatable {
        var locked = 0
        /// The names of the mappings, one for each place.
        var elsewhere: [String] = []
    }

    let mappings: [Mapping]

    /// Reads the memory of the process; `nil` when it may not be read.
    init?(of process: pid_t) {
        // Read to its end: the kernel hands this file out a page at a time.
        guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/smaps") else { return nil }
        let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { return nil }
        defer { close(memory) }
        var mappings: [Mapping] = []
        var head: Substring?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("VmFlags:"), let bounds = head {
                let isLocked = line.split(separator: " ").contains("lo")
                if let mapping = Self.read(bounds, isLocked: isLocked, from: memory) { mappings.append(mapping) }
            } else if line.first?.isHexDigit == true, line.prefix(while: { $0 != " " }).contains("-") {
                head = line
            }
        }
        guard !mappings.isEmpty else { return nil }
        self.mappings = mappings
    }

    /// `line` is the head of a mapping: bounds, rights, offset, device, inode, name.
    private static func read(_ line: Substring, isLocked: Bool, from memory: Int32) -> Mapping? {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < 1 << 47, words[1].first == "r" else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(bounds[1] - bounds[0]))
        let count = pread(memory, &bytes, bytes.count, Int(bounds[0]))
        guard count > 0 else { return nil }
        return Mapping(name: words.count > 5 ? String(words[5]) : "", isLocked: isLocked, bytes: Array(bytes[..<count]))
    }

    func places(of needle: [UInt8]) -> Places {
        var places = Places()
        for mapping in mappings {
            for _ in 0..<Self.count(of: needle, in: mapping.bytes) {
                if mapping.isLocked { places.locked += 1 } else { places.elsewhere.append(mapping.name) }
            }
        }
        return places
    }

    private static func count(of needle: [UInt8], in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let first = needle.first else { return 0 }
            var offset = 0
            var count = 0
            while offset + needle.count <= bytes.count,
                let match = memchr(start + offset, Int32(first), bytes.count - needle.count - offset + 1)
            {
                if memcmp(match, needle, needle.count) == 0 { count += 1 }
                offset = UnsafeRawPointer(match) - start + 1
            }
            return count
        }
    }
}
