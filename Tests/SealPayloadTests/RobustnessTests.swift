// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The output and the files that the command leaves behind when something around it fails.
struct RobustnessTests {
    private static let seal = "seal-payload -R recipient.pub --topic t"
    private static let line = #"{"body":"b"}"#

    private func check(
        _ lines: String,
        input: String = line,
        errors: String,
        exitCode: Int32,
        in bench: Workbench? = nil
    ) throws {
        let bench = if let bench { bench } else { try Workbench() }
        let result = try bench.shell(lines, input: Data(input.utf8))
        #expect(String(decoding: result.errors, as: UTF8.self) == errors)
        #expect(result.exitCode == exitCode)
    }

    // MARK: Output

    @Test(arguments: ["", " --batch"])
    func `a full disk is an error`(_ option: String) throws {
        try check(
            "\(Self.seal)\(option) >/dev/full",
            errors: "seal-payload: error: standard output: no space left on device\n",
            exitCode: 1
        )
        try check(
            "\(Self.seal)\(option) -o /dev/full",
            errors: "seal-payload: error: \"/dev/full\": no space left on device\n",
            exitCode: 1
        )
        try check(
            "seal-payload keygen >/dev/full",
            errors: "seal-payload: error: key file \"-\": no space left on device\n",
            exitCode: 1
        )
        try check(
            "seal-payload --help >/dev/full",
            errors: "seal-payload: error: standard output: no space left on device\n",
            exitCode: 1
        )
    }

    @Test(arguments: ["", " --batch"])
    func `a closed output is an error, and no key file takes its place`(_ option: String) throws {
        try check(
            "\(Self.seal)\(option) -s sender.key >&-",
            errors: "seal-payload: error: standard output: bad file descriptor\n",
            exitCode: 1
        )
        try check(
            "\(Self.seal)\(option) <&-",
            errors: "seal-payload: error: standard input: bad file descriptor\n",
            exitCode: 1
        )
        try check("\(Self.seal)\(option) >sealed 2>&-; test -s sealed", errors: "", exitCode: 0)
    }

    @Test(arguments: ["", " --batch"])
    func `a reader that is gone is an error, not a signal`(_ option: String) throws {
        try check(
            "exec 3> >(exit 0); wait $!; \(Self.seal)\(option) >&3",
            errors: "seal-payload: error: standard output: broken pipe\n",
            exitCode: 1
        )
    }

