// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopPresenter

/// Foreign text on its way to a daemon.
struct PopupTextTests {
    @Test(arguments: [
        ("Lunch at 1?", "Lunch at 1?"),
        ("one\u{0}\u{7}\u{1b}[2Jtwo\u{9b}", "one[2Jtwo"),
        ("one\r\ntwo\nthree\u{2028}four\tfive", "one two three four five"),
        ("an \u{202e}override\u{202c} and \u{2066}isolates\u{2069}", "an override and isolates"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
    ])
    func `a line has no control character, no line end and no embedding`(text: String, line: String) {
        #expect(PopupText.line(text).unicodeScalars.elementsEqual(line.unicodeScalars))
    }

    @Test func `several lines keep their ends`() {
        #expect(PopupText.lines("one\r\ntwo\n\nthree") == "one\ntwo\n\nthree")
    }

    @Test func `a text that runs from right to left is isolated, and any other is as it was`() {
        #expect(PopupText.line("שלום") == "\u{2068}שלום\u{2069}")
        #expect(PopupText.line("Grüße, 会議") == "Grüße, 会議")
    }

    @Test func `a text ends after two thousand scalars`() {
        let most = String(repeating: "a", count: 2_000)
        #expect(PopupText.line(most) == most)
        #expect(PopupText.line(most + "b") == most + "…")
        // A tower of marks counts as what it is.
        let tower = PopupText.line("a" + String(repeating: "\u{301}", count: 100_000))
        #expect(tower.unicodeScalars.count == 2_001)
    }

    @Test func `what markup gives a meaning is spelt out, once`() {
        #expect(
            PopupText.escaped("<b>5 > 4 &amp; <a href=\"x\">") == "&lt;b&gt;5 &gt; 4 &amp;amp; &lt;a href=\"x\"&gt;"
        )
    }
}
