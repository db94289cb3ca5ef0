// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Locking
import NotificationPayload

/// `extension-host serve` as its users run it: a configuration, a port, records on standard output.
final class RunningHost: Sendable {
    static let token = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

    let process: Int32
    let port: Int
    private let child: Process
    private let records: Mailbox<String>
    private let notes: Mailbox<String>
    private let exit: Mailbox<Int32>

    /// Runs a host with one app, `com.example.chat`, while `body` runs.
    ///
    /// `app` are further lines of the app's configuration, `name: value`, and `top` of the file's.
    static func with<Result>(
        _ folder: TemporaryFolder,
        app: [String] = [],
        top: [String] = [],
        security: String = "plaintext: true",
        _ body: (RunningHost) async throws -> Result
    ) async throws -> Result {
        let lines = app.map { "    \($0)\n" }.joined()
        let configuration = """
            listen: { apns: { port: 0, \(security) } }
            apps:
              - topic: com.example.chat
                device-tokens: ["\(token)"]
            \(lines)
            """ + "\n" + top.joined(separator: "\n")
        let host = try await RunningHost(configuration: try folder.write(configuration, to: "host.yaml"))
        do {
            let result = try await body(host)
            host.terminate()
            _ = await host.exitStatus
            return result
        } catch {
            host.terminate()
            throw error
        }
    }

    /// `command` is an absolute path with arguments that runs `extension-host`, as another user for example.
    init(
        configuration: String,
        command: [String] = [Programs.extensionHost],
        options: [String] = ["--log-level", "trace"]
    ) async throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: command[0])
        child.arguments = command.dropFirst() + ["serve", "--config", configuration] + options
        let exit = Mailbox<Int32>()
        child.terminationHandler = { child in
            exit.put(child.terminationReason == .exit ? child.terminationStatus : -child.terminationStatus)
            exit.close()
        }
        let (stdout, stderr) = try ProcessStart.alone {
            let (stdout, stderr) = (Pipe(), Pipe())
            child.standardInput = FileHandle.nullDevice
            child.standardOutput = stdout
            child.standardError = stderr
            try child.run()
            return (stdout, stderr)
        }
        let records = Mailbox<String>(lines: stdout.fileHandleForReading)
        let notes = Mailbox<String>(lines: stderr.fileHandleForReading)
        var port: Int?
        while port == nil {
            guard let note = await notes.take() else { throw HostEnded(errors: notes.everything) }
            port = note.split(separator: "127.0.0.1:").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
        }
        self.child = child
        self.records = records
        self.notes = notes
        self.exit = exit
        self.port = port ?? 0
        process = child.processIdentifier
    }

    struct HostEnded: Error {
        let errors: [String]
    }

    /// The next record; nil when the host has closed its output.
    func nextRecord() async throws -> Record? {
        guard let line = await records.take() else { return nil }
        return Record(object: try JSONObject(parsing: Array(line.utf8).span))
    }

    /// Returns the records that are left on standard output; waits until the host has closed it.
    func remainingRecords() async throws -> [Record] {
        var rest: [Record] = []
        while let record = try await nextRecord() { rest.append(record) }
        return rest
    }

    /// Everything the host has said so far, both streams.
    var everythingSaid: String { (records.everything + notes.everything).joined(separator: "\n") }

    /// Everything on standard error.
    var everythingNoted: String { notes.everything.joined(separator: "\n") }

    /// The next line on standard error with this text; nil when the host has closed it.
    func note(containing text: String) async -> String? {
        while let note = await notes.take() {
            if note.contains(text) { return note }
        }
        return nil
    }

    func terminate() {
        kill(process, SIGTERM)
    }

    /// The host's exit status, negative for a signal; waits for it, and until all that it noted has been read.
    var exitStatus: Int32? {
        get async {
            let status = await exit.take() ?? exit.everything.last
            await notes.end()
            return status
        }
    }

    /// Waits until a process has ended, at most half a minute.
    static func end(of process: Int32) async -> Bool {
        await WatchedProcess(process)?.ends(before: .now + .seconds(30)) ?? true
    }

    /// Posts a push over HTTP/2 with prior knowledge and returns the status.
    func post(
        _ body: String,
        topic: String = "com.example.chat",
        token: String = token,
        headers: [String] = []
    ) async throws -> Int? {
        guard let curl = Programs.installed("curl") else { throw ProgramMissing(name: "curl") }
        let arguments =
            ["-s", "--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@-"]
            + (["apns-topic: \(topic)"] + headers).flatMap { ["-H", $0] }
            + ["http://127.0.0.1:\(port)/3/device/\(token)"]
        return Int(try await CommandResult.run(curl, arguments, input: body).output)
    }

    /// Posts a push and returns its record.
    func deliver(_ body: String, headers: [String] = []) async throws -> Record? {
        guard try await post(body, headers: headers) == 200 else { return nil }
        return try await nextRecord()
    }

    /// The processes whose parent's parent is the host, by name: workers and openers.
    func descendants(named name: String) -> [Int32] {
        let pids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return pids.filter { pid in
            guard let status = ProcessStatus(pid), status.name == String(name.prefix(15)),
                let parent = ProcessStatus(status.parent)
            else { return false }
            return parent.parent == process
        }
    }
}

/// Name and parent of a process.
struct ProcessStatus {
    let name: String
    let parent: Int32

    init?(_ pid: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
        func value(_ key: String) -> String? {
            text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
                .map { $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        guard let name = value("Name"), let parent = value("PPid").flatMap({ Int32($0) }) else { return nil }
        self.name = name
        self.parent = parent
    }
}

/// Values that arrive and are taken in order, one taker at a time; also keeps them all.
final class Mailbox<Value: Sendable>: Sendable {
    private struct State {
        var all: [Value] = []
        var taken = 0
        var isClosed = false
        var waiter: CheckedContinuation<Value?, Never>?
        var enders: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    init() {}

    func put(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            state.all.append(value)
            guard let waiter = state.waiter else { return nil }
            state.waiter = nil
            state.taken += 1
            return waiter
        }
        waiter?.resume(returning: value)
    }

    func close() {
        let (waiter, enders) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiter, state.enders) = (nil, []) }
            return (state.waiter, state.enders)
        }
        waiter?.resume(returning: nil)
        for ender in enders { ender.resume() }
    }

    /// Returns when it is closed, and when the test's time is up; nothing is taken.
    func end() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isClosed || Task.isCancelled { return true }
                    state.enders.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            close()
        }
    }

    /// The next value; nil after the last one of a closed mailbox, and when the test's time is up.
    func take() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Value?? in
                    if state.taken < state.all.count {
                        state.taken += 1
                        return .some(state.all[state.taken - 1])
                    }
                    if state.isClosed || Task.isCancelled { return .some(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            close()
        }
    }

    var everything: [Value] { state.withLock { $0.all } }
}

extension Mailbox<String> {
    /// Lines of a descriptor, read on a thread of its own until it ends.
    convenience init(lines handle: FileHandle) {
        self.init()
        Thread.detachNewThread {
            var line: [UInt8] = []
            while case let data = handle.availableData, !data.isEmpty {
                for byte in data {
                    if byte == UInt8(ascii: "\n") {
                        self.put(String(decoding: line, as: UTF8.self))
                        line = []
                    } else {
                        line.append(byte)
                    }
                }
            }
            self.close()
        }
    }
}
