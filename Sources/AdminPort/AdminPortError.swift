// SPDX-License-Identifier: Apache-2.0

/// Why the admin port does not start.
package struct AdminPortError: Error, Equatable, CustomStringConvertible {
    /// What, on what, why: one clause for people.
    package let message: String
    /// What to do next.
    package let hint: String?

    package init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    package var description: String { message }
}
