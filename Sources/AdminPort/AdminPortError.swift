// SPDX-License-Identifier: Apache-2.0

/// The reason for which the admin port does not start, or a client gets no answer from it.
package struct AdminPortError: Error, Equatable, CustomStringConvertible {
    /// One clause for people: what failed, on what, and the reason.
    package let message: String
    /// Advice on what to do next; `nil` if there is none.
    package let hint: String?

    package init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    package var description: String { message }
}
