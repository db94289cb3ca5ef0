// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A disk that cannot be written, or has lost what was written: what senders and the operator of a host see.
@Suite(.timeLimit(.minutes(10)))
struct DiskTests {
    private static let isRoot = geteuid() == 0
    private static let strace = Programs.installed("strace")
    private static let hint = "the state folder must be this user's own, on a disk that can be written"
    private static let damage =
        "stop the host, keep a copy of journal.sqlite and check the disk; moved away, a new one is made"

    private func configuration(_ folder: TemporaryFolder) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return try folder.write(
            """
            listen: { apns: { port: 0, plaintext: true } }
            state: state
            apps: [{ topic: com.example.chat, device-tokens: ["\(RunningHost.token)"] }]

            """,
            to: "host.yaml"
        )
    }

    /// A host that has been there, taken a push, and gone.
    private func runOnce(_ configuration: String) async throws {
        let host = try await RunningHost(configuration: configuration, options: [])
        defer { host.terminate() }
        #expect(try await host.deliver(Self.push("former")) != nil)
        host.terminate()
        #expect(await host.exitStatus == 0)
    }

    /// Each with an id of its own.
    private static func push(_ text: String) -> String { #"{"aps":{"alert":{"body":"\#(text)"}}}"# }

    /// Status and `retry-after` of a push's answer.
    private func answer(_ host: RunningHost, _ text: String) async throws -> String {
        let curl = try #require(Programs.installed("curl"))
        let arguments = [
            "-s", "--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_code} %header{retry-after}", "-H",
            "apns-topic: com.example.chat", "-d", Self.push(text),
            "http://127.0.0.1:\(host.port)/3/device/\(RunningHost.token)",
        ]
        return try await CommandResult.run(curl, arguments).output
    }

    // MARK: Read-only

    /// Runs a host, or another command, while the disk of its state folder is read-only.
    private func runReadOnly(_ folder: TemporaryFolder, _ arguments: String...) async throws -> CommandResult {
        let state = folder.path + "/state"
        let mount = "mount --bind '\(state)' '\(state)' && mount -o remount,bind,ro '\(state)' && exec \"$0\" \"$@\""
        return try await CommandResult.run(
            "/usr/bin/unshare",
            [Self.isRoot ? "-m" : "-rm", "/bin/sh", "-c", mount, Programs.extensionHost] + arguments
        )
    }

    @Test func `on a read-only disk a host does not start, and says so`() async throws {
        try await TemporaryFolder.with { folder in
            let file = try configuration(folder)
            let result = try await runReadOnly(folder, "serve", "--config", file)
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: state "\(folder.path)/state/replays-a" is not usable: open: read-only file system
                    extension-host: hint: \(Self.hint)

                    """
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").isEmpty)
        }
    }

    @Test func `on a disk that has become read-only a host does not start, and says so`() async throws {
        try await TemporaryFolder.with { folder in
            let file = try configuration(folder)
            try await runOnce(file)
            let registry = folder.path + "/state/registry.sqlite"
            let result = try await runReadOnly(folder, "serve", "--config", file)
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: registry "\(registry)" is not usable: read-only file system
                    extension-host: hint: \(Self.hint)

                    """
            )
            let token = try await runReadOnly(folder, "token", "new", "--config", file, "--topic", "com.example.chat")
            #expect(token.status == 1)
            #expect(token.output.isEmpty)
            #expect(token.errors.hasPrefix("extension-host: error: registry \"\(registry)\" is not usable: "))
            #expect(token.errors.hasSuffix("extension-host: hint: \(Self.hint)\n"))
        }
    }

    /// The kernel makes a disk read-only under open files when it fails; strace answers in its place.
    @Test(.enabled(if: isRoot && strace != nil, "needs root and strace"))
    func `a disk that becomes read-only under a host is 503 until it is written again`() async throws {
        try await TemporaryFolder.with { folder in
            let host = try await RunningHost(configuration: try configuration(folder), options: [])
            defer { host.terminate() }
            #expect(try await answer(host, "before") == "200 ")
            #expect(try await host.nextRecord()?.alert?["body"] == "before")
            try await ReadOnlyFile.with(folder.path + "/state/journal.sqlite-wal", of: host.process) {
                #expect(try await answer(host, "meanwhile") == "503 60")
                let note = try #require(await host.note(containing: "the journal cannot be written"))
                #expect(note.contains("hint=see that its disk can be written and has room"), "\(note)")
                #expect(try await answer(host, "meanwhile") == "503 60")
            }
            #expect(await host.note(containing: "the journal is written again") != nil)
            #expect(try await answer(host, "after") == "200 ")
            #expect(try await host.nextRecord()?.alert?["body"] == "after")
            host.terminate()
            #expect(await host.exitStatus == 0)
            // What was refused is nowhere: neither here nor for the next host.
            #expect(try await host.remainingRecords().isEmpty)
            let next = try await RunningHost(configuration: folder.path + "/host.yaml", options: [])
            next.terminate()
            #expect(await next.exitStatus == 0)
            #expect(try await next.remainingRecords().isEmpty)
        }
    }

    // MARK: Damaged

    /// Writes over all pages but the first, as a disk does that loses them.
    private func damage(_ folder: TemporaryFolder) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path + "/state/journal.sqlite"))
        let end = try file.seekToEnd()
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(end) - 8192))
        try file.close()
    }

    /// Another's transaction and an empty log have the host look at its pages again.
    ///
    /// The end of a push is written after its record was shown: the host must have nothing left to write.
    private func emptyLog(_ journal: String) async throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(20)
        let other = try DatabaseQueue(path: journal, configuration: configuration)
        while try await other.read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM waiting") }) != 0 {
            try await Task.turn()
        }
        try await other.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE facts SET value = value")
            // The host may be at a checkpoint of its own, for which nobody waits.
            while true {
                do {
                    _ = try database.checkpoint(.truncate)
                    break
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    sched_yield()
                }
            }
        }
        try other.close()
    }

    @Test func `with a damaged journal a host does not start, and says what to do`() async throws {
        try await TemporaryFolder.with { folder in
            let file = try configuration(folder)
            try await runOnce(file)
            try damage(folder)
            let result = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            let journal = folder.path + "/state/journal.sqlite"
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: "\(journal)": database disk image is malformed
                    extension-host: hint: keep a copy of it; "sqlite3 '\(journal)' .recover" may read it; moved away, \
                    a new one is made

                    """
            )
            // What the hint says is enough.
            try FileManager.default.moveItem(atPath: journal, toPath: folder.path + "/copy.sqlite")
            try await runOnce(file)
        }
    }

    @Test func `a journal that is damaged under a host is 503, once in the log with what to do, and not touched`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let host = try await RunningHost(configuration: try configuration(folder), options: [])
            defer { host.terminate() }
            #expect(try await answer(host, "before") == "200 ")
            #expect(try await host.nextRecord()?.alert?["body"] == "before")
            let journal = folder.path + "/state/journal.sqlite"
            try await emptyLog(journal)
            try damage(folder)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: journal))
            #expect(try await answer(host, "meanwhile") == "503 60")
            let note = try #require(await host.note(containing: "the journal is damaged"))
            #expect(note.contains("database disk image is malformed"), "\(note)")
            #expect(note.contains("hint=\(Self.damage)"), "\(note)")
            #expect(try await answer(host, "meanwhile") == "503 60")
            host.terminate()
            #expect(await host.exitStatus == 1)
            #expect(host.everythingNoted.hasSuffix("extension-host: hint: \(Self.damage)"), "\(host.everythingNoted)")
            let said = host.everythingNoted.split(separator: "\n").count { $0.contains("the journal is damaged") }
            #expect(said == 1)
            #expect(try Data(contentsOf: URL(fileURLWithPath: journal)) == bytes)
            #expect(try await host.remainingRecords().isEmpty)
        }
    }
}

/// Has the writes of a process to one file fail as on a read-only disk.
private enum ReadOnlyFile {
    static func with<Result>(
        _ path: String,
        of process: Int32,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let strace = Process()
        strace.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        strace.arguments = [
            "-f", "-p", String(process), "-P", path, "-e", "trace=pwrite64,fdatasync", "-e",
            "inject=pwrite64,fdatasync:error=EROFS",
        ]
        let talk = try ProcessStart.alone {
            let talk = Pipe()
            strace.standardOutput = FileHandle.nullDevice
            strace.standardError = talk
            try strace.run()
            return talk
        }
        let lines = Mailbox<String>(lines: talk.fileHandleForReading)
        while let line = await lines.take(), !line.contains("attached") {}
        defer {
            // It has inherited a mask that blocks every other signal; what it watches goes on.
            kill(strace.processIdentifier, SIGKILL)
            strace.waitUntilExit()
        }
        return try await body()
    }
}
