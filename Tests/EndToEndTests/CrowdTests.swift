// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Pushes of many devices at once, for an extension that takes its time.
@Suite(.timeLimit(.minutes(10)))
struct CrowdTests {
    private static func token(_ device: Int) -> String {
        let digits = String(device, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    private static func body(_ behavior: String?, _ details: JSONObject = [:]) -> String {
        var object: JSONObject = ["aps": ["alert": ["title": "given", "body": "text"], "mutable-content": 1]]
        object["behave"] = behavior.map(JSON.string)
        for member in details.members { object[member.key] = member.value }
        return String(decoding: Payload(object).serialized, as: UTF8.self)
    }

    /// Runs a host with these apps, each of a hundred devices, under the misbehaving extension.
    private func withHost<Result>(
        _ lines: [String] = [],
        topics: [String] = ["com.example.chat"],
        _ body: (RunningHost) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            var apps = ""
            for (number, topic) in topics.enumerated() {
                let name = topic.split(separator: ".").last.map(String.init) ?? topic
                let bundle = try folder.makeBundle(name, program: Programs.misbehavingExtension, app: topic)
                let tokens = (0..<100).map { "\"\(Self.token(100 * number + $0))\"" }.joined(separator: ", ")
                apps += "  - topic: \(topic)\n    device-tokens: [\(tokens)]\n    extension: \(bundle)\n"
                apps += lines.map { "    \($0)\n" }.joined()
            }
            let configuration = "listen: { apns: { port: 0, plaintext: true } }\napps:\n" + apps
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
    }

    private func post(_ body: String, to devices: Range<Int>, of host: RunningHost) async throws {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for (count, device) in devices.enumerated() {
                if count >= 8 { #expect(try await group.next() == 200) }
                group.addTask { try await host.post(body, token: Self.token(device)) }
            }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `a hundred devices at once are all extended, by as many workers as the app may have`() async throws {
        // Sixteen have to be at work together, or none of the first sixteen completes: the first waits for sixteen
        // starts.
        try await withHost(["budget: 5m"]) { host in
            try await post(Self.body("meet", ["count": 16]), to: 0..<100, of: host)
            var outcomes: [String: Int] = [:]
            for _ in 0..<100 {
                let record = try await host.nextRecord()
                outcomes[record?.ending ?? "none", default: 0] += 1
                #expect(record?.object["timings"]?.object?["waitMicroseconds"]?.integer ?? -1 >= 0)
            }
            #expect(outcomes == ["modified": 100])
        }
    }

    @Test func `a push that hangs costs the app's other pushes nothing`() async throws {
        try await withHost(["budget: 20s", "grace: 1s"]) { host in
            try await post(Self.body("tell"), to: 0..<1, of: host)
            _ = try #require(await host.note(containing: "at work"))
            try await post(Self.body(nil), to: 1..<21, of: host)
            var reasons: [String] = []
            for _ in 0..<21 { reasons.append(try await host.nextRecord()?.ending ?? "none") }
            #expect(reasons.dropLast() == Array(repeating: "modified", count: 20)[...])
            #expect(reasons.last == "budgetExceeded")
        }
    }

    @Test func `a device that hangs again and again costs other devices nothing`() async throws {
        try await withHost(["budget: 15s", "grace: 1s"]) { host in
            for _ in 0..<4 { try await post(Self.body("hang"), to: 0..<1, of: host) }
            for _ in 0..<4 { try await post(Self.body("wait", ["milliseconds": 300]), to: 1..<11, of: host) }
            var outcomes: [String: Int] = [:]
            for _ in 0..<44 {
                outcomes[try await host.nextRecord()?.ending ?? "none", default: 0] += 1
            }
            #expect(outcomes == ["modified": 40, "budgetExceeded": 4])
        }
    }

    @Test func `hanging in all its workers, an app's pushes say so after their wait, and another's are extended`()
        async throws
    {
        let topics = ["com.example.chat", "com.example.mail"]
        try await withHost(["workers: 2", "wait: 15s", "budget: 40s", "grace: 1s"], topics: topics) { host in
            try await post(Self.body("hang"), to: 0..<4, of: host)
            for device in 100..<105 {
                #expect(try await host.post(Self.body(nil), topic: topics[1], token: Self.token(device)) == 200)
            }
            var outcomes: [String: Int] = [:]
            for _ in 0..<9 {
                guard let record = try await host.nextRecord() else { break }
                let reason = record.ending
                outcomes["\(record.object["topic"]?.string?.last.map(String.init) ?? "") \(reason)", default: 0] += 1
                guard reason == "noWorker" else { continue }
                let timings = record.object["timings"]?.object
                #expect(timings?["waitMicroseconds"]?.integer ?? 0 >= 15_000_000)
                #expect(timings?["extensionMicroseconds"] == .null)
                #expect(record.object["worker"] == .null)
                #expect(record.alert == ["title": "given", "body": "text"])
            }
            #expect(outcomes == ["l modified": 5, "t noWorker": 2, "t budgetExceeded": 2])
        }
    }

    @Test func `workers that are killed while more are started cost their own pushes, and no other's`() async throws {
        try await withHost { host in
            async let killed = endingsWhileKilling(host)
            try await post(Self.body("wait", ["milliseconds": 100]), to: 0..<100, of: host)
            let (endings, kills) = try await killed
            #expect(kills > 0)
            #expect(Set(endings).isSubset(of: ["modified", "crashed"]))
            #expect(endings.count { $0 == "crashed" } <= kills)
            #expect(endings.count == 100)
        }
    }

    /// Kills all workers of the moment at every twentieth of a hundred records; returns how each push ended, and the
    /// number of kills.
    private func endingsWhileKilling(_ host: RunningHost) async throws -> (endings: [String], kills: Int) {
        var endings: [String] = []
        var kills = 0
        while endings.count < 100, let record = try await host.nextRecord() {
            endings.append(record.ending)
            guard endings.count % 20 == 10 else { continue }
            for worker in host.descendants(named: "chat") where kill(worker, SIGKILL) == 0 { kills += 1 }
        }
        return (endings, kills)
    }
}

extension Record {
    /// The reason, or the outcome of a push that has none.
    fileprivate var ending: String { reason ?? outcome ?? "none" }
}
