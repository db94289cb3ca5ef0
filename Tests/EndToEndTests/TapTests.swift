// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import Testing

/// Clients of APNs with nothing changed, not even the endpoint: the tap leads them to a host, which delivers a sealed
/// push.
@Suite(.timeLimit(.minutes(10)))
struct TapTests {
    private static let aioapns = PythonClient.pythons(with: "aioapns, cryptography")
    private static let kalyke = PythonClient.pythons(with: "kalyke")
    private static let mopyapns = PythonClient.pythons(with: "apns2, httpx")
    private static let topic = "com.example.chat"
    private static let keyID = "CHATKEY001"

    /// The things that a test needs besides a host: the sender's key, the app's keys and the files of `tap make-ca`.
    private struct Course {
        let provider: Provider
        let keys: TestKeys
        let bundle: String
        let authority: String
        let keyLine: String

        init(in folder: TemporaryFolder) async throws {
            provider = try await Provider(in: folder)
            keyLine = try await provider.makeKey(keyID, "topics: [\(topic)]")
            keys = try await TestKeys(in: folder)
            bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            authority = try await RunningTap.makeAuthority(in: folder)
        }

        var app: [String] { ["extension: \(bundle)"] + keys.configuration }

        /// The listener's certificate in Apple's place, and who may send.
        func security(_ environment: String) -> String {
            "environment: \(environment), certificate: \(authority)/server.pem, key: \(authority)/server.key, "
                + "auth: { teams: [{ team: \(Provider.team), keys: [\(keyLine)] }] }"
        }

        var signed: [String] {
            [
                "--key", provider.file(keyID + ".p8"), "--key-id", keyID, "--team", Provider.team, "--topic", topic,
                "--token", RunningHost.token,
            ]
        }
    }

    /// A client of `Tests/Clients` that sends one push to Apple's server, through a tap with one environment.
    private func deliver(_ environment: String, _ program: String, _ python: String) async throws {
        try await TemporaryFolder.with { folder in
            let course = try await Course(in: folder)
            try await RunningHost.with(folder, app: course.app, security: course.security(environment)) { host in
                try await RunningTap.with("--\(environment)", "127.0.0.1:\(host.port)") { tap in
                    let result = try await PythonClient(python, program).run(
                        course.signed,
                        input: try await course.keys.seal(OpeningTests.message),
                        environment: tap.environment(course.authority)
                    )
                    try #require(result.status == 0, "\(result.output)\(result.errors)\(tap.everythingNoted)")
                    #expect(await tap.note(containing: "tap.environment=\(environment)") != nil)
                }
                let record = try await host.nextRecord()
                #expect(record?.outcome == "modified")
                #expect(record?.alert == ["title": "handled", "body": "Lunch?"])
            }
        }
    }

    @Test(.enabled(if: !kalyke.isEmpty, "needs kalyke-apns: scripts/clients installs it"), arguments: kalyke)
    func `kalyke reaches a host by HTTPS_PROXY, as Apple's sandbox`(_ python: String) async throws {
        try await deliver("development", "kalyke_client.py", python)
    }

    @Test(.enabled(if: !mopyapns.isEmpty, "needs mopyapns: scripts/clients installs it"), arguments: mopyapns)
    func `mopyapns reaches a host by HTTPS_PROXY, as Apple's server on port 2197`(_ python: String) async throws {
        try await deliver("production", "mopyapns_client.py", python)
    }

