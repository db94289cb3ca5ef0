// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

struct LocalizedFormatTests {
    @Test(arguments: [
        ("%@ wrote to %@", ["Alice", "Bob"], "Alice wrote to Bob"),
        ("%2$@ from %1$@", ["Alice", "Bob"], "Bob from Alice"),
        ("%@ of %%, %%@", ["5"], "5 of %, %@"),
        ("%@, %@ and %@", ["a"], "a,  and "),
        ("%3$@|%1$@", ["a", "b"], "|a"),
        // Arguments are text.
        ("%@ %@", ["%@", "%1$@"], "%@ %1$@"),
        // Nothing else is a place.
        ("%d %s %x %.2f %ld", ["a"], "%d %s %x %.2f %ld"),
        ("%0$@ %99999999999999999999$@ %1$d %1@ %", ["a"], "%0$@ %99999999999999999999$@ %1$d %1@ %"),
        ("ä%@🙂", ["ö"], "äö🙂"),
        ("", ["a"], ""),
    ])
    func `arguments go to their places`(format: String, arguments: [String], text: String) {
        #expect(LocalizedFormat.text(format, arguments: arguments) == text)
    }
}
