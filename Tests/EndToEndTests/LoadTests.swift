// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// One record for every accepted push, whatever dies meanwhile.
@Suite(.timeLimit(.minutes(10)))
struct LoadTests {
    /// Sends the same push many times over one connection and returns how many were answered 200.
    private func load(_ host: RunningHost, count: Int, folder: TemporaryFolder) async throws -> Int {
        guard let h2load = Programs.installed("h2load") else { throw ProgramMissing(name: "h2load") }
        let body = try folder.write(ExtensionTests.body(nil), to: "body.json")
        let result = try await CommandResult.run(
            h2load,
            [
                "-n", "\(count)", "-c", "1", "-m", "64", "-d", body, "-H", "apns-topic: com.example.chat",
                "http://127.0.0.1:\(host.port)/3/device/\(RunningHost.token)",
            ]
        )
        let line = result.output.split(separator: "\n").first { $0.hasPrefix("status codes:") }
        return line?.split(separator: " ").dropFirst(2).first.flatMap { Int($0) } ?? 0
    }

    private func withHost<Result>(_ body: (RunningHost, TemporaryFolder) async throws -> Result) async throws -> Result
    {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            return try await RunningHost.with(folder, app: ["extension: \(bundle)"]) { try await body($0, folder) }
        }
    }

    @Test func `a thousand pushes have a thousand records while the worker is killed at every twentieth`() async throws
    {
        try await withHost { host, folder in
            async let killings = recordsWhileKilling(host)
            let accepted = try await load(host, count: 1000, folder: folder)
            host.terminate()
            let (records, kills) = try await killings
            let reasons = records.filter { $0.outcome == "original" }.map { $0.reason ?? "" }
            #expect(accepted == 1000)
            #expect(records.count == 1000)
            #expect(Set(records.map { $0.object["id"]?.string ?? "" }).count == 1000)
            #expect(kills > 0)
            #expect(Set(reasons).isSubset(of: ["crashed", "launchFailed"]))
            #expect(reasons.count <= kills, "\(reasons)")
        }
    }

    /// All records until the host has ended; whenever twenty more came from workers that nobody has killed, the workers
    /// of that moment are.
    private func recordsWhileKilling(_ host: RunningHost) async throws -> (records: [Record], kills: Int) {
        var (records, kills, served) = ([Record](), 0, 0)
        var killed: Set<Int64> = []
        while let record = try await host.nextRecord() {
            records.append(record)
            // Records may pile up here; what a dead worker left is no sign of a new one's.
            guard let process = record.workerProcess, record.outcome == "modified", !killed.contains(process) else {
                continue
            }
            served += 1
            guard served == 20 else { continue }
            served = 0
            for worker in host.descendants(named: "Misbehaving") where kill(worker, SIGKILL) == 0 {
                kills += 1
                killed.insert(Int64(worker))
            }
        }
        return (records, kills)
    }

    @Test func `a drain under load delivers everything that was accepted`() async throws {
        try await withHost { host, folder in
            async let load = load(host, count: 5000, folder: folder)
            // In the middle of it, as the first records show.
            for _ in 0..<50 { _ = try await host.nextRecord() }
            host.terminate()
            let rest = try await host.remainingRecords().count
            let accepted = try await load
            #expect(await host.exitStatus == 0)
            #expect(accepted > 50)
            #expect(rest + 50 >= accepted)
            #expect(rest + 50 < 5000)
        }
    }
}
