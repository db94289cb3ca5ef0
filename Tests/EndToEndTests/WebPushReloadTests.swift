// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// The certificate of a Web Push address of its own, renewed while the host runs.
@Suite(.timeLimit(.minutes(10)))
struct WebPushReloadTests {
    private let folder: TemporaryFolder
    private let curl: String

    init() throws {
        let path = NSTemporaryDirectory() + "nestbox-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        folder = TemporaryFolder(path: path)
        curl = try #require(Programs.installed("curl"))
    }

    /// Posts to an endpoint that never was; status, and curl's own exit status: 60 for a certificate it does not trust.
    private func post(_ host: RunningHost, trusting certificate: String) async throws -> String {
        let result = try await CommandResult.run(
            curl,
            [
                "-s", "--cacert", certificate, "-o", "/dev/null", "-w", "%{http_code}", "-d", "x",
                "https://127.0.0.1:\(host.port)/push/" + String(repeating: "n", count: 27),
            ]
        )
        return "\(result.output) \(result.status)"
    }

    @Test func `a new certificate of a Web Push address is served from SIGHUP on, a broken one never`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let provider = try await Provider(in: folder)
        let configuration = try folder.write(
            """
            listen: { web-push: { public-origin: "https://push.example.com", port: 0, \(provider.security) } }
            state: state
            apps: [{ topic: com.example.chat }]

            """,
            to: "host.yaml"
        )
        let host = try await RunningHost(configuration: configuration, options: ["--log-level", "info"])
        defer { host.terminate() }
        let old = folder.path + "/old.pem"
        try FileManager.default.copyItem(atPath: provider.serverCertificate, toPath: old)
        #expect(try await post(host, trusting: old) == "404 0")

        _ = try await provider.makeCertificate("server", names: "DNS:localhost,IP:127.0.0.1")
        #expect(try await post(host, trusting: old) == "404 0")
        kill(host.process, SIGHUP)
        #expect(await host.note(containing: "certificate and senders read again") != nil)
        #expect(try await post(host, trusting: provider.serverCertificate) == "404 0")
        #expect(try await post(host, trusting: old) == "000 60")

        let new = folder.path + "/new.pem"
        try FileManager.default.copyItem(atPath: provider.serverCertificate, toPath: new)
        _ = try folder.write("no certificate", to: "server.pem")
        kill(host.process, SIGHUP)
        let note = await host.note(containing: "certificate and senders not read again")
        #expect(note?.contains("server.pem\" has no certificate in PEM") == true)
        #expect(try await post(host, trusting: new) == "404 0")
        host.terminate()
        #expect(await host.exitStatus == 0)
    }
}
