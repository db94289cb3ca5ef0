// SPDX-License-Identifier: Apache-2.0

/// The reason for which a command ends, and what to do next.
package struct Failure: Error, Equatable {
    package let message: String
    package let hint: String?
    /// The centre's word for programs where it has refused, as docs/notification-center.md lists them.
    package let reason: String?
    /// True where no centre answered, or one ended meanwhile: another may come.
    package let isAbsence: Bool

    package init(_ message: String, hint: String? = nil, reason: String? = nil, isAbsence: Bool = false) {
        self.message = message
        self.hint = hint
        self.reason = reason
        self.isAbsence = isAbsence
    }
}
