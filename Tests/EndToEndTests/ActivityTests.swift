// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// The counts of what extensions did, as the host's operator reads them: in the log, in a file and from `doctor`.
@Suite(.timeLimit(.minutes(10)))
struct ActivityTests {
    private func withHost(
        _ body: (RunningHost, _ state: String, _ configuration: String) async throws -> Void
    )
        async throws
    {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let app = ["extension: \(bundle)", "budget: 6s", "grace: 2500ms"]
            try await RunningHost.with(folder, app: app, top: ["state: \(folder.path)/state"]) { host in
                try await body(host, folder.path + "/state", folder.path + "/host.yaml")
            }
        }
    }

    /// Two that went well, one of them late, one repeated, one without an answer.
    private func deliverSome(_ host: RunningHost) async throws {
        for behavior in [nil, "late", "twiceRaw", "exit"] {
            _ = try await host.deliver(ExtensionTests.body(behavior))
        }
    }

    private static let counts = ["given": 4, "completed": 3, "late": 1, "missing": 1, "repeated": 1]

    private func saved(in state: String) -> JSONObject? {
        FileManager.default.contents(atPath: state + "/activity.json")
            .flatMap { try? JSONObject(parsing: Array($0).span) }
    }

    @Test func `a signal has the counts logged and saved, and doctor reads them`() async throws {
        try await withHost { host, state, configuration in
            try await deliverSome(host)
            #expect(kill(host.process, SIGUSR1) == 0)
            let limit = ContinuousClock.now + .seconds(10)
            while saved(in: state) == nil, ContinuousClock.now < limit { try await Task.turn() }
            let counts = saved(in: state)?["apps"]?.object?["com.example.chat"]?.object
            for (name, value) in Self.counts { #expect(counts?[name]?.integer == Int64(value), "\(name)") }
            // The host still serves.
            #expect(try await host.deliver(ExtensionTests.body(nil))?.outcome == "modified")
            #expect(await host.note(containing: "extension counts") != nil)
            let doctor = try await CommandResult.run(Programs.extensionHost, ["doctor", "--config", configuration])
            let line = doctor.output.split(separator: "\n").first { $0.contains("com.example.chat") }
            #expect(line?.contains("given 4, completed 3, late 1, missing 1, repeated 1") == true, "\(doctor.output)")
            #expect(line?.contains("as of 20") == true)
        }
    }

    @Test func `the drain has them too`() async throws {
        try await withHost { host, state, _ in
            try await deliverSome(host)
            host.terminate()
            #expect(await host.exitStatus == 0)
            let line = host.everythingNoted.split(separator: "\n").first { $0.contains("extension counts") }
            #expect(line?.contains("extension.missing=1") == true, "\(line ?? "no line")")
            let counts = saved(in: state)?["apps"]?.object?["com.example.chat"]?.object
            #expect(counts?["given"]?.integer == 4)
        }
    }

    @Test func `doctor of a host that never ran says nothing of extensions`() async throws {
        try await TemporaryFolder.with { folder in
            let configuration = try folder.write(
                """
                state: \(folder.path)/state
                apps:
                  - topic: com.example.chat
                    device-tokens: ["\(RunningHost.token)"]
                """,
                to: "host.yaml"
            )
            let doctor = try await CommandResult.run(Programs.extensionHost, ["doctor", "--config", configuration])
            #expect(!doctor.output.contains("com.example.chat"), "\(doctor.output)")
        }
    }
}
