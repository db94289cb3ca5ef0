// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// An envelope opens once, whatever is killed and started again.
///
/// The same body a second time would be the same push, so the envelope comes in another body.
@Suite(.timeLimit(.minutes(10)))
struct ReplayTests {
    private static let message = OpeningTests.message

    private func withKeys(_ body: (TemporaryFolder, TestKeys) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await body(folder, try await TestKeys(in: folder))
        }
    }

    /// A host with the state folder `state` beside its configuration.
    private func withHost(
        _ folder: TemporaryFolder,
        _ keys: TestKeys,
        _ body: (RunningHost) async throws -> Void
    ) async throws {
        try await RunningHost.with(folder, app: keys.configuration, top: ["state: state"], body)
    }

    /// Stops a host that cannot start before it listens; what it said.
    private func refusal(_ folder: TemporaryFolder, _ keys: TestKeys) async throws -> [String] {
        do {
            try await withHost(folder, keys) { _ in Issue.record("the host started") }
            return []
        } catch let ended as RunningHost.HostEnded {
            return ended.errors
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `an envelope is refused after its opener was killed`() async throws {
        try await withKeys { folder, keys async throws in
            try await withHost(folder, keys) { host async throws in
                let body = try await keys.seal(Self.message)
                #expect(try await host.deliver(body)?.outcome == "opened")
                let opener = try #require(host.descendants(named: "payload-opener").first)
                #expect(kill(opener, SIGKILL) == 0)
                #expect(await RunningHost.end(of: opener))
                #expect(try await host.deliver(body + " ")?.reason == "replayed")
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `an envelope is refused by the next host`(signal: Int32) async throws {
        try await withKeys { folder, keys async throws in
            let body = try await keys.seal(Self.message)
            let first = try await RunningHost.with(folder, app: keys.configuration, top: ["state: state"]) { host in
                let record = try await host.deliver(body)
                kill(host.process, signal)
                _ = await host.exitStatus
                return record
            }
            #expect(first?.outcome == "opened")
            try await withHost(folder, keys) { host async throws in
                var second = try await host.deliver(body + " ")
                // What a killed host had delivered may come again, under its name.
                if second?.object["delivery"] == first?.object["delivery"] { second = try await host.nextRecord() }
                #expect(second?.reason == "replayed")
                #expect(try await host.deliver(try await keys.seal(Self.message))?.outcome == "opened")
            }
            #expect(try mode(folder.path + "/state") == 0o700)
            #expect(try mode(folder.path + "/state/replays-a") == 0o600)
            #expect(try mode(folder.path + "/state/replays-b") == 0o600)
        }
    }

    @Test func `a push whose opener ended in between is opened by the next one`() async throws {
        try await withKeys { folder, keys async throws in
            try await withHost(folder, keys) { host async throws in
                var (body, record, begin) = ("", Record?.none, ContinuousClock.now)
                // One that is killed only when it counts as silent has used its push's patience up.
                repeat {
                    let opener = try #require(host.descendants(named: "payload-opener").first)
                    body = try await keys.seal(Self.message)
                    begin = .now
                    kill(opener, SIGSTOP)
                    #expect(try await host.post(body) == 200)
                    // Its packet lies unread with a process that will never read it.
                    kill(opener, SIGKILL)
                    record = try await host.nextRecord()
                } while record?.reason == "openerUnavailable" && ContinuousClock.now - begin > .seconds(2)
                #expect(record?.outcome == "opened")
                #expect(try await host.deliver(body + " ")?.reason == "replayed")
            }
        }
    }

    @Test func `without a state folder a new opener has forgotten`() async throws {
        try await withKeys { folder, keys async throws in
            try await RunningHost.with(folder, app: keys.configuration) { host in
                let body = try await keys.seal(Self.message)
                #expect(try await host.deliver(body)?.outcome == "opened")
                #expect(await host.note(containing: "what was opened is forgotten when the opener ends") != nil)
                let opener = try #require(host.descendants(named: "payload-opener").first)
                #expect(kill(opener, SIGKILL) == 0)
                #expect(await RunningHost.end(of: opener))
                #expect(try await host.deliver(body + " ")?.outcome == "opened")
            }
        }
    }

    @Test func `a second host on one state folder is refused`() async throws {
        try await withKeys { folder, keys async throws in
            try await withHost(folder, keys) { host async throws in
                let errors = try await refusal(folder, keys)
                #expect(errors.contains { $0.hasSuffix("/state\" is in use by another host") }, "\(errors)")
                #expect(errors.contains("extension-host: hint: give each host a state folder of its own"))
                #expect(try await host.deliver(try await keys.seal(Self.message))?.outcome == "opened")
                let doctor = try await CommandResult.run(
                    Programs.extensionHost,
                    ["doctor", "--config", folder.path + "/host.yaml"]
                )
                #expect(doctor.output.contains("/state, in use by a host"))
            }
        }
    }

    @Test func `a state folder that others may read is refused`() async throws {
        try await withKeys { folder, keys async throws in
            let state = folder.path + "/state"
            mkdir(state, 0o750)
            chmod(state, 0o750)
            let errors = try await refusal(folder, keys)
            #expect(errors.contains("extension-host: error: state \"\(state)\" is open to other users"), "\(errors)")
            #expect(errors.contains("extension-host: hint: chmod go= \(state)"))
        }
    }

    @Test func `a link in a file's place and a file in the folder's are refused`() async throws {
        try await withKeys { folder, keys async throws in
            let state = folder.path + "/state"
            mkdir(state, 0o700)
            symlink(keys.recipient, state + "/replays-b")
            let error = "extension-host: error: state \"\(state)/replays-b\" is not usable: open: "
            let errors = try await refusal(folder, keys)
            #expect(errors.contains { $0.hasPrefix(error) }, "\(errors)")
            try FileManager.default.removeItem(atPath: state)
            _ = try folder.write("", to: "state")
            let fileErrors = try await refusal(folder, keys)
            let reason = "extension-host: error: state \"\(state)\" is not usable: open: "
            #expect(fileErrors.contains { $0.hasPrefix(reason) }, "\(fileErrors)")
        }
    }

    @Test func `a file that is none of ours is named, and what to do`() async throws {
        try await withKeys { folder, keys async throws in
            let state = folder.path + "/state"
            mkdir(state, 0o700)
            try "a letter to somebody, and no rows at all".write(
                toFile: state + "/replays-a",
                atomically: false,
                encoding: .utf8
            )
            chmod(state + "/replays-a", 0o600)
            let errors = try await refusal(folder, keys)
            let error =
                "extension-host: error: replay file \"\(state)/replays-a\": it begins like no replay file of this version"
            #expect(errors.contains(error), "\(errors)")
            #expect(errors.contains { $0.hasPrefix("extension-host: hint: start the version that wrote it") })
        }
    }

    @Test func `a payload sealed to a retired key says so in its record`() async throws {
        try await withKeys { folder, keys async throws in
            let other = try await CommandResult.run(Programs.sealPayload, ["keygen", "-o", folder.path + "/new.key"])
            try #require(other.status == 0, "\(other.errors)")
            let old = try String(contentsOfFile: keys.recipient, encoding: .utf8)
            let new = try String(contentsOfFile: folder.path + "/new.key", encoding: .utf8)
            let retired = old.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { $0 + " retired=2026-11-21T02:40:00Z\n" }.joined()
            try (new + retired).write(toFile: keys.recipient, atomically: false, encoding: .utf8)
            try await withHost(folder, keys) { host async throws in
                let record = try await host.deliver(try await keys.seal(Self.message))
                #expect(record?.outcome == "opened")
                #expect(record?.reason == "sealed to a retired key")
            }
        }
    }
}
