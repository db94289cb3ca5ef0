// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import NotificationPayload

/// A connection to the socket of a running host: lines go there, an answer comes back for each.
final class HostConnection {
    /// A count of the host's answers, which is complete once the host has closed its end.
    final class Answers: Sendable {
        struct Count {
            /// Lines that were answered.
            var answered = 0
            var refused = 0
        }

        fileprivate let count = Locked(Count())
        fileprivate let ended = DispatchSemaphore(value: 0)

        func wait() -> Count {
            ended.wait()
            return count.withLock { $0 }
        }

        fileprivate func take(_ line: [UInt8]) {
            let answer = try? JSONObject(parsing: line.span)
            count.withLock { count in
                if answer?["id"] != nil || answer?["line"] != nil { count.answered += 1 }
                if answer?["status"] != .integer(200) { count.refused += 1 }
            }
        }
    }

    private let descriptor: Int32
    /// Lines sent that are not blank: each of them has an answer.
    private(set) var lineCount = 0
    private var lineHasText = false

    init(path: String) throws(CommandError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw CommandError(
                "\"\(path)\" is too long for a socket's path",
                hint: "a shorter one may lead there as well"
            )
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let cause = String(cString: strerror(errno))
            close(descriptor)
            throw CommandError(
                "no host listens on \"\(path)\": \(cause)",
                hint: "start it with \"listen: { ndjson: { socket: … } }\", or name its socket"
            )
        }
    }

    /// Reads to the end on a thread of its own; `show` is called there with each line.
    func readAnswers(_ show: @escaping @Sendable ([UInt8]) -> Void) -> Answers {
        let answers = Answers()
        let descriptor = descriptor
        Thread.detachNewThread {
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            var line: [UInt8] = []
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for byte in chunk[..<count] {
                    guard byte == UInt8(ascii: "\n") else {
                        line.append(byte)
                        continue
                    }
                    answers.take(line)
                    show(line)
                    line = []
                }
            }
            answers.ended.signal()
        }
        return answers
    }

    /// False when the host takes no more.
    func send(_ data: Data) -> Bool {
        for byte in data {
            switch byte {
            case UInt8(ascii: "\n"): finishLine()
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: lineHasText = true
            }
        }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends the last line; the host answers it and closes.
    func finishSending() {
        finishLine()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func finishLine() {
        if lineHasText { lineCount += 1 }
        lineHasText = false
    }
}
