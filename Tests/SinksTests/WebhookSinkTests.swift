// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import HostTesting
import Logging
import Sinks
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WebhookSinkTests {
    private static let secret = "canary-secret-0123456789"

    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "webhook-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func secret(_ text: String = secret + "\n", mode: Int = 0o600) throws -> String {
        let path = folder + "/secret"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func configuration(_ url: String, timeout: Duration = .seconds(60)) throws -> WebhookConfiguration {
        WebhookConfiguration(name: "hook", url: url, secret: try WebhookSecret(file: secret()), timeout: timeout)
    }

    private func record(_ number: Int64 = 1042, _ text: String = #"{"id":"ü"}"#) -> OutboxRecord {
        OutboxRecord(
            sink: "hook",
            number: number,
            delivery: DeliveryName(store: "5f2c9a1e", count: number),
            deviceToken: "00",
            record: Array(text.utf8),
            attempts: 0
        )
    }

    private func sending(
        _ configuration: WebhookConfiguration,
        _ records: OutboxRecord...,
        wallTime: @escaping @Sendable () -> Int64 = WebhookSink.unixTime
    ) async throws -> [Sending] {
        let sink = try WebhookSink(configuration, wallTime: wallTime)
        var answers: [Sending] = []
        for record in records { answers.append(await sink.send(record)) }
        await sink.close()
        return answers
    }

    private func receiving(_ body: (WebhookReceiver, String) async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await WebhookReceiver.with(folder: folder, secret: Self.secret) { receiver in
            try await body(receiver, "http://127.0.0.1:\(receiver.port)")
        }
    }

    @Test func `a record arrives as it is, named, and signed as the protocol shows`() async throws {
        try await receiving { receiver, url async throws in
            #expect(try await sending(configuration(url + "/records"), record()) == [.delivered])
            let note = WebhookReceiver.Note(
                path: "/records",
                delivery: "5f2c9a1e-1042",
                isOurs: true,
                isRepeat: false,
                contentType: "application/json",
                body: #"{"id":"ü"}"#
            )
            #expect(try await receiver.next() == [note])
        }
    }

    @Test func `another secret, or an old time, is not ours`() async throws {
        try await receiving { receiver, url async throws in
            _ = try secret("another-secret-0123456789")
            let stranger = WebhookConfiguration(
                name: "hook",
                url: url,
                secret: try WebhookSecret(file: folder + "/secret")
            )
            _ = try await sending(stranger, record())
            let old = { @Sendable in WebhookSink.unixTime() - 3600 }
            _ = try await sending(configuration(url), record(), wallTime: old)
            #expect(try await receiver.next(2).map(\.isOurs) == [false, false])
        }
    }

    @Test func `an answer that was not heard is a repeat the next time`() async throws {
        try await receiving { receiver, url async throws in
            let answers = try await sending(configuration(url + "/unheard"), record(), record())
            #expect(answers == [.failed(reason: "connection closed", after: nil), .delivered])
            let notes = try await receiver.next(2)
            #expect(notes.map(\.isRepeat) == [false, true])
            #expect(notes.map(\.delivery) == ["5f2c9a1e-1042", "5f2c9a1e-1042"])
        }
    }

    static let statuses: [(String, Sending)] = [
        ("200", .delivered), ("202", .delivered), ("204", .delivered),
        ("400", .refused(reason: "status 400")), ("401", .refused(reason: "status 401")),
        ("404", .refused(reason: "status 404")), ("422", .refused(reason: "status 422")),
        ("410", .gone(reason: "status 410")),
        ("408", .failed(reason: "status 408", after: nil)), ("425", .failed(reason: "status 425", after: nil)),
        ("429", .failed(reason: "status 429", after: nil)), ("500", .failed(reason: "status 500", after: nil)),
        ("503/120", .failed(reason: "status 503", after: .seconds(120))),
        ("429/7", .failed(reason: "status 429", after: .seconds(7))),
        ("503/soon", .failed(reason: "status 503", after: nil)), ("503/-3", .failed(reason: "status 503", after: nil)),
    ]

    @Test func `each status means one thing`() async throws {
        try await receiving { _, url async throws in
            for (path, meaning) in Self.statuses {
                #expect(try await sending(configuration(url + "/status/" + path), record()) == [meaning], "\(path)")
            }
        }
    }

    /// Source: RFC 9110, 10.2.3.
    @Test func `a date to come back at is a wait from now`() async throws {
        try await receiving { _, url async throws in
            let now = { @Sendable in Int64(784_111_747) }
            #expect(
                try await sending(configuration(url + "/dated/503"), record(), wallTime: now)
                    == [.failed(reason: "status 503", after: .seconds(30))]
            )
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await receiving { receiver, url async throws in
            let answers = try await sending(configuration(url + "/moved"), record())
            #expect(answers == [.failed(reason: "status 307", after: nil)])
            #expect(try await receiver.next().map(\.path) == ["/moved"])
        }
    }

    @Test func `silence ends with the time-out`() async throws {
        try await receiving { _, url async throws in
            let unconnected = [Sending.failed(reason: "no connection in time", after: nil)]
            var answers = unconnected
            // The time-out is the connection's, too: without one nothing is known about the silence.
            for seconds in [2, 8, 32] where answers == unconnected {
                answers = try await sending(configuration(url + "/silent", timeout: .seconds(seconds)), record())
            }
            #expect(answers == [.failed(reason: "no answer in time", after: nil)])
        }
    }

    @Test func `an answer without end is taken by its status`() async throws {
        try await receiving { _, url async throws in
            #expect(try await sending(configuration(url + "/endless"), record(), record()) == [.delivered, .delivered])
        }
    }

    static let dripping: [(String, Sending)] = [
        ("200", .delivered), ("404", .refused(reason: "status 404")),
        ("503", .failed(reason: "status 503", after: nil)),
    ]

    /// A byte each 100 ms: 16 KiB of them would take longer than the suite may.
    @Test(arguments: dripping)
    func `an answer that drips is taken by its status when the time is up`(
        status: String,
        meaning: Sending
    ) async throws {
        try await receiving { _, url async throws in
            var answers: [Sending] = []
            // Of a head that came too late nothing can be known about the body.
            for seconds in [1, 4, 16] where answers.isEmpty || Self.isLate(answers) {
                let configuration = try configuration(url + "/dripping/" + status, timeout: .seconds(seconds))
                answers = try await sending(configuration, record())
            }
            #expect(answers == [meaning])
        }
    }

    private static func isLate(_ answers: [Sending]) -> Bool {
        ["no answer in time", "no connection in time"].contains { answers == [.failed(reason: $0, after: nil)] }
    }

    @Test func `nobody there is a failure`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let answers = try await sending(configuration("http://127.0.0.1:1/"), record())
        #expect(answers == [.failed(reason: "connection refused", after: nil)])
    }

    @Test func `a certificate is believed only if its authority is named`() async throws {
        try await receiving { receiver, _ async throws in
            var configuration = try configuration("https://127.0.0.1:\(receiver.tlsPort)/records")
            #expect(try await sending(configuration, record()) == [.failed(reason: "TLS failed", after: nil)])
            configuration.authorities = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/server.pem")))
            #expect(try await sending(configuration, record()) == [.delivered])
            let notes = try await receiver.next()
            #expect(notes.map(\.isOurs) == [true])
            configuration.authorities = Array("no certificate".utf8)
            let refusal = SinkError(.unusable, sink: "hook", "sink \"hook\": its \"ca\" holds no certificate")
            #expect(throws: refusal) { try WebhookSink(configuration) }
        }
    }

    @Test func `a cancelled attempt ends at once, as a failure`() async throws {
        try await receiving { receiver, url async throws in
            let sink = try WebhookSink(configuration(url + "/silent", timeout: .seconds(50)))
            let attempt = Task { await sink.send(record()) }
            _ = try await receiver.next()
            attempt.cancel()
            #expect(await attempt.value == .failed(reason: "cancelled", after: nil))
            await sink.close()
        }
    }

    @Test func `a secret is a file of sixteen bytes or more that only its owner reads`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: WebhookSecret.Refusal.wrongSize(15)) { try WebhookSecret(file: secret("0123456789abcde\n")) }
        #expect(throws: WebhookSecret.Refusal.wrongSize(0)) { try WebhookSecret(file: secret("")) }
        let long = String(repeating: "a", count: 1025)
        #expect(throws: WebhookSecret.Refusal.wrongSize(1025)) { try WebhookSecret(file: secret(long)) }
        #expect(throws: WebhookSecret.Refusal.openToOthers) {
            try WebhookSecret(file: secret(Self.secret, mode: 0o640))
        }
        #expect(throws: WebhookSecret.Refusal.unreadable(errno: ENOENT)) { try WebhookSecret(file: folder + "/none") }
        #expect(throws: WebhookSecret.Refusal.notAFile) { try WebhookSecret(file: folder) }
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: secret())
        #expect(throws: WebhookSecret.Refusal.notAFile) { try WebhookSecret(file: link) }
    }
}
