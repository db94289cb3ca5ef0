// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIResponder {
    /// The name of what is posted before a keyboard appears; never, as the page has none of its own.
    public nonisolated class var keyboardWillShowNotification: NSNotification.Name {
        .init("UIKeyboardWillShowNotification")
    }
    /// The name of what is posted once a keyboard is there; never.
    public nonisolated class var keyboardDidShowNotification: NSNotification.Name {
        .init("UIKeyboardDidShowNotification")
    }
    /// The name of what is posted before a keyboard goes; never.
    public nonisolated class var keyboardWillHideNotification: NSNotification.Name {
        .init("UIKeyboardWillHideNotification")
    }
    /// The name of what is posted once a keyboard has gone; never.
    public nonisolated class var keyboardDidHideNotification: NSNotification.Name {
        .init("UIKeyboardDidHideNotification")
    }
    /// The name of what is posted before a keyboard gets another place; never.
    public nonisolated class var keyboardWillChangeFrameNotification: NSNotification.Name {
        .init("UIKeyboardWillChangeFrameNotification")
    }
    /// The name of what is posted once a keyboard has another place; never.
    public nonisolated class var keyboardDidChangeFrameNotification: NSNotification.Name {
        .init("UIKeyboardDidChangeFrameNotification")
    }

    /// The key of a keyboard's place before it moves.
    public nonisolated class var keyboardFrameBeginUserInfoKey: String { "UIKeyboardFrameBeginUserInfoKey" }
    /// The key of a keyboard's place behind its move.
    public nonisolated class var keyboardFrameEndUserInfoKey: String { "UIKeyboardFrameEndUserInfoKey" }
    /// The key of the time of a keyboard's move.
    public nonisolated class var keyboardAnimationDurationUserInfoKey: String {
        "UIKeyboardAnimationDurationUserInfoKey"
    }
    /// The key of the curve of a keyboard's move.
    public nonisolated class var keyboardAnimationCurveUserInfoKey: String { "UIKeyboardAnimationCurveUserInfoKey" }
    /// The key of whether a keyboard is that of the own app.
    public nonisolated class var keyboardIsLocalUserInfoKey: String { "UIKeyboardIsLocalUserInfoKey" }
}
