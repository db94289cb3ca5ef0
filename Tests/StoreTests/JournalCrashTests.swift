// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Store
import TestClock
import Testing

/// A journal in a process of its own, whose system calls fail or which is killed in them.
struct JournalCrashTests {
    private static let hasStrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    /// Runs the probe to its end, or until it has said so many lines and is killed; what it said.
    private func probe(
        commits: Int,
        batch: Int,
        strace: [String] = [],
        killAfter limit: Int = .max
    ) throws -> [String] {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "journal-probe").path
        let process = Process()
        let command = [program, folder.path, String(commits), String(batch)]
        let line = strace.isEmpty ? command : ["/usr/bin/strace", "-f", "-qq", "-o", trace] + strace + command
        process.executableURL = URL(fileURLWithPath: line[0])
        process.arguments = Array(line.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var said: [UInt8] = []
        var lines = 0
        while true {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            said += piece
            lines += piece.count { $0 == UInt8(ascii: "\n") }
            if lines >= limit { kill(process.processIdentifier, SIGKILL) }
        }
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private var trace: String { folder.path + "/trace" }

    private func stored(_ lines: [String]) -> [Int64] {
        lines.compactMap { $0.hasPrefix("stored ") ? Int64($0.dropFirst(7)) : nil }
    }

    @Test(.timeLimit(.minutes(10)))
    func `ten thousand pushes that were acknowledged survive kill -9`() throws {
        let acknowledged = try #require(stored(try probe(commits: .max / 64, batch: 64, killAfter: 160)).last)
        #expect(acknowledged >= 10_000)
        let numbers = try folder.journal().unfinished().map(\.number)
        #expect(numbers.count >= Int(acknowledged))
        #expect(numbers == Array(1...Int64(numbers.count)))
        // Whole batches, whether their line was still written or not.
        #expect(numbers.count % 64 == 0)
    }

    @Test(
        .enabled(if: hasStrace, "no strace"),
        .timeLimit(.minutes(10)),
        arguments: ["pwrite64", "fdatasync"],
        [17, 40, 71]
    )
    func `what was acknowledged survives kill -9 in the middle of a write`(call: String, place: Int) throws {
        let lines = try probe(
            commits: 200,
            batch: 3,
            strace: ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(place)"]
        )
        #expect(!lines.contains("closed"))
        let acknowledged = Int(stored(lines).last ?? 0)
        let journal = try folder.journal()
        let numbers = try journal.unfinished().map(\.number)
        #expect(numbers == (1..<1 + Int64(numbers.count)).map { $0 })
        // The commit in the middle is there, or it is not.
        #expect([acknowledged, acknowledged + 3].contains(numbers.count))
        #expect(try journal.pushes(of: "com.example.chat", after: 0, limit: 1000).count == numbers.count)
        #expect(journal.statistics.damaged == 0)
    }

    @Test(.enabled(if: hasStrace, "no strace"), .timeLimit(.minutes(10)))
    func `each commit is one sync`() throws {
        let counts = try [20, 120].map { commits in
            _ = try probe(commits: commits, batch: 1, strace: ["-e", "trace=fdatasync,fsync"])
            let text = try String(contentsOfFile: trace, encoding: .utf8)
            // Else the pushes of the second run would be known.
            try FileManager.default.removeItem(atPath: folder.database)
            return text.split(separator: "\n").count { $0.contains("sync(") }
        }
        #expect(counts[1] - counts[0] == 100)
    }

    @Test(
        .enabled(if: hasStrace, "no strace"),
        .timeLimit(.minutes(10)),
        arguments: [
            ("pwrite64:error=ENOSPC:when=60..70", #"disk("\"FILE\": database or disk is full (SQLite\'s code 13)")"#),
            ("pwrite64:error=EIO:when=60..70", #"disk("\"FILE\": disk I/O error (SQLite\'s code 778)")"#),
            ("fdatasync:error=EIO:when=20..26", #"disk("\"FILE\": disk I/O error (SQLite\'s code 1034)")"#),
        ]
    )
    func `a disk that fails refuses, and takes on from there once a write succeeds`(
        injection: String,
        message: String
    ) throws {
        // An odd number of failures: a refusal, a maintenance that fails, and at last one that does not.
        let call = injection.prefix { $0 != ":" }
        let lines = try probe(commits: 60, batch: 3, strace: ["-e", "trace=\(call)", "-e", "inject=\(injection)"])
        let expected = message.replacing("FILE", with: folder.database)
        let refusals = lines.count { $0.hasPrefix("refused") }
        #expect(refusals > 1)
        #expect(lines.count { $0 == "refused \(expected)" } == refusals)
        #expect(lines.count { $0 == "maintained failure(\(expected))" } == refusals - 1)
        #expect(lines.count { $0 == "maintained success(false)" } == 1)
        #expect(lines.last == "closed")
        // Numbers have no gaps, and nothing of a refused batch is there.
        let numbers = try folder.journal().unfinished().map(\.number)
        #expect(numbers.count == (60 - refusals) * 3)
        #expect(numbers.last == stored(lines).last)
        #expect(numbers == (1..<1 + Int64(numbers.count)).map { $0 })
    }
}
