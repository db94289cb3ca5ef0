// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Protocols for Objective-C, and requirements that a class may leave out.
struct OptionalRequirementTests {
    private static func text(_ sources: String...) -> [String] {
        let named = sources.enumerated().map { ("\($0).swift", Array($1.utf8)) }
        let texts = RewrittenSources(Dictionary(uniqueKeysWithValues: named)).texts
        return texts.sorted { $0.key < $1.key }
            .flatMap { String(decoding: $0.value, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    /// The lines that say that a class has what a requirement asks for.
    private static func conformances(_ sources: String) -> [String] {
        text(sources).filter { $0.hasPrefix("extension ") && $0.hasSuffix(" {}") }
    }

    @Test(arguments: [
        ("@objc protocol P {}", "      protocol P: AnyObject {}"),
        ("@objc public protocol P : Q, R {}", "      public protocol P : Q, R, AnyObject {}"),
        ("@objc(Q) protocol P: AnyObject {}", "         protocol P: AnyObject {}"),
        ("@objc protocol P where Self: Q {}", "      protocol P: AnyObject where Self: Q {}"),
        ("protocol P {}", "protocol P {}"),
        ("class A { @objc protocol P {} }", "class A {       protocol P: AnyObject {} }"),
        (
            "@objc protocol P: AnyObject { @objc optional func a(); func b(); optional var c: C { get };}",
            "      protocol P: AnyObject {                          func b();                           }"
        ),
    ])
    func `a protocol for Objective-C is one of classes`(source: String, text: String) {
        #expect(Self.text(source).first == text)
    }

    @Test func `a requirement that may be left out becomes a protocol and a property`() {
        let lines = Self.text(
            "@objc protocol P {\n@objc optional func a(_ b: B,\n // c\n d: inout D) throws -> E?\nfunc f()\n}",
            "class A: Q { func a(_ b: B, d: inout D) -> E? {} }; protocol Q: P {}; class G: P { func f() {} }"
        )
        #expect(
            lines.prefix(6) == [
                "      protocol P: AnyObject {", "                             ", "     ",
                "                         ", "func f()", "}",
            ]
        )
        let code = """
            #sourceLocation(file: "0.swift (selectors)", line: 1)
            protocol _ExtensionHostOptional0_0_0: AnyObject { func a(_ a0: B, d a1: inout D) throws -> E? }
            struct _ExtensionHostOptional0_0_0Call { let object: any _ExtensionHostOptional0_0_0
            @discardableResult func callAsFunction(_ a0: B, d a1: inout D) throws -> E? { try object.a(a0, d: &a1) }
            }
            extension P {
            var a: _ExtensionHostOptional0_0_0Call? { (self as? any _ExtensionHostOptional0_0_0).map { \
            _ExtensionHostOptional0_0_0Call(object: $0) } }
            }
            func _extensionHostNames0() { MainActor.assumeIsolated { _extensionHostNames0_() } }
            """
        #expect(lines.dropFirst(6).prefix(9).joined(separator: "\n") == code)
        #expect(
            lines.filter { $0.hasPrefix("extension ") && $0.hasSuffix(" {}") } == [
                "extension A: _ExtensionHostOptional0_0_0 {}"
            ]
        )
    }

    @Test func `requirements of one base name share a property that asks for each`() {
        let lines = Self.text(
            "@MainActor @objc private protocol P { @objc optional func a(b: B) -> C; @objc optional func a(d: D) }"
        )
        let code = """
            @MainActor fileprivate protocol _ExtensionHostOptional0_0_0: AnyObject { func a(b a0: B) -> C }
            @MainActor fileprivate protocol _ExtensionHostOptional0_0_1: AnyObject { func a(d a0: D) -> Void }
            @MainActor fileprivate struct _ExtensionHostOptional0_0_0Call { let object: any P
            @discardableResult func callAsFunction(b a0: B) -> (C)? { \
            guard let object = object as? any _ExtensionHostOptional0_0_0 else { return nil }; return object.a(b: a0) }
            @discardableResult func callAsFunction(d a0: D) -> (Void)? { \
            guard let object = object as? any _ExtensionHostOptional0_0_1 else { return nil }; return object.a(d: a0) }
            }
            extension P {
            var a: _ExtensionHostOptional0_0_0Call? { _ExtensionHostOptional0_0_0Call(object: self) }
            }
            """
        #expect(lines.dropFirst(2).prefix(9).joined(separator: "\n") == code)
    }

    @Test func `a property that may be left out is one more time optional`() {
        let lines = Self.text("class A { @objc protocol P { @objc optional var a: B! { get set } } }")
        #expect(
            lines.dropFirst(2).prefix(6) == [
                "extension A {",
                "protocol _ExtensionHostOptional0_1_0: AnyObject { var a: B! { get } }",
                "}",
                "extension A.P {",
                "var a: (B?)? { (self as? any A._ExtensionHostOptional0_1_0).map { $0.a } }",
                "}",
            ]
        )
    }

