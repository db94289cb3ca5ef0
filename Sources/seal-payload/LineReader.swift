// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The lines of a descriptor, one after the other, in memory that does not grow.
struct LineReader: ~Copyable {
    /// Far over what any push carries.
    static let limit = 1 << 16

    enum Line {
        /// The place of the line in `buffer`, without its line feed.
        case bytes(Range<Int>)
        /// More than `limit` bytes; they are skipped.
        case tooLong
    }

    private(set) var buffer = [UInt8](repeating: 0, count: 4 * limit)
    private let descriptor: Int32
    private let name: String
    private var start = 0
    private var end = 0
    private var isAtEnd = false

    init(_ path: String?) throws(Failure) {
        descriptor = try Files.open(path)
        name = Files.name(path)
    }

    deinit {
        Files.close(descriptor)
    }

    /// The next line; nil after the last, which needs no line feed.
    ///
    /// Calls `beforeWaiting` whenever the input has nothing more at the moment.
    mutating func next(beforeWaiting: () throws(Failure) -> Void) throws(Failure) -> Line? {
        var isSkipping = false
        // Counted from `start`, which moves when more is read.
        var searchedCount = 0
        while true {
            if let feed = lineFeed(from: start + searchedCount) {
                defer { start = feed + 1 }
                return isSkipping || feed - start > Self.limit ? .tooLong : .bytes(start..<feed)
            }
            if end - start > Self.limit {
                isSkipping = true
                start = end
            }
            if isAtEnd {
                guard isSkipping || start < end else { return nil }
                defer { start = end }
                return isSkipping ? .tooLong : .bytes(start..<end)
            }
            searchedCount = end - start
            try fill(beforeWaiting: beforeWaiting)
        }
    }

    private func lineFeed(from offset: Int) -> Int? {
        buffer.withUnsafeBytes { buffer in
            guard let first = buffer.baseAddress, let found = memchr(first + offset, 10, end - offset) else {
                return nil
            }
            return UnsafeRawPointer(found) - first
        }
    }

    /// Moves what is left to the front and reads behind it.
    private mutating func fill(beforeWaiting: () throws(Failure) -> Void) throws(Failure) {
        let rest = end - start
        if start > 0 {
            for offset in 0..<rest { buffer[offset] = buffer[start + offset] }
            (start, end) = (0, rest)
        }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, 0) == 0 { try beforeWaiting() }
        let capacity = buffer.count - end
        let count = buffer.withUnsafeMutableBytes { buffer in
            Glibc.read(descriptor, buffer.baseAddress.map { $0 + end }, capacity)
        }
        guard count >= 0 || errno == EINTR else { throw Files.failure(name) }
        isAtEnd = count == 0
        end += max(0, count)
    }
}
