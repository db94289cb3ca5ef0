// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A host with the largest number of apps, each with a key file of its own and ten senders.
@Suite(.timeLimit(.minutes(15)))
struct ManyAppsTests {
    private static let count = 1000

    private static func topic(_ app: Int) -> String { "com.example.app\(app)" }

    private static func token(_ app: Int) -> String {
        String(repeating: "0", count: 64 - String(app).count) + String(app)
    }

    private func configuration(
        _ keys: TestKeys,
        senders: [String],
        count: Int,
        in folder: TemporaryFolder
    ) throws
        -> String
    {
        let secret = try Data(contentsOf: URL(fileURLWithPath: keys.recipient))
        let list = senders.enumerated().map { "{ public-key: \($1), name: sender\($0) }" }.joined(separator: ", ")
        let apps = try (0..<count).map { app in
            let file = folder.path + "/app\(app).key"
            let isMade = FileManager.default.createFile(
                atPath: file,
                contents: secret,
                attributes: [.posixPermissions: 0o600]
            )
            try #require(isMade)
            return """
                  - topic: \(Self.topic(app))
                    device-tokens: ["\(Self.token(app))"]
                    keys: [\(file)]
                    senders: [\(list)]
                    require-sender: true

                """
        }
        let text = "listen: { apns: { port: 0, plaintext: true } }\napps:\n" + apps.joined()
        return try folder.write(text, to: "host.yaml")
    }

    @Test func `a thousand apps with ten senders each start, and the last one's sealed push is opened`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            var senders = [keys.senderPublic]
            for number in 0..<9 {
                let other = TemporaryFolder(path: folder.path + "/sender\(number)")
                try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: false)
                senders.append(try await TestKeys(in: other).senderPublic)
            }
            let file = try configuration(keys, senders: senders.reversed(), count: Self.count, in: folder)
            let host = try await RunningHost(configuration: file, options: [])
            defer { host.terminate() }
            let last = Self.topic(Self.count - 1)
            let sealed = try await CommandResult.run(
                Programs.sealPayload,
                ["-r", keys.recipientPublic, "-s", keys.sender, "--topic", last],
                input: OpeningTests.message
            )
            try #require(sealed.status == 0, "\(sealed.errors)")
            #expect(try await host.post(sealed.output, topic: last, token: Self.token(Self.count - 1)) == 200)
            let record = try await host.nextRecord()
            #expect(record?.outcome == "opened")
            #expect(record?.payload?["encryption"]?.object?["authenticated"] == true)
            host.terminate()
            #expect(await host.exitStatus == 0)
        }
    }

    @Test func `one app more is refused by number`() async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let file = try configuration(keys, senders: [keys.senderPublic], count: Self.count + 1, in: folder)
            let result = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            #expect(result.status == 1)
            #expect(
                result.errors.contains(
                    "extension-host: error: there are 1001 apps with keys, at most 1000 are possible\n"
                )
            )
        }
    }
}
