// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// `config explain` and `config check`, as an operator meets them.
@Suite(.timeLimit(.minutes(2)))
struct ConfigTests {
    private static func config(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(Programs.extensionHost, ["config"] + arguments)
    }

    @Test func `a key is explained, and one that is none is answered with the nearest`() async throws {
        let budget = try await Self.config("explain", "budget")
        #expect(budget.status == 0)
        #expect(budget.errors == "")
        #expect(budget.output.hasPrefix("apps[].budget\n  How long the extension has"))
        #expect(budget.output.contains("\n  default  30s\n"))
        let misspelt = try await Self.config("explain", "bugdet")
        #expect(misspelt.status == 1)
        #expect(misspelt.output == "")
        #expect(
            misspelt.errors == """
                extension-host: error: host.yaml has no key "bugdet"
                extension-host: hint: did you mean "budget"?

                """
        )
    }

    @Test func `without a key all of them are listed, one a line`() async throws {
        let list = try await Self.config("explain")
        let lines = list.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("listen ") == true)
        #expect(lines.contains { $0.hasPrefix("apps[].critical-alerts ") && $0.hasSuffix(".") })
        let objects = try await Self.config("explain", "--format", "json").output.split(separator: "\n")
        #expect(objects.count == lines.count)
    }

    @Test func `a good file has no errors, whether a host runs or not`() async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write(
                "listen: { ndjson: { stdin: true } }\napps: [{ topic: com.example.chat }]\n",
                to: "host.yaml"
            )
            let result = try await Self.config("check", file)
            #expect(result.output == "")
            #expect(result.errors == "extension-host: \(file) has no errors\n")
            #expect(result.status == 0)
        }
    }

    @Test func `every error of a file is said with its line, and the exit status is 1`() async throws {
        try await TemporaryFolder.with { folder in
            let text = """
                listen: { ndjson: { stdin: true } }
                apps:
                  - { topic: a, wait: soon }
                  - { topic: b, budgett: 3s }
                """
            let file = try folder.write(text, to: "host.yaml")
            let result = try await Self.config("check", file)
            #expect(result.status == 1)
            let lines = result.errors.split(separator: "\n").map(String.init)
            #expect(lines.count == 4)
            #expect(lines.first == "extension-host: error: \(file):3: wait of app \"a\" is \"soon\", not a duration")
            #expect(
                lines.dropFirst(2).first == "extension-host: error: \(file):4: unknown key \"budgett\" in app \"b\""
            )
            #expect(
                lines.last?.hasPrefix("extension-host: hint: did you mean \"budget\"? known keys are topic, ") == true
            )
        }
    }

    @Test func `keys, secrets and tokens are judged as serve judges them`() async throws {
        try await TemporaryFolder.with { folder in
            let open = try folder.write("words\n", to: "open.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
            let text = """
                listen: { ndjson: { stdin: true } }
                admin: { token-file: admin.token }
                sinks:
                  - webhook: { name: bot, url: "https://example.com/", secret-file: hook.secret }
                apps:
                  - { topic: a, keys: [open.key, gone.key] }
                """
            let file = try folder.write(text, to: "host.yaml")
            let result = try await Self.config("check", file)
            #expect(result.status == 1)
            let errors = result.errors.split(separator: "\n").filter { $0.hasPrefix("extension-host: error: ") }
            #expect(errors.count == 4, "\(result.errors)")
            let expected = [
                "secret file \"\(folder.path)/hook.secret\" of webhook \"bot\" is not readable: ",
                "\(folder.path)/admin.token", "key file \"\(folder.path)/open.key\" is open to other users",
                "key file \"\(folder.path)/gone.key\" is not readable: ",
            ]
            for (error, part) in zip(errors, expected) { #expect(error.contains(part), "\(error)") }
        }
    }

    // MARK: what serve refuses when it starts

    private static let apns = "listen: { apns: { port: 0, plaintext: true } }"

    /// Lines of host.yaml that are read well, and refused for what they name.
    private static let refused = [
        tls("certificate: gone.pem, key: server.key"),
        tls("certificate: words, key: server.key"),
        tls("certificate: server.key, key: server.key"),
        tls("certificate: server.pem, key: gone.key"),
        tls("certificate: server.pem, key: words"),
        tls("certificate: server.pem, key: other.key"),
        """
        listen: { web-push: { public-origin: "https://push.example.com", port: 0, certificate: gone.pem, key: server.key } }
        state: state
        """,
        apns + "\nkeys: [words]",
        apns + "\nkeys: [recipient.key]\nsenders: [{ public-key: nse1abc }]",
        apns + "\nstate: open",
        apns + "\nstate: words",
        apns + "\nstate: gone/state",
        apns + "\nstate: foreign",
    ]

    private static func tls(_ files: String) -> String { "listen: { apns: { port: 0, \(files) } }" }

    /// Writes host.yaml: the lines of `text` on keys and senders are the app's.
    private static func write(_ text: String, in folder: TemporaryFolder) throws -> String {
        let lines = text.split(separator: "\n")
        let ofApp = lines.filter { $0.hasPrefix("keys") || $0.hasPrefix("senders") }
        let app = (["topic: com.example.chat"] + ofApp).joined(separator: ", ")
        let whole = lines.filter { !ofApp.contains($0) } + ["apps: [{ \(app) }]", ""]
        return try folder.write(whole.joined(separator: "\n"), to: "host.yaml")
    }

    private static func firstError(of result: CommandResult) -> Substring? {
        result.errors.split(separator: "\n").first { $0.hasPrefix("extension-host: error: ") }
    }

    @Test(arguments: refused)
    func `what serve refuses is refused by the check, in the same words`(text: String) async throws {
        try await TemporaryFolder.with { folder in
            let provider = try await Provider(in: folder)
            _ = try await provider.makeCertificate("other")
            _ = try await TestKeys(in: folder)
            let words = try folder.write("words\n", to: "words")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: words)
            for (name, mode) in [("open", 0o755), ("foreign", 0o700)] {
                let path = folder.path + "/" + name
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            try FileManager.default.createDirectory(
                atPath: folder.path + "/foreign/replays-a",
                withIntermediateDirectories: false
            )
            let file = try Self.write(text, in: folder)
            let check = try await Self.config("check", file)
            #expect(check.status == 1)
            #expect(check.output == "")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"), "the check makes nothing")
            let serve = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            #expect(serve.status == 1)
            #expect(Self.firstError(of: check) == Self.firstError(of: serve), "\(serve.errors)")
        }
    }

    @Test func `a file whose host runs has no errors, nor one whose folder is still to be made`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let text =
                Self.apns + "\nstate: state\nkeys: [\(keys.recipient)]\nsenders: [{ public-key: \(keys.senderPublic) }]"
            let file = try Self.write(text, in: folder)
            let expected = "extension-host: \(file) has no errors\n"
            #expect(try await Self.config("check", file).errors == expected)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"))
            let host = try await RunningHost(configuration: file)
            defer { host.terminate() }
            #expect(try await Self.config("check", file).errors == expected)
            host.terminate()
            #expect(await host.exitStatus == 0)
        }
    }
}
