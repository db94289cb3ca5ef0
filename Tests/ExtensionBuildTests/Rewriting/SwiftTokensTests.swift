// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

struct SwiftTokensTests {
    private static func words(_ source: String) -> [String] {
        let tokens = SwiftTokens(Array(source.utf8))
        return (0..<tokens.count).map(tokens.text(of:))
    }

    @Test(arguments: [
        ("a.b(c)", ["a", ".", "b", "(", "c", ")"]),
        ("`in` `a b` é1", ["`in`", "`a b`", "é1"]),
        ("a /* b */ \"c\" // d\ne", ["a", "e"]),
        ("\"\\(a + \"\\(b)\")\"", ["(", "a", "+", "(", "b", ")", ")"]),
        ("a = /[)\"]/ + b", ["a", "=", "/[)\"]/", "+", "b"]),
        ("a / b / c", ["a", "/", "b", "/", "c"]),
        ("\"a\" /b/ c", ["/", "b", "/", "c"]),
        ("f(/a\\/\\)[)]/)", ["f", "(", "/a\\/\\)[)]/", ")"]),
        ("f(1, (/)) // a", ["f", "(", "1", ",", "(", "/", ")", ")"]),
        ("f(/, /)", ["f", "(", "/", ",", "/", ")"]),
        ("a = /b / c", ["a", "=", "/", "b", "/", "c"]),
        ("a! / b / c", ["a", "!", "/", "b", "/", "c"]),
        ("a ? /b\"/ : /c/", ["a", "?", "/b\"/", ":", "/c/"]),
        ("x = #/\n  \" # a\n  }\n  /# + 1", ["x", "=", "#/\n  \" # a\n  }\n  /#", "+", "1"]),
        ("x = ##/ \n /# \n/##", ["x", "=", "##/ \n /# \n/##"]),
        ("#/\n (", ["/", "("]),
        ("x = #/a\"/b/# + 1", ["x", "=", "#/a\"/b/#", "+", "1"]),
        ("return /a}/", ["return", "/a}/"]),
        ("try? /(\"/ + try! /\"/", ["try", "?", "/(\"/", "+", "try", "!", "/\"/"]),
        ("f(a)\n  /\"(/\n\"b\"\n/}/", ["f", "(", "a", ")", "/\"(/", "/}/"]),
        ("a\n  / b / c\n  /d", ["a", "/", "b", "/", "c", "/", "d"]),
        ("a##b", ["a", "b"]),
        ("`a", ["`", "a"]),
        ("\u{FEFF}class", ["class"]),
    ])
    func `words, signs and expressions are told apart`(source: String, words: [String]) {
        #expect(Self.words(source) == words)
    }

    @Test(arguments: [
        ("({[]})", true), ("(", false), (")", false), ("([)]", false), ("\"\"\"\n(", false), ("/* (", false),
        ("\"(\"", true), ("// (", true), ("", true), ("\"(", true),
    ])
    func `brackets match or do not`(source: String, isBalanced: Bool) {
        #expect(SwiftTokens(Array(source.utf8)).isBalanced == isBalanced)
    }

    @Test func `a token knows its line and column`() {
        let tokens = SwiftTokens(Array("a\r\n  é b\nc".utf8))
        #expect((0..<tokens.count).map(tokens.line(of:)) == [1, 2, 2, 3])
        #expect((0..<tokens.count).map(tokens.column(of:)) == [1, 3, 6, 1])
    }
}
