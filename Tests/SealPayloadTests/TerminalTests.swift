// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Names that others may have written: on a terminal their control characters are escaped.
struct TerminalTests {
    /// A name that would turn red, forge a line, turn around and hide.
    private static let name = "\u{1B}[31m\nsize: 1\u{9B}\u{202E}\u{2028}"
    private static let spelt = #"\u{1b}[31m\u{a}size: 1\u{9b}\u{202e}\u{2028}"#
    private static let body = Data(#"{"\u001b[31m\nsize: 1\u009b\u202e\u2028":1,"encrypted-content":"v1.AAAA"}"#.utf8)

    @Test func `the names in a body move nothing`() throws {
        let bench = try Workbench()
        let checked = try bench.run(["check"], input: Self.body)
        #expect(String(decoding: checked.output, as: UTF8.self).contains("\n  \(Self.spelt): "))
        let opened = try bench.run(
            ["open", "--explain", "-i", "recipient.key", "--topic", "t"],
            input: Self.body
        )
        let errors = String(decoding: opened.errors, as: UTF8.self)
        #expect(errors.contains(#"a JSON body with "\#(Self.spelt)", "encrypted-content""# + "\n"))
    }

    @Test func `a file's name moves nothing either`() throws {
        let result = try Workbench().run(["check", Self.name])
        let expected = "seal-payload: error: \"\(Self.spelt)\": no such file or directory\n"
        #expect(String(decoding: result.errors, as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            (["--pad", "9999"], "--pad is too large for APNs", "there is room for --pad 2945", 3),
            (["-f", ""], "the fallback is empty", "nothing is opened where nothing can be shown; see -f", 2),
        ] as [([String], String, String, Int32)]
    )
    func `an option is blamed for what it asks`(
        _ options: [String],
        _ error: String,
        _ hint: String,
        _ exitCode: Int32
    ) throws {
        let bench = try Workbench()
        let result = try bench.run(
            ["-R", "recipient.pub", "--topic", "t"] + options,
            input: Data(#"{"body":"b"}"#.utf8)
        )
        #expect(result.output.isEmpty)
        let expected = "seal-payload: error: \(error)\nseal-payload: hint: \(hint)\n"
        #expect(String(decoding: result.errors, as: UTF8.self) == expected)
        #expect(result.exitCode == exitCode)
    }
}
