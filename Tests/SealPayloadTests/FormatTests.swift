// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Bodies and secrets of other systems, as the command takes and makes them.
struct FormatTests {
    /// The example body in Bark's documentation.
    private static let bark =
        #"{"ciphertext":"d3QhjQjP5majvNt5CjsvFWwqqj2gKl96RFj5OO+u6ynTt7lkyigDYNA3abnnCLpr","aps":{}}"#

    @Test func `a body of another system opens when its format is named, as a host's policy has it`() throws {
        let bench = try Workbench()
        try bench.write("bark-cbc: 1234567890123456 1111111111111111\n", to: "bark.key")
        let opened = try bench.run(
            ["open", "-i", "bark.key", "--topic", "t", "--accept", "v1,bark-cbc"],
            input: Data(Self.bark.utf8)
        )
        #expect(
            String(decoding: opened.output, as: UTF8.self)
                == #"{"aps":{"alert":{"body":"test"},"sound":"birdsong"},"#
                + #""encryption":{"format":"bark-cbc","authenticated":false,"sender":null}}"# + "\n"
        )
        #expect(opened.exitCode == 0)

        let refused = try bench.run(["open", "-i", "bark.key", "--topic", "t"], input: Data(Self.bark.utf8))
        let expected = """
            seal-payload: error: "ciphertext" belongs to a format that is not accepted
            seal-payload: hint: pass --accept bark-gcm or --accept bark-cbc

            """
        #expect(String(decoding: refused.errors, as: UTF8.self) == expected)
        #expect(refused.exitCode == 1)
    }

    @Test func `a paired secret seals and opens, and its file tells its id`() throws {
        let bench = try Workbench()
        let made = try bench.run(["keygen", "--paired", "-o", "pair.key"])
        let id = try #require(bench.text(of: "pair.key").firstMatch(of: /# paired secret: ([0-9a-f]{16})\n/)?.1)
        #expect(String(decoding: made.errors, as: UTF8.self) == "seal-payload: paired secret: \(id)\n")
        let sealed = try bench.run(
            ["-R", "recipient.pub", "-s", "pair.key", "--topic", "t"],
            input: Data(#"{"body":"b"}"#.utf8)
        )
        let opened = try bench.run(
            ["open", "-i", "recipient.key", "-i", "pair.key", "--topic", "t"],
            input: sealed.output
        )
        #expect(
            String(decoding: opened.output, as: UTF8.self)
                == #"{"aps":{"alert":{"body":"b"}},"#
                + #""encryption":{"format":"v1","authenticated":true,"sender":"\#(id)"}}"# + "\n"
        )
    }

    @Test func `a subscription tells the service what it needs, and no more`() throws {
        let bench = try Workbench()
        let made = try bench.run(["keygen", "--format", "web-push", "-o", "push.key"])
        let file = try bench.text(of: "push.key")
        let line = try #require(file.firstMatch(of: /\nweb-push: ([A-Za-z0-9_-]{43}) ([A-Za-z0-9_-]{22})\n/))
        let errors = String(decoding: made.errors, as: UTF8.self)
        let told = try #require(
            errors.wholeMatch(of: /seal-payload: p256dh: (B[A-Za-z0-9_-]{86})\nseal-payload: auth: (.{22})\n/)
        )
        #expect(told.2 == line.2)
        #expect(file.contains("# p256dh: \(told.1)\n"))
        #expect(!errors.contains(line.1))
        #expect(made.output.isEmpty)
    }
}
