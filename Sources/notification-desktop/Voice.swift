// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Foundation
import NotificationPayload

/// The voice of the program: results to standard output, talk to standard error.
enum Voice {
    static func report(_ failure: Failure) {
        say("error: \(failure.message)")
        if let hint = failure.hint { say("hint: \(hint)") }
    }

    static func say(_ text: String) {
        FileHandle.standardError.write(Data("notification-desktop: \(ForeignText.visible(text))\n".utf8))
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
        FileHandle.standardOutput.write(Data("\(ForeignText.visible(line))\n".utf8))
    }
}
