// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import notification_center

/// The keys of a watching person, from the bytes of a terminal.
struct WatchKeysTests {
    private func wishes(_ text: String, _ keys: inout WatchKeys) -> [WatchKeys.Wish] {
        text.utf8.compactMap { keys.take($0) }
    }

    @Test(arguments: [
        ("3", WatchKeys.Wish.act(3)), ("\r", .act(0)), ("\n", .act(0)), ("x", .dismiss), ("X", .dismissStack),
        ("u", .undo), ("o", .page), ("z", .quiet),
        ("k", .older), ("j", .newer), ("\u{1b}[A", .older), ("\u{1b}OB", .newer), ("?", .help), ("q", .end),
        ("\u{3}", .end), ("\u{4}", .end),
    ])
    func `a key is a wish`(text: String, wish: WatchKeys.Wish) {
        var keys = WatchKeys()
        #expect(wishes(text, &keys) == [wish])
    }

    @Test(arguments: [
        "0", "ä", "y", "\u{1b}[C", "\u{1b}g", "\u{1b}[1;2A", "\u{1b}[1;5D", "\u{1b}[17~", "\u{1b}[21~", "\u{1b}[3~",
        "\u{1b}OP", "\u{1b}\u{1b}x", "\u{1b}[200~12x\rq\u{1b}[201~",
        "\u{1b}[" + String(repeating: "1;", count: 500) + "R",
    ])
    func `what is no key is nothing, and what follows it is a key again`(text: String) {
        var keys = WatchKeys()
        #expect(wishes(text + "x", &keys) == [.dismiss])
    }

    @Test(arguments: ["\u{1b}", "\u{1b}[", "\u{1b}[1;", "\u{1b}O", "\u{1b}[200~"])
    func `control-C is one wherever it comes`(text: String) {
        var keys = WatchKeys()
        #expect(wishes(text + "\u{3}", &keys) == [.end])
    }

    @Test func `the lines of a paste are lines of the text`() {
        var keys = WatchKeys()
        keys.askForText()
        #expect(wishes("a \u{1b}[200~b\nx\r1\u{1b}[201~\r", &keys).last == .text("a b\nx\n1"))
    }

    @Test func `a text ends with its line, and keys are keys again`() {
        var keys = WatchKeys()
        keys.askForText()
        #expect(wishes("At one 🕐x\u{7f}\r", &keys).last == .text("At one 🕐"))
        #expect(wishes("x", &keys) == [.dismiss])
    }

    @Test func `a text that is given up is none, and an arrow does not give it up`() {
        var keys = WatchKeys()
        keys.askForText()
        #expect(wishes("ab\u{1b}[Dc\u{3}", &keys).last == .text(nil))
        keys.askForText()
        #expect(wishes("a\u{15}b\u{1b}[Dc\r", &keys).last == .text("bc"))
    }

    @Test func `backspace takes what a person sees as one character`() {
        var keys = WatchKeys()
        keys.askForText()
        #expect(wishes("é👨‍👩‍👧\u{7f}", &keys).last == .typing("é"))
        #expect(wishes("\u{8}\u{8}\u{8}", &keys).last == .typing(""))
    }

    @Test func `a text that is longer than an app takes is cut while it is typed`() {
        var keys = WatchKeys()
        keys.askForText()
        #expect(
            wishes(String(repeating: "a", count: 20_000) + "\r", &keys).last
                == .text(String(repeating: "a", count: 16_384))
        )
    }
}
