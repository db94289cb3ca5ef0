// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// Records in a file, and an admin port over TCP, of a host that is confined as always.
@Suite(.timeLimit(.minutes(10)))
struct FileSinkTests {
    private static let secret = "canary-token-0123456789abcdef0123"

    private struct Fixture {
        let folder: TemporaryFolder
        let host: RunningHost

        func lines(_ name: String) throws -> [JSONObject] {
            try String(contentsOfFile: folder.path + "/records/" + name, encoding: .utf8).split(separator: "\n")
                .map { try JSONObject(parsing: Array($0.utf8).span) }
        }

        /// Pushes a text, and waits for its record on standard output.
        func deliver(_ text: String) async throws -> JSONObject? {
            try await host.deliver(#"{"aps":{"alert":{"body":"\#(text)"}}}"#)?.object
        }
    }

    private func withHost(_ body: (Fixture) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(
                atPath: folder.path + "/records",
                withIntermediateDirectories: false
            )
            chmod(try folder.write(Self.secret + "\n", to: "admin.token"), 0o600)
            let top = [
                "state: state",
                "admin: { host: localhost, port: 0, token-file: admin.token }",
                "sinks: [{ file: { path: records/records.ndjson } }, stdout]",
            ]
            try await RunningHost.with(folder, top: top) { host in
                let status = try String(contentsOfFile: "/proc/\(host.process)/status", encoding: .utf8)
                // Set by the steps that confine it.
                #expect(status.contains("NoNewPrivs:\t1"))
                try await body(Fixture(folder: folder, host: host))
            }
        }
    }

    @Test func `a file of records is followed by a new one when it is renamed`() async throws {
        try await withHost { fixture in
            var records: [JSONObject] = []
            for text in ["a", "b"] { records.append(try #require(try await fixture.deliver(text))) }
            #expect(try fixture.lines("records.ndjson") == records)
            try FileManager.default.moveItem(
                atPath: fixture.folder.path + "/records/records.ndjson",
                toPath: fixture.folder.path + "/records/records.1"
            )
            // What a rotating program sends after the rename does no harm.
            kill(fixture.host.process, SIGHUP)
            let third = try #require(try await fixture.deliver("c"))
            #expect(try fixture.lines("records.1") == records)
            #expect(try fixture.lines("records.ndjson") == [third])
            fixture.host.terminate()
            #expect(await fixture.host.exitStatus == 0)
        }
    }

    /// Said before the listener's own address, or soon after.
    private func adminPlace(of host: RunningHost) async throws -> String {
        while true {
            let notes = host.everythingNoted.split(separator: "\n")
            if let place = notes.first(where: { $0.contains("admin port on ") })?.split(separator: " ").last {
                return String(place)
            }
            try await Task.turn()
        }
    }

    @Test func `an admin port over TCP answers who has its token`() async throws {
        try await withHost { fixture in
            _ = try await fixture.deliver("a")
            let place = try await adminPlace(of: fixture.host)
            let curl = try #require(Programs.installed("curl"))
            func ask(_ path: String, _ token: String?) async throws -> CommandResult {
                let header = token.map { ["-H", "authorization: Bearer \($0)"] } ?? []
                return try await CommandResult.run(curl, ["-s", "-w", "%{http_code}"] + header + [place + path])
            }
            #expect(try await ask("/metrics", nil).output.hasSuffix("401"))
            #expect(try await ask("/metrics", "canary-token-0123456789abcdef0124").output.hasSuffix("401"))
            #expect(try await ask("/ready", Self.secret).output.hasSuffix("200"))
            let metrics = try await ask("/metrics", Self.secret).output
            #expect(metrics.contains("nestbox_journal_synchronous 2\n"))
            #expect(metrics.contains(#"nestbox_outcomes_total{outcome="original",reason="notMutable"} 1"#))
            #expect(!fixture.host.everythingSaid.contains("canary-token"))
        }
    }
}
