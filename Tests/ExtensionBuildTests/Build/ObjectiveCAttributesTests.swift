// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The text that the compiler gets in place of a source that is written for Objective-C too.
struct ObjectiveCAttributesTests {
    private static func strip(_ source: String) -> String {
        String(decoding: ObjectiveCAttributes(Array(source.utf8)).stripped, as: UTF8.self)
    }

    @Test(arguments: [
        ("@objc class A {}", "      class A {}"),
        ("@objc(Name) class A {}", "            class A {}"),
        ("@objcMembers\nclass A {}", "            \nclass A {}"),
        ("@objc\n(Name) func", "     \n(Name) func"),
        (
            "class A { @objc dynamic var b = 1; @nonobjc func c() {} }",
            "class A {       dynamic var b = 1;          func c() {} }"
        ),
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
    ])
    func `text, comments and other attributes stay`(source: String) {
        #expect(Self.strip(source) == source)
    }

    @Test func `code within an interpolation is code`() {
        #expect(Self.strip("\"@objc \\({ @objc in }()) @objc\"; @objc") == "\"@objc \\({       in }()) @objc\";      ")
    }

    @Test func `a string without an end ends with its line`() {
        #expect(Self.strip("let a = /\"/\n@objc class A {}") == "let a = /\"/\n      class A {}")
    }

    @Test(arguments: [
        ("@objc(Name) class A {}", ["Name": "A"]),
        ("@objc(Name)\npublic final class A: B {}", ["Name": "A"]),
        ("@objc(Name) func a() {}\nclass B {}", [:]),
        ("@objc class A {}", [:]),
        ("class A { @objc(name) class func b() {} }", [:]),
        ("@objc(One) class A {}\n@objc(Two) class B {}", ["One": "A", "Two": "B"]),
    ])
    func `a class is known by its name for Objective-C`(source: String, classes: [String: String]) {
        #expect(ObjectiveCAttributes(Array(source.utf8)).classes == classes)
    }

    @Test func `lines and columns stay where they are, whatever the source`() {
        let pieces = ["@objc", "(A)", "\"", "\\(", ")", "#", "/*", "*/", "//", "\n", "class A", "é", " "]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let source = (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let stripped = ObjectiveCAttributes(Array(source.utf8)).stripped
            #expect(stripped.count == source.utf8.count, "\(source)")
            #expect(
                zip(source.utf8, stripped).allSatisfy {
                    $0 == $1 || $1 == UInt8(ascii: " ") && $0 != UInt8(ascii: "\n")
                },
                "\(source)"
            )
        }
    }
}
