// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The code behind the last line of a source.
struct NamesTableTests {
    /// The lines behind the author's, without the first, which names the file.
    private static func table(_ source: String, others: [String: String] = [:]) -> [String] {
        var sources = others
        sources["a.swift"] = source
        let text = RewrittenSources(sources.mapValues { Array($0.utf8) }).texts["a.swift"] ?? []
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "#sourceLocation(file: \"a.swift (selectors)\", line: 1)" }.dropFirst().dropLast()
            .map(String.init)
    }

    private static func registrations(_ source: String) -> [String] {
        table(source).filter { $0.hasPrefix("ObjectiveCNames") }
    }

    @Test func `a class is told with its functions and outlets, and the file's function calls it`() {
        let source = """
            class A: B {
                @IBOutlet private weak var logo: C!
                @IBAction private func tapped(_ sender: D) {}
                func notNamed() {}
            }
            """
        #expect(
            Self.table(source) == [
                "extension A {",
                "fileprivate static func _extensionHostNames0_0() {",
                "ObjectiveCNames.register(\"tapped:\", of: A.self) "
                    + "{ object, arguments in try object.tapped(arguments.value(0, as: (D).self)) }",
                "ObjectiveCNames.registerOutlet(\"logo\", of: A.self) "
                    + "{ object, value in object.logo = try value.cast() }",
                "}", "}",
                "func _extensionHostNames0() { MainActor.assumeIsolated { _extensionHostNames0_() } }",
                "@MainActor private func _extensionHostNames0_() {",
                "A._extensionHostNames0_0()",
                "}",
                "#sourceLocation()",
            ]
        )
    }

    @Test(arguments: [
        ("@objc func b() {}", "(\"b\", of: A.self) { object, _ in object.b() }"),
        (
            "@objc func b(c: Int, _ d: Int) {}",
            "(\"bWithC::\", of: A.self) "
                + "{ object, arguments in "
                + "try object.b(c: arguments.value(0, as: (Int).self), arguments.value(1, as: (Int).self)) }"
        ),
        ("@objc(c) func b() {}", "(\"c\", of: A.self) { object, _ in object.b() }"),
        ("@objc func `in`() {}", "(\"in\", of: A.self) { object, _ in object.`in`() }"),
        ("@MainActor @objc func b() {}", "OnMainActor(\"b\", of: A.self) { object, _ in object.b() }"),
        (
            "@objc func b(_ c: Bool) {}",
            "(\"b:\", of: A.self) { object, arguments in "
                + "try object.b(arguments.value(0, as: (Any?).self).map { $0 as? Bool ?? true } ?? false) }"
        ),
        (
            "@objc func b(_ c: @escaping () -> Void) {}",
            "(\"b:\", of: A.self) { object, arguments in try object.b(arguments.value(0, as: (() -> Void).self)) }"
        ),
        (
            "@objc func b(`inout` c: Self) {}",
            "(\"bWithInout:\", of: A.self) { object, arguments in try object.b(`inout`: arguments.value(0)) }"
        ),
        ("func b() {}; let c = #selector(b)", "(\"b\", of: A.self) { object, _ in object.b() }"),
        (
            "@objc var b = 1; let c = #selector(getter: b)", "(\"b\", of: A.self) { object, _ in object.b }"
        ),
        (
            "let c = #selector(setter: b)",
            "(\"setB:\", of: A.self) { object, arguments in object.b = try arguments.value(0); return nil }"
        ),
        ("let c = #selector(later)", "(\"later\", of: A.self) { object, _ in object.later() }"),
        ("let c = #selector(B.later)", "(\"later\", of: B.self) { object, _ in object.later() }"),
    ])
    func `each function has its line`(member: String, line: String) {
        #expect(Self.registrations("class A {\n\(member)\n}") == ["ObjectiveCNames.register" + line])
    }

    @Test(arguments: [
        "@objc func b(_ c: Int, _ d: Int, _ e: Int) {}", "@objc static func b() {}", "@objc class func b() {}",
        "@objc func b() async {}", "@objc func b() throws(E) {}", "@objc func b<C>(_ c: C) {}",
        "@objc func b(_ c: inout Int) {}", "@objc func b(_ c: some C) {}", "@objc func b(_ c: Int...) {}",
        "@available(*, unavailable) @objc func b() {}", "@nonobjc func b() {}", "func b() {}",
        "@DataActor @objc func b() {}", "@objc func b(_ c: Span<Int>) {}", "@objc func b() -> RawSpan { c }",
        "let c = 1; let d = #selector(setter: c)", "@IBInspectable var c: Int { 1 }",
        "@IBOutlet var c: D! { get { d } }",
        "@objc init(b: Int) {}", "@objc let c = 1",
        "func c() { class D { @objc func d() {} } }", "struct D { func d() {} }",
    ])
    func `what cannot be called has none`(member: String) {
        #expect(Self.registrations("class A {\n\(member)\n}") == [])
    }

    @Test(arguments: [
        "class A<B> { @objc func c() {} }", "class A<B> { class C { @objc func c() {} } }",
        "extension A where B: C { @objc func c() {} }", "func a() { class A { @objc func c() {} } }",
        "@DataActor class A { @objc func c() {} }", "protocol A { @objc func c() }",
        "class A<B> {}; extension A { @objc func c() {} }",
        "enum A<B> { class C {} }; extension A.C { @objc func c() {} }",
        "extension Array { class A { @objc func c() {} } }",
        "@Data class A { @objc func b() {} }; @globalActor actor Data {}",
        "@available(*, unavailable) class A { @objc func b() {}; class B { @objc func c() {} } }",
        "@globalActor actor Data {}; class A { @Data @objc func b() {} }",
        "struct A {}; extension A { @objc func b() {} }", "extension A where B == C { func d() {} }",
        "@objcMembers class A { private func b() {}; fileprivate func c() {} }; private extension A { func d() {} }",
        "struct F: ~Copyable {}; @objcMembers class A { func b(_ c: borrowing F) {}; func d() -> F { F() } }",
    ])
    func `types that no table can name have none`(source: String) {
        #expect(Self.registrations(source) == [])
    }

    @Test func `members of a class whose members are exposed are, also in subclasses and extensions`() {
        let source = "@objcMembers class A { func b() {} }; extension A { func c() {} }; class D: A { func e() {} }"
        #expect(
            Self.registrations(source) == [
                "ObjectiveCNames.register(\"b\", of: A.self) { object, _ in object.b() }",
                "ObjectiveCNames.register(\"c\", of: A.self) { object, _ in object.c() }",
                "ObjectiveCNames.register(\"e\", of: D.self) { object, _ in object.e() }",
            ]
        )
    }

    @Test func `overloads say their results where their parameters are the same`() {
        let source =
            "class A { @objc func b() -> [C] {}; func b() -> Int? {}; class C { @objc func d(); func d() -> C } }"
        #expect(
            Self.registrations(source) == [
                "ObjectiveCNames.register(\"b\", of: A.self) { object, _ in object.b() as ([C]) }",
                "ObjectiveCNames.register(\"d\", of: A.C.self) { object, _ in object.d() as (Void) }",
            ]
        )
    }

    @Test func `the members of a class with type parameters are told by each class without them`() {
        let source = """
            class A<T>: C { @objc func b(_ t: T) {}; func d() {}; func e() { f = #selector(d) } }
            class G<U>: A<U> { @IBOutlet var h: I! }
            class J: G<Int> {}
            class K: A<String> {}
            """
        let table = Self.table(source)
        #expect(table.filter { $0.hasPrefix("static func") }.count == 2)
        #expect(
            table.filter { $0.hasPrefix("J.") || $0.hasPrefix("K.") || $0.hasPrefix("A.") || $0.hasPrefix("G.") } == [
                "J._extensionHostNames0_1()", "J._extensionHostNames0_0()", "K._extensionHostNames0_0()",
            ]
        )
        #expect(
            Self.registrations(source) == [
                "ObjectiveCNames.register(\"b:\", of: A.self) "
                    + "{ object, arguments in try object.b(arguments.value(0, as: (T).self)) }",
                "ObjectiveCNames.register(\"d\", of: A.self) { object, _ in object.d() }",
                "ObjectiveCNames.registerOutlet(\"h\", of: G.self) { object, value in object.h = try value.cast() }",
            ]
        )
    }

    @Test func `types inside others say where theirs are`() {
        let source = """
            class A: B { class C { @objc func d(_ e: E, f: [String: F]?) {}; @objc func g(_ h: I, j: UIView) {} }
            enum E {}; typealias F = Int }
            class B { class I {} }
            """
        #expect(
            Self.registrations(source) == [
                "ObjectiveCNames.register(\"d:f:\", of: A.C.self) { object, arguments in "
                    + "try object.d(arguments.value(0, as: (A.E).self), "
                    + "f: arguments.value(1, as: ([String: A.F]?).self)) }",
                "ObjectiveCNames.register(\"g:j:\", of: A.C.self) { object, arguments in "
                    + "try object.g(arguments.value(0, as: (B.I).self), j: arguments.value(1, as: (UIView).self)) }",
            ]
        )
    }

    @Test func `a private inspectable property is opened to storyboards`() {
        let source =
            "class A { @IBInspectable private var b = 1; @IBInspectable private(set) var c: Int { didSet {} }; "
            + "@IBOutlet private var d: E!; private var f = 1 }"
        let text = RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? []
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n")[0]
        #expect(
            line
                == "class A {                internal var b = 1;                             var c: Int { didSet {} }; "
                + "          private var d: E!; private var f = 1 }"
        )
    }

    @Test func `overloads say their types`() {
        let source = "class A { @objc func b(_ c: Int!) {}; @objc(d:) func b(_ c: @Sendable () -> Void) {} }"
        #expect(
            Self.registrations(source) == [
                "ObjectiveCNames.register(\"b:\", of: A.self) "
                    + "{ object, arguments in try object.b(arguments.value(0, as: (Int?).self)) }",
                "ObjectiveCNames.register(\"d:\", of: A.self) "
                    + "{ object, arguments in try object.b(arguments.value(0, as: (@Sendable () -> Void).self)) }",
            ]
        )
    }

    @Test func `conditions stand around what they guard`() {
        let source = """
            #if os(iOS) // phone
            class A {
                #if DEBUG
                @objc func b() {}
                #elseif swift(>=6)
                @objc func c() {}
                #else
                @objc func d() {}
                #endif
            }
            #endif
            """
        let table = Self.table(source)
        #expect(
            table.filter { $0.hasPrefix("#if") || $0.hasPrefix("ObjectiveC") || $0 == "#endif" } == [
                "#if os(iOS)",
                "#if (os(iOS)) && (DEBUG)",
                "ObjectiveCNames.register(\"b\", of: A.self) { object, _ in object.b() }",
                "#endif",
                "#if (os(iOS)) && (!(DEBUG) && (swift(>=6)))",
                "ObjectiveCNames.register(\"c\", of: A.self) { object, _ in object.c() }",
                "#endif",
                "#if (os(iOS)) && (!(DEBUG) && !(swift(>=6)))",
                "ObjectiveCNames.register(\"d\", of: A.self) { object, _ in object.d() }",
                "#endif",
                "#endif",
                "#if os(iOS)",
                "#endif",
            ]
        )
    }

    @Test func `a private type inside another is opened to its file`() {
        let source =
            "class A { private class B { @objc private func c() {} }; private class D {}; private typealias E = D; "
            + "private var f = 1 }; extension A { private enum G {} }; class H { private class I {} }"
        let text = RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? []
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n")[0]
        #expect(
            line == "class A { fileprivate class B {       private func c() {} }; fileprivate class D {}; "
                + "fileprivate typealias E = D; private var f = 1 }; extension A { fileprivate enum G {} }; "
                + "class H { private class I {} }"
        )
        #expect(
            Self.registrations(source) == [
                "ObjectiveCNames.register(\"c\", of: A.B.self) { object, _ in object.c() }"
            ]
        )
    }

    @Test func `an extension of the main actor stays one`() {
        #expect(Self.table("@MainActor extension A { @objc func b() {} }").first == "@MainActor extension A {")
    }

    @Test func `a source without names is as it was`() {
        let rewritten = RewrittenSources(["a.swift": Array("class A { func b() {} }".utf8)])
        #expect(rewritten.texts["a.swift"] == Array("class A { func b() {} }".utf8))
        #expect(rewritten.registrations == [])
        #expect(rewritten.unread == [])
    }

    @Test(arguments: ["class A { @objc func b() {} ", "#if x\nclass A { @objc func b() {} }", "class A { /* ", "(]"])
    func `a source whose brackets do not match has no table`(source: String) {
        let rewritten = RewrittenSources(["a.swift": Array(source.utf8)])
        #expect(rewritten.unread == ["a.swift"])
        #expect(rewritten.registrations == [])
        #expect(rewritten.texts["a.swift"]?.count == source.utf8.count)
    }
}
