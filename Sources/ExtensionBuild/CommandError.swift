// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// An error on which a person can act: what failed, on what and why, and the next step.
///
/// Secrets are masked in both texts, wherever they go: to a terminal, into a log or to a client of the admin port.
package struct CommandError: Error, Equatable {
    package let message: String
    package let hint: String?

    package init(_ message: String, hint: String? = nil) {
        self.message = message.withoutSecrets
        self.hint = hint?.withoutSecrets
    }

    /// Puts an error of a library into words.
    package init(_ failure: some CommandFailure) {
        self = failure.commandError
    }
}

/// An error of a library with which a command can end.
package protocol CommandFailure: Error {
    /// The error in words for a person.
    var commandError: CommandError { get }
}
