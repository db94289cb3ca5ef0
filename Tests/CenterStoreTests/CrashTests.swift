// SPDX-License-Identifier: Apache-2.0

import CenterChecks
import CenterSteps
import Foundation
import Testing

@testable import CenterStore

/// A store in a process of its own, whose system calls fail or which is killed in them.
struct CrashTests {
    private static let hasStrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    let folder: CenterFolder

    init() throws {
        folder = try CenterFolder()
    }

    /// Runs the probe to its end, or until it has said so many lines and is killed; what it said.
    private func probe(
        commits: Int,
        seed: UInt64,
        strace: [String] = [],
        killAfter limit: Int = .max
    ) throws -> [String] {
        try Self.probe([folder.path, String(commits), String(seed)], strace: strace, killAfter: limit)
    }

    private static func probe(
        _ arguments: [String],
        strace: [String],
        killAfter limit: Int = .max
    ) throws -> [String] {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "center-probe").path
        let process = Process()
        let command = [program] + arguments
        let line = strace.isEmpty ? command : ["/usr/bin/strace", "-f", "-qq", "-o", "/dev/null"] + strace + command
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

    /// The naive store after the batches of a seed, but those that were refused.
    private func model(seed: UInt64, batches: Int, refused: Set<Int> = []) -> NaiveCentre {
        var model = NaiveCentre()
        var steps = CenterSteps(seed: seed)
        _ = model.commit(CenterSteps.beginning, at: steps.now)
        for batch in 0..<batches {
            let work = steps.batch()
            if !refused.contains(batch) { steps.note(model.commit(work, at: steps.now)) }
        }
        return model
    }

    /// The store holds the batches that were acknowledged, and all or nothing of the one that was under way.
    private func expectWhole(seed: UInt64, acknowledged: Int) throws {
        let store = try folder.store()
        let last = try store.fact("batch").flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        let batches = (last ?? -1) + 1
        #expect([acknowledged, acknowledged + 1].contains(batches))
        #expect(try StoreComparison(store, model(seed: seed, batches: batches)).differences() == [])
        try store.close()
        #expect(try folder.strays() == [])
    }

    @Test(.timeLimit(.minutes(10)), arguments: [11, 12] as [UInt64])
    func `what was committed survives kill -9, and badges and numbers are the model's`(seed: UInt64) throws {
        let lines = try probe(commits: .max, seed: seed, killAfter: 700)
        let acknowledged = lines.count { $0.hasPrefix("committed") }
        #expect(acknowledged >= 699)
        // Lines that were in the pipe are all read, so that no more than one commit is not acknowledged.
        try expectWhole(seed: seed, acknowledged: acknowledged)
    }

    @Test(
        .enabled(if: hasStrace, "no strace"),
        .timeLimit(.minutes(10)),
        arguments: [
            ("pwrite64", 211), ("pwrite64", 404), ("pwrite64", 997), ("fdatasync", 17), ("fdatasync", 40),
            ("fdatasync", 71),
        ]
    )
    func `a commit in whose middle the process is killed is there or is not`(call: String, place: Int) throws {
        let seed = UInt64(place)
        let lines = try probe(
            commits: 300,
            seed: seed,
            strace: ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(place)"]
        )
        #expect(lines.first == "began")
        #expect(!lines.contains("closed"))
        try expectWhole(seed: seed, acknowledged: lines.count { $0.hasPrefix("committed") })
    }

    /// The kinds of calls in which a process that removes an app is killed, and every how many of them.
    @Test(
        .enabled(if: hasStrace, "no strace"),
        .timeLimit(.minutes(10)),
        arguments: [("pwrite64", 5), ("fdatasync", 1), ("unlinkat", 1)]
    )
    func `an app in whose removal the process is killed is there whole, or gone with all that was its`(
        call: String,
        step: Int
    ) throws {
        let desk = try RemovalDesk()
        var ends: Set<String> = []
        for place in stride(from: 1, to: 400, by: step) {
            let folder = try desk.copy()
            let inject = "inject=\(call):signal=KILL:when=\(place)"
            let lines = try Self.probe([folder.path, "remove"], strace: ["-e", "trace=\(call)", "-e", inject])
            let isGone = try desk.isGone(from: folder)
            if lines.contains("removed") { #expect(isGone) }
            // A sanitizer makes calls of its own before the program begins.
            if lines.first == "began" { ends.insert(isGone ? "gone" : "whole") }
            // It was not killed: there are no more such calls.
            if lines.last == "closed" { break }
            #expect(lines.last != "closed" && place < 399)
        }
        // A file goes behind the transaction.
        #expect(ends == (call == "unlinkat" ? ["gone"] : ["gone", "whole"]))
    }

    @Test(.enabled(if: hasStrace, "no strace"), .timeLimit(.minutes(10)), arguments: [2, 31, 64])
    func `a store in whose making the process is killed is made by the next one`(place: Int) throws {
        let lines = try probe(
            commits: 1,
            seed: 1,
            strace: ["-e", "trace=pwrite64", "-e", "inject=pwrite64:signal=KILL:when=\(place)"]
        )
        #expect(lines == [])
        let store = try folder.store()
        #expect(try store.owners() == [])
        _ = try store.commit(CenterSteps.beginning, at: 0)
        #expect(try store.owners().map(\.position) == [3, 3, 3])
    }

    @Test(
        .enabled(if: hasStrace, "no strace"),
        .timeLimit(.minutes(10)),
        arguments: [
            ("pwrite64:error=ENOSPC:when=200..260", #"full("\"FILE\": database or disk is full (SQLite\'s code 13)")"#),
            ("pwrite64:error=EIO:when=200..260", #"disk("\"FILE\": disk I/O error (SQLite\'s code 778)")"#),
            ("fdatasync:error=EIO:when=20..32", #"disk("\"FILE\": disk I/O error (SQLite\'s code 1034)")"#),
        ]
    )
    func `a disk that fails leaves nothing torn, and work goes on once a write succeeds`(
        injection: String,
        message: String
    ) throws {
        let call = injection.prefix { $0 != ":" }
        let lines = try probe(commits: 80, seed: 5, strace: ["-e", "trace=\(call)", "-e", "inject=\(injection)"])
        let expected = message.replacing("FILE", with: folder.database)
        let refused = lines.filter { $0.hasPrefix("refused") }
        #expect(refused.count > 1)
        #expect(refused.allSatisfy { $0.hasSuffix(expected) }, "\(refused)")
        #expect(lines.contains { $0.hasPrefix("maintained failure(") && $0.hasSuffix("\(expected))") })
        #expect(lines.last == "closed")
        let numbers = Set(refused.compactMap { Int($0.split(separator: " ")[1]) })
        let store = try folder.store()
        let naive = model(seed: 5, batches: 80, refused: numbers)
        #expect(try StoreComparison(store, naive).differences() == [])
        try store.close()
        #expect(try folder.strays() == [])
    }
}
