// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Build settings: variables, levels, conditions and configuration files.
@Suite struct SettingTests {
    @Test(
        "variables are replaced, with what stands behind their names",
        arguments: [
            ("$(A)-${A}-$A", "a b-a b-$A"), ("$(A:rfc1034identifier)", "a-b"), ("$(A:c99extidentifier)", "a_b"),
            ("$(A:upper:default=x)", "A B"), ("$(NONE:default=x)", "x"), ("$(EMPTY:default=x y)", "x y"),
            ("$(N_$(ONE))", "named"), ("$(P:file) $(P:base) $(P:dir) $(P:suffix)", "c.d c /b .d"),
            ("$(NONE)", "<NONE>"),
            ("$(A:wrong)", "<A:wrong>"), ("$(A", "$(A"), ("$()", "<>"), ("a$", "a$"), ("$(A)$(A)", "a ba b"),
            ("$(N_${ONE})", "named"),
        ]
    )
    func variables(text: String, value: String) {
        let values = ["A": "a b", "EMPTY": "", "ONE": "1", "N_1": "named", "P": "/b/c.d"]
        #expect(SettingText.expand(text, value: { values[$0] }, missing: { "<\($0)>" }) == value)
    }

    @Test("names in names are replaced to a depth of 16")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "$(", count: depth) + "A" + String(repeating: ")", count: depth)
        }
        #expect(SettingText.expand(nested(16), value: { _ in "A" }, missing: { _ in "" }) == "A")
        #expect(SettingText.expand(nested(17), value: { $0 }, missing: { _ in "" }).contains("$"))
    }

    @Test("a higher level counts, and takes in what lies below")
    func levels() throws {
        let levels = SettingLevels([
            ["FLAGS": "a", "NAME": "low", "OWN": "x"], ["FLAGS": "$(inherited) b", "BOTH": "$(NAME) $(FLAGS)"],
            ["FLAGS": "$(inherited) c", "NAME": "high", "OWN": "$(OWN) y"],
            ["NONE": "<$(NOBODY)>", "TOP": "$(inherited)"],
        ])
        #expect(
            try levels.values() == [
                "FLAGS": "a b c", "NAME": "high", "OWN": "x y", "BOTH": "high a b c", "NONE": "<>", "TOP": "",
            ]
        )
    }

    @Test("settings that lead back to themselves end, and a value that grows without end is refused")
    func circles() throws {
        #expect(try SettingLevels([["A": "1$(B)", "B": "2$(A)"]]).values()["A"] == "12")
        var doubling = ["S0": "12345678"]
        for number in 1...40 { doubling["S\(number)"] = "$(S\(number - 1))$(S\(number - 1))" }
        #expect(
            throws: CommandError(
                "the build setting S14 has 131072 bytes, at most 65536 are possible",
                hint: "look for settings that name each other more than once"
            )
        ) { try SettingLevels([doubling]).values() }
    }

    @Test("settings may stand in a row of 256, and their texts and variables have bounds")
    func bounds() throws {
        func row(_ count: Int) -> SettingLevels {
            // The last one in the alphabet is asked for first behind nothing that is known.
            SettingLevels([
                Dictionary(
                    uniqueKeysWithValues: (0..<count).map { ("S\(2000 - $0)", $0 == 0 ? "x" : "$(S\(2001 - $0))") }
                )
            ])
        }
        #expect(try row(256).values().values.allSatisfy { $0 == "x" })
        let error = #expect(throws: CommandError.self) { try row(257).values() }
        #expect(error?.hint == "look for settings that name each other in a row")
        let text = String(repeating: "a", count: 64 << 10)
        #expect(try SettingLevels([["A": text]]).values() == ["A": text])
        #expect(throws: CommandError.self) { try SettingLevels([["A": text + "a"]]).values() }
        let name = String(repeating: "n", count: 509)
        #expect(SettingText.expand("$(\(name))", value: { _ in "value" }, missing: { _ in "" }) == "value")
        #expect(SettingText.expand("$(\(name)n)", value: { _ in "value" }, missing: { _ in "" }) == "$(\(name)n)")
    }

    @Test("of settings with conditions the one that says most counts, and those of other machines do not")
    func conditions() {
        let release = SettingConditions(configuration: "Release")
        let level = release.level([
            ("A", "plain"), ("A[sdk=iphonesimulator*]", "simulator"), ("B[sdk=iphoneos*]", "phone"), ("B", "plain"),
            ("C[config=Debug]", "debug"), ("D[sdk=iphoneos*][arch=arm64]", "both"), ("D[sdk=*]", "one"),
            ("E[sdk=iphoneos*,arch=arm64]", "joined"), ("F[variant=normal]", "first"), ("F[arch=*]", "second"),
            ("G[nonsense]", "x"),
        ])
        #expect(level == ["A": "plain", "B": "phone", "D": "both", "E": "joined", "F": "second"])
    }
}

/// Files of build settings.
@Suite final class ConfigurationFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID().uuidString)")
        .resolvingSymlinksInPath()

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, _ name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    @Test("assignments, comments and included files are read in their order")
    func reads() throws {
        _ = try write("A = below\nB = below // a comment\n", "More/Below.xcconfig")
        let text = """
            #include "More/Below.xcconfig"
            #include? "Secret.xcconfig"
            A = own
            URL = https:/$()/example.com // what comes here is none of it
            C[sdk=iphoneos*] = a = b;
            D=
            """
        let file = try ConfigurationFile(at: write(text, "Own.xcconfig"))
        #expect(file.warnings.isEmpty)
        #expect(
            file.assignments.map { "\($0.name)=\($0.value)" } == [
                "A=below", "B=below", "A=own", "URL=https:/$()/example.com", "C[sdk=iphoneos*]=a = b", "D=",
            ]
        )
    }

    @Test("lines that are none and files that are missing are named")
    func warns() throws {
        let file = try write("no assignment\n#include \"None.xcconfig\"\n#include None\n= x\nA = 1\n", "Own.xcconfig")
        let read = try ConfigurationFile(at: file)
        #expect(read.assignments.map(\.name) == ["A"])
        #expect(
            read.warnings == [
                "\(file.path):1: neither NAME = VALUE nor #include \"FILE\", and left out",
                "\(file.path):2: \"None.xcconfig\" does not exist, and its settings are missing",
                "\(file.path):3: #include names no file in quotes, and is left out",
                "\(file.path):4: neither NAME = VALUE nor #include \"FILE\", and left out",
            ]
        )
    }

    @Test("files that include each other, and too many, are refused")
    func circles() throws {
        let one = try write("#include \"Two.xcconfig\"\n", "One.xcconfig")
        let two = try write("#include \"One.xcconfig\"\n", "Two.xcconfig")
        let hint = "take the #include out that closes the circle"
        #expect(
            throws: CommandError("\(two.path): \"\(one.path)\" includes itself, or more than 256 files", hint: hint)
        ) { try ConfigurationFile(at: one) }
        _ = try write("A = 1\n", "Leaf.xcconfig")
        let wide = { count in String(repeating: "#include \"Leaf.xcconfig\"\n", count: count) }
        #expect(try ConfigurationFile(at: write(wide(255), "Wide.xcconfig")).assignments.count == 255)
        #expect(throws: CommandError.self) { try ConfigurationFile(at: write(wide(256), "Wider.xcconfig")) }
    }
}
