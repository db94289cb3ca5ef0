// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// Records on their way to a webhook, and what an operator sees of them.
@Suite(.timeLimit(.minutes(10)))
struct WebhookTests {
    private static let secret = "canary-secret-0123456789"
    private static let push = #"{"aps":{"alert":{"title":"canary-title","body":"canary-body"}}}"#

    private func top(_ folder: TemporaryFolder, _ url: String, _ keys: String = "") throws -> [String] {
        let secret = try folder.write(Self.secret + "\n", to: "hook.secret")
        chmod(secret, 0o600)
        return [
            "state: \(folder.path)/state",
            "admin: { socket: \(folder.path)/state/admin.sock }",
            "sinks:",
            "  - stdout",
            "  - webhook: { name: hook, url: \"\(url)\", secret-file: \(secret)\(keys) }",
        ]
    }

    private func running(
        _ path: String,
        keys: String = "",
        _ body: (TemporaryFolder, WebhookReceiver, RunningHost) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await WebhookReceiver.with(folder: folder.path, secret: Self.secret) { receiver in
                let url = "http://127.0.0.1:\(receiver.port)\(path)"
                try await RunningHost.with(folder, top: try top(folder, url, keys)) { host in
                    try await body(folder, receiver, host)
                }
            }
        }
    }

    private func command(_ folder: TemporaryFolder, _ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(Programs.extensionHost, arguments + ["--config", folder.path + "/host.yaml"])
    }

    /// The list, when there is something in it.
    private func deadLetters(_ folder: TemporaryFolder) async throws -> CommandResult {
        try await settled {
            try await command(folder, "dead-letters", "list")
        } until: { result in
            !result.output.isEmpty
        }
    }

    private func metrics(_ folder: TemporaryFolder) async throws -> [String] {
        let curl = try #require(Programs.installed("curl"))
        let socket = folder.path + "/state/admin.sock"
        let result = try await CommandResult.run(curl, ["-s", "--unix-socket", socket, "http://host/metrics"])
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `a record whose answer was lost comes again, and the receiver knows it`() async throws {
        try await running("/unheard") { _, receiver, host in
            let record = try #require(try await host.deliver(Self.push))
            let notes = try await receiver.next(2)
            #expect(notes.map(\.isOurs) == [true, true])
            #expect(notes.map(\.isRepeat) == [false, true])
            #expect(notes[0].delivery == notes[1].delivery)
            #expect(notes[0].delivery.hasSuffix("-1"))
            let sent = try JSONObject(parsing: Array(notes[0].body.utf8).span)
            #expect(sent == record.object)
            #expect(sent["delivery"]?.string == notes[0].delivery)
        }
    }

    @Test func `what was not sent is sent by the next host`() async throws {
        try await TemporaryFolder.with { folder in
            // A port where nobody listens.
            try await RunningHost.with(folder, top: try top(folder, "http://127.0.0.1:1/")) { host async throws in
                #expect(try await host.deliver(Self.push) != nil)
                host.terminate()
                #expect(await host.exitStatus == 0)
            }
            try await WebhookReceiver.with(folder: folder.path, secret: Self.secret) { receiver in
                let url = "http://127.0.0.1:\(receiver.port)/records"
                try await RunningHost.with(folder, top: try top(folder, url)) { _ async throws in
                    #expect(try await receiver.next().map(\.isOurs) == [true])
                }
            }
        }
    }

    @Test func `what was sent while the host ended is not sent again by the next one`() async throws {
        try await TemporaryFolder.with { folder in
            try await WebhookReceiver.with(folder: folder.path, secret: Self.secret) { receiver in
                let top = try top(folder, "http://127.0.0.1:\(receiver.port)/late")
                let count = 20
                let drain = try await RunningHost.with(folder, top: top) { host async throws -> Duration in
                    for _ in 0..<count { #expect(try await host.post(Self.push) == 200) }
                    let begin = ContinuousClock.now
                    host.terminate()
                    #expect(await host.exitStatus == 0)
                    return ContinuousClock.now - begin
                }
                // Each device in order: one more comes only after whatever the journal still had.
                typealias Notes = [WebhookReceiver.Note]
                let notes = try await RunningHost.with(folder, top: top) { host async throws -> Notes in
                    #expect(try await host.deliver(Self.push) != nil)
                    var notes: Notes = []
                    while notes.last?.delivery.hasSuffix("-\(count + 1)") != true {
                        notes += try await receiver.next()
                    }
                    return notes
                }
                let firsts = notes.filter { !$0.isRepeat }
                let numbers = firsts.compactMap { $0.delivery.split(separator: "-").last }.map(String.init)
                #expect(numbers == (1...count + 1).map(String.init))
                #expect(Set(notes.map(\.delivery)).count == count + 1)
                // A drain has five seconds; what is under way at their end is cut, and goes again.
                #expect(notes.count - firsts.count <= (drain < .seconds(5) ? 0 : 1), "a drain of \(drain)")
            }
        }
    }

    @Test func `dead letters are listed, sent again and dropped beside the running host`() async throws {
        try await running("/status/400") { folder, receiver, host in
            #expect(try await host.deliver(Self.push) != nil)
            let delivery = try #require(try await receiver.next().first?.delivery)
            let list = try await deadLetters(folder)
            #expect(list.output.hasSuffix("  hook  \(delivery)  1  status 400\n"), "\(list.output)")
            let json = try await command(folder, "dead-letters", "list", "--json").output
            let letter = try JSONObject(parsing: Array(json.utf8).span)
            #expect(letter["delivery"]?.string == delivery)
            #expect(letter["record"]?.object?["delivery"]?.string == delivery)
            let unnamed = try await command(folder, "dead-letters", "replay")
            #expect(unnamed.status == 2)
            let foreign = try await command(folder, "dead-letters", "drop", "--delivery", "00000000x-1")
            #expect(foreign.status == 1)
            #expect(foreign.errors.contains("\"00000000x-1\" is no delivery of this host"))
            #expect(try await command(folder, "dead-letters", "replay", "--delivery", delivery).output == "1\n")
            #expect(try await receiver.next().map(\.delivery) == [delivery])
            _ = try await deadLetters(folder)
            #expect(try await command(folder, "dead-letters", "drop", "--delivery", delivery).output == "1\n")
            #expect(try await command(folder, "dead-letters", "list").output == "")
        }
    }

    @Test func `a webhook that does not speak for devices removes none`() async throws {
        try await running("/status/410", keys: ", removes-tokens: false") { folder, receiver, host in
            #expect(try await host.deliver(Self.push) != nil)
            let delivery = try #require(try await receiver.next().first?.delivery)
            let list = try await deadLetters(folder)
            #expect(list.output.hasSuffix("  hook  \(delivery)  1  status 410\n"), "\(list.output)")
            // The next record of a device goes when all is done about the one before it.
            #expect(try await host.deliver(Self.push) != nil)
            _ = try await receiver.next()
            #expect(try await host.post(Self.push) == 200)
        }
    }

    @Test func `status shows the outbox, and ends with 1 when nobody is there`() async throws {
        try await running("/status/503") { folder, receiver, host in
            #expect(try await host.deliver(Self.push) != nil)
            _ = try await receiver.next()
            let status = try await settled {
                try await command(folder, "status")
            } until: { result in
                result.output.contains("outbox hook  records 1, under way 0, dead letters 0\n")
            }
            #expect(status.status == 0)
            #expect(status.output.contains("host         ready, up "), "\(status.output)")
            let json = try await command(folder, "status", "--json").output
            #expect(try JSONObject(parsing: Array(json.utf8).span)["journal"]?.object?["synchronous"]?.integer == 2)
            host.terminate()
            _ = await host.exitStatus
            let gone = try await command(folder, "status")
            #expect(gone.status == 1)
            #expect(gone.errors.contains("error: no host answers on \""))
        }
    }

    @Test func `no log, metric or list tells a text, a token or the secret, whatever the webhook does`() async throws {
        for path in ["/status/503", "/status/400", "/status/410", "/unheard", "/moved", "/records"] {
            try await running(path) { folder, receiver, host in
                #expect(try await host.deliver(Self.push) != nil)
                _ = try await receiver.next()
                #expect(try await host.post(Self.push, token: "canary") == 400)
                let lines = try await settled {
                    try await metrics(folder)
                } until: { lines in
                    lines.contains { $0.hasPrefix("nestbox_outbox_attempts_total{sink=\"hook\"") }
                }
                #expect(lines.contains { $0.hasPrefix("nestbox_ingress_requests_total{") })
                #expect(lines.contains(#"nestbox_outcomes_total{outcome="original",reason="notMutable"} 1"#))
                #expect(lines.contains(#"nestbox_push_seconds_count{outcome="original"} 1"#))
                #expect(lines.contains("nestbox_lane_wait_seconds_count 1"))
                #expect(!lines.contains("nestbox_journal_commit_seconds_count 0"))
                #expect(!lines.contains("nestbox_journal_batch_rows_count 0"))
                let list = try await command(folder, "dead-letters", "list").output
                let status = try await command(folder, "status", "--json").output
                // A target that is gone has cost its device token, or does in a moment.
                let expected = path == "/status/410" ? 410 : 400
                _ = try await settled {
                    try await host.post(#"{"aps":{"alert":"canary-body"}"#)
                } until: { status in
                    status == expected
                }
                host.terminate()
                _ = await host.exitStatus
                let noted = host.everythingNoted
                #expect(noted.contains("sink.name=hook"))
                // The record on standard output holds what nothing else may.
                #expect(host.everythingSaid.contains("canary-body"))
                let said = ([noted, list, status] + lines).joined(separator: "\n")
                for canary in ["canary", RunningHost.token, Self.secret] {
                    #expect(!said.contains(canary), "\(canary), \(path)")
                }
            }
        }
    }

    /// Asks until the answer is what is waited for: what was answered to the receiver takes a moment to be written.
    private func settled<Answer>(
        _ ask: () async throws -> Answer,
        until isThere: (Answer) -> Bool
    ) async throws -> Answer {
        while true {
            let answer = try await ask()
            if isThere(answer) { return answer }
            try await Task.turn()
        }
    }
}
