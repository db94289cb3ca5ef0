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
