// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The troubles that people have with the command, and its error for each: the cause, and the next step.
struct TroubleTests {
    struct Trouble: Sendable, CustomTestStringConvertible {
        let name: String
        /// Words for `open`; `-i me.key`, `--topic` and `--at` of the vectors are added where they are missing.
        var options: [String] = []
        /// A line of the key file beside the key.
        var keyLine = ""
        let input: @Sendable (_ base: String) -> String
        let cause: String
        let next: String
        var exitCode: Int32 = 1
        var testDescription: String { name }
    }

    /// The example key of FORMAT.md, to which the vectors are sealed.
    private static let key = "NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG"
    private static let senderKey = "d65c2145f32a7ace f62f36ffdd5146b8 b206a88b7867e5cd 61b4ddc5d4597a33"
        .filter { $0 != " " }
    private static let notOpened = "not opened: wrong key, sender or context, or changed on its way"

    private static func body(_ text: String) -> String {
        #"{"aps":{"alert":{"body":"New notification"},"mutable-content":1},"encrypted-content":"\#(text)"}"#
    }

    private static let texts: [Trouble] = [
        Trouble(
            name: "base64 wrapped at 76",
            input: { $0.prefix(76) + "\n" + $0.dropFirst(76) },
            cause: "the sealed text is malformed: white space at 76",
            next: "join the lines of a wrapped text"
        ),
        Trouble(
            name: "base64 wrapped by a Windows tool",
            input: { body($0.prefix(76) + #"\r\n"# + $0.dropFirst(76)) },
            cause: "the sealed text is malformed: white space at 76",
            next: "join the lines of a wrapped text"
        ),
        Trouble(
            name: "base64 with padding",
            input: { $0 + "==" },
            cause: "the sealed text is malformed: padding at 422",
            next: "leave the \"=\" away: the text is base64url without padding"
        ),
        Trouble(
            name: "the standard alphabet",
            input: { $0.replacing("-", with: "+") },
            cause: "the sealed text is malformed: standard alphabet: '+' at 21",
            next: "write \"-\" for \"+\" and \"_\" for \"/\": the text is base64url"
        ),
        Trouble(
            name: "percent-encoding",
            input: { body($0.replacing("_", with: "%5F")) },
            cause: "the sealed text is malformed: percent-encoding at 65",
            next: "decode the percent-encoding once"
        ),
        Trouble(
            name: "a text cut short",
            input: { String($0.dropLast(43)) },
            cause: notOpened,
            next: "the key id matches, so topic or bytes differ: check --topic first; "
                + "its length is unusual, so it may be cut short"
        ),
        Trouble(
            name: "a text cut within a byte",
            input: { String($0.dropLast(2)) },
            cause: "the sealed text is malformed: it ends within a byte after 420 characters",
            next: "copy the text again, to its end"
        ),
        Trouble(
            name: "an old prefix",
            input: { "v2" + $0.dropFirst(2) },
            cause: "this is no known format: it begins with \"v2.\"",
            next: "known are v1, sealed-box, box, web-push, home-assistant, bark-gcm, bark-cbc; "
                + "ask the sender for one of them"
        ),
        Trouble(
            name: "an envelope without its prefix",
            input: { body(String($0.dropFirst(3))) },
            cause: notOpened,
            next: "this is an envelope without its \"v1.\"; put that in front"
        ),
        Trouble(
            name: "an envelope where only sealed boxes are taken",
            options: ["--accept", "sealed-box"],
            input: { $0 },
            cause: "format v1 is not accepted",
            next: "pass --accept v1, as the host's policy has to list it too"
        ),
        Trouble(
            name: "a text encoded twice",
            input: { body(Data($0.utf8).base64EncodedString()) },
            cause: notOpened,
            next: "the text was encoded twice; decode its base64 once"
        ),
        Trouble(
            name: "a text in quotes of its own",
            input: { body(#"\"\#($0)\""#) },
            cause: "\"encrypted-content\" holds a text in quotes in place of a sealed text",
            next: "it was turned into JSON twice; write the sealed text there as it is"
        ),
    ]

    private static let inputs: [Trouble] = [
        Trouble(
            name: "an object in place of the text",
            input: { _ in #"{"aps":{},"encrypted-content":{"v1":"AQCN"}}"# },
            cause: "\"encrypted-content\" is no text",
            next: "write the sealed text there, as a JSON string"
        ),
        Trouble(
            name: "a whole request",
            input: {
                "> POST /3/device/00112233 HTTP/2\n> host: example.com\n> apns-topic: com.example.chat\n>\n" + body($0)
            },
            cause: "standard input is a whole request, not its body",
            next: "pass what follows the empty line; the head says --topic com.example.chat"
        ),
        Trouble(
            name: "a byte order mark",
            input: { "\u{FEFF}" + body($0) },
            cause: "standard input begins with a byte order mark",
            next: "save it as UTF-8 without a byte order mark"
        ),
        Trouble(
            name: "a JSON string in place of the body",
            input: { "\"" + body($0).replacing("\"", with: "\\\"") + "\"" },
            cause: "standard input is a JSON string, not a body and not a sealed text",
            next: "it was turned into JSON twice; pass what stands between the quotes"
        ),
        Trouble(
            name: "a clear body",
            input: { _ in #"{"aps":{"alert":"hi"}}"# },
            cause: "standard input has no \"encrypted-content\" text",
            next: "only sealed payloads can be opened"
        ),
        Trouble(
            name: "another system's body",
            input: { _ in #"{"encrypted":true,"encrypted_data":"AAAA"}"# },
            cause: "\"encrypted_data\" belongs to a format that is not accepted",
            next: "pass --accept home-assistant"
        ),
        Trouble(
            name: "a public key in place of the body",
            input: { _ in "nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll\n" },
            cause: "standard input is a public key",
            next: "pass the body; keys are named with -i and --sender"
        ),
    ]

    private static let circumstances: [Trouble] = [
        Trouble(
            name: "the wrong topic",
            options: ["--topic", "com.example.chat"],
            input: { $0 },
            cause: notOpened,
            next: "the key id matches, so topic or bytes differ: check --topic first"
        ),
        Trouble(
            name: "a clock that is a day behind",
            options: ["--at", "2026-11-20T02:40:00Z"],
            input: { $0 },
            cause: "the payload was issued in the future",
            next: "one of two clocks is off; pass the moment it came with --at"
        ),
        Trouble(
            name: "a moment in seconds",
            options: ["--at", "1795228800"],
            input: { $0 },
            cause: "the payload was issued in the future, as seen from 1970-01-21T18:40:28Z",
            next: "the moment given is in seconds; pass milliseconds, --at 1795228800000"
        ),
        Trouble(
            name: "an old push",
            options: ["--at", "2026-11-21T03:40:01Z"],
            input: { $0 },
            cause: "the payload has expired",
            next: "pass the moment it came with --at"
        ),
        Trouble(
            name: "a key that was retired and pruned",
            options: ["-i", "recipient.key"],
            keyLine: "# pruned: 8d96fecd12684c9d 2026-11-20T00:00:00Z",
            input: { $0 },
            cause: "no key matches, sealed to key id 8d96fecd12684c9d, which was deleted on 2026-11-20T00:00:00Z",
            next: "nothing opens it any more; ask the sender to seal to the current key, "
                + "nse1698ng0dyahgpa3fewzves6gac4xy6mwd5sgd6fp5ryt8qrl8ms5q9jymex",
            exitCode: 4
        ),
        Trouble(
            name: "sealed to the sender's own key",
            options: [
                "-i", "recipient.key", "--sender", "nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll",
            ],
            input: { $0 },
            cause: "no key matches, sealed to key id 8d96fecd12684c9d, which is the sender's own",
            next: "the sender has to name your public key with -r, not the sender's",
            exitCode: 4
        ),
        Trouble(
            name: "a public-key file as key file",
            options: ["-i", "recipient.pub"],
            input: { $0 },
            cause: "key file \"recipient.pub\", line 1, is a public key",
            next: "that is a public key; pass the file with the secret one"
        ),
    ]

    @Test func `there are at least 12 troubles, each of its own`() {
        let troubles = Self.texts + Self.inputs + Self.circumstances
        #expect(troubles.count >= 12)
        #expect(Set(troubles.map(\.name)).count == troubles.count)
    }

    @Test(.timeLimit(.minutes(5)), arguments: texts + inputs + circumstances)
    func `a trouble is named with its next step`(_ trouble: Trouble) throws {
        let bench = try Workbench()
        let input = Data(trouble.input(try Self.vector("base")).utf8)
        let plain = try bench.run(try words(for: trouble, in: bench), input: input)
        let explained = try bench.run(try words(for: trouble, in: bench) + ["--explain"], input: input)
        let expected = "seal-payload: error: \(trouble.cause)\nseal-payload: hint: \(trouble.next)\n"
        #expect(String(decoding: plain.errors, as: UTF8.self) == expected)
        #expect(String(decoding: explained.errors, as: UTF8.self).hasSuffix(expected))
        for result in [plain, explained] {
            #expect(result.output.isEmpty)
            #expect(result.exitCode == trouble.exitCode)
        }
    }

    private func words(for trouble: Trouble, in bench: Workbench) throws -> [String] {
        var words = ["open"] + trouble.options
        if !words.contains("-i") {
            try bench.write(Self.key + "\n", to: "me.key")
            words += ["-i", "me.key"]
        } else if !trouble.keyLine.isEmpty {
            try bench.write(bench.text(of: "recipient.key") + trouble.keyLine + "\n", to: "recipient.key")
        }
        if !words.contains("--topic") { words += ["--topic", "com.example.app"] }
        if !words.contains("--at") { words += ["--at", "2026-11-21T02:41:00Z"] }
        return words
    }

    /// The text of a file of Tests/Vectors/open, behind its head.
    private static func vector(_ name: String) throws -> String {
        let file = URL(filePath: #filePath).appending(path: "../../Vectors/open/\(name).txt").standardizedFileURL
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return try String(#require(lines.last))
    }

    // MARK: Every step

    @Test func `an opened payload is explained from its field to its dates`() throws {
        let bench = try Workbench()
        try bench.write("\(Self.key) retired=2026-11-20T00:00:00Z\n", to: "me.key")
        let result = try bench.run(
            [
                "open", "--explain", "-i", "recipient.key", "-i", "me.key", "--sender", Self.senderKey,
                "--topic", "com.example.app", "--collapse-id", "door", "--at", "2026-11-21T03:00:00Z",
            ],
            input: Data(Self.body(try Self.vector("psk")).utf8)
        )
        let expected = """
            seal-payload: ok: input: a JSON body with "aps", "encrypted-content"
            seal-payload: ok: field: "encrypted-content", a text of 433 characters
            seal-payload: ok: format: wanted v1 or sealed-box, found v1
            seal-payload: ok: text: 433 characters, no defect
            seal-payload: ok: length: 322 bytes
            seal-payload: ok: kind: 1, HPKE to one recipient
            seal-payload: ok: flags: sender authenticated
            seal-payload: ok: key id: wanted 8d96fecd12684c9d, held ce45defd341d208d (current), \
            8d96fecd12684c9d (retired 2026-11-20T00:00:00Z)
            seal-payload: ok: sender: wanted 569e210ce4742c83, known 569e210ce4742c83
            seal-payload: ok: topic: wanted what it was sealed for, given "com.example.app"
            seal-payload: ok: collapse-id: not bound, given "door"
            seal-payload: ok: request-id: not bound, not given
            seal-payload: ok: opening: opened, with a retired key
            seal-payload: ok: issued: 2026-11-21T02:40:00Z
            seal-payload: ok: valid: 1 hour, until 2026-11-21T03:40:00Z
            seal-payload: ok: now: 2026-11-21T03:00:00Z, 20 minutes after it was issued
            seal-payload: ok: result: opened, authentic
            seal-payload: hint: ask the sender to seal to \
            nse1698ng0dyahgpa3fewzves6gac4xy6mwd5sgd6fp5ryt8qrl8ms5q9jymex, the current key

            """
        #expect(String(decoding: result.errors, as: UTF8.self) == expected)
        #expect(String(decoding: result.output, as: UTF8.self).hasPrefix(#"{"aps":{"alert":{"title":"Door""#))
        #expect(result.exitCode == 0)
    }

    @Test func `a payload that does not open is explained as far as public facts go`() throws {
        let bench = try Workbench()
        try bench.write(Self.key + "\n", to: "me.key")
        let result = try bench.run(
            ["open", "--explain", "-i", "me.key", "--topic", "com.example.chat"],
            input: Data(try Self.vector("base").utf8)
        )
        let expected = """
            seal-payload: ok: input: a bare text of 422 characters
            seal-payload: ok: format: wanted v1 or sealed-box, found v1
            seal-payload: ok: text: 422 characters, no defect
            seal-payload: ok: length: 314 bytes
            seal-payload: ok: kind: 1, HPKE to one recipient
            seal-payload: ok: flags: none
            seal-payload: ok: key id: wanted 8d96fecd12684c9d, held 8d96fecd12684c9d (current)
            seal-payload: ok: sender: anonymous
            seal-payload: unsure: topic: wanted what it was sealed for, given "com.example.chat"
            seal-payload: ok: collapse-id: not bound, not given
            seal-payload: ok: request-id: not bound, not given
            seal-payload: unsure: opening: not opened
            seal-payload: wrong: result: \(Self.notOpened)
            seal-payload: error: \(Self.notOpened)
            seal-payload: hint: the key id matches, so topic or bytes differ: check --topic first

            """
        #expect(String(decoding: result.errors, as: UTF8.self) == expected)
    }
}
