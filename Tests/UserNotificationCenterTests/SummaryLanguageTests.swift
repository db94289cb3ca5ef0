// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import UserNotificationCenter

/// Lists, formats and the choice of a language.
struct SummaryLanguageTests {
    @Test(
        arguments: [
            ([], ["", "", ""]), (["A"], ["A", "A", "A"]), (["A", "B"], ["A and B", "A y B", "A e B"]),
            (["A", "B", "C"], ["A, B, and C", "A, B y C", "A, B e C"]),
            (["A", "B", "C", "D"], ["A, B, and 2 others", "A, B y 2 más", "A, B e mais 2"]),
            (["A", "B", "C", "D", "E"], ["A, B, and 3 others", "A, B y 3 más", "A, B e mais 3"]),
        ] as [([String], [String])]
    )
    func `names are listed by the rule of each language`(names: [String], lists: [String]) {
        #expect(SummaryLanguage.allCases.map { $0.list(names: names) } == lists)
    }

    @Test func `parts of a summary are listed all`() {
        #expect(SummaryLanguage.english.list(["A", "B", "C", "D"]) == "A, B, C, and D")
    }

    @Test(
        arguments: [
            "Inés", "inés", "Íñigo", "íñigo", "I\u{301}ñigo", "Ïngrid", "Hilario", "hijo", "HIJA", "Híspalis", "Hi",
            "I",
        ]
    )
    func `Spanish says e before the sound of i`(name: String) {
        #expect(SummaryLanguage.spanish.list(["Ana", name]) == "Ana e \(name)")
        #expect(SummaryLanguage.spanish.list(["Ana", "Eva", name]) == "Ana, Eva e \(name)")
    }

    @Test(arguments: [
        "Hierro", "hielo", "HIEDRA", "Hié", "Hi\u{301}e", "Yvonne", "Ana", "H", "Hugo", "", " Inés", "Ño",
    ])
    func `Spanish says y before anything else`(name: String) {
        #expect(SummaryLanguage.spanish.list(["Ana", name]) == "Ana y \(name)")
    }

    // MARK: Formats

    @Test(
        arguments: [
            ("%u more from %@", "3 more from A and B"), ("%1$u more from %2$@", "3 more from A and B"),
            ("%2$@: %1$u", "A and B: 3"), ("%@%u%@", "A and B3A and B"), ("100%%", "100%"), ("%%u", "%u"),
            ("%%%u", "%3"), ("%", "%"), ("%%%", "%%"), ("%d %s %n %x", "%d %s %n %x"), ("%2$u %1$@", "%2$u %1$@"),
            ("%3$@", "%3$@"), ("%lu %5u %-u", "%lu %5u %-u"), ("%1$", "%1$"), ("é%uñ", "é3ñ"), ("%U", "%U"),
        ]
    )
    func `a format has exactly five places`(format: String, text: String) {
        #expect(SummaryFormat(format)?.text(number: 3, names: "A and B") == text)
    }

    @Test func `no text is no format`() {
        #expect(SummaryFormat(nil) == nil)
        #expect(SummaryFormat("") == nil)
        #expect(SummaryFormat("%u")?.hasNames == false)
        #expect(SummaryFormat("%2$@")?.hasNames == true)
    }

    /// No format crashes, grows without bound, or loses a byte that is no place.
    @Test func `ten thousand random formats keep what is literal`() {
        var generator = SeededGenerator(seed: 5)
        let tokens = ["%", "%%", "%u", "%@", "%1$u", "%2$@", "1", "$", "u", "@", "é", " ", "%9$@"]
        for _ in 0..<10_000 {
            let chosen = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                tokens.randomElement(using: &generator)
            }
            let format = chosen.joined()
            #expect(SummaryFormat(format)?.text(number: 7, names: "N") == Self.naive(format))
        }
    }

    /// The same by reading from the left, one place at a time.
    private static func naive(_ format: String) -> String {
        var rest = format[...]
        var text = ""
        while !rest.isEmpty {
            if rest.hasPrefix("%%") {
                text += "%"
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("%u") {
                text += "7"
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("%@") {
                text += "N"
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("%1$u") {
                text += "7"
                rest = rest.dropFirst(4)
            } else if rest.hasPrefix("%2$@") {
                text += "N"
                rest = rest.dropFirst(4)
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text
    }

    // MARK: The choice

    @Test(
        arguments: [
            ("en", .english), ("es-MX", .spanish), ("ES", .spanish), ("pt_BR", .portuguese), ("pt-PT", .portuguese),
            ("fr", nil), ("", nil), ("est", nil), ("e", nil), ("-es", nil), ("*", nil),
        ] as [(String, SummaryLanguage?)]
    )
    func `a tag begins with its language`(tag: String, language: SummaryLanguage?) {
        #expect(SummaryLanguage(tag: tag) == language)
    }

    @Test(
        arguments: [
            (nil, nil, .english), (nil, "es", .spanish), ("", "pt", .portuguese), ("*", "es-AR", .spanish),
            (nil, "fr", .english), ("es", "pt", .spanish), ("pt-BR,pt;q=0.9,en;q=0.8", "es", .portuguese),
            ("fr,es;q=0.5", nil, .spanish), ("en;q=0.5, es;q=0.7", nil, .spanish),
            ("en;q=0.7,es;q=0.7", "es", .english),
            ("fr,de", "es", .english), ("es;q=0", "pt", .portuguese), ("es;q=0,en", "pt", .english),
            ("es;q=1.5,pt", nil, .portuguese), ("es;q=x,pt;q=0.1", nil, .portuguese),
            ("es;level=1,pt", nil, .portuguese),
            (" es ; q=0.9 , pt", nil, .portuguese), ("es; Q=1.000", nil, .spanish), ("es;q=0.001", nil, .spanish),
            ("es;q=0.0001", "pt", .portuguese), ("es;q=1;x,pt", nil, .portuguese), (",,;,", "pt", .portuguese),
        ] as [(String?, String?, SummaryLanguage)]
    )
    func `the reader's language goes before the owner's, and English comes last`(
        header: String?,
        owner: String?,
        language: SummaryLanguage
    ) {
        #expect(SummaryLanguage(acceptLanguage: header, owner: owner) == language)
    }

    @Test func `what comes behind 32 ranges or 1,024 bytes is ignored`() {
        let ranges = Array(repeating: "fr", count: 32).joined(separator: ",")
        #expect(SummaryLanguage(acceptLanguage: ranges + ",es", owner: "pt") == .english)
        let long = "fr" + String(repeating: " ", count: 1022)
        #expect(SummaryLanguage(acceptLanguage: long + ",es", owner: "pt") == .english)
    }
}
