// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Names as Swift's compiler makes them; the expected ones were printed by
/// `swiftc -frontend -dump-ast -enable-objc-interop`, version 6.3.1.
struct ObjectiveCNameTests {
    @Test(arguments: [
        ("tapped", [], "tapped"),
        ("tapped", ["_"], "tapped:"),
        ("tapped", ["sender"], "tappedWithSender:"),
        ("tapped", ["with"], "tappedWith:"),
        ("tapped", ["for"], "tappedFor:"),
        ("tapped", ["_", "event"], "tapped:event:"),
        ("tapped", ["_", "_"], "tapped::"),
        ("tapped", ["a", "_"], "tappedWithA::"),
        ("tapped", ["forItem", "at"], "tappedForItem:at:"),
        ("x", ["toURL"], "xToURL:"),
        ("x", ["URLFor"], "xWithURLFor:"),
        ("x", ["url"], "xWithUrl:"),
        ("x", ["without"], "xWithWithout:"),
        ("x", ["within"], "xWithin:"),
        ("x", ["to2"], "xWithTo2:"),
        ("x", ["TO2"], "xTO2:"),
        ("x", ["to_a"], "xTo_a:"),
        ("x", ["_a"], "xWith_a:"),
        ("x", ["élan"], "xWithélan:"),
        ("x", ["URLs"], "xWithURLs:"),
        ("x", ["BYs"], "xWithBYs:"),
        ("moveTo", ["item"], "moveToItem:"),
        ("moveto", ["item"], "movetoWithItem:"),
        ("move_to", ["item"], "move_toItem:"),
        ("openURLFor", ["item"], "openURLForItem:"),
        ("xFor2", ["a"], "xFor2WithA:"),
        ("xAOf", ["a"], "xAOfA:"),
        ("xABYs", ["a"], "xABYsWithA:"),
        ("to", ["x"], "toX:"),
        ("init", ["name"], "initWithName:"),
    ])
    func `a function's name is made of its base name and labels`(base: String, labels: [String], name: String) {
        #expect(ObjectiveCName.ofFunction(base, labels: labels) == name)
    }

    @Test(arguments: [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given", "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to",
        "until", "using", "via", "when", "with", "within",
    ])
    func `a preposition stands without "with"`(word: String) {
        #expect(ObjectiveCName.ofFunction("x", labels: [word]) == "x\(word.prefix(1).uppercased() + word.dropFirst()):")
    }

    @Test(arguments: ["onto", "upon", "during", "between", "about", "is", "has", "and", "while", "per"])
    func `other words have "with" before them`(word: String) {
        #expect(
            ObjectiveCName.ofFunction("x", labels: [word]) == "xWith\(word.prefix(1).uppercased() + word.dropFirst()):"
        )
    }

    @Test(arguments: [("on", "setOn:"), ("isOn", "setIsOn:"), ("URL", "setURL:"), ("_a", "set_a:"), ("é", "seté:")])
    func `a setter's name begins with "set"`(property: String, name: String) {
        #expect(ObjectiveCName.ofSetter(property) == name)
    }

    @Test(arguments: [
        ("a", true), ("a:", true), ("a:b:", true), ("::", true), (":", true), ("a:b", false), ("", false),
        ("a b", false), ("a\"", false),
    ])
    func `a name for Objective-C is a word or pieces with colons`(name: String, isValid: Bool) {
        #expect(ObjectiveCName.isValid(name) == isValid)
    }
}
