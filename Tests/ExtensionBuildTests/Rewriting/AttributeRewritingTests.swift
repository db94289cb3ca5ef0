// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The text that the compiler gets in place of a source with attributes for Objective-C.
struct AttributeRewritingTests {
    /// The author's part of the new text: what stands behind it is not looked at.
    private static func strip(_ source: String) -> String {
        let text = RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? []
        return String(decoding: text.prefix(source.utf8.count), as: UTF8.self)
    }

    @Test(arguments: [
        ("@objc class A {}", "      class A {}"),
        ("@objc(Name) class A {}", "            class A {}"),
        ("@objcMembers\nclass A {}", "            \nclass A {}"),
        ("@objc\n(Name) func", "     \n(Name) func"),
        ("@objc(\r\na:b:\r\n) func", "      \r\n    \r\n  func"),
        (
            "class A { @objc dynamic var b = 1; @nonobjc func c() {} }",
            "class A {       dynamic var b = 1;          func c() {} }"
        ),
        ("@IBDesignable class A { @IBInspectable var b = 1 }", "              class A {                var b = 1 }"),
        ("class A { @IBOutlet weak var b: B! }", "class A {           weak var b: B! }"),
        ("class A { @IBAction func b(_ c: Any) {} }", "class A {           func b(_ c: Any) {} }"),
        ("class A { @IBSegueAction func b(_ c: C) -> D? {} }", "class A {                func b(_ c: C) -> D? {} }"),
    ])
    func `attributes for Objective-C become spaces`(source: String, stripped: String) {
        #expect(Self.strip(source) == stripped)
    }

    @Test(arguments: [
        "let a = \"@objc\"",
        "let a = \"\\\"@objc\"",
        "let a = #\"\"@objc\"#",
        "let a = \"\"\"\n\"@objc\" \\\" @objc\n\"\"\"",
        "// @objc\n/* @objc /* @objc */ @objc */",
        "@objcNot class A {}",
        "@available(iOS 10, *) class A {}",
        "let a = \"\\(b(\"@objc\"))@objc\"",
        "let a = #\"\\(@objc\"#",
        "let a = \"#selector(b) #keyPath(c)\" // #selector(b)\n/* #selector(b) */",
        "let a = ##\"#selector(b)\"##",
        "#selectors(a); #selector; # selector(a); #selector(a",
        "let a = /#selector(b)/",
    ])
    func `text, comments and other attributes stay`(source: String) {
        #expect(Self.strip(source) == source)
    }

    @Test func `code within an interpolation is code`() {
        #expect(Self.strip("\"@objc \\({ @objc in }()) @objc\"; @objc") == "\"@objc \\({       in }()) @objc\";      ")
    }

    @Test func `a string without an end ends with its line`() {
        #expect(Self.strip("let a = b/\"/\n@objc class A {}") == "let a = b/\"/\n      class A {}")
    }

    @Test(arguments: [
        ("@objc(Name) class A {}", "A"),
        ("@objc(Name)\npublic final class A: B {}", "A"),
        ("@objc(Name) func a() {}\nclass B {}", "Name"),
        ("@objc class A {}", "Name"),
        ("class A { @objc(Name) class func b() {} }", "Name"),
        ("@objc(One) class A {}\n@objc(Name) class B {}", "B"),
        ("enum A { @objc(Name) class B {} }", "A.B"),
    ])
    func `a class is known by its name for Objective-C`(source: String, name: String) {
        #expect(RewrittenSources(["a.swift": Array(source.utf8)]).className(for: "Name") == name)
    }

    @Test func `lines and columns stay where they are, whatever the source`() {
        let pieces = [
            "@objc", "(A)", "\"", "\\(", ")", "#", "/*", "*/", "//", "\n", "class A", "é", " ", "{", "}", "/",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let source = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let stripped = RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? []
            #expect(stripped.count >= source.utf8.count, "\(source)")
            #expect(
                zip(source.utf8, stripped).allSatisfy {
                    $0 == $1 || $1 == UInt8(ascii: " ") && $0 != UInt8(ascii: "\n")
                },
                "\(source)"
            )
        }
    }
}
