// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Store

/// The cost of a push to the journal from its arrival to its outcome, in batches as the host writes them.
///
///   journal-bench FOLDER BATCH PUSHES KNOWN
///
/// FOLDER is empty; KNOWN pushes of a few bytes go first, so that their keys are known. Prints CPU time per push for
/// arrival and outcome together in microseconds, pushes per second, what opening such a journal takes in milliseconds,
/// and this process's largest memory in megabytes.
@main
enum JournalBench {
    static let bodyByteCount = 2048

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let batch = Int(arguments[2]), let pushes = Int(arguments[3]),
            let known = Int(arguments[4])
        else {
            FileHandle.standardError.write(
                Data("journal-bench: error: usage: journal-bench FOLDER BATCH PUSHES KNOWN\n".utf8)
            )
            exit(2)
        }
        let clock = HostClock(ContinuousClock())
        var journal = try Journal(folder: arguments[1], isDurable: false, clock: clock)
        try fill(journal, known)
        try journal.close()
        let opening = Measure()
        journal = try Journal(folder: arguments[1], isDurable: true, clock: clock)
        let openingTime = opening.wall

        var cpu = 0.0
        var wall = 0.0
        var concluded: [Conclusion] = []
        for start in stride(from: known, to: known + pushes, by: batch) {
            var work = JournalWork()
            work.arrivals = try (start..<start + batch).map { try push($0, byteCount: bodyByteCount) }
            work.conclusions = concluded
            let measure = Measure()
            let arrivals = try journal.commit(work) { _ in true }
            cpu += measure.cpu
            wall += measure.wall
            concluded = arrivals.map { arrival in
                guard case .stored(let number) = arrival else { preconditionFailure("each push is a new one") }
                return Conclusion(number: number, record: nil, deviceToken: "", sinks: [])
            }
        }
        print(
            String(
                format: "%.2f %.0f %.0f %.0f",
                cpu * 1e6 / Double(pushes),
                Double(pushes) / wall,
                openingTime * 1e3,
                largestMemory
            )
        )
        try journal.close()
    }

    static func fill(_ journal: Journal, _ count: Int) throws {
        var concluded: [Conclusion] = []
        for start in stride(from: 0, to: count, by: 500) {
            var work = JournalWork()
            work.arrivals = try (start..<start + 500).map { try push($0, byteCount: 40) }
            work.conclusions = concluded
            concluded = try journal.commit(work) { _ in true }.compactMap { arrival in
                guard case .stored(let number) = arrival else { return nil }
                return Conclusion(number: number, record: nil, deviceToken: "", sinks: [])
            }
        }
    }

    /// A sealed push of its own, to one of a thousand devices.
    static func push(_ seed: Int, byteCount: Int) throws -> IncomingPush {
        let text = String(repeating: "a", count: max(0, byteCount - 80)) + String(seed)
        let body = Array(#"{"aps":{"alert":"New message","mutable-content":1},"encrypted-content":"\#(text)"}"#.utf8)
        return IncomingPush(
            id: String(format: "00000000-0000-4000-8000-%012d", seed),
            deviceToken: String(format: "%064d", seed % 1000),
            topic: "com.example.chat",
            payload: Payload(["encrypted-content": .string(text)]),
            body: body,
            payloadByteCount: body.count,
            receivedAt: Date(timeIntervalSince1970: 1_795_230_000.125)
        )
    }

    /// `VmHWM` of proc_pid_status(5).
    static var largestMemory: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Double($0) }.first.map { $0 / 1024 } ?? 0
    }
}

/// Since it was made, in seconds.
struct Measure {
    private let startCPU = Self.time(CLOCK_PROCESS_CPUTIME_ID)
    private let startWall = Self.time(CLOCK_MONOTONIC)

    var cpu: Double { Self.time(CLOCK_PROCESS_CPUTIME_ID) - startCPU }
    var wall: Double { Self.time(CLOCK_MONOTONIC) - startWall }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
