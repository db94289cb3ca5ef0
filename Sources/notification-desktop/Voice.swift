// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Glibc
import NotificationPayload

/// The voice of the program: results to standard output, talk to standard error.
enum Voice {
    static func report(_ failure: Failure) {
        say("error: \(failure.message)")
        if let hint = failure.hint { say("hint: \(hint)") }
    }

    static func say(_ text: String) {
        write("notification-desktop: \(ForeignText.visible(text))\n", to: STDERR_FILENO)
    }

    /// Says why no popup can be shown, and where notifications are.
    static func sayNoPopup(since reason: String) {
        say(
            "\(reason), so that no popup can be shown; "
                + "the page shows notifications: \"notification-center sign-in\" prints its link"
        )
    }

    /// Writes a line of a result.
    static func print(_ line: String) {
        write("\(ForeignText.visible(line))\n", to: STDOUT_FILENO)
    }

    /// Writes all of a text; what nobody takes any more is lost.
    private static func write(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
