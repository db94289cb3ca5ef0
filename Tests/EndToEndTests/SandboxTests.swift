// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The sandbox of a worker, as the record, the host's errors and `doctor` name it.
@Suite(.timeLimit(.minutes(10)))
struct SandboxTests {
    private func run(
        _ arguments: [String],
        program: String = Programs.misbehavingExtension,
        name: String = "Misbehaving"
    ) async throws -> CommandResult {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle(name, program: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/" + name)
            let payload = try folder.write(ExtensionTests.body(nil), to: "push.json")
            return try await CommandResult.run(Programs.extensionHost, ["run", bundle, payload] + arguments)
        }
    }

    @Test(arguments: ["A", "C", "D"])
    func `the record tells the profile and the filters in force`(profile: String) async throws {
        let result = try await run(["--profile", profile, "--insecure"])
        try #require(result.status == 0, "\(result.errors)")
        let record = try JSONObject(parsing: Array(result.output.utf8).span)
        let sandbox = try #require(record["worker"]?.object?["sandbox"]?.string)
        // A machine may have to do with less than it was asked for, but not with more.
        #expect(sandbox.dropFirst().prefix(1) == "2")
        #expect(sandbox.prefix(1) >= profile)
        #expect(result.errors.contains("warning: sandbox profile") == (sandbox >= "C"))
    }

    @Test func `without a sandbox nothing runs, unless it is told to`() async throws {
        let result = try await run(["--profile", "D"])
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(
            result.errors == """
                extension-host: error: nothing on this machine separates an extension from the host
                extension-host: hint: "extension-host doctor" tells what is missing; --insecure runs extensions all the same

                """
        )
    }

    @Test func `a host that requires a profile does not start with a weaker one, insecure or not`() async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                sandbox: { require: B }
                apps:
                  - topic: com.example.chat

                """,
                to: "host.yaml"
            )
            for profile in ["C", "D"] {
                let arguments = ["serve", "--config", file, "--profile", profile, "--insecure"]
                let result = try await CommandResult.run(Programs.extensionHost, arguments)
                #expect(result.status == 1)
                #expect(result.errors.contains("is weaker than B, which the configuration requires"))
            }
        }
    }

    @Test func `a script is refused with the way out, and runs with it`() async throws {
        let refused = try await run([], program: ClientTests.handler, name: "handler.py")
        #expect(refused.status == 1)
        #expect(
            refused.errors == """
                extension-host: error: "handler.py" is a script, and a worker starts no interpreter
                extension-host: hint: name the program that runs it: --interpreter /usr/bin/python3

                """
        )
        let arguments = ["--interpreter", "/usr/bin/python3"]
        let result = try await run(arguments, program: ClientTests.handler, name: "handler.py")
        #expect(result.output.contains("given · Python"), "\(result.errors)")
    }

    @Test func `a key where an extension could read it is refused`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let file = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                apps:
                  - topic: com.example.chat
                    extension: \(bundle)
                    view: [\(folder.path)]
                    \(keys.configuration[0])

                """,
                to: "host.yaml"
            )
            let result = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            #expect(result.status == 1)
            #expect(result.errors.contains("lies in \"\(folder.path)\", which an extension sees"), "\(result.errors)")
        }
    }

    @Test func `a fleet's key where an extension could read it is refused`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let seen = folder.path + "/seen"
            try FileManager.default.createDirectory(atPath: seen, withIntermediateDirectories: false)
            let made = try await CommandResult.run(Programs.extensionHost, ["fleet", "keygen", seen + "/fleet.key"])
            #expect(made.status == 0)
            let file = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                state: \(folder.path)/state
                fleet:
                  database: host=\(folder.path) user=nobody
                  key: \(seen)/fleet.key
                apps:
                  - topic: com.example.chat
                    extension: \(bundle)
                    view: [\(seen)]
                    \(keys.configuration[0])

                """,
                to: "host.yaml"
            )
            for command in [["serve", "--config", file], ["config", "check", file]] {
                let result = try await CommandResult.run(Programs.extensionHost, command)
                #expect(result.status == 1)
                #expect(
                    result.errors.contains("fleet.key\" lies in \"\(seen)\", which an extension sees"),
                    "\(result.errors)"
                )
            }
        }
    }

    @Test func `doctor names the layers that stand on a worker`() async throws {
        let result = try await CommandResult.run(Programs.extensionHost, ["doctor"])
        #expect(result.output.contains("system-call filter"))
        #expect(result.output.contains("instructions, on every started process"))
        let weak = try await CommandResult.run(Programs.extensionHost, ["doctor", "--profile", "D"])
        #expect(weak.status == 1)
        #expect(weak.output.hasPrefix("profile D: "))
        #expect(
            result.output.contains(/yes  network of extensions +hosts that a bundle lists, through the host's proxy/)
        )
        #expect(weak.output.contains(/no   network of extensions +profile D does not confine one, so none is granted/))
    }
}
