// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Messages that anyone can make who knows an app's address: refused by name, over the same opener, at nobody's cost.
@Suite(.timeLimit(.minutes(10)))
struct ForgedMessageTests {
    private static let mailToken = String(repeating: "ab", count: 32)
    /// The keys of Tests/Vectors/open, which are published.
    private static let keys = """
        NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG
        web-push: q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg
        home-assistant: c0ca21e5296018ec36a7da38f36bd758d96d95a5b6a74049c5fa98ec65cbb183
        bark-gcm: 1234567890123456 111111111111

        """

    private struct Fixture {
        let folder: TemporaryFolder
        let host: RunningHost
        let port: Int
        let mailKeys: TestKeys

        func post(_ body: String, topic: String, token: String) async throws -> Record? {
            let curl = try #require(Programs.installed("curl"))
            let result = try await CommandResult.run(
                curl,
                [
                    "-s", "--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@-",
                    "-H", "apns-topic: \(topic)", "http://127.0.0.1:\(port)/3/device/\(token)",
                ],
                input: body
            )
            try #require(result.output == "200", "\(result.output) \(result.errors)")
            return try await host.nextRecord()
        }

        func postChat(_ body: String) async throws -> Record? {
            try await post(body, topic: "com.example.chat", token: RunningHost.token)
        }

        func postMail() async throws -> Record? {
            let sealed = try await CommandResult.run(
                Programs.sealPayload,
                ["-r", mailKeys.recipientPublic, "--topic", "com.example.mail"],
                input: OpeningTests.message
            )
            try #require(sealed.status == 0, "\(sealed.errors)")
            return try await post(sealed.output, topic: "com.example.mail", token: ForgedMessageTests.mailToken)
        }

        var openers: [Int32] { host.descendants(named: "payload-opener") }
    }

    /// One app that takes what strangers make, and another.
    private static func with(_ body: (Fixture) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let keyFile = try folder.write(keys, to: "chat.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
            let mailKeys = try await TestKeys(in: folder)
            let (port, webPushPort) = (try FreePort.find(), try FreePort.find())
            let configuration = """
                listen:
                  apns: { port: \(port), plaintext: true }
                  web-push: { public-origin: "http://127.0.0.1:\(webPushPort)", port: \(webPushPort), plaintext: true }
                state: ./state
                apps:
                  - topic: com.example.chat
                    device-tokens: ["\(RunningHost.token)"]
                    keys: [\(keyFile)]
                    accept: [v1, sealed-box, web-push, home-assistant, bark-gcm]
                    web-push: { title: Chat, fallback: Something came }
                  - topic: com.example.mail
                    device-tokens: ["\(mailToken)"]
                    keys: [\(mailKeys.recipient)]
                """
            let host = try await RunningHost(configuration: try folder.write(configuration, to: "host.yaml"))
            do {
                try await body(Fixture(folder: folder, host: host, port: Int(port), mailKeys: mailKeys))
                host.terminate()
                #expect(await host.exitStatus == 0)
            } catch {
                host.terminate()
                throw error
            }
        }
    }

    /// The push of a vector.
    private static func push(_ vector: String) throws -> String {
        let file = Programs.root + "/Tests/Vectors/open/\(vector).txt"
        let parts = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n\n", maxSplits: 1)
        let input = String(parts[1].dropLast())
        return input.hasPrefix("{")
            ? input : #"{"aps":{"alert":{"body":"clear"},"mutable-content":1},"encrypted-content":"\#(input)"}"#
    }

    @Test func `a forged message of any format is notOpened, and the opener is the same process after it`() async throws
    {
        try await Self.with { fixture in
            #expect(try await fixture.postMail()?.outcome == "opened")
            let opener = fixture.openers
            #expect(opener.count == 1)
            for vector in [
                "web-push-tag", "web-push-point-off-curve", "web-push-padding-not-zero", "bark-gcm-tag", "tag",
                "small-order-8", "sealed-box-tag", "home-assistant-tag",
            ] {
                let record = try await fixture.postChat(try Self.push(vector))
                #expect(record?.outcome == "original", "\(vector)")
                #expect(record?.reason == "notOpened", "\(vector)")
                #expect(fixture.openers == opener, "\(vector)")
            }
            #expect(try await fixture.postMail()?.outcome == "opened")
            #expect(fixture.openers == opener)
        }
    }

    @Test func `forged messages to one app's Web Push endpoint leave the other app's pushes opened`() async throws {
        try await Self.with { fixture in
            let made = try await CommandResult.run(
                Programs.extensionHost,
                [
                    "subscription", "new", "--config", fixture.folder.path + "/host.yaml", "--topic",
                    "com.example.chat",
                ]
            )
            try #require(made.status == 0, "\(made.errors)")
            let endpoint = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let curl = try #require(Programs.installed("curl"))
            let push = try Self.push("web-push-rfc8291")
            let text = String((push.components(separatedBy: "wp.").last ?? "").prefix { $0 != "\"" })
            let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
            let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
            var message = Array(try #require(Data(base64Encoded: padded)))
            let opener = fixture.openers
            for number in 0..<40 {
                // The tag in each, the point in every second; and never the same message, which would be a repeat.
                message[message.count - 1] = UInt8(number) ^ 0x80
                if number % 2 == 1 { message[85] ^= 1 }
                let file = fixture.folder.path + "/message"
                try Data(message).write(to: URL(fileURLWithPath: file))
                let answer = try await CommandResult.run(
                    curl,
                    [
                        "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "TTL: 60", "-H",
                        "Content-Encoding: aes128gcm", "--data-binary", "@" + file, endpoint,
                    ]
                )
                #expect(answer.output == "201")
                #expect(try await fixture.host.nextRecord()?.reason == "notOpened")
                #expect(try await fixture.postMail()?.outcome == "opened")
            }
            #expect(opener.count == 1)
            #expect(fixture.openers == opener)
        }
    }
}
