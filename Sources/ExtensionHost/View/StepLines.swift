// SPDX-License-Identifier: Apache-2.0

import CLinux
import ExtensionBuild
import Foundation
import Locking

/// Steps that a program hands over while the view is open: a JSON object a line.
///
/// One line is read at a time, on a thread of its own, so that what waits stays in the pipe. The thread ends with the
/// last line, with an error of reading, and with `stop()`.
final class StepLines: Sendable {
    /// The longest line, which holds a notification's payload with room to spare.
    static let byteCount = 1 << 20
    /// The bytes of all lines together.
    static let byteCountInAll = 64 << 20

    private static let source = "name a file with a step as JSON a line, or \"-\" for standard input"

    private let descriptor: Int32
    private let limit: Int
    private let turn = DispatchSemaphore(value: 0)
    private let isStopped = Locked(false)
    /// An eventfd that is readable from `stop()` on.
    private let end: Int32

    /// Opens a file, or standard input as "-".
    init(_ path: String, byteCountInAll: Int = StepLines.byteCountInAll) throws(CommandError) {
        limit = byteCountInAll
        let name = path == "-" ? "standard input" : "\"\(path)\""
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError("\(name) is not readable: \(String(cString: strerror(errno)))", hint: Self.source)
        }
        end = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR else {
            throw CommandError("\(name) is a folder, and steps are the lines of a file", hint: Self.source)
        }
        guard end >= 0 else {
            throw CommandError(
                "steps cannot be waited for: \(String(cString: strerror(errno)))",
                hint: "\"ulimit -n\" says how many files may be open"
            )
        }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
        if end >= 0 { close(end) }
    }

    /// Has the next step read.
    func next() { turn.signal() }

    /// Ends the reading, also one that waits for its line.
    ///
    /// Nothing is told of afterwards, not even the end, but what is being told at this moment.
    func stop() {
        isStopped.withLock { $0 = true }
        eventfd_write(end, 1)
        turn.signal()
    }

    /// Calls a function with each step once `next()` asks for it, with what is wrong with a line, and with `nil` at the
    /// end, which an error of reading has as well.
    func read(_ take: @escaping @Sendable (Result<ViewStep, CommandError>?) -> Void) {
        Thread.detachNewThread { [self] in
            var reader = LineReader(descriptor, end, limit)
            while true {
                turn.wait()
                guard !isStopped.withLock({ $0 }) else { return }
                let next = reader.next()
                // `stop()` may have come while the line was waited for.
                guard !isStopped.withLock({ $0 }) else { return }
                switch next {
                case .line(let line): take(Result { () throws(CommandError) in try ViewStep(line: line) })
                case .unusable(let error): take(.failure(error))
                case .end: return take(nil)
                }
            }
        }
    }
}

/// The lines of a file or a pipe, of which empty ones are passed over; a line ends with LF or with CR and LF.
private struct LineReader {
    enum Line {
        case line([UInt8])
        /// A line beyond its bound, all of which is read; or the reason for which nothing more is read.
        case unusable(CommandError)
        case end
    }

    private let descriptor: Int32
    private let end: Int32
    private let limit: Int
    private var bytes: [UInt8] = []
    /// The place in `bytes` at which the next line begins.
    private var start = 0
    private var byteCount = 0
    private var isOver = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ descriptor: Int32, _ end: Int32, _ limit: Int) {
        self.descriptor = descriptor
        self.end = end
        self.limit = limit
    }

    mutating func next() -> Line {
        var isTooLong = false
        // The place behind the bytes in which no line ends.
        var seen = start
        while true {
            if let lineEnd = bytes[seen...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Self.withoutReturn(bytes[start..<lineEnd])
                (start, seen) = (lineEnd + 1, lineEnd + 1)
                if isTooLong || line.count > StepLines.byteCount { return .unusable(Self.tooLong) }
                if !line.isEmpty { return .line(Array(line)) }
                continue
            }
            // A carriage return may follow the longest line.
            isTooLong = isTooLong || bytes.count - start > StepLines.byteCount + 1
            if isTooLong { start = bytes.count }
            bytes.removeSubrange(..<start)
            (start, seen) = (0, bytes.count)
            do throws(CommandError) {
                guard try read() else { return last(isTooLong) }
            } catch {
                isOver = true
                bytes = []
                return .unusable(error)
            }
        }
    }

    /// Returns what stands behind the last line's end.
    private mutating func last(_ isTooLong: Bool) -> Line {
        defer { bytes = [] }
        let line = Self.withoutReturn(bytes[...])
        if isTooLong || line.count > StepLines.byteCount { return .unusable(Self.tooLong) }
        return line.isEmpty ? .end : .line(Array(line))
    }

    /// Adds what can be read; false at the end, and once the reading was ended.
    private mutating func read() throws(CommandError) -> Bool {
        while !isOver {
            var ready = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            let readyCount = poll(&ready, 2, -1)
            if readyCount >= 0, ready[1].revents != 0 { break }
            let count = readyCount < 0 ? readyCount : Int32(Foundation.read(descriptor, &buffer, buffer.count))
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw CommandError(
                    "the steps cannot be read: \(String(cString: strerror(errno)))",
                    hint: "nothing behind this is read: see that the file is whole, or send the steps through a pipe"
                )
            }
            guard count > 0 else { break }
            byteCount += Int(count)
            guard byteCount <= limit else {
                throw CommandError(
                    "the steps have more than \(limit) bytes",
                    hint: "nothing behind this is read: divide them among several calls of view"
                )
            }
            bytes += buffer[..<Int(count)]
            return true
        }
        isOver = true
        return false
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private static let tooLong = CommandError(
        "a step is longer than \(StepLines.byteCount) bytes",
        hint: "each step stands on a line of its own, and a notification's payload has 4096 bytes or some more"
    )
}
