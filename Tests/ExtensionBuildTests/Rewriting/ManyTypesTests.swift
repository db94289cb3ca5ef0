// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Sources with thousands of classes, protocols and members, which have to cost as much as they are long.
///
/// Whoever compares each with each other does not come to an end within the limit of time.
struct ManyTypesTests {
    private static func text(_ source: String) -> String {
        String(decoding: RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? [], as: UTF8.self)
    }

    /// The lines that say that a class has what a requirement asks for.
    private static func conformances(_ source: String) -> [String] {
        text(source).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("extension ") && $0.hasSuffix(" {}") }
    }

    private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map(line).joined(separator: "\n")
    }

    @Test(.timeLimit(.minutes(1))) func `thousands of protocols and classes share the name of a function`() {
        let source = Self.lines(3_000) {
            "@objc protocol P\($0) { @objc optional func f() }\nclass C\($0): P\($0) { func f() {} }"
        }
        let expected = (0..<3_000).map { "extension C\($0): _ExtensionHostOptional0_\($0 * 2)_0 {}" }
        #expect(Self.conformances(source) == expected)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["class C#: P { func f%(a: Int) {} }", "class C# {}\nextension C#: P { func f%(a: Int) {} }"]
    )
    func `thousands of classes have one of a thousand requirements each`(piece: String) {
        let source =
            "@objc protocol P {\n" + Self.lines(1_000) { "@objc optional func f\($0)(a: Int)" } + "\n}\n"
            + Self.lines(2_000) { piece.replacing("#", with: "\($0)").replacing("%", with: "\($0 % 1_000)") }
        let expected = (0..<2_000).map { "extension C\($0): _ExtensionHostOptional0_0_\($0 % 1_000) {}" }
        #expect(Self.conformances(source).sorted() == expected.sorted())
    }

    @Test(.timeLimit(.minutes(1))) func `thousands of classes stand on one that has nothing of a protocol`() {
        let source =
            "class B {\n" + Self.lines(1_000) { "func g\($0)() {}" } + "}\n@objc protocol P {\n"
            + Self.lines(1_000) { "@objc optional func f\($0)()" } + "\n}\n"
            + Self.lines(3_000) { "class C\($0): B, P {}" }
        #expect(Self.conformances(source).isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `thousands of classes stand on one with type parameters`() {
        let source =
            "class G<T> {\n" + Self.lines(1_000) { "@objc func g\($0)() {}" } + "}\n"
            + Self.lines(2_000) { "class C\($0): G<Int> {}" }
        #expect(Self.text(source).matches(of: /C[0-9]+\._extensionHostNames0_0\(\)\n/).count == 2_000)
    }

    @Test func `a class with more protocols than are looked at is an error`() {
        func source(_ count: Int) -> String {
            Self.lines(count) { "@objc protocol P\($0) { @objc optional func f() }" }
                + "\nclass C {}\n" + Self.lines(count) { "extension C: P\($0) {}" }
        }
        #expect(!Self.text(source(Conformances.limit)).contains("#error"))
        let text = Self.text(source(Conformances.limit + 1))
        #expect(text.matches(of: /#error/).count == 1)
        #expect(
            text.contains(
                "#sourceLocation(file: \"a.swift\", line: \(Conformances.limit + 2))\n#error(\"\\\"C\\\" has more than "
                    + "64 protocols whose requirements may be left out; let other types have some of them\")"
            )
        )
    }

    @Test(.timeLimit(.minutes(1))) func `more members for requirements than are looked at are one error`() {
        let source =
            "class B {\n" + Self.lines(300) { "func f\($0)() {}" } + "}\n@objc protocol P {\n"
            + Self.lines(300) { "@objc optional func f\($0)()" } + "\n}\n"
            + Self.lines(300) { "class C\($0): B, P {}" }
        let text = Self.text(source)
        #expect(text.matches(of: /#error/).count == 1)
        #expect(
            text.contains("is where the classes have more than 65536 members for requirements that may be left out")
        )
        #expect(Self.conformances(source).count == RequirementMatches.limit)
    }

    @Test func `protocols that stand on one another in a circle come to an end`() {
        let source =
            "@objc protocol P: Q { @objc optional func f() }\n@objc protocol Q: P { @objc optional func g() }\n"
            + "class C: P { func f() {}\nfunc g() {} }"
        #expect(
            Self.conformances(source) == [
                "extension C: _ExtensionHostOptional0_0_0 {}", "extension C: _ExtensionHostOptional0_1_0 {}",
            ]
        )
    }
}
