// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The hosts that an extension reaches with `URLSession`, and the errors that it gets for the rest.
@Suite(.timeLimit(.minutes(10)))
struct NetworkTests {
    /// The results of one run of the fetching extension.
    struct Fetched {
        let results: [String]
        let outcome: String?
        let sandbox: String?
        let errors: String
    }

    /// Runs one push that lists what is to be fetched.
    private func fetch(
        _ addresses: [String],
        hosts: [String],
        in folder: TemporaryFolder,
        arguments: [String] = [],
        authority: String? = nil
    ) async throws -> Fetched {
        let list = hosts.map { "<string>\($0)</string>" }.joined()
        let bundle = try folder.makeBundle(
            "Fetching",
            program: Programs.fetchingExtension,
            attributes: "<key>NetworkHosts</key><array>\(list)</array>"
        )
        defer { try? FileManager.default.removeItem(atPath: bundle) }
        var payload = Payload(["aps": ["alert": ["title": "given", "body": "text"], "mutable-content": 1]])
        payload["fetch"] = .array(addresses.map(JSON.string))
        let push = try folder.write(String(decoding: payload.serialized, as: UTF8.self), to: "push.json")
        let result = try await HostRun(bundle, push, arguments, authority: authority)
        let record = result.record
        return Fetched(
            results: record["payload"]?.object?["fetched"]?.array?.compactMap(\.string) ?? [],
            outcome: record["outcome"]?.string,
            sandbox: record["worker"]?.object?["sandbox"]?.string,
            errors: result.errors
        )
    }

    @Test func `an extension downloads from a host that its bundle lists`() async throws {
        try await TemporaryFolder.with { folder in
            try await WebServer.with(folder) { server in
                let plain = "http://127.0.0.1:\(server.port)"
                let tls = "https://127.0.0.1:\(server.tlsPort)"
                let fetched = try await fetch(
                    [plain + "/a", "download:\(plain)/b", tls + "/c", "download:\(tls)/large"],
                    hosts: [plain, "127.0.0.1:\(server.tlsPort)"],
                    in: folder,
                    authority: folder.path + "/server.pem"
                )
                #expect(
                    fetched.results == ["200 hello /a", "200 hello /b", "200 hello /c", "200 3000000 bytes"],
                    "\(fetched.errors)"
                )
                #expect(fetched.outcome == "modified")
                #expect(fetched.sandbox?.hasPrefix("A") == true && fetched.sandbox?.contains("network") == false)
                #expect(fetched.errors.contains("network used"))
                #expect(!fetched.errors.contains("/large"))
            }
        }
    }

    @Test func `a host that is not listed is an error to the extension, and nothing worse`() async throws {
        try await TemporaryFolder.with { folder in
            try await WebServer.with(folder) { server in
                let refused = [
                    "https://127.0.0.1:\(server.tlsPort)/", "https://media.example.com/", "https://10.0.0.1/",
                    "https://169.254.169.254/latest/meta-data/", "https://[::1]:\(server.tlsPort)/",
                    "https://localhost:\(server.tlsPort)/", "https://2130706433:\(server.tlsPort)/",
                ]
                let fetched = try await fetch(
                    refused + ["http://127.0.0.1:\(server.port)/", "http://localhost:\(server.port)/"],
                    // A name is not its address.
                    hosts: ["localhost:\(server.tlsPort)", "http://localhost:\(server.port)"],
                    in: folder
                )
                #expect(fetched.results.prefix(refused.count) == refused.map { _ in "URLError" }[...])
                #expect(
                    fetched.results.suffix(2) == [
                        "403 nestbox: not in NetworkHosts\n", "403 nestbox: loopback address, not in NetworkHosts\n",
                    ]
                )
                #expect(fetched.outcome == "modified")
                #expect(fetched.errors.contains("network refused"))
            }
        }
    }

    @Test(arguments: [[], ["--profile", "C"]])
    func `without a grant there is no network`(arguments: [String]) async throws {
        try await TemporaryFolder.with { folder in
            try await WebServer.with(folder) { server in
                let plain = "http://127.0.0.1:\(server.port)"
                let fetched = try await fetch(
                    [plain + "/", "https://127.0.0.1:\(server.tlsPort)/"],
                    hosts: arguments.isEmpty ? [] : [plain],
                    in: folder,
                    arguments: arguments
                )
                #expect(fetched.results == ["URLError", "URLError"], "\(fetched.errors)")
                #expect(fetched.outcome == "modified")
                #expect(fetched.sandbox?.hasSuffix(" no-network") == !arguments.isEmpty)
                let warning =
                    "the network hosts of \"com.example.chat\" are not granted: "
                    + "sandbox profile C does not confine a network"
                #expect(fetched.errors.contains(warning) == !arguments.isEmpty)
            }
        }
    }
}
