// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Sources that nobody writes.
struct HostileSourceTests {
    private static func rewritten(_ source: String) -> RewrittenSources {
        RewrittenSources(["a.swift": Array(source.utf8)])
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "(", "{", "[", ")", "}", "#", "# ", "\"", "\"\"\"", "\"\\(", "/*", "`", "@", "/a ", "#/a ", "=/\\",
            "class A{",
            "class A<", "class A:", "func a(", "#selector(", "#if a\n", "\r\n", "\0",
        ]
    )
    func `8 KiB of one thing stay as they are`(piece: String) {
        let source = String(repeating: piece, count: (1 << 13) / piece.utf8.count)
        #expect(Self.rewritten(source).texts["a.swift"] == Array(source.utf8))
    }

    /// Whoever looks at the rest of the line at each piece does not come to an end here.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "#/a ", "#/\\ ", "##/a #/b ", "#/\n", "#\"\"\"\\#( ", "##\"\"\"\\##( ", "#\"\"\"# ", "\"\\(", "/* ", "=/a ",
            "`a ",
            "@a ", "@a(b) ", "<<<<", "#if a\n",
        ]
    )
    func `30,000 times one thing on one line stay as they are`(piece: String) {
        let source = String(repeating: piece, count: 30_000)
        #expect(Self.rewritten(source).texts["a.swift"] == Array(source.utf8))
    }

    @Test func `an end that a search has passed over is found by one with fewer signs`() {
        for (source, words) in [
            ("a ##/b c #/d/# e", ["a", "/", "b", "c", "#/d/#", "e"]),
            ("a #/b\n#/c/# d", ["a", "/", "b", "#/c/#", "d"]),
            ("a ##/ \n#/\n(/# b", ["a", "/", "#/\n(/#", "b"]),
        ] {
            let tokens = SwiftTokens(Array(source.utf8))
            #expect((0..<tokens.count).map(tokens.text(of:)) == words)
        }
    }

    @Test func `three quotes behind a sign begin a long text where the line has no end for a short one`() {
        for (source, words) in [
            ("#\"\"\"\n ( \"\"\"# a", ["a"]),
            ("#\"\"\"# a", ["a"]),
            ("#\"\"\"\\#(b) \"# a\n#\"\"\"\n( \"\"\"# c", ["(", "b", ")", "a", "c"]),
            ("##\"\"\" \"#\n ( \"\"\"## a", ["a"]),
            ("##\"\"\" \"## a \"#\n b", ["a", "b"]),
        ] {
            let tokens = SwiftTokens(Array(source.utf8))
            #expect((0..<tokens.count).map(tokens.text(of:)) == words)
            #expect(tokens.isBalanced)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `8 KiB of attributes become blanks`() {
        for (piece, blank) in [("@objc ", "      "), ("@objc(", "     ("), ("@objc(a)", "        ")] {
            let count = (1 << 13) / piece.utf8.count
            let rewritten = Self.rewritten(String(repeating: piece, count: count))
            #expect(rewritten.texts["a.swift"] == Array(String(repeating: blank, count: count).utf8))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `hundreds of overloads and selectors are an error each`() {
        let source = "class A{" + (0..<500).map { "@objc func a(b\($0):B){}\nlet c=#selector(a)\n" }.joined() + "}"
        let text = String(decoding: Self.rewritten(source).texts["a.swift"] ?? [], as: UTF8.self)
        #expect(text.matches(of: /#error/).count == 500)
    }

    @Test func `types are nested thirty-two deep and no deeper`() {
        let source = String(repeating: "class A{", count: 40) + "@objc func b(){}" + String(repeating: "}", count: 40)
        let classes = Self.rewritten(source).classes
        #expect(classes.count == 40)
        #expect(classes[31].name.utf8.count == 63)
        #expect(classes[32].name == "A")
        #expect(Self.rewritten(source).registrations == [])
    }

    @Test func `braces deeper than the limit end the reading`() {
        let deep = DeclarationReader.depthLimit
        for (count, isRead) in [(deep - 1, true), (deep + 1, false)] {
            let source = String(repeating: "{", count: count) + String(repeating: "}", count: count)
            #expect(Self.rewritten(source).unread.isEmpty == isRead)
        }
    }

    @Test func `a source beyond a limit is not read, and its text stays`() {
        func attributes(_ count: Int) -> String { (0..<count).map { "@a\($0) " }.joined() }
        func nest(_ count: Int) -> String {
            String(repeating: "#if a\n", count: count) + String(repeating: "#endif\n", count: count)
        }
        let word = String(repeating: "a", count: SwiftTokens.wordLimit)
        for (within, beyond) in [
            (word, word + "a"),
            ("`\(word.dropFirst(2))`", "`\(word.dropFirst())`"),
            (attributes(DeclarationReader.attributeLimit), attributes(DeclarationReader.attributeLimit + 1)),
            (nest(DeclarationReader.blockLimit), nest(DeclarationReader.blockLimit + 1)),
        ] {
            for (head, isRead) in [(within, true), (beyond, false)] {
                let source = "\(head)\nclass A { @objc func b() {} }"
                let rewritten = Self.rewritten(source)
                #expect(rewritten.unread.isEmpty == isRead)
                #expect(rewritten.registrations.isEmpty != isRead)
                #expect(rewritten.texts["a.swift"]?.starts(with: Array(head.utf8)) == true)
            }
        }
    }

    @Test func `a text longer than a word may be is read`() {
        let long = String(repeating: "a", count: 1 << 16)
        #expect(Self.rewritten("let a = \"\(long)\" // \(long)\nlet b = /\(long.prefix(900))/").unread == [])
    }

    @Test func `a type whose name with those around it is too long is no part of it`() {
        let names = (0..<3).map { number in String(repeating: "ABC".map(String.init)[number], count: 1_000) }
        let source = names.map { "class \($0) {" }.joined() + "@objc func b() {}" + "}}}"
        #expect(Self.rewritten(source).classes.map(\.name) == [names[0], "\(names[0]).\(names[1])", names[2]])
        #expect(Self.rewritten(source).registrations == [])
    }

    @Test func `a condition that is too long never holds`() {
        let long = Array(repeating: "a", count: 600).joined(separator: "&&")
        let text = Self.rewritten("#if \(long)\nclass A { @objc func b() {} }\n#endif").texts["a.swift"] ?? []
        #expect(String(decoding: text, as: UTF8.self).contains("\n#if false\nextension A {"))
    }

    @Test func `bytes that are no text are kept`() {
        let source: [UInt8] = [0xFF, 0xFE, 0x00, 0xC3, 0x28, 0x0A, 0x7D]
        #expect(RewrittenSources(["a.swift": source]).texts["a.swift"] == source)
    }
}
