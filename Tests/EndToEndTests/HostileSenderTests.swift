// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A sender that misbehaves costs its own connection, never another's push.
@Suite(.timeLimit(.minutes(10)))
struct HostileSenderTests {
    private static let body = #"{"aps":{"alert":{"title":"Alice"}}}"#

    private func withAttack(_ name: String, _ body: (RunningHost) async throws -> Void) async throws {
        let python = try #require(PythonClient.system, "needs python3: scripts/setup installs it")
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder) { host in
                async let attack = PythonClient(python, "hostile_client.py").run(
                    ["--port", "\(host.port)", name],
                    input: ""
                )
                for _ in 0..<20 { #expect(try await host.post(Self.body) == 200) }
                let result = try await attack
                #expect(result.status == 0, "\(result.errors)")
                #expect(try await host.post(Self.body) == 200)
                try await body(host)
                host.terminate()
                #expect(await host.exitStatus == 0)
            }
        }
    }

    @Test func `connections that are reset at once end nothing but themselves`() async throws {
        try await withAttack("reset") { _ in }
    }

    @Test func `frames that never end where a read ends do not fill the memory`() async throws {
        try await withAttack("straddle") { host in
            let status = try String(contentsOfFile: "/proc/\(host.process)/status", encoding: .utf8)
            let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?
                .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
            #expect(try #require(peak) < 128 << 10)
        }
    }
}
