// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Senders and handlers that are not ours.
@Suite(.timeLimit(.minutes(10)))
struct ClientTests {
    static let handler = Programs.root + "/Examples/python-handler/handler.py"

    @Test func `seal-payload piped into curl arrives opened and extended`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(folder, app: ["extension: \(bundle)"] + keys.configuration) { host in
                let pipeline = """
                    printf '{"aps":{"alert":{"title":"Alice","body":"Lunch?"}}}' |
                    \(Programs.sealPayload) -r \(keys.recipientPublic) --topic com.example.chat |
                    curl -s --http2-prior-knowledge -H 'apns-topic: com.example.chat' --data-binary @- \
                    -o /dev/null -w '%{http_code}' http://127.0.0.1:\(host.port)/3/device/\(RunningHost.token)
                    """
                let result = try await CommandResult.run("/bin/sh", ["-c", pipeline])
                try #require(result.output == "200", "\(result.errors)")
                let record = try await host.nextRecord()
                #expect(record?.outcome == "modified")
                #expect(record?.alert == ["title": "handled", "body": "Lunch?"])
            }
        }
    }

    @Test func `the Python handler takes the place of a Swift extension`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("handler.py", program: Self.handler)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/handler.py")
            let app = ["extension: \(bundle)", "interpreter: /usr/bin/python3"] + keys.configuration
            try await RunningHost.with(folder, app: app) { host in
                let record = try await host.deliver(try await keys.seal(OpeningTests.message))
                #expect(record?.outcome == "modified")
                #expect(record?.alert?["body"] == "Lunch?")
                #expect(record?.alert?["title"]?.string?.contains("Alice") == true)
                #expect(record?.alert?["title"] != "Alice")
            }
        }
    }

    @Test(arguments: ["ChatExtension", "SlowExtension"])
    func `the examples run as bundles`(name: String) async throws {
        let bundle = Programs.root + "/.build/appex/\(name).appex"
        try #require(FileManager.default.fileExists(atPath: bundle), "scripts/build-examples has not run")
        let result = try await CommandResult.run(
            Programs.extensionHost,
            ["run", bundle, "-"],
            input: #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"mutable-content":1},"room":"cooking"}"#
        )
        #expect(result.status == 0, "\(result.errors)")
        let record = Record(object: try JSONObject(parsing: Array(result.output.utf8).span))
        #expect(record.outcome == "modified")
        #expect(record.payload?["room"] == "cooking")
        if name == "ChatExtension" {
            #expect(record.alert?["title"] == "Alice · Chat")
            #expect(record.payload?.aps?["thread-id"] == "cooking")
        }
    }

    @Test func `a silent extension hears the last call and is gone when its budget ends`() async throws {
        let bundle = Programs.root + "/.build/appex/SlowExtension.appex"
        try #require(FileManager.default.fileExists(atPath: bundle), "scripts/build-examples has not run")
        let payload = #"{"aps":{"alert":{"title":"Alice"},"mutable-content":1},"slow":{"seconds":60}}"#
        let result = try await CommandResult.run(
            Programs.extensionHost,
            ["run", bundle, "-", "--budget", "10s", "--grace", "5s", "--log-level", "debug"],
            input: payload
        )
        let record = Record(object: try JSONObject(parsing: Array(result.output.utf8).span))
        #expect(result.status == 1)
        #expect(record.outcome == "original")
        #expect(record.reason == "budgetExceeded")
        #expect(record.alert == ["title": "Alice"])
        let total = record.object["timings"]?.object?["totalMicroseconds"]?.integer ?? 0
        // The edges are held to 100 ms on an idle machine; a busy one may hold everything up, and nothing is early.
        #expect((9_990_000...34_000_000).contains(total))
        let lastCall = result.errors.split(separator: "last call after ").dropFirst().first
            .flatMap { Int($0.prefix { $0.isNumber }) }
        // It counts from its own start, which comes some time after the push began.
        #expect((lastCall ?? 0) > 0, "\(result.errors)")
    }
}
