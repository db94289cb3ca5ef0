// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UITextField {
    /// The border of a field.
    public enum BorderStyle: Int, Sendable {
        /// None.
        case none
        /// A line.
        case line
        /// A line with a shadow inside.
        case bezel
        /// A line with round corners.
        case roundedRect
    }

    /// The time at which a view beside the text is shown.
    public enum ViewMode: Int, Sendable {
        /// The view is shown at no time.
        case never
        /// The view is shown only as long as the field is written in.
        case whileEditing
        /// The view is shown only as long as the field is not written in.
        case unlessEditing
        /// The view is shown at any time.
        case always
    }

    /// The reason for which a field is written in no more.
    public enum DidEndEditingReason: Int, Sendable {
        /// The text is what was meant.
        case committed
        /// The writing was broken off; never told.
        case cancelled
    }

    /// Posted when a field is written in.
    public class var textDidBeginEditingNotification: Notification.Name {
        Notification.Name("UITextFieldTextDidBeginEditingNotification")
    }
    /// Posted when the text of a field has changed.
    public class var textDidChangeNotification: Notification.Name {
        Notification.Name("UITextFieldTextDidChangeNotification")
    }
    /// Posted when a field is written in no more.
    public class var textDidEndEditingNotification: Notification.Name {
        Notification.Name("UITextFieldTextDidEndEditingNotification")
    }

    /// Tells that the field is written in, and takes the text away if that is wished.
    func didBegin() {
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        NotificationCenter.default.post(name: Self.textDidBeginEditingNotification, object: self)
        guard clearsOnBeginEditing, hasText, delegate?.textFieldShouldClear(self) ?? true else { return }
        setContent("")
        tellChange()
    }

    /// Tells that the field is written in no more.
    func didEnd() {
        delegate?.textFieldDidEndEditing(self, reason: .committed)
        sendActions(for: .editingDidEnd)
        NotificationCenter.default.post(name: Self.textDidEndEditingNotification, object: self)
    }

    /// Takes the whole text that a person wrote, unless the delegate refuses the part that has changed.
    ///
    /// A text without a focus before it, as a tool for tests sends it, begins the editing.
    func write(_ text: String) {
        guard text != content, becomeFirstResponder(), text != content else { return }
        let change = TextEdit(from: content, to: text)
        let isAllowed = delegate?.textField(
            self,
            shouldChangeCharactersIn: change.range,
            replacementString: change.text
        )
        // The delegate may have set another text meanwhile.
        guard isAllowed ?? true, let changed = change.applied(to: content) else { return }
        setContent(changed)
        tellChange()
    }

    private func tellChange() {
        delegate?.textFieldDidChangeSelection(self)
        sendActions(for: .editingChanged)
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }

    /// Takes the return key; an action for editingDidEndOnExit takes the keyboard away, as on iOS.
    func pressReturn() {
        guard becomeFirstResponder(), delegate?.textFieldShouldReturn(self) ?? true else { return }
        let endsOnExit = allControlEvents.contains(.editingDidEndOnExit)
        sendActions(for: [.editingDidEndOnExit, .primaryActionTriggered])
        if endsOnExit { resignFirstResponder() }
    }
}

extension TextEdit {
    /// A text with the change; `nil` for one that is too short for it.
    fileprivate func applied(to text: String) -> String? {
        let text = text as NSString
        guard range.location + range.length <= text.length else { return nil }
        return text.replacingCharacters(in: range, with: self.text)
    }
}
