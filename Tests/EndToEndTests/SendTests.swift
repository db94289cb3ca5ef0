// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// `extension-host send` and the socket of a host that runs.
@Suite(.timeLimit(.minutes(10))) struct SendTests {
    private static func send(
        _ folder: TemporaryFolder,
        _ arguments: [String] = [],
        input: String
    ) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.extensionHost,
            ["send", "--socket", folder.path + "/state/ingress.sock"] + arguments,
            input: input
        )
    }

    private static func host<Result>(
        _ body: (TemporaryFolder, RunningHost) async throws -> Result
    ) async throws
        -> Result
    {
        try await TemporaryFolder.with { folder in
            let configuration = """
                listen: { apns: { port: 0, plaintext: true }, ndjson: { socket: state/ingress.sock } }
                state: state
                apps:
                  - topic: com.example.chat
                    device-tokens: [\(tokens.map { "\"\($0)\"" }.joined(separator: ", "))]
                """
            let host = try await RunningHost(configuration: try folder.write(configuration, to: "host.yaml"))
            do {
                let result = try await body(folder, host)
                host.terminate()
                #expect(await host.exitStatus == 0)
                #expect(!FileManager.default.fileExists(atPath: folder.path + "/state/ingress.sock"))
                return result
            } catch {
                host.terminate()
                throw error
            }
        }
    }

    /// Enough of them that no device gets pushes faster than one may.
    private static let tokens =
        [RunningHost.token] + (1..<16).map { String(format: "%02x", $0) + RunningHost.token.dropFirst(2) }

    private static let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

    @Test func `one payload becomes one push with its record`() async throws {
        try await Self.host { folder, host in
            let sent = try await Self.send(
                folder,
                [
                    "--token", RunningHost.token, "--topic", "com.example.chat", "--header", "apns-id=\(Self.id)",
                    "--header", "apns-collapse-id=lunch",
                ],
                input: "{\n  \"aps\": { \"alert\": \"Lunch?\" }\n}\n"
            )
            #expect(sent.output == #"{"id":"\#(Self.id)","status":200}"# + "\n")
            #expect(sent.errors == "")
            #expect(sent.status == 0)
            let record = try #require(try await host.nextRecord())
            #expect(record.object["id"]?.string == Self.id)
            #expect(record.object["identifier"]?.string == "lunch")
        }
    }

    @Test func `a payload for an app goes to its first device`() async throws {
        try await Self.host { folder, host in
            let file = try folder.write(#"{"aps":{"alert":"Lunch?"}}"#, to: "push.json")
            let sent = try await Self.send(folder, ["--topic", "com.example.chat", file], input: "")
            #expect(sent.status == 0)
            let record = try #require(try await host.nextRecord())
            #expect(record.object["payload"] == ["aps": ["alert": "Lunch?"]])
        }
    }

    @Test func `ten thousand lines are answered in their order, and one that is refused is told by the status`()
        async throws
    {
        try await Self.host { folder, host in
            let lines = (0..<10_000).map { index in
                let token = index == 5000 ? "abcd" : Self.tokens[index % Self.tokens.count]
                let id = "00000000-0000-4000-8000-" + String(1_000_000_000_000 + index).suffix(12)
                return
                    #"{"token":"\#(token)","headers":{"apns-topic":"com.example.chat","apns-id":"\#(id)"},"payload":{"aps":{}}}"#
            }
            let sent = try await Self.send(folder, input: lines.joined(separator: "\n"))
            #expect(sent.status == 1)
            let answers = sent.output.split(separator: "\n")
            #expect(answers.count == 10_000)
            for (index, answer) in answers.enumerated() {
                let id = "00000000-0000-4000-8000-" + String(1_000_000_000_000 + index).suffix(12)
                let end = index == 5000 ? #"400,"reason":"BadDeviceToken"}"# : "200}"
                guard answer != #"{"id":"\#(id)","status":\#(end)"# else { continue }
                Issue.record("line \(index): \(answer)")
                break
            }
            for _ in 0..<9999 { _ = try await host.nextRecord() }
        }
    }

    @Test func `without a host the exit status says that nothing was answered`() async throws {
        try await TemporaryFolder.with { folder in
            let sent = try await Self.send(folder, input: "{}\n")
            #expect(sent.status == 3)
            #expect(
                sent.errors == """
                    extension-host: error: no host listens on "\(folder.path)/state/ingress.sock": No such file or directory
                    extension-host: hint: start it with "listen: { ndjson: { socket: … } }", or name its socket

                    """
            )
        }
    }

    @Test func `a header without a token is a mistake of the command line`() async throws {
        try await TemporaryFolder.with { folder in
            let sent = try await Self.send(folder, ["--header", "apns-id=1"], input: "")
            #expect(sent.status == 2)
            #expect(sent.errors.hasPrefix("extension-host: error: "))
        }
    }
}
