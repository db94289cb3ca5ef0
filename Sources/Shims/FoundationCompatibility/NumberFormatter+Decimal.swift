// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NumberFormatter {
    /// Writes a decimal number, which Foundation's own function for any value takes for no number.
    ///
    /// The compiler prefers this one for a `Decimal`. Source: Apple, "string(for:)".
    public func string(for obj: Decimal) -> String? { string(from: NSDecimalNumber(decimal: obj)) }
}
