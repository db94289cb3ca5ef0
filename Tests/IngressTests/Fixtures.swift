// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Ingress
import Locking
import Logging

/// Two apps: one as most are, one that takes voip only and lives in production.
enum Fixture {
    static let topic = "com.example.chat"
    static let token = String(repeating: "ab", count: 32)
    static let otherTopic = "com.example.mail"
    static let otherToken = String(repeating: "cd", count: 32)
    static let productionToken = String(repeating: "ef", count: 32)
    static let id = "A1B2C3D4-0000-4000-8000-00000000ABCD"
    static let body = #"{"aps":{"alert":{"title":"Alice"}}}"#

    static var tokens: DeviceTokenTable {
        var table = DeviceTokenTable()
        let usual: Set<PushType> = [.alert, .background, .voip]
        table.register(.init(topic: topic, environment: .development, pushTypes: usual), tokens: [token])
        table.register(.init(topic: otherTopic, environment: .development, pushTypes: usual), tokens: [otherToken])
        table.register(
            .init(topic: "com.example.prod", environment: .production, pushTypes: usual),
            tokens: [productionToken]
        )
        return table
    }

    static func validator(_ conformance: Conformance = .lenient) -> PushValidator {
        PushValidator(tokens: tokens, environment: .development, conformance: conformance)
    }

    static let silentLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// A request as a test writes it, for every transport.
struct PushRequest: Sendable {
    var method: String
    var path: String
    var headers: [(String, String)]
    var bytes: [UInt8]
    var body: String {
        get { String(decoding: bytes, as: UTF8.self) }
        set { bytes = Array(newValue.utf8) }
    }

    init(
        method: String = "POST",
        path: String = "/3/device/\(Fixture.token)",
        headers: [(String, String)] = [("apns-topic", Fixture.topic)],
        body: String = Fixture.body
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        bytes = Array(body.utf8)
    }

    var provider: ProviderRequest {
        var request = ProviderRequest(method: method, path: path)
        for (name, value) in headers { request.add(name, value) }
        return request
    }

    func with(_ name: String, _ value: String) -> PushRequest {
        var request = self
        request.headers.append((name, value))
        return request
    }
}

struct PushResponse: Sendable, Equatable {
    var status: Int
    var headers: [String: String]
    var body: String
    /// DATA frames the body came in; 0 over HTTP/1.1.
    var dataFrames = 0
}

/// Answers at once, from a thread that is not the caller's, and keeps what it was given.
final class RecordingAcceptor: PushAcceptor {
    private let recorded = Locked<[[IncomingPush]]>([])
    private let answers = DispatchQueue(label: "answers")
    private let verdict: Acceptance

    init(_ verdict: Acceptance = .accepted) {
        self.verdict = verdict
    }

    var batches: [[IncomingPush]] { recorded.withLock { $0 } }
    var pushes: [IncomingPush] { batches.flatMap { $0 } }

    func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
        recorded.withLock { $0.append(batch) }
        answers.async { [verdict] in answer(0, batch.map { _ in verdict }) }
    }
}

/// Answers nothing until told to.
final class HoldingAcceptor: PushAcceptor {
    private struct Held {
        let count: Int
        let answer: @Sendable (Int, [Acceptance]) -> Void
    }

    private let held = Locked<[Held]>([])
    private let arrived: AsyncStream<Int>
    private let arrival: AsyncStream<Int>.Continuation

    init() {
        (arrived, arrival) = AsyncStream.makeStream()
    }

    func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
        held.withLock { $0.append(Held(count: batch.count, answer: answer)) }
        arrival.yield(batch.count)
    }

    /// Returns when that many pushes were handed over.
    func waitForPushes(_ count: Int) async {
        var seen = 0
        for await more in arrived {
            seen += more
            if seen >= count { return }
        }
    }

    func release() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for held in all { held.answer(0, [Acceptance](repeating: .accepted, count: held.count)) }
    }
}

/// Remembers what was logged, metadata included.
struct RecordingLogHandler: LogHandler {
    final class Store: Sendable {
        private let recorded = Locked<[String]>([])
        var lines: [String] { recorded.withLock { $0 } }
        func append(_ line: String) { recorded.withLock { $0.append(line) } }
    }

    let store: Store
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0)=\($1)" }.sorted()
        store.append("\(event.level) \(event.message) \(all.joined(separator: " "))")
    }
}