    @Test(arguments: [
        ("class A: P { func a(_ b: B) {} }", ["A"]), ("class A: P { func a(b: B) {} }", []),
        ("class A: P { private func a(_ b: B) {} }", []), ("class A: P { static func a(_ b: B) {} }", []),
        ("class A: P { func a(_ b: B) async {} }", []), ("class A { func a(_ b: B) {} }", []),
        ("class A {}; extension A: P {}; extension A { func a(_ b: B) {} }", ["A"]),
        ("class A: P {}; class C: A { func a(_ b: B) {} }; class D: C { func a(_ b: B) {} }", ["C"]),
        ("class A { func a(_ b: B) {} }; class C: A, P {}", ["C"]),
        ("class A: P { func a(_ b: B) {} }; class C: A { override func a(_ b: B) {} }", ["A"]),
        ("class A<T>: P { func a(_ b: B) {} }", ["A"]), ("extension UIView: P { func a(_ b: B) {} }", ["UIView"]),
    ])
    func `a class that has the function is one of its protocol`(classes: String, names: [String]) {
        let source = "\(classes); @objc protocol P { @objc optional func a(_ b: B) }"
        let protocols = Self.conformances(source).map { String($0.dropFirst(10).prefix { $0 != ":" }) }
        #expect(protocols == names)
    }

    @Test func `a conformance has the attributes and the conditions of its class and of the requirement`() {
        let source = """
            #if b
            @objc protocol P { @objc optional func a() }
            #endif
            #if c
            class A: @preconcurrency P { func a() {} }
            #endif
            """
        let lines = Self.text(source)
        let place = lines.firstIndex { $0.hasPrefix("extension A:") } ?? 0
        #expect(lines[(place - 2)...(place - 1)] == ["#if (b) && (c)", "#sourceLocation(file: \"0.swift\", line: 5)"])
        #expect(lines[place] == "extension A: @preconcurrency _ExtensionHostOptional0_0_0 {}")
    }

    @Test(arguments: [
        ("@objc optional static func a()", "belongs to the class"),
        ("@objc optional subscript(_ a: Int) -> B { get }", "is a subscript"),
        ("@objc optional init(a: Int)", "is an initialiser"),
        ("@objc optional func a(_ b: Int...)", "has a parameter that is not understood"),
        ("func a(); @objc optional func a()", "has the name of another function"),
        ("@objc optional var a: B { get async }", "is a property that is asynchronous, throws or has a long type"),
    ])
    func `what cannot be left out here is an error at its line`(requirement: String, reason: String) {
        let lines = Self.text("@objc protocol P {\n\(requirement)\n}")
        let remark = lines.firstIndex { $0.hasPrefix("#error") } ?? 0
        #expect(lines[remark - 1] == "#sourceLocation(file: \"0.swift\", line: 2)")
        #expect(
            lines[remark] == "#error(\"this optional requirement \(reason), which needs Objective-C: make it a "
                + "requirement of a protocol of its own, and ask for that with \\\"as?\\\"\")"
        )
        #expect(!lines[1].contains("optional"))
    }

    @Test func `a subclass that alone has a member of a content extension says so`() {
        let source = """
            class A: UIViewController, UNNotificationContentExtension { func mediaPause() {} }
            class B: A {
            func didReceive(_ r: R, completionHandler: H) {}
            func mediaPlay() {}
            override func mediaPause() {}
            lazy var mediaPlayPauseButtonFrame = CGRect.zero
            func didReceive(_ r: N) {}
            }
            class C: B { override func mediaPlay() {} }
            class D: UIViewController, UNNotificationContentExtension { func mediaPlay() {} }
            class E: D { func didReceive(_ r: R) async -> O {} }
            """
        #expect(
            Self.conformances(source) == [
                "extension B: ContentExtensionMembers.Response {}",
                "extension E: ContentExtensionMembers.AsyncResponse {}",
                "extension B: ContentExtensionMembers.ButtonFrame {}",
                "extension B: ContentExtensionMembers.Play {}",
            ]
        )
        #expect(Self.text(source).filter { $0 == "import UserNotificationsUI" }.count == 1)
    }

    @Test func `a subclass that alone has a delegate's function is told that nobody calls it`() {
        let lines = Self.text(
            "class A: UIViewController, UITextFieldDelegate {}\n"
                + "class B: A { func textFieldShouldReturn(_ f: F) -> Bool {} }"
        )
        #expect(
            lines.suffix(3) == [
                "#sourceLocation(file: \"0.swift\", line: 2)",
                "#warning(\"\\\"textFieldShouldReturn(_:)\\\" is not called here: \\\"A\\\" names "
                    + "UITextFieldDelegate and does not have it; declare it there too, and override it in \\\"B\\\"\")",
                "#sourceLocation()",
            ]
        )
    }

    @Test func `a class below one that has the member from above does not say so again`() {
        let conformances = Self.conformances(
            "@objc protocol P { @objc optional func a() }\nclass A { func a() {} }\nclass B: A, P {}\n"
                + "class C: B { override func a() {} }"
        )
        #expect(conformances == ["extension B: _ExtensionHostOptional0_0_0 {}"])
    }
}
