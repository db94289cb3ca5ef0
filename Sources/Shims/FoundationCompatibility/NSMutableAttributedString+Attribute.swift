// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSMutableAttributedString {
    /// Adds an attribute whose value is an object, such as a font, a colour or a paragraph style, to a range.
    ///
    /// Foundation's own function for any value compares the object with that of the range before, which ends the
    /// program where both are objects of classes in Swift. The compiler prefers this one for an object. Source: Apple,
    /// "addAttribute(_:value:range:)".
    public func addAttribute(_ name: NSAttributedString.Key, value: NSObject, range: NSRange) {
        addAttributes([name: value], range: range)
    }
}
