// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import Sampling
import Testing

/// An accepted push survives every crash and is delivered once.
@Suite(.timeLimit(.minutes(15)))
struct CrashTests {
    enum Victim: String, CaseIterable, CustomTestStringConvertible {
        case host, opener, worker, launcher

        var testDescription: String { rawValue }

        /// The number of times that this process is killed.
        var kills: Int {
            Sample.count(self == .host ? 100 : 25, atMost: self == .host ? 12 : 6, "kills of the \(rawValue)")
        }
        /// The reasons for which a push may come unextended while this process is killed, apart from an opener that was
        /// silent.
        var excuses: Set<String> {
            switch self {
            case .host: []
            case .opener: ["openerUnavailable"]
            case .worker: ["crashed", "launchFailed"]
            // What it took down is tried again by the next host, but for workers that are seen to die first.
            case .launcher: ["crashed"]
            }
        }
    }

    private static let tokens = (0..<4).map { String(format: "%02x", $0) + RunningHost.token.dropFirst(2) }

    @Test(arguments: Victim.allCases)
    func `what was answered 200 has one record, whoever is killed`(_ victim: Victim) async throws {
        let python = try #require(Programs.installed("python3"))
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let port = Int(try FreePort.find())
            let configuration = try folder.write(
                """
                listen: { apns: { port: \(port), plaintext: true } }
                state: state
                apps:
                  - topic: com.example.chat
                    device-tokens: [\(Self.tokens.map { "\"\($0)\"" }.joined(separator: ", "))]
                    extension: \(bundle)
                    keys: [\(keys.recipient)]
                """,
                to: "host.yaml"
            )
            let bodies = try await seal(victim.kills * 24, with: keys)
            async let client = CommandResult.run(
                python,
                [
                    Programs.root + "/Tests/Clients/persistent_client.py", "--port", "\(port)", "--topic",
                    "com.example.chat",
                ] + Self.tokens.flatMap { ["--token", $0] },
                input: bodies
            )
            var generator = SystemRandomNumberGenerator()
            var records: [Record] = []
            var kills = 0
            while kills < victim.kills {
                let host = try await RunningHost(configuration: configuration, options: [])
                records += try await self.kill(
                    victim,
                    of: host,
                    times: victim == .host || victim == .launcher ? 1 : victim.kills,
                    // The last ones are for the last host.
                    after: min(20, max(0, victim.kills * 20 - records.count)),
                    using: &generator
                )
                kills += victim == .host || victim == .launcher ? 1 : victim.kills
            }
            let last = try await RunningHost(configuration: configuration, options: [])
            let answers = try Answers(await client)
            // A host that is told to end leaves to the next one what it cannot conclude in a few seconds.
            var missing = answers.accepted.subtracting(records.compactMap(\.pushID))
            while !missing.isEmpty, let record = try await last.nextRecord() {
                records.append(record)
                record.pushID.map { _ = missing.remove($0) }
            }
            last.terminate()
            records += try await last.remainingRecords()
            #expect(await last.exitStatus == 0)
            try check(victim, answers, count: victim.kills * 24, records: records)
        }
    }

    /// Kills after some records of the host, from none on; returns all of them.
    private func kill(
        _ victim: Victim,
        of host: RunningHost,
        times: Int,
        after most: Int,
        using generator: inout some RandomNumberGenerator
    ) async throws -> [Record] {
        var records: [Record] = []
        for _ in 0..<times {
            for _ in 0..<Int.random(in: 0...most, using: &generator) {
                guard let record = try await host.nextRecord() else { break }
                records.append(record)
            }
            switch victim {
            case .host: Glibc.kill(host.process, SIGKILL)
            case .opener: host.descendants(named: "payload-opener").forEach { Glibc.kill($0, SIGKILL) }
            case .worker: host.descendants(named: "Misbehaving").forEach { Glibc.kill($0, SIGKILL) }
            case .launcher: host.children(named: "worker-launcher").forEach { Glibc.kill($0, SIGKILL) }
            }
        }
        if victim == .opener || victim == .worker { host.terminate() }
        records += try await host.remainingRecords()
        _ = await host.exitStatus
        return records
    }

    /// The answers that the client received.
    private struct Answers {
        let accepted: Set<String>
        let attempts: Int64
        let wrong: [JSON]

        init(_ client: CommandResult) throws {
            let object = try JSONObject(parsing: Array(client.output.utf8).span)
            accepted = Set(try #require(object["accepted"]?.array).compactMap(\.string))
            attempts = try #require(object["attempts"]?.integer)
            wrong = try #require(object["wrong"]?.array)
        }
    }

    private func check(_ victim: Victim, _ answers: Answers, count: Int, records: [Record]) throws {
        var deliveries: [String: Set<String>] = [:]
        var reasons: [String: Int] = [:]
        var unexcused: Set<String> = []
        for record in records {
            let id = try #require(record.pushID)
            deliveries[id, default: []].insert(try #require(record.object["delivery"]?.string))
            guard record.outcome != "modified" else { continue }
            let reason = record.reason ?? "none"
            reasons[reason, default: 0] += 1
            if !victim.excuses.contains(reason), !record.foundOpenerSilent { unexcused.insert(reason) }
        }
        print(
            "\(victim.rawValue) killed \(victim.kills) times: \(answers.accepted.count) accepted in \(answers.attempts) attempts,",
            "\(records.count) records of \(deliveries.count) pushes, not extended: \(reasons)"
        )
        #expect(answers.wrong.isEmpty)
        #expect(answers.accepted.count == count)
        #expect(answers.accepted.subtracting(deliveries.keys).isEmpty)
        #expect(Set(deliveries.keys).subtracting(answers.accepted).isEmpty)
        // A sink that drops what it has seen under the same name has each push once.
        #expect(deliveries.values.allSatisfy { $0.count == 1 })
        #expect(unexcused.isEmpty, "\(unexcused) of \(reasons)")
    }

    private func seal(_ count: Int, with keys: TestKeys) async throws -> String {
        let lines = (0..<count).map { #"{"aps":{"alert":{"title":"Alice","body":"\#($0)"}}}"# }
        let arguments = ["--batch", "-r", keys.recipientPublic, "--topic", "com.example.chat"]
        let sealed = try await CommandResult.run(
            Programs.sealPayload,
            arguments,
            input: lines.joined(separator: "\n") + "\n"
        )
        try #require(sealed.status == 0, "\(sealed.errors)")
        return sealed.output
    }
}

extension Record {
    fileprivate var pushID: String? { object["id"]?.string }

    /// The opener, which waits for the disk, had the two seconds that it may take: no kill is needed for that.
    fileprivate var foundOpenerSilent: Bool {
        let time = object["timings"]?.object?["openMicroseconds"]?.integer ?? 0
        return reason == "openerUnavailable" && time >= 2_000_000
    }
}

extension RunningHost {
    /// The processes whose parent is the host, by name.
    fileprivate func children(named name: String) -> [Int32] {
        let pids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return pids.filter { pid in
            guard let status = ProcessStatus(pid) else { return false }
            return status.name == String(name.prefix(15)) && status.parent == process
        }
    }
}
