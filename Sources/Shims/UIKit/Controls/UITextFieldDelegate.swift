// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object that decides about a field, and hears of it.
///
/// The page tells the whole text after each change. The range is that between the first and the last letter that
/// differ, in units of UTF-16 as Apple's; where letters repeat, it is the last place at which the change is possible.
/// Source: Apple, "UITextFieldDelegate".
@preconcurrency @MainActor public protocol UITextFieldDelegate: NSObjectProtocol {
    /// True if the field may be written in; the default is true.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    /// Called when the field has got the keyboard.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// True if the field may give the keyboard away; the default is true.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    /// Called when the field has the keyboard no more.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Called in the place of the one without a reason.
    func textFieldDidEndEditing(_ textField: UITextField, reason: UITextField.DidEndEditingReason)
    /// True if a part of the text may become another; the default is true. A refused one goes back in the page as well.
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool
    /// Called when the text has changed, and the caret with it.
    func textFieldDidChangeSelection(_ textField: UITextField)
    /// True if the text may be taken away, as `clearsOnBeginEditing` has it; the default is true.
    func textFieldShouldClear(_ textField: UITextField) -> Bool
    /// True if the return key does what it does by itself; the default is true.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    /// True.
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    /// Does nothing.
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    /// True.
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    /// Does nothing.
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    /// Calls the one without a reason.
    public func textFieldDidEndEditing(_ textField: UITextField, reason: UITextField.DidEndEditingReason) {
        textFieldDidEndEditing(textField)
    }
    /// True.
    public func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool { true }
    /// Does nothing.
    public func textFieldDidChangeSelection(_ textField: UITextField) {}
    /// True.
    public func textFieldShouldClear(_ textField: UITextField) -> Bool { true }
    /// True.
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
