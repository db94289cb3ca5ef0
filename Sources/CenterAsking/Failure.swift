// SPDX-License-Identifier: Apache-2.0

/// The reason for which a command ends, and what to do next.
package struct Failure: Error, Equatable {
    package let message: String
    package let hint: String?
    /// True where no centre answered, or one ended meanwhile: another may come.
    package let isAbsence: Bool

    package init(_ message: String, hint: String? = nil, isAbsence: Bool = false) {
        self.message = message
        self.hint = hint
        self.isAbsence = isAbsence
    }
}