    /// The way of gateways that use no proxy: a file of hosts, and here a network in which port 443 is free.
    @Test(
        .enabled(if: geteuid() == 0, "needs root, for a network of its own"),
        .enabled(if: !aioapns.isEmpty, "needs python3-aioapns: scripts/setup installs it, scripts/clients a later one"),
        arguments: aioapns
    )
    func `aioapns reaches a host by a hosts file, without a tap`(_ python: String) async throws {
        try await TemporaryFolder.with { folder in
            let course = try await Course(in: folder)
            let hosts = try folder.write("127.0.0.1 localhost api.push.apple.com\n", to: "hosts")
            let configuration = try folder.write(
                """
                listen: { apns: { port: 443, \(course.security("production")) } }
                apps:
                  - topic: \(Self.topic)
                    device-tokens: ["\(RunningHost.token)"]
                \(course.app.map { "    \($0)\n" }.joined())
                """,
                to: "host.yaml"
            )
            let setUp = "ip link set lo up; mount --bind '\(hosts)' /etc/hosts; exec \"$@\""
            let host = try await RunningHost(
                configuration: configuration,
                command: ["/usr/bin/unshare", "-mn", "--propagation", "private", "/bin/sh", "-ec", setUp, "sh"]
                    + [Programs.extensionHost]
            )
            defer { host.terminate() }
            let client = PythonClient(python, "aioapns_client.py")
            let result = try await CommandResult.run(
                "/usr/bin/nsenter",
                ["--target", "\(host.process)", "--net", "--mount", client.python, client.program]
                    + ["--ca", course.authority + "/ca.pem"] + course.signed,
                input: try await course.keys.seal(OpeningTests.message)
            )
            let record = result.status == 0 ? try await host.nextRecord() : nil
            host.terminate()
            #expect(await host.exitStatus == 0)
            try #require(result.status == 0, "\(result.output)\(result.errors)\(host.everythingNoted)")
            #expect(record?.alert == ["title": "handled", "body": "Lunch?"])
        }
    }

    /// The status that the proxy answered to curl's CONNECT.
    private func answer(_ tap: RunningTap, to address: String) async throws -> String {
        let curl = try #require(Programs.installed("curl"))
        let proxy = "http://127.0.0.1:\(tap.port)"
        return try await CommandResult.run(curl, ["-sS", "--proxy", proxy, "-w", "%{http_connect}", address]).output
    }

    @Test func `a host that is away and a name of nobody's are said to the gateway and in the log`()
        async throws
    {
        let port = try FreePort.find()
        try await RunningTap.with("--production", "127.0.0.1:\(port)") { tap in
            let status1 = try await answer(tap, to: "https://api.push.apple.com/")
            #expect(status1 == "502")
            let status2 = try await answer(tap, to: "https://api.sandbox.push.apple.com/")
            #expect(status2 == "502")
            let status3 = try await answer(tap, to: "https://example.com/")
            #expect(status3 == "403")
            for reason in [
                "no listener answers on 127.0.0.1:\(port): Connection refused",
                "the tap was started without --development",
                "example.com:443 is none of Apple's push servers, and the tap leads nowhere else",
            ] {
                // The gateway may have its answer before the log has been read.
                #expect(await tap.note(containing: "tap.reason=\(reason)") != nil, "\(tap.everythingNoted)")
            }
        }
    }

    @Test func `a name that nobody knows is an error with a next step`() async throws {
        let result = try await CommandResult.run(
            Programs.extensionHost,
            ["tap", "--port", "0", "--production", "host.invalid:8443"]
        )
        #expect(result.status == 1)
        #expect(
            result.errors == """
                extension-host: error: the name in host.invalid:8443 is not known
                extension-host: hint: name an address, or a name that this machine knows: getent hosts host.invalid

                """
        )
    }

    @Test func `a port that is taken is an error with a next step`() async throws {
        try await RunningTap.with("--production", "127.0.0.1:1") { tap in
            let second = try await CommandResult.run(
                Programs.extensionHost,
                ["tap", "--port", "\(tap.port)", "--production", "127.0.0.1:1"]
            )
            #expect(second.status == 1)
            #expect(
                second.errors == """
                    extension-host: error: the tap cannot listen on 127.0.0.1:\(tap.port): Address already in use
                    extension-host: hint: another program has the port; name one with --port, or 0 for any

                    """
            )
        }
    }

    @Test(arguments: [
        ([], "no listener is named: --production HOST:PORT, --development HOST:PORT, or both"),
        (
            ["--production", "8443"],
            "The value '8443' is invalid for '--production <host:port>': expected a host and a port"
        ),
    ])
    func `a tap without a listener is an error of usage`(options: [String], message: String) async throws {
        let result = try await CommandResult.run(Programs.extensionHost, ["tap"] + options)
        #expect(result.status == 2)
        #expect(
            result.errors.hasPrefix("extension-host: error: \(message)\nextension-host: hint: "),
            "\(result.errors)"
        )
    }
}
