// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The programs of Examples/senders, and what Python and this command make of each other's messages.
@Suite(.timeLimit(.minutes(10)))
struct SenderTests {
    private static let folder = repository.appending(path: "Examples/senders")
    private static let content = #"{"title":"Tür","body":"Offen"}"#
    private static let opened = #"{"aps":{"alert":{"title":"Tür","body":"Offen"}},"encryption":"#
    /// The id of the example sender's key.
    private static let sender = "3fdd0467cb067ced"

    private let bench: Workbench
    private let recipient: String
    private let senderKey: String

    init() throws {
        bench = try Workbench()
        (recipient, senderKey) = (try bench.words("{recipient.pub}")[0], try bench.words("{sender.pub}")[0])
    }

    /// Runs a sender and hands what it prints to `seal-payload open`.
    private func check(
        _ program: URL?,
        _ arguments: [String],
        open options: [String],
        seal: String
    ) throws {
        let sealed = try bench.run(try #require(program), arguments, input: Data(Self.content.utf8))
        #expect(String(decoding: sealed.errors, as: UTF8.self) == "")
        #expect(sealed.exitCode == 0)
        let opened = try bench.run(["open", "--topic", "com.example.chat"] + options, input: sealed.output)
        #expect(String(decoding: opened.output, as: UTF8.self) == Self.opened + seal + "}\n")
        #expect(String(decoding: opened.errors, as: UTF8.self) == "")
    }

    private func script(_ name: String) -> String { Self.folder.appending(path: name).path }

    private static func seal(_ format: String, sender: String? = nil) -> String {
        let name = sender.map { #""\#($0)""# } ?? "null"
        return #"{"format":"\#(format)","authenticated":\#(sender != nil),"sender":\#(name)}"#
    }

    // MARK: Sealed there, opened here

    @Test(.enabled(if: Python.sodium != nil, "no python3 with nacl (Debian: python3-nacl)"))
    func `a sealed box of Python opens`() throws {
        try check(
            Python.sodium,
            [script("sealed_box.py"), recipient],
            open: ["-i", "recipient.key"],
            seal: Self.seal("sealed-box")
        )
    }

    @Test(.enabled(if: Python.sodium != nil, "no python3 with nacl (Debian: python3-nacl)"))
    func `a box of Python opens where its sender is known`() throws {
        try check(
            Python.sodium,
            [script("box.py"), "sender.key", recipient],
            open: ["-i", "recipient.key", "--accept", "box", "--sender", senderKey],
            seal: Self.seal("box", sender: Self.sender)
        )
    }

    static let envelopes: [(options: [String], open: [String], sender: String?)] = [
        ([], [], nil),
        (["--collapse-id", "door"], ["--collapse-id", "door"], nil),
        (["--sender", "sender.key"], ["--sender", "{sender.pub}"], sender),
        (
            ["--sender", "sender.key", "--collapse-id", "tür", "--ttl", "60"],
            ["--sender", "{sender.pub}", "--collapse-id", "tür"], sender
        ),
    ]

    @Test(
        .enabled(if: Python.cryptography != nil, "no python3 with cryptography (Debian: python3-cryptography)"),
        arguments: envelopes.indices
    )
    func `an envelope of Python opens`(_ index: Int) throws {
        try checkEnvelope("v1.py", Python.cryptography, Self.envelopes[index])
    }

    @Test(
        .enabled(if: Python.hpke != nil, "no python3 with pyhpke: scripts/clients installs it"),
        arguments: envelopes.indices
    )
    func `an envelope of pyhpke opens`(_ index: Int) throws {
        try checkEnvelope("v1_pyhpke.py", Python.hpke, Self.envelopes[index])
    }

    private func checkEnvelope(
        _ name: String,
        _ python: URL?,
        _ envelope: (options: [String], open: [String], sender: String?)
    ) throws {
        try check(
            python,
            [script(name), "--topic", "com.example.chat"] + envelope.options + [recipient],
            open: ["-i", "recipient.key"] + envelope.open.flatMap { try bench.words($0) },
            seal: Self.seal("v1", sender: envelope.sender)
        )
    }

    @Test(arguments: [16, 24, 32])
    func `what openssl encrypts opens, and nobody vouches for it`(_ keyLength: Int) throws {
        let key = String("bark key of thirty-two characters".replacing(" ", with: ".").prefix(keyLength))
        try Data("\(key)\n".utf8).write(to: bench.folder.appending(path: "bark"))
        try Data("bark-cbc: \(key)\n".utf8).write(to: bench.folder.appending(path: "bark.key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bench.path("bark.key"))
        try check(
            URL(filePath: "/bin/sh"),
            [script("bark.sh"), "bark"],
            open: ["-i", "bark.key", "--accept", "bark-cbc"],
            seal: Self.seal("bark-cbc")
        )
    }

    @Test func `a shell seals and posts, and posts nothing that it could not seal`() throws {
        // A curl that writes down what it is given.
        let fake = "#!/bin/sh\necho \"$@\" >arguments\ncat\n"
        let curl = bench.folder.appending(path: "curl")
        try Data(fake.utf8).write(to: curl)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl.path)
        let url = "http://127.0.0.1:2197/3/device/00"
        let shell = URL(filePath: "/bin/sh")
        let posted = try bench.run(
            shell,
            [script("post.sh"), url, "com.example.chat", recipient, "-s", "sender.key"],
            input: Data(Self.content.utf8),
            path: bench.folder.path
        )
        #expect(posted.exitCode == 0)
        let arguments = try String(contentsOf: bench.folder.appending(path: "arguments"), encoding: .utf8)
        #expect(
            arguments == "--fail --silent --show-error --http2-prior-knowledge -H apns-topic: com.example.chat "
                + "--data-binary @- \(url)\n"
        )
        let opened = try bench.run(
            ["open", "-i", "recipient.key", "--sender", senderKey, "--topic", "com.example.chat"],
            input: posted.output
        )
        #expect(String(decoding: opened.output, as: UTF8.self).hasPrefix(Self.opened))

        try FileManager.default.removeItem(atPath: bench.path("arguments"))
        let failed = try bench.run(
            shell,
            [script("post.sh"), url, "com.example.chat", recipient],
            input: Data("no JSON".utf8),
            path: bench.folder.path
        )
        #expect(failed.exitCode == 1)
        #expect(!FileManager.default.fileExists(atPath: bench.path("arguments")))
    }

    // MARK: Sealed here, opened there

    @Test(
        .enabled(if: Python.both != nil, "no python3 with nacl and cryptography"),
        arguments: [
            (["--topic", "com.example.chat"], []),
            (["--topic", "com.example.chat", "--pad", "none", "--ttl", "10m"], []),
            (["--topic", "com.example.chat", "--pad", "max", "--collapse-id", "door"], ["--collapse-id", "door"]),
            (["--topic", "com.example.chat", "-s", "sender.key"], ["--sender", "{sender.pub}"]),
            (
                ["--topic", "com.example.chat", "-s", "sender.key", "--collapse-id", "door"],
                ["--sender", "{sender.pub}", "--collapse-id", "door"]
            ),
            (["--format", "sealed-box"], []),
        ]
    )
    func `what is sealed here opens in Python`(_ options: [String], _ open: [String]) throws {
        let sealed = try bench.run(["-r", recipient] + options, input: Data(Self.content.utf8))
        #expect(sealed.exitCode == 0)
        let opened = try bench.run(
            try #require(Python.both),
            [script("receive.py"), "--topic", "com.example.chat", "--key", "recipient.key"]
                + open.flatMap { try bench.words($0) },
            input: sealed.output
        )
        #expect(String(decoding: opened.errors, as: UTF8.self) == "")
        #expect(
            String(decoding: opened.output, as: UTF8.self) == Self.content + "\n"
        )
    }

    @Test(
        .enabled(if: Python.both != nil, "no python3 with nacl and cryptography"),
        arguments: [
            (["--topic", "com.example.other"], "notOpened"),
            (["--topic", "com.example.chat", "--collapse-id", "door"], "contextMissing"),
            (["--topic", "com.example.chat", "-s", "sender.key"], "unknownSender"),
        ]
    )
    func `what must not open does not open in Python either`(_ options: [String], _ error: String) throws {
        let sealed = try bench.run(["-r", recipient] + options, input: Data(Self.content.utf8))
        let opened = try bench.run(
            try #require(Python.both),
            [script("receive.py"), "--topic", "com.example.chat", "--key", "recipient.key"],
            input: sealed.output
        )
        #expect(String(decoding: opened.errors, as: UTF8.self) == "receive: error: \(error)\n")
        #expect(opened.output.isEmpty)
        #expect(opened.exitCode == 1)
    }

    // MARK: The second implementation

    @Test(.enabled(if: Python.both != nil, "no python3 with nacl and cryptography"))
    func `the vectors are what the second implementation writes`() throws {
        let script = repository.appending(path: "Tests/Vectors/make-vectors.py").path
        let checked = try bench.run(try #require(Python.both), [script, "--check"])
        #expect(String(decoding: checked.errors, as: UTF8.self) == "")
        #expect(checked.exitCode == 0)
        print("second implementation: " + String(decoding: checked.output, as: UTF8.self), terminator: "")
    }
}
