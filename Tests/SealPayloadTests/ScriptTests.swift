// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The promises of the command, as a user meets them.
struct ScriptTests {
    @Test func `there are scripts`() {
        #expect(Script.all.count >= 6)
    }

    @Test(.timeLimit(.minutes(10)), arguments: Script.all)
    func `a script runs as written`(_ script: Script) throws {
        let bench = try Workbench()
        for step in script.steps {
            let input = try step.inputFile.map { try Data(contentsOf: bench.folder.appending(path: $0)) }
            var words = try bench.words(step.command)
            #expect(words.removeFirst() == "seal-payload")
            let result = try bench.run(words, input: input ?? Data(step.input.utf8))
            let place: Comment = "\(script.name), line \(step.line)"
            if let file = step.outputFile {
                try result.output.write(to: bench.folder.appending(path: file))
            } else {
                #expect(String(decoding: result.output, as: UTF8.self) == step.output, place)
            }
            #expect(String(decoding: result.errors, as: UTF8.self) == step.errors, place)
            #expect(result.exitCode == step.exitCode, place)
        }
    }

    @Test func `a body fills 4096 bytes to the last, and one byte more is too large`() throws {
        let bench = try Workbench()
        let recipient = try bench.words("{recipient.pub}")[0]
        // 88 bytes around the text, a line feed, "v1." and 72 bytes of envelope; 11 bytes around the body.
        let refusal = """
            seal-payload: error: the payload is 1 byte too large for APNs: it has 2932, there is room for 2931
            seal-payload: hint: shorten it, or send less in the clear

            """
        for (bodyByteCount, exitCode, size, errors) in [
            (2931 - 11, Int32(0), 4096, ""), (2932 - 11, 3, 0, refusal),
        ] {
            let content = #"{"body":"\#(String(repeating: "x", count: bodyByteCount))"}"#
            let result = try bench.run(
                ["-r", recipient, "--topic", "com.example.chat"],
                input: Data(content.utf8)
            )
            #expect(result.exitCode == exitCode)
            #expect(result.output.count == size)
            #expect(String(decoding: result.errors, as: UTF8.self) == errors)
        }
    }

    @Test func `a new key file is private and its public half opens what is sealed to it`() throws {
        let bench = try Workbench()
        let made = try bench.run(["keygen", "-o", "new.key"])
        #expect(made.exitCode == 0)
        #expect(made.output.isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: bench.path("new.key"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let shown = try bench.run(["keygen", "-y", "new.key"]).output
        let key = String(decoding: shown, as: UTF8.self).trimmingCharacters(in: .newlines)
        #expect(String(decoding: made.errors, as: UTF8.self) == "seal-payload: public key: \(key)\n")

        let sealed = try bench.run(["-r", key, "--topic", "t"], input: Data(#"{"body":"b"}"#.utf8))
        let opened = try bench.run(["open", "-i", "new.key", "--topic", "t"], input: sealed.output)
        #expect(String(decoding: opened.output, as: UTF8.self).hasPrefix(#"{"aps":{"alert":{"body":"b"}},"#))
    }

    @Test func `a key on standard output is a key file, and can be read back`() throws {
        let bench = try Workbench()
        let made = try bench.run(["keygen"])
        let shown = try bench.run(["keygen", "-y"], input: made.output)
        #expect(Data("seal-payload: public key: ".utf8) + shown.output == made.errors)
    }

    @Test func `key files readable by others are refused with the way out`() throws {
        let bench = try Workbench()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: bench.path("recipient.key"))
        let result = try bench.run(["open", "-i", "recipient.key", "--topic", "t"])
        let expected = """
            seal-payload: error: key file "recipient.key" can be read by others
            seal-payload: hint: chmod 600 recipient.key

            """
        #expect(String(decoding: result.errors, as: UTF8.self) == expected)
        #expect(result.exitCode == 1)
    }

    @Test(arguments: [
        ["-r", "{secret}", "--topic", "t"], ["open", "-i", "recipient.key", "--sender", "{secret}", "--topic", "t"],
    ])
    func `a secret key in the wrong place is never repeated`(_ arguments: [String]) throws {
        let bench = try Workbench()
        let file = try String(contentsOfFile: bench.path("recipient.key"), encoding: .utf8)
        let secret = String(try #require(file.split(separator: "\n").last))
        let result = try bench.run(arguments.map { $0 == "{secret}" ? secret : $0 })
        let errors = String(decoding: result.errors, as: UTF8.self)
        #expect(errors.hasSuffix("seal-payload: hint: that is a secret key; pass the public one\n"))
        #expect(!errors.contains(secret.dropFirst(20).prefix(8)))
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 2)
    }

    @Test func `help goes to standard output and names every exit code`() throws {
        let result = try Workbench().run(["--help"])
        #expect(result.exitCode == 0)
        #expect(result.errors.isEmpty)
        let text = String(decoding: result.output, as: UTF8.self)
        for code in ["0 done", "1 refused or not opened", "2 usage", "3 too large for APNs", "4 no key matches"] {
            #expect(text.contains(code))
        }
    }

    @Test func `several recipients get a line each`() throws {
        let bench = try Workbench()
        let keys = try bench.words("{recipient.pub} {sender.pub}")
        let sealed = try bench.run(
            ["-r", keys[0], "-R", "sender.pub", "--topic", "t"],
            input: Data(#"{"body":"b"}"#.utf8)
        )
        let lines = String(decoding: sealed.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        for (line, key) in zip(lines, ["recipient.key", "sender.key"]) {
            #expect(try bench.run(["open", "-i", key, "--topic", "t"], input: Data(line.utf8)).exitCode == 0)
        }
    }
}
