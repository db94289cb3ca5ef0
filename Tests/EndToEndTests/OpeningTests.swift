// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A sealed push through gateway, opener, extension and sink.
@Suite(.timeLimit(.minutes(10)))
struct OpeningTests {
    static let message = #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"}}}"#

    /// Sealed for keys-example/recipient.key with a time to live of one second, long ago.
    private static let expired = """
        {"aps":{"alert":{"body":"New notification"},"mutable-content":1},"encrypted-content":"v1.AQDORd79NB0gjQzfW9bnBt5o\
        NaAXi0jGhmVa42GruR95GhruBqTRDTR7TylFVOj-DvytFPjPI3Sic8MGLhuyetD3agYTd4cP4UFZn1GbqRV64UeMQMfAxGpkSG--i64W6kcSg9LQ\
        7i1EWAZcAMUq5LuaEcS0cIpH5EuOumWB8LiP1q4MwcdnYFtNPiymojYfB_jyZJPqMtjShuXxFAKAQmJqBL1YReuV9xUc1O7jGSPHU_tzgYulD4gG\
        e3p6Z3lQ2cLt6ZXJJKMjDo4_IRhExHbC4eB0HK_nTA2ibpwfBmpeg-B5h0fEJaiHYLtThcy1inkoAMNLD7Tw6cjvv0CKZG9RGc_LzFfQhZgsaRfD\
        CAerVfwDRNU-peGvzOTDWICUBUE1lcWCvateCR3AZdDOrJUD3SR67gR4b-g"}
        """

    private func withHost<Result>(
        _ app: (TestKeys) -> [String] = \.configuration,
        _ body: (RunningHost, TestKeys) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            return try await RunningHost.with(folder, app: ["extension: \(bundle)"] + app(keys)) { host in
                try await body(host, keys)
            }
        }
    }

    @Test(arguments: ["v1", "sealed-box"])
    func `an anonymous sealed push is opened and extended`(format: String) async throws {
        try await withHost { host, keys in
            let record = try await host.deliver(try await keys.seal(Self.message, ["--format", format]))
            #expect(record?.outcome == "modified")
            #expect(record?.alert == ["title": "handled", "body": "Lunch?"])
            #expect(
                record?.payload?["encryption"]
                    == ["format": .string(format), "authenticated": false, "sender": nil]
            )
            #expect(record?.payload?.encryptedContent == nil)
        }
    }

    @Test(arguments: [256, 1024, 2048, 2700])
    func `a sealed push of any size is opened and extended`(byteCount: Int) async throws {
        try await withHost { host, keys in
            let text = String(repeating: "x", count: byteCount)
            let message = #"{"aps":{"alert":{"title":"Alice","body":"\#(text)"}}}"#
            for _ in 0..<3 {
                let record = try await host.deliver(try await keys.seal(message))
                #expect(record?.outcome == "modified")
                #expect(record?.alert?["body"]?.string == text)
            }
        }
    }

    @Test func `a push of a known sender says who sent it`() async throws {
        try await withHost(\.configurationWithSender) { host, keys in
            let record = try await host.deliver(try await keys.seal(Self.message, ["-s", keys.sender]))
            #expect(record?.outcome == "modified")
            let encryption = record?.payload?["encryption"]?.object
            #expect(encryption?["authenticated"] == true)
            #expect(encryption?["sender"]?.string?.count == 16)
        }
    }

    @Test func `an app that requires a sender refuses anonymous pushes`() async throws {
        try await withHost({ $0.configurationWithSender + ["require-sender: true"] }) { host, keys in
            let record = try await host.deliver(try await keys.seal(Self.message))
            #expect(record?.outcome == "original")
            #expect(record?.reason == "senderRequired")
        }
    }

    @Test func `an envelope for another key leaves the clear fallback`() async throws {
        try await TemporaryFolder.with { other in
            let stranger = try await TestKeys(in: other)
            try await withHost { host, _ in
                let record = try await host.deliver(
                    try await stranger.seal(Self.message, ["-f", "You have a message"])
                )
                #expect(record?.outcome == "original")
                #expect(record?.reason == "unknownKey")
                #expect(record?.alert?["body"] == "You have a message")
            }
        }
    }

    @Test func `a tampered envelope is not opened`() async throws {
        try await withHost { host, keys in
            var body = Array(try await keys.seal(Self.message))
            let index = try #require(body.lastIndex(of: "\"")) - 12
            body[index] = body[index] == "A" ? "B" : "A"
            let record = try await host.deliver(String(body))
            #expect(record?.outcome == "original")
            #expect(record?.reason == "notOpened")
        }
    }

    @Test func `an envelope past its time to live is expired`() async throws {
        try Programs.makeExampleKeysPrivate()
        try await withHost({ _ in ["keys: [\(Programs.root)/keys-example/recipient.key]"] }) { host, _ in
            let record = try await host.deliver(Self.expired)
            #expect(record?.outcome == "original")
            #expect(record?.reason == "expired")
        }
    }

    @Test func `the same envelope opens once`() async throws {
        try await withHost { host, keys in
            let body = try await keys.seal(Self.message)
            #expect(try await host.deliver(body)?.outcome == "modified")
            // The same body again would be the same push.
            let second = try await host.deliver(body + " ")
            #expect(second?.outcome == "original")
            #expect(second?.reason == "replayed")
        }
    }

    @Test func `an envelope bound to a collapse id opens only under it`() async throws {
        try await withHost { host, keys in
            let body = try await keys.seal(Self.message, ["--collapse-id", "lunch"])
            let wrong = try await host.deliver(body, headers: ["apns-collapse-id: dinner"])
            #expect(wrong?.reason == "notOpened")
            let missing = try await host.deliver(body)
            #expect(missing?.reason == "contextMissing")
            let right = try await host.deliver(body, headers: ["apns-collapse-id: lunch"])
            #expect(right?.outcome == "modified")
            #expect(right?.object["identifier"] == "lunch")
        }
    }

    @Test func `clear content beside an envelope is dropped`() async throws {
        try await withHost { host, keys in
            var outer = Payload(try JSONObject(parsing: Array(try await keys.seal(Self.message).utf8).span))
            outer["planted"] = "by the gateway"
            outer["encryption"] = ["authenticated": true]
            let record = try await host.deliver(String(decoding: outer.serialized, as: UTF8.self))
            #expect(record?.outcome == "modified")
            #expect(record?.payload?["planted"] == nil)
            #expect(record?.payload?["encryption"]?.object?["authenticated"] == false)
        }
    }

    @Test func `an opener that is killed costs at most what it held`() async throws {
        try await withHost { host, keys in
            #expect(try await host.deliver(try await keys.seal(Self.message))?.outcome == "modified")
            let first = try #require(host.descendants(named: "payload-opener").first)
            #expect(kill(first, SIGKILL) == 0)
            let after = try await host.deliver(try await keys.seal(Self.message))
            // The kill may be seen only when the next packet finds the process gone.
            #expect(after?.outcome == "modified" || after?.reason == "openerUnavailable")
            #expect(try await host.deliver(try await keys.seal(Self.message))?.outcome == "modified")
            #expect(host.descendants(named: "payload-opener") != [first])
        }
    }
}
