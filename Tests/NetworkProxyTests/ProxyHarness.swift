// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import NetworkProxy
import TestClock

/// A proxy for one worker of `com.example.chat`, whose serial is 1, with a clock that stands still.
struct ProxyHarness {
    let proxy: NetworkProxy
    let clock: ManualClock
    let port: UInt16
    let log: RecordedLog

    func connect() throws -> TestSocket { try .connected(to: port) }

    /// Another worker, of any app, whose request has the number of the worker.
    func open(_ worker: UInt64, of app: String) throws -> TestSocket {
        let listener = try TestSocket.listening()
        proxy.open(listener: listener.duplicated(), for: NetworkClient(worker: worker, pid: 78, app: app))
        proxy.requestBegan(worker, worker: worker)
        return listener
    }

    /// Sends `head` and returns all that comes back.
    func answer(to head: String) async throws -> String {
        let client = try connect()
        try await client.write(head)
        return try await client.readToEnd()
    }

    /// Returns when the proxy has done all that was to be done before.
    func hasTurned() async throws {
        for _ in 0..<2 { _ = try await answer(to: "x\r\n\r\n") }
    }

    /// A tunnel that is up.
    func tunnel(to host: String) async throws -> TestSocket {
        let client = try connect()
        try await client.write("CONNECT \(host) HTTP/1.1\r\n\r\n")
        let answer = try await client.read(until: "\r\n\r\n")
        guard answer == Self.established else { throw Unexpected(answer: answer) }
        return client
    }

    struct Unexpected: Error { let answer: String }

    static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    static func refusal(_ status: String, _ reason: String) -> String {
        let body = "nestbox: \(reason)\n"
        return "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n" + body
    }
}

/// Runs `body` beside a proxy; request 1 is open unless `request` is nil.
func withProxy<Result: Sendable>(
    hosts: [String],
    apps: [String] = ["com.example.chat"],
    resolver: any NameResolving = FakeResolver([String: [String]]()),
    ownAddresses: [String] = [],
    request: UInt64? = 1,
    limits change: (inout NetworkProxy.Limits) -> Void = { _ in },
    _ body: (ProxyHarness) async throws -> Result
) async throws -> Result {
    let listener = try TestSocket.listening()
    let manual = ManualClock()
    let clock = HostClock(manual)
    let deadlines = DeadlineQueue(clock: clock)
    let log = RecordedLog()
    var limits = NetworkProxy.Limits()
    change(&limits)
    let proxy = NetworkProxy(
        hosts: Dictionary(uniqueKeysWithValues: try apps.map { ($0, try hosts.map(NetworkHost.init(parsing:))) }),
        limits: limits,
        resolver: resolver,
        ownAddresses: { Set(ownAddresses.compactMap { IPAddress($0) }) },
        clock: clock,
        deadlines: deadlines,
        logger: log.logger
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await deadlines.run() }
        defer { group.cancelAll() }
        let client = NetworkClient(worker: 1, pid: 77, app: "com.example.chat")
        proxy.open(listener: listener.duplicated(), for: client)
        if let request { proxy.requestBegan(request, worker: 1) }
        do {
            let harness = ProxyHarness(proxy: proxy, clock: manual, port: listener.port, log: log)
            let result = try await body(harness)
            await proxy.end()
            return result
        } catch {
            await proxy.end()
            throw error
        }
    }
}

/// Knows a few names, and what it was asked for.
final class FakeResolver: NameResolving {
    private let answers: [String: [[String]]]
    private let state = Locked([String]())

    /// The answers to a name one after the other; the last stays.
    init(_ answers: [String: [[String]]]) {
        self.answers = answers
    }

    convenience init(_ answers: [String: [String]]) {
        self.init(answers.mapValues { [$0] })
    }

    var asked: [String] { state.withLock { $0 } }

    func resolve(_ name: String, answer: @escaping @Sendable ([IPAddress]) -> Void) {
        let count = state.withLock { asked in
            asked.append(name)
            return asked.count { $0 == name }
        }
        let lists = answers[name] ?? [[]]
        answer(lists[min(count, lists.count) - 1].compactMap { IPAddress($0) })
    }
}

/// Does not answer before it is told to, and remembers who asked.
final class SilentResolver: NameResolving {
    private let state = Locked([(name: String, answer: @Sendable ([IPAddress]) -> Void)]())
    let wasAsked = Signal()

    var asked: [String] { state.withLock { $0.map(\.name) } }

    func resolve(_ name: String, answer: @escaping @Sendable ([IPAddress]) -> Void) {
        state.withLock { $0.append((name, answer)) }
        wasAsked.raise()
    }

    /// Answers the first look-up; without addresses it is given up.
    func answer(_ addresses: [String] = []) {
        state.withLock { $0.first }?.answer(addresses.compactMap { IPAddress($0) })
    }
}

/// Log lines as text, every level.
final class RecordedLog: Sendable {
    private let state = Locked([String]())

    var lines: [String] { state.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private func append(_ line: String) { state.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            log.append(([("\(event.level): \(event.message)")] + pairs).joined(separator: " "))
        }
    }
}
