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
}
