// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Errors and warnings for a `#selector` that cannot be resolved or called.
struct RemarkTests {
    /// The lines that stand for remarks: the place, then the text.
    private static func remarks(_ source: String) -> [String] {
        let text = RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? []
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.indices.filter { lines[$0].contains("#error(") || lines[$0].contains("#warning(") }
            .flatMap { lines[($0 - 1)...$0] }
    }

    @Test(arguments: [
        (
            "@objc func b() {}; @objc func b(c: C) {}", "b",
            "#error(\"there are several functions \\\"b\\\"; write its labels: b(), b(c:)\")"
        ),
        (
            "@objc func b(_ c: C) {}; @objc(d) func b(_ c: D) {}", "b(_:)",
            "#error(\"there are several functions \\\"b\\\"; tell them apart by \\\"as\\\" and the type: "
                + "#selector(b as (Type) -> Void)\")"
        ),
        (
            "@objc func b() async {}", "b",
            "#error(\"\\\"b()\\\" is async: a selector cannot name it here; name a function that calls it\")"
        ),
        (
            "@objc func b() throws {}", "b",
            "#error(\"\\\"b()\\\" throws: a selector cannot name it here; name a function that calls it\")"
        ),
        ("", "1 + 2", "#error(\"this #selector is not understood; write #selector(Type.function(label:))\")"),
        ("", "b()", "#error(\"this #selector is not understood; write #selector(Type.function(label:))\")"),
        ("", "", "#error(\"this #selector is not understood; write #selector(Type.function(label:))\")"),
        (
            "@objc func b(_ c: C, d: D, e: E) {}", "b",
            "#warning(\"\\\"b(_:d:e:)\\\" has more than two parameters: this selector can be named, but not called "
                + "here\")"
        ),
        (
            "@objc static func b() {}", "b",
            "#error(\"\\\"b()\\\" belongs to the class and not to an object: a selector cannot name it here; "
                + "name a function that calls it\")"
        ),
        (
            "@objc func b(_ c: inout C) {}", "b",
            "#error(\"\\\"b(_:)\\\" has a parameter or a result that no call by name can hand over: "
                + "a selector cannot name it here; name a function that calls it\")"
        ),
        (
            "class C<D> { @objc func b() {} }", "C.b",
            "#error(\"\\\"b()\\\" belongs to a type with type parameters or conditions: "
                + "a selector cannot name it here; name a function of another class\")"
        ),
        ("let b = 1", "setter: b", "#error(\"\\\"b\\\" has no setter that a selector could name\")"),
        (
            "@objc static var b = 1", "getter: b",
            "#error(\"\\\"b\\\" belongs to the class and not to an object: a selector cannot name it here\")"
        ),
        (
            "struct S { func d(_ e: E) {} }; class F { func d(_ e: E) async {} }", "c.d(_:)",
            "#warning(\"the sources have no function \\\"d\\\" that can be meant: this selector can be named, but not "
                + "called here; write its type: #selector(Type.d)\")"
        ),
        (
            "", "c.d(_:)",
            "#warning(\"the sources have no function \\\"d\\\" that can be meant: this selector can be named, but not "
                + "called here; write its type: #selector(Type.d)\")"
        ),
    ])
    func `a remark stands at the place of the expression`(member: String, argument: String, remark: String) {
        let source = "class A {\n\(member)\n  let x = #selector(\(argument)) }"
        #expect(Self.remarks(source) == ["#sourceLocation(file: \"a.swift\", line: 3)", "          " + remark])
    }

    @Test(arguments: [
        ("class A<B> {\n@IBOutlet var c: C! }", "\"c\\\" belongs to a type with type parameters or conditions"),
        ("class A {\n@IBAction func c(_ d: D, _ e: E, _ f: F) {} }", "\"c(_:_:_:)\\\" has more than two parameters"),
        ("class A {\n@IBOutlet static var c: C! }", "\"c\\\" belongs to the class and not to an object"),
    ])
    func `an outlet or action that no storyboard reaches is named`(source: String, reason: String) {
        #expect(
            Self.remarks(source) == [
                "#sourceLocation(file: \"a.swift\", line: 2)",
                "#warning(\"\\\(reason): no storyboard can reach it here\")",
            ]
        )
    }

    @Test func `a call of what the sources do not declare has the place of its expression`() {
        let text = RewrittenSources(["a.swift": Array("class A {\nlet x = #selector(b) }".utf8)]).texts["a.swift"] ?? []
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines[5] == "#sourceLocation(file: \"a.swift\", line: 2)")
        #expect(lines[6] == "ObjectiveCNames.register(\"b\", of: A.self) { object, _ in object.b() }")
        #expect(lines[7] == "#sourceLocation(file: \"a.swift (selectors)\", line: 6)")
    }

    @Test func `a remark is one only where its condition holds`() {
        let text = RewrittenSources(["a.swift": Array("#if x\nclass A { let b = #selector(1) }\n#endif".utf8)])
        let lines = String(decoding: text.texts["a.swift"] ?? [], as: UTF8.self).split(separator: "\n")
        #expect(lines.dropFirst(7).prefix(2) == ["#if x", "#sourceLocation(file: \"a.swift\", line: 2)"])
    }
}
