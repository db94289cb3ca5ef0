// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The behaviour of extensions, good and bad, and the notifications that their users see.
@Suite(.timeLimit(.minutes(10)))
struct ExtensionTests {
    static func body(_ behavior: String?) -> String {
        var payload = Payload(["aps": ["alert": ["title": "given", "body": "text"], "mutable-content": 1]])
        payload["behave"] = behavior.map(JSON.string)
        return String(decoding: payload.serialized, as: UTF8.self)
    }

    private func withHost<Result>(
        _ app: [String] = [],
        attributes: String = "",
        _ body: (RunningHost) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let program = Programs.misbehavingExtension
            let bundle = try folder.makeBundle("Misbehaving", program: program, attributes: attributes)
            return try await RunningHost.with(folder, app: ["extension: \(bundle)"] + app, body)
        }
    }

    @Test func `a mutable push is extended, a warm worker serves the next`() async throws {
        try await withHost { host in
            let first = try await host.deliver(Self.body(nil))
            let second = try await host.deliver(Self.body(nil))
            #expect(first?.outcome == "modified")
            #expect(first?.alert == ["title": "handled", "body": "text"])
            #expect(first?.workerProcess == second?.workerProcess)
        }
    }

    @Test func `a push that is not mutable is delivered as it came`() async throws {
        try await withHost { host in
            let record = try await host.deliver(#"{"aps":{"alert":"plain"},"custom":[1,2]}"#)
            #expect(record?.outcome == "original")
            #expect(record?.reason == "notMutable")
            #expect(record?.payload == Payload(["aps": ["alert": "plain"], "custom": [1, 2]]))
            #expect(record?.object["worker"] == .null)
        }
    }

    @Test func `an app without an extension delivers the original`() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder) { host in
                let record = try await host.deliver(Self.body(nil))
                #expect(record?.outcome == "original")
                #expect(record?.reason == "noExtension")
            }
        }
    }

    @Test(arguments: [
        ("exit", ["exitedEarly"]), ("trap", ["crashed"]), ("abort", ["crashed"]), ("huge", ["exitedEarly"]),
        ("garbage", ["protocolViolation"]), ("wrongID", ["protocolViolation"]), ("readyAgain", ["protocolViolation"]),
        ("memory", ["memoryLimitExceeded"]), ("empty", ["emptyContent"]),
    ])
    func `an extension that fails costs its own change and nothing else`(
        behavior: String,
        reasons: [String]
    ) async throws {
        try await withHost { host in
            let failed = try await host.deliver(Self.body(behavior))
            #expect(failed?.outcome == "original")
            #expect(reasons.contains(failed?.reason ?? ""), "\(failed?.reason ?? "no record")")
            #expect(failed?.alert == ["title": "given", "body": "text"])
            #expect(try await host.deliver(Self.body(nil))?.outcome == "modified")
        }
    }

    @Test func `an extension that ends before it serves is named in the log`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Ending", program: "/bin/false")
            try await RunningHost.with(folder, app: ["extension: \(bundle)"]) { host in
                let record = try await host.deliver(Self.body(nil))
                #expect(record?.outcome == "original")
                #expect(record?.reason == "launchFailed")
                let note = await host.note(containing: "worker ended before it served")
                #expect(note?.contains("push.topic=com.example.chat ") == true, "\(note ?? "nothing")")
                #expect(note?.contains("worker.exit=status 1 ") == true, "\(note ?? "nothing")")
            }
        }
    }

    @Test func `a worker that is killed in mid-request crashed`() async throws {
        try await withHost { host in
            let served = try await host.deliver(Self.body(nil))
            let worker = try #require(served?.workerProcess.flatMap { Int32(exactly: $0) })
            #expect(try await host.post(Self.body("tell")) == 200)
            // A request that it has not read would go to another worker.
            _ = try #require(await host.note(containing: "at work"))
            #expect(kill(worker, SIGKILL) == 0)
            let record = try await host.nextRecord()
            #expect(record?.outcome == "original")
            #expect(record?.reason == "crashed")
            #expect(record?.workerProcess == served?.workerProcess)
            #expect(try await host.deliver(Self.body(nil))?.outcome == "modified")
        }
    }

    @Test func `the first of two completions is delivered, once`() async throws {
        try await withHost { host in
            let twice = try await host.deliver(Self.body("twice"))
            let once = try await host.deliver(Self.body(nil))
            host.terminate()
            let more = try await host.remainingRecords()
            #expect(twice?.alert?["title"] == "first")
            #expect(once?.alert?["title"] == "handled")
            #expect(more.isEmpty)
        }
    }

    @Test func `an exit right after the completion is harmless`() async throws {
        try await withHost { host in
            for _ in 0..<5 {
                let record = try await host.deliver(Self.body("exitAfter"))
                #expect(record?.outcome == "modified")
                // A push that the dying process had already begun would end with it.
                let worker = try #require(record?.workerProcess.flatMap { Int32(exactly: $0) })
                #expect(await RunningHost.end(of: worker))
            }
        }
    }

    @Test func `empty content of a filtering extension suppresses the notification`() async throws {
        try await withHost(attributes: "<key>NotificationFiltering</key><true/>") { host in
            let record = try await host.deliver(Self.body("empty"))
            #expect(record?.outcome == "suppressed")
            #expect(record?.reason == "filtered")
        }
    }

    @Test func `content given at the last call is late`() async throws {
        try await withHost(["budget: 10s", "grace: 5s"]) { host in
            let record = try await host.deliver(Self.body("late"))
            #expect(record?.outcome == "modified")
            #expect(record?.isLate == true)
            #expect(record?.alert?["title"] == "late")
        }
    }

    @Test(arguments: ["hang", "silent", "spin"])
    func `an extension without an answer is gone at the end of its budget`(behavior: String) async throws {
        try await withHost(["budget: 8s", "grace: 2s"]) { host in
            #expect(try await host.deliver(Self.body(nil))?.outcome == "modified")
            let worker = try #require(host.descendants(named: "Misbehaving").first)
            let record = try await host.deliver(Self.body(behavior))
            #expect(record?.outcome == "original")
            #expect(record?.reason == "budgetExceeded")
            #expect(record?.alert == ["title": "given", "body": "text"])
            #expect(try await host.deliver(Self.body(nil))?.outcome == "modified")
            #expect(await RunningHost.end(of: worker))
        }
    }

    @Test func `a push that waited past its expiration is suppressed`() async throws {
        try await withHost(["budget: 6s", "grace: 1s"]) { host in
            // Pushes of one device wait for each other: the first takes six seconds.
            let soon = Int(Date().timeIntervalSince1970) + 4
            #expect(try await host.post(Self.body("silent")) == 200)
            #expect(try await host.post(Self.body(nil), headers: ["apns-expiration: \(soon)"]) == 200)
            #expect(try await host.nextRecord()?.reason == "budgetExceeded")
            let record = try await host.nextRecord()
            #expect(record?.outcome == "suppressed")
            #expect(record?.reason == "expired")
        }
    }

    @Test func `workers and opener die with a host that is killed`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let configuration = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                apps:
                  - topic: com.example.chat
                    device-tokens: ["\(RunningHost.token)"]
                    extension: \(bundle)
                """,
                to: "host.yaml"
            )
            let host = try await RunningHost(configuration: configuration)
            #expect(try await host.deliver(Self.body(nil))?.outcome == "modified")
            let workers = host.descendants(named: "Misbehaving")
            #expect(!workers.isEmpty)
            #expect(kill(host.process, SIGKILL) == 0)
            #expect(await host.exitStatus == -SIGKILL)
            for worker in workers { #expect(await RunningHost.end(of: worker)) }
        }
    }
}
