// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopPresenter

/// The tokens by which windows take the focus.
struct ActivationTokenTests {
    @Test func `a token is that of the click that follows it on the same popup, once`() {
        var last = LastActivation()
        last.take("one", of: 1)
        last.take("two", of: 2)
        #expect(last.take(clicked: 1) == nil)
        last.take("three", of: 1)
        #expect(last.take(clicked: 1)?.text == "three")
        #expect(last.take(clicked: 1) == nil)
    }

    @Test(arguments: ["", "a b", "a\n", "ü", String(repeating: "a", count: 513)])
    func `what a daemon says in place of a token is none, and hides the one before it`(text: String) {
        var last = LastActivation()
        last.take("one", of: 1)
        last.take(text, of: 1)
        #expect(last.take(clicked: 1) == nil)
    }
}