    @Test func `a file is replaced when all is sealed, with its mode, through a link`() throws {
        let bench = try Workbench()
        try bench.write("old", to: "body.json", mode: 0o640)
        try check("ln -s body.json link; \(Self.seal) -o link", errors: "", exitCode: 0, in: bench)
        #expect(try bench.text(of: "body.json").hasPrefix(#"{"aps":"#))
        try check("test -L link; stat -c %a body.json; ls", errors: "", exitCode: 0, in: bench)
        let mode = try FileManager.default.attributesOfItem(atPath: bench.path("body.json"))[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test(
        arguments: [
            ("{", 1), (#"{"body":"\#(String(repeating: "x", count: 4000))"}"#, 3),
            (#"{"aps":{},"encrypted-content":""}"#, 1),
        ] as [(String, Int32)]
    )
    func `a file keeps what it has when not all is sealed`(_ input: String, _ exitCode: Int32) throws {
        let bench = try Workbench()
        try bench.write("old", to: "body.json")
        let result = try bench.shell("\(Self.seal) -R sender.pub -o body.json", input: Data(input.utf8))
        #expect(result.exitCode == exitCode)
        #expect(try bench.text(of: "body.json") == "old")
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(!names.contains { $0.hasPrefix("body.json.") })
    }

    @Test func `a batch replaces its file with everything, errors in place`() throws {
        let bench = try Workbench()
        try bench.write("old", to: "bodies")
        try check(
            "\(Self.seal) --batch -o bodies",
            input: "\(Self.line)\n[\n\(Self.line)",
            errors: """
                seal-payload: error: 1 of 3 lines failed
                seal-payload: hint: an {"error":…} line stands in the place of each

                """,
            exitCode: 1,
            in: bench
        )
        let lines = try bench.text(of: "bodies").split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.map { $0.hasPrefix(#"{"error":"line 2 "#) } == [false, true, false])
    }

    // MARK: Batch

    @Test func `a line too long is its own error, and takes no memory`() throws {
        let bench = try Workbench()
        // 48 MiB of data in all; the line has 100.
        let result = try bench.shell(
            """
            ulimit -d 49152
            { echo '\(Self.line)'; head -c 104857600 /dev/zero | tr '\\0' x; echo; echo '\(Self.line)'; } |
              \(Self.seal) --batch
            """
        )
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.dropFirst().first == #"{"error":"line 2 is longer than 65536 bytes"}"#)
        #expect(lines.last?.hasPrefix(#"{"aps":"#) == true)
        #expect(result.exitCode == 1)
    }

    @Test func `an answer comes as soon as the input pauses`() throws {
        let bench = try Workbench()
        let result = try bench.shell(
            """
            coproc \(Self.seal) --batch
            for body in one two three; do
              printf '{"body":"%s"}\\n' $body >&${COPROC[1]}
              read -r -t 20 line <&${COPROC[0]}
              seal-payload open -i recipient.key --topic t <<<"$line"
            done
            """
        )
        let bodies = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: "\"").dropFirst(7).first
        }
        #expect(bodies == ["one", "two", "three"])
        #expect(result.exitCode == 0)
    }

    @Test func `the order stays over many lines and reads`() throws {
        let bench = try Workbench()
        let input = (0..<3000).map { #"{"body":"\#($0)"}"# }.joined(separator: "\n")
        let result = try bench.shell(
            "seal-payload -R recipient.pub --format sealed-box --batch | "
                + "seal-payload open -i recipient.key --topic t --batch | "
                + "grep -o '\"body\":\"[0-9]*\"' | tr -dc '0-9\\n'",
            input: Data(input.utf8)
        )
        let numbers = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { Int($0) }
        #expect(numbers == (0..<3000).map { $0 })
    }

    // MARK: Rotation

    private static let keys = "seal-payload keygen -y recipient.key 2>/dev/null"
    private static let strace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    @Test func `a rotation that cannot write leaves the old file`() throws {
        let bench = try Workbench()
        let before = try bench.text(of: "recipient.key")
        let result = try bench.shell("ulimit -c 0 -f 0; exec seal-payload keygen --rotate recipient.key")
        // 1, or the signal where it is not ignored.
        #expect([1, -SIGXFSZ].contains(result.exitCode))
        #expect(try bench.text(of: "recipient.key") == before)
        try check(
            """
            seal-payload keygen --rotate recipient.key 2>/dev/null
            test $(\(Self.keys) | wc -l) = 2
            test -z "$(ls -A | grep successor)"
            """,
            errors: "",
            exitCode: 0,
            in: bench
        )
    }

    /// The first fsync is that of the file, the second that of its folder.
    @Test(
        .enabled(if: strace, "no strace"),
        arguments: ["write:when=1", "fsync:when=1", "rename:when=1", "fsync:when=2"]
    )
    func `a rotation that is killed leaves the old file or the new one`(_ place: String) throws {
        let bench = try Workbench()
        let (call, when) = (place.prefix { $0 != ":" }, place.drop { $0 != ":" })
        let killed = try bench.shell(
            "ulimit -c 0; strace -qq -o trace -e trace=\(call) -e inject=\(call):signal=KILL\(when) "
                + "seal-payload keygen --rotate recipient.key"
        )
        #expect(killed.exitCode != 0)
        let count = String(decoding: try bench.shell("\(Self.keys) | wc -l").output, as: UTF8.self)
        #expect(["1\n", "2\n"].contains(count))
        #expect(try bench.shell("seal-payload keygen --rotate recipient.key").exitCode == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(!names.contains { $0.hasSuffix(".successor") })
    }

    @Test func `of rotations at once each succeeds or is refused, and no key is lost`() throws {
        let bench = try Workbench()
        let result = try bench.shell(
            """
            for i in 1 2 3 4 5 6 7 8; do
              { seal-payload keygen --rotate recipient.key 2>err.$i ||
                  grep -q 'is being changed by another process' err.$i
                echo $? >code.$i; } &
            done
            wait
            cat code.*
            cat err.* | grep -c 'public key: ' | sed 's/^/made /'
            echo held $(\(Self.keys) | wc -l)
            """
        )
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.prefix(8).allSatisfy { $0 == "0" })
        let made = lines.first { $0.hasPrefix("made ") }.flatMap { Int($0.dropFirst(5)) }
        let held = lines.first { $0.hasPrefix("held ") }.flatMap { Int($0.dropFirst(5)) }
        #expect((made ?? 0) >= 1)
        #expect(held == made.map { $0 + 1 })
    }

    @Test func `what was sealed before a rotation opens after it, and not after the key is pruned`() throws {
        let bench = try Workbench()
        let result = try bench.shell(
            """
            \(Self.seal) >before
            seal-payload keygen --rotate recipient.key 2>/dev/null
            seal-payload open -i recipient.key --topic t --explain before 2>&1 >/dev/null | grep retired
            sed -i 's/ retired=.*/ retired=2020-01-01T00:00:00Z/' recipient.key
            seal-payload keygen --prune recipient.key
            seal-payload open -i recipient.key --topic t before
            """,
            input: Data(Self.line.utf8)
        )
        let id = "ce45defd341d208d"
        let output = String(decoding: result.output, as: UTF8.self)
        #expect(output.contains("\(id) (retired 20"))
        #expect(output.contains("seal-payload: ok: opening: opened, with a retired key\n"))
        let errors = String(decoding: result.errors, as: UTF8.self)
        #expect(
            errors.hasPrefix(
                "seal-payload: deleted: \(id)\n"
                    + "seal-payload: error: no key matches, sealed to key id \(id), which was deleted on 20"
            )
        )
        #expect(result.exitCode == 4)
    }
}
