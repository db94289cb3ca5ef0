// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The commands that change a host's registry, beside a host that runs.
@Suite(.timeLimit(.minutes(10))) struct RegistryTests {
    private static let push = #"{"aps":{"alert":"Lunch?"}}"#

    private static func command(_ folder: TemporaryFolder, _ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.extensionHost,
            Array(arguments.prefix(2)) + ["--config", folder.path + "/host.yaml"] + arguments.dropFirst(2)
        )
    }

    private static func mint(_ folder: TemporaryFolder, _ topic: String = "com.example.chat") async throws -> String {
        let result = try await command(folder, "token", "new", "--topic", topic)
        #expect(result.errors == "")
        return result.output.split(separator: "\n").first.map(String.init) ?? ""
    }

    private static func host<Result>(
        _ body: (TemporaryFolder, RunningHost) async throws -> Result
    ) async throws
        -> Result
    {
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder, top: ["state: \(folder.path)/state"]) { try await body(folder, $0) }
        }
    }

    /// Posts until the answer is that status.
    private static func post(_ host: RunningHost, to token: String, until status: Int) async throws {
        while try await host.post(push, token: token) != status { try Task.checkCancellation() }
    }

    @Test func `a token that is minted while the host runs is taken at once, and answered 410 when it is removed`()
        async throws
    {
        try await Self.host { folder, host in
            let token = try await Self.mint(folder)
            #expect(token.utf8.count == 64)
            #expect(try await host.post(Self.push, token: token) == 200)
            // Not only the first time that somebody else has written the file.
            let second = try await Self.mint(folder)
            #expect(try await host.post(Self.push, token: second) == 200)
            #expect(try await Self.command(folder, "token", "remove", token).status == 0)
            try await Self.post(host, to: token, until: 410)
            #expect(try await host.post(Self.push, token: second) == 200)

            let again = try await Self.command(
                folder,
                "token",
                "new",
                "--topic",
                "com.example.chat",
                "--token",
                token.uppercased()
            )
            #expect(again.output == token + "\n")
            #expect(try await host.post(Self.push, token: token) == 200)
        }
    }

    @Test func `a removed token stays removed when the host is started again`() async throws {
        try await TemporaryFolder.with { folder in
            let top = ["state: \(folder.path)/state"]
            let token = try await RunningHost.with(folder, top: top) { host in
                let token = try await Self.mint(folder)
                _ = try await Self.command(folder, "token", "remove", token)
                return token
            }
            try await RunningHost.with(folder, top: top) { host in
                let (removed, unknown) = (
                    try await host.post(Self.push, token: token), try await host.post(Self.push, token: "abcd")
                )
                #expect(removed == 410)
                #expect(unknown == 400)
                #expect(try await host.post(Self.push) == 200)
            }
        }
    }

    @Test func `tokens are listed as logs name them, and revealed when asked`() async throws {
        try await Self.host { folder, host in
            let token = try await Self.mint(folder)
            let list = try await Self.command(folder, "token", "list", "--json", "--reveal")
            let rows = try list.output.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8).span) }
            #expect(rows.map { $0["token"]?.string } == [RunningHost.token, token])
            #expect(rows.map { $0["origin"]?.string } == ["configured", "minted"])
            let name = rows.last?["name"]?.string ?? ""
            #expect(try await Self.command(folder, "token", "remove", name).output == "removed \(name)\n")
            let text = try await Self.command(folder, "token", "list").output
            #expect(text.contains("\(name)  com.example.chat  development  minted "))
            #expect(text.contains("  removed 2"))
            #expect(!text.contains(token))

            let configured = try await Self.command(folder, "token", "remove", RunningHost.token)
            #expect(configured.status == 1)
            #expect(
                configured.errors == """
                    extension-host: error: token \(rows[0]["name"]?.string ?? "") stands among the device-tokens of \
                    "com.example.chat"
                    extension-host: hint: delete it there, and start the host again

                    """
            )
        }
    }

    @Test func `an app that was added runs from the next start on, with the token it already has`() async throws {
        try await TemporaryFolder.with { folder in
            let top = ["state: \(folder.path)/state"]
            let token = try await RunningHost.with(folder, top: top) { host in
                let file = try folder.write("topic: com.example.mail\nkeys: [mail.key]\n", to: "mail.yaml")
                _ = try await CommandResult.run(Programs.sealPayload, ["keygen", "-o", folder.path + "/mail.key"])
                let added = try await Self.command(folder, "app", "add", file)
                #expect(added.output == "added com.example.mail\n")
                #expect(
                    added.errors
                        == "extension-host: it runs when the host is started again; its device tokens can be minted now\n"
                )
                #expect(try await Self.command(folder, "app", "add", file).errors.contains("was added before"))
                let minted = try await Self.command(folder, "token", "new", "--topic", "com.example.mail", "--json")
                let object = try JSONObject(parsing: Array(minted.output.utf8).span)
                #expect(object["public-key"]?.string?.hasPrefix("nse1") == true)
                let token = object["token"]?.string ?? ""
                // It would be final for gateways that a token is bad, or its topic.
                #expect(try await host.post(Self.push, topic: "com.example.mail", token: token) == 503)
                return token
            }
            try await RunningHost.with(folder, top: top) { host in
                #expect(try await host.post(Self.push, topic: "com.example.mail", token: token) == 200)
                #expect(
                    try await Self.command(folder, "app", "list").output
                        == "com.example.chat  development  configured\ncom.example.mail  development  added\n"
                )
                #expect(
                    try await Self.command(folder, "app", "remove", "com.example.mail").output
                        == "removed com.example.mail and 1 of its tokens and subscriptions\n"
                )
                while try await host.post(Self.push, topic: "com.example.mail", token: token) != 410 {
                    try Task.checkCancellation()
                }
            }
            try await RunningHost.with(folder, top: top) { host in
                let status = try await host.post(Self.push, topic: "com.example.mail", token: token)
                #expect(status == 410)
            }
        }
    }

    @Test func `an app that is wrong is told with its file and line`() async throws {
        try await Self.host { folder, host in
            let file = try folder.write("topic: com.example.mail\nbudgett: 3s\n", to: "mail.yaml")
            let added = try await Self.command(folder, "app", "add", file)
            #expect(added.status == 1)
            #expect(
                added.errors.hasPrefix(
                    "extension-host: error: \(file):2: unknown key \"budgett\" in app \"com.example.mail\"\n"
                )
            )
        }
    }

    @Test func `an added app that no host starts with can be changed, and removed`() async throws {
        try await TemporaryFolder.with { folder in
            func configure(_ apps: String) throws {
                let listener = "listen: { apns: { port: 0, plaintext: true } }\n"
                _ = try folder.write(listener + "state: \(folder.path)/state\n" + apps, to: "host.yaml")
            }
            let token = "device-tokens: [\"\(RunningHost.token)\"]"
            try configure("")
            let mail = try folder.write("topic: mail\n\(token)\n", to: "mail.yaml")
            #expect(try await Self.command(folder, "app", "add", mail).status == 0)
            try configure("apps: [{ topic: chat, \(token) }]\n")
            let refused = try await Self.command(folder, "app", "list")
            #expect(refused.errors.contains("have the same device token"), "\(refused.errors)")
            _ = try folder.write("topic: mail\n", to: "mail.yaml")
            let changed = try await Self.command(folder, "app", "add", "--replace", mail)
            #expect(changed.status == 0, "\(changed.errors)")
            try configure("apps: [{ topic: chat }]\n")
            _ = try folder.write("topic: mail\n\(token)\n", to: "mail.yaml")
            #expect(try await Self.command(folder, "app", "add", "--replace", mail).status == 0)
            try configure("apps: [{ topic: chat, \(token) }]\n")
            let removed = try await Self.command(folder, "app", "remove", "mail")
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(try await Self.command(folder, "app", "list").output == "chat  development  configured\n")
            let unknown = try await Self.command(folder, "app", "remove", "mail")
            #expect(unknown.errors.hasPrefix("extension-host: error: no app has the topic \"mail\"\n"))
        }
    }

    @Test func `an app that was added is where its senders are, unless it says otherwise`() async throws {
        try await TemporaryFolder.with { folder in
            let listener = "listen: { apns: { port: 0, plaintext: true, environment: production } }\n"
            _ = try folder.write(listener + "state: \(folder.path)/state\n", to: "host.yaml")
            for (topic, environment) in [("a", ""), ("b", "environment: development\n")] {
                let file = try folder.write("topic: \(topic)\n" + environment, to: "\(topic).yaml")
                #expect(try await Self.command(folder, "app", "add", file).status == 0)
            }
            let list = try await Self.command(folder, "app", "list").output
            #expect(list == "a  production  added\nb  development  added\n")
        }
    }

    @Test func `a state that is a file is refused as what it is, not for a registry below it`() async throws {
        try await TemporaryFolder.with { folder in
            let state = try folder.write("", to: "state")
            let listener = "listen: { apns: { port: 0, plaintext: true } }\napps: [{ topic: com.example.chat }]\n"
            let file = try folder.write(listener + "state: \(state)\n", to: "host.yaml")
            let result = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: state "\(state)" is not usable: open: not a directory
                    extension-host: hint: the state folder must be this user's own, on a disk that can be written

                    """
            )
        }
    }

    @Test func `without a state folder there is no registry`() async throws {
        try await TemporaryFolder.with { folder in
            let file = try folder.write(
                "listen: { apns: { port: 0, plaintext: true } }\napps: [{ topic: com.example.chat }]\n",
                to: "host.yaml"
            )
            let result = try await Self.command(folder, "token", "new", "--topic", "com.example.chat")
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: \(file) names no folder for "state", so there is no registry
                    extension-host: hint: write "state: ./state" into it, and start the host again

                    """
            )
        }
    }

    @Test func `an endpoint of Web Push is printed once, and only its hash is kept`() async throws {
        try await TemporaryFolder.with { folder in
            _ = try await CommandResult.run(
                Programs.sealPayload,
                ["keygen", "--format", "web-push", "-o", folder.path + "/web.key"]
            )
            try await RunningHost.with(
                folder,
                app: ["keys: [web.key]", "accept: [web-push]"],
                top: ["state: \(folder.path)/state"]
            ) { _ in
                let made = try await Self.command(
                    folder,
                    "subscription",
                    "new",
                    "--topic",
                    "com.example.chat",
                    "--origin",
                    "https://push.example.com/"
                )
                let endpoint = made.output.trimmingCharacters(in: .newlines)
                let capability = endpoint.replacing("https://push.example.com/push/", with: "")
                #expect(capability.utf8.count == 27)
                let registry = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/state/registry.sqlite-wal"))
                #expect(registry.range(of: Data("com.example.chat".utf8)) != nil)
                #expect(registry.range(of: Data(capability.utf8)) == nil)
                let list = try await Self.command(folder, "subscription", "list")
                #expect(list.output.contains("  com.example.chat  any sender  "))
                let removed = try await Self.command(folder, "subscription", "remove", endpoint)
                #expect(removed.output == "removed \(list.output.prefix(8))\n")
            }
        }
    }
}
