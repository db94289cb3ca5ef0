// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct FieldTests {
    let listener = Listener()
    let field = UITextField(frame: CGRect(x: 0, y: 0, width: 200, height: 34))

    /// A delegate that remembers what it was asked, and answers as a test says.
    private final class Answers: NSObject, UITextFieldDelegate {
        var calls: [String] = []
        var begins = true
        var ends = true
        var returns = true
        var clears = true
        var change: (UITextField, NSRange, String) -> Bool = { _, _, _ in true }

        func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool {
            calls.append("shouldBegin")
            return begins
        }
        func textFieldDidBeginEditing(_ textField: UITextField) { calls.append("didBegin") }
        func textFieldShouldEndEditing(_ textField: UITextField) -> Bool {
            calls.append("shouldEnd")
            return ends
        }
        func textFieldDidEndEditing(_ textField: UITextField) { calls.append("didEnd") }
        func textField(
            _ textField: UITextField,
            shouldChangeCharactersIn range: NSRange,
            replacementString string: String
        ) -> Bool {
            calls.append("\(range.location)+\(range.length) \(string)")
            return change(textField, range, string)
        }
        func textFieldDidChangeSelection(_ textField: UITextField) { calls.append("selection") }
        func textFieldShouldClear(_ textField: UITextField) -> Bool {
            calls.append("shouldClear")
            return clears
        }
        func textFieldShouldReturn(_ textField: UITextField) -> Bool {
            calls.append("shouldReturn")
            return returns
        }

        func taken() -> [String] {
            defer { calls = [] }
            return calls
        }
    }

    private func drawn(_ shown: ShownView) throws -> SceneField {
        guard case .field(let field) = try shown.kind() else { throw CocoaError(.coderInvalidValue) }
        return field
    }

    // MARK: Nodes

    @Test("A field is drawn with its text, placeholder, font, colour, side and keyboard")
    func node() throws {
        (field.text, field.placeholder) = ("Hello", "Name")
        (field.font, field.textColor, field.textAlignment) = (.boldSystemFont(ofSize: 20), .red, .center)
        (field.keyboardType, field.borderStyle) = (.emailAddress, .roundedRect)
        let shown = ShownView(field)
        let node = try shown.drawn()
        let kind = SceneKind.field(
            SceneField(
                value: "Hello",
                placeholder: "Name",
                keyboard: .email,
                font: SceneFont(size: 20, weight: 700),
                color: SceneColor(0xFF00_00FF),
                alignment: .center
            )
        )
        #expect(node == SceneNode(id: node.id, up: 1, kind, frame: SceneFrame(0, 0, 200, 34)))
    }

    @Test("A new field has no text, Apple's font and no border")
    func defaults() throws {
        #expect((field.text, field.attributedText?.string, field.hasText) == ("", "", false))
        #expect((field.font, field.textColor, field.borderStyle) == (.systemFont(ofSize: 17), .label, .none))
        #expect(try ShownView(field).kind() == .field(SceneField(isPlain: true, font: SceneFont(size: 17))))
        field.text = nil
        #expect(field.text == "")
    }

    @Test(
        "Borders have their sizes",
        arguments: [
            (UITextField.BorderStyle.none, 22.0, 0.0), (.roundedRect, 34, 28), (.line, 34, 28), (.bezel, 34, 28),
        ]
    )
    func sizes(style: UITextField.BorderStyle, height: CGFloat, room: CGFloat) throws {
        field.borderStyle = style
        #expect(field.intrinsicContentSize == CGSize(width: 5 + room, height: height))
        #expect(try drawn(ShownView(field)).isPlain == (style == .none))
        field.placeholder = "Your name"
        let wide = field.intrinsicContentSize.width
        #expect(wide > 60 + room)
        field.text = "N"
        #expect(field.intrinsicContentSize.width < wide)
    }

    @Test(
        "Keyboards have their words",
        arguments: [
            (UIKeyboardType.default, SceneField.Keyboard.text), (.URL, .url), (.numberPad, .number),
            (.phonePad, .phone),
            (.emailAddress, .email), (.decimalPad, .decimal), (.asciiCapableNumberPad, .number), (.twitter, .text),
        ]
    )
    func keyboards(type: UIKeyboardType, word: SceneField.Keyboard) throws {
        field.keyboardType = type
        #expect(try drawn(ShownView(field)).keyboard == word)
    }

    @Test("A text with attributes is drawn in those of its first letter")
    func attributed() throws {
        field.attributedText = NSAttributedString(
            string: "Big",
            attributes: [.font: UIFont.systemFont(ofSize: 30), .foregroundColor: UIColor.red]
        )
        field.attributedPlaceholder = NSAttributedString(string: "Empty", attributes: [.foregroundColor: UIColor.blue])
        #expect(
            try drawn(ShownView(field))
                == SceneField(
                    value: "Big",
                    placeholder: "Empty",
                    isPlain: true,
                    font: SceneFont(size: 30),
                    color: SceneColor(0xFF00_00FF)
                )
        )
        #expect(field.attributedText?.first(.font, as: UIFont.self) == .systemFont(ofSize: 30))
    }

    @Test("A password stays here, and its field is drawn dead")
    func secure() throws {
        (field.text, field.isSecureTextEntry) = ("secret", true)
        let shown = ShownView(field)
        #expect(try shown.kind() == .field(SceneField(isSecure: true, isPlain: true, font: SceneFont(size: 17))))
        #expect(throws: EventFault.inactive) { try shown.hear(.focus) }
    }

    @Test("A text beyond 8,192 bytes is drawn cut, and cannot be changed")
    func long() throws {
        (field.text, field.placeholder) = (String(repeating: "x", count: 10_000), "Name")
        field.accessibilityLabel = "Label"
        let shown = ShownView(field)
        let node = try drawn(shown)
        #expect((node.value.utf8.count, node.isDisabled) == (8_192 - 9, true))
        field.text = String(repeating: "x", count: 8_183)
        let whole = SceneField(value: field.text ?? "", placeholder: "Name", isPlain: true, font: SceneFont(size: 17))
        #expect(try drawn(shown) == whole)
        field.placeholder = String(repeating: "p", count: 10_000)
        #expect(try drawn(shown).placeholder.utf8.count == 400)
    }

    @Test("Ends of lines become spaces, and characters that control a terminal are not drawn")
    func newlines() throws {
        field.text = "one\ntwo\r\nthree"
        #expect(field.text == "one two three")
        field.text = "a\u{7}b"
        #expect(try drawn(ShownView(field)).value == "ab")
    }

    @Test("A disabled field is drawn so, and takes nothing that comes late")
    func dead() throws {
        field.isEnabled = false
        listener.hear(field)
        let shown = ShownView(field)
        #expect(try drawn(shown).isDisabled)
        try shown.hearLate(.focus, .value(.text("a")), .submit, .blur)
        field.isEnabled = true
        shown.root.isUserInteractionEnabled = false
        #expect(try drawn(shown).isDisabled)
        try shown.hearLate(.focus, .value(.text("a")), .submit)
        #expect((field.text, listener.calls) == ("", []))
        #expect(!field.becomeFirstResponder() || field.resignFirstResponder())
    }

    // MARK: Editing

    @Test("Editing begins, changes and ends in Apple's order")
    func editing() throws {
        let delegate = Answers()
        field.delegate = delegate
        listener.hear(field)
        let shown = ShownView(field)
        try shown.hear(.press, .focus, .release)
        #expect(field.isEditing && field.isFirstResponder)
        #expect((delegate.taken(), listener.taken()) == (["shouldBegin", "didBegin"], ["down:", "began:"]))
        try shown.hear(.value(.text("a")), .value(.text("ab")))
        #expect(delegate.taken() == ["0+0 a", "selection", "1+0 b", "selection"])
        #expect((field.text, listener.taken()) == ("ab", ["changed:", "changed:"]))
        try shown.hear(.blur)
        #expect(!field.isEditing)
        #expect((delegate.taken(), listener.taken()) == (["shouldEnd", "didEnd"], ["ended:"]))
        try shown.hear(.blur)
        #expect(delegate.calls.isEmpty && listener.calls.isEmpty)
    }

    @Test("A delegate that refuses a change keeps the text, and the page's goes back")
    func refusedChange() throws {
        let delegate = Answers()
        delegate.change = { _, _, string in string.allSatisfy(\.isNumber) }
        (field.delegate, field.text) = (delegate, "12")
        listener.hear(field)
        let shown = ShownView(field)
        try shown.hear(.focus, .value(.text("1x2")))
        #expect((field.text, listener.taken()) == ("12", ["began:"]))
        #expect(delegate.calls.suffix(1) == ["1+0 x"])
        try shown.hear(.value(.text("132")))
        #expect((field.text, listener.taken()) == ("132", ["changed:"]))
        #expect(try drawn(shown).value == "132")
        field.resignFirstResponder()
    }

    @Test("A delegate that sets a text itself has that")
    func ownChange() throws {
        let delegate = Answers()
        delegate.change = { field, _, string in
            field.text = (field.text ?? "") + string.uppercased()
            return false
        }
        field.delegate = delegate
        let shown = ShownView(field)
        try shown.hear(.value(.text("a")), .value(.text("Ab")))
        #expect(try drawn(shown).value == "AB")
        field.resignFirstResponder()
    }

    @Test(
        "A change is told as the part that differs, in units of UTF-16",
        arguments: [
            ("", "é", "0+0 é"), ("abc", "abXc", "2+0 X"), ("abc", "ac", "1+1 "), ("abc", "", "0+3 "),
            ("👍 a", "👍 ab", "4+0 b"), ("a👍b", "ab", "1+2 "), ("aa", "aaa", "2+0 a"),
            ("one two", "one three", "5+2 hree"),
            ("x", "y", "0+1 y"),
        ]
    )
    func ranges(old: String, new: String, told: String) throws {
        let delegate = Answers()
        field.text = old
        let shown = ShownView(field)
        try shown.hear(.focus)
        field.delegate = delegate
        try shown.hear(.value(.text(new)))
        #expect((delegate.calls, field.text) == ([told, "selection"], new))
        field.resignFirstResponder()
    }

    @Test("A field that may not be written in takes nothing")
    func refusedBegin() throws {
        let delegate = Answers()
        delegate.begins = false
        field.delegate = delegate
        listener.hear(field)
        let shown = ShownView(field)
        try shown.hear(.focus, .value(.text("a")), .submit, .blur)
        #expect((field.text, field.isEditing) == ("", false))
        #expect((delegate.taken(), listener.calls) == (["shouldBegin", "shouldBegin", "shouldBegin"], []))
    }

    @Test("A field that refuses to end keeps the place of the first responder")
    func refusedEnd() throws {
        let (delegate, other) = (Answers(), UITextField())
        delegate.ends = false
        field.delegate = delegate
        let shown = ShownView(field)
        try shown.hear(.focus, .blur)
        #expect(field.isEditing)
        #expect(!other.becomeFirstResponder())
        delegate.ends = true
        #expect(other.becomeFirstResponder())
        #expect((field.isEditing, other.isEditing) == (false, true))
        other.resignFirstResponder()
    }

    @Test("The return key asks the delegate, and an action for the end takes the keyboard away")
    func submit() throws {
        let delegate = Answers()
        field.delegate = delegate
        field.addTarget(listener, action: "primary:", for: .primaryActionTriggered)
        let shown = ShownView(field)
        try shown.hear(.focus, .submit)
        #expect((field.isEditing, listener.taken()) == (true, ["primary:"]))
        field.addTarget(listener, action: "exit:", for: .editingDidEndOnExit)
        delegate.returns = false
        try shown.hear(.submit)
        #expect(listener.calls.isEmpty)
        delegate.returns = true
        _ = delegate.taken()
        try shown.hear(.submit)
        #expect((field.isEditing, listener.taken()) == (false, ["primary:", "exit:"]))
        #expect(delegate.taken() == ["shouldReturn", "shouldEnd", "didEnd"])
    }

    @Test("A delegate may give the keyboard away at the return key")
    func resigned() throws {
        final class Leaving: NSObject, UITextFieldDelegate {
            func textFieldShouldReturn(_ textField: UITextField) -> Bool {
                textField.resignFirstResponder()
                return true
            }
        }
        let delegate = Leaving()
        field.delegate = delegate
        listener.hear(field)
        try ShownView(field).hear(.focus, .submit)
        #expect(listener.calls == ["began:", "ended:", "primary:", "exit:"])
        #expect(!field.isEditing)
    }

    @Test("A text is taken away when editing begins, if that is wished and allowed")
    func clears() throws {
        let delegate = Answers()
        (field.delegate, field.text, field.clearsOnBeginEditing, delegate.clears) = (delegate, "old", true, false)
        listener.hear(field)
        let shown = ShownView(field)
        try shown.hear(.focus, .blur)
        #expect(field.text == "old")
        delegate.clears = true
        _ = (delegate.taken(), listener.taken())
        try shown.hear(.focus)
        #expect((field.text, listener.taken()) == ("", ["began:", "changed:"]))
        #expect(delegate.taken() == ["shouldBegin", "didBegin", "shouldClear", "selection"])
        field.resignFirstResponder()
    }

    @Test("Notifications of the field are posted")
    func notifications() throws {
        var names: [Notification.Name] = []
        let all = [
            UITextField.textDidBeginEditingNotification, UITextField.textDidChangeNotification,
            UITextField.textDidEndEditingNotification,
        ]
        let tokens = all.map { name in
            NotificationCenter.default.addObserver(forName: name, object: field, queue: nil) { note in
                MainActor.assumeIsolated { names.append(name) }
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        try ShownView(field).hear(.focus, .value(.text("a")), .blur)
        #expect(names == all)
    }

    @Test("Input views of a field are shown below the box while it is written in")
    func inputViews() throws {
        let accessory = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 44))
        field.inputAccessoryView = accessory
        let shown = ShownView(field)
        try shown.hear(.focus)
        let node = shown.window.draw(in: ViewEnvironment(), number: { _ in nil }).set.first(where: \.isStrip)
        #expect(node?.frame == SceneFrame(0, 0, 360, 44))
        try shown.hear(.blur)
        #expect(field.inputAccessoryView === accessory)
    }

    @Test("Letters are added and taken away at the end")
    func keys() {
        field.insertText("añ")
        field.insertText("👍🏽")
        field.deleteBackward()
        #expect(field.text == "añ")
    }

    @Test("The default attributes set font and colour")
    func attributes() {
        field.defaultTextAttributes = [.font: UIFont.systemFont(ofSize: 9), .foregroundColor: UIColor.red, .kern: 2]
        #expect((field.font, field.textColor) == (.systemFont(ofSize: 9), .red))
        #expect(field.defaultTextAttributes[.kern] as? Int == 2)
    }
}
