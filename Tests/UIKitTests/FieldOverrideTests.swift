// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// A field of an author that says the wishes for its keyboard by overriding.
private final class CodeField: UITextField {
    let bar = UIView.box(10, 44)
    override var keyboardType: UIKeyboardType {
        get { .numberPad }
        set {}
    }
    override var isSecureTextEntry: Bool {
        get { false }
        set {}
    }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    override var textContentType: UITextContentType! {
        get { .oneTimeCode }
        set {}
    }
    override var inputAccessoryView: UIView? {
        get { bar }
        set {}
    }
    override var canBecomeFirstResponder: Bool { true }
}

/// The same of a text view.
private final class CodeView: UITextView {
    override var keyboardType: UIKeyboardType {
        get { .emailAddress }
        set {}
    }
    override var canBecomeFirstResponder: Bool { true }
}

/// An object of an author's that leaves all wishes out.
private final class Plain: NSObject, UITextInputTraits {}

/// The wishes of fields for their keyboards, as code overrides and sets them.
@MainActor @Suite(.serialized) struct FieldOverrideTests {
    @Test("A wish that a subclass overrides is the one that is drawn")
    func overridden() throws {
        let (field, view) = (CodeField(), CodeView(frame: rect(0, 0, 100, 50)))
        field.keyboardType = .URL
        guard case .field(let drawn) = try ShownView(field).kind(),
            case .editor(let editor) = try ShownView(view).kind()
        else {
            Issue.record("another kind")
            return
        }
        #expect(drawn.keyboard == .number)
        #expect(editor.keyboard == .email)
        #expect(field.textContentType == .oneTimeCode)
    }

    @Test("A wish that is set is kept and drawn")
    func set() throws {
        let (field, view) = (UITextField(), UITextView(frame: rect(0, 0, 100, 50)))
        (field.keyboardType, field.returnKeyType, field.autocapitalizationType) = (.phonePad, .go, .none)
        (view.keyboardType, view.smartQuotesType, view.textContentType) = (.decimalPad, .no, .name)
        guard case .field(let drawn) = try ShownView(field).kind(),
            case .editor(let editor) = try ShownView(view).kind()
        else {
            Issue.record("another kind")
            return
        }
        #expect(drawn.keyboard == .phone)
        #expect(editor.keyboard == .decimal)
        #expect(field.returnKeyType == .go)
        #expect(field.autocapitalizationType == .none)
        #expect(view.smartQuotesType == .no)
        #expect(view.textContentType == .name)
    }

    @Test("An object that leaves the wishes out has those of UIKit")
    func plain() {
        let plain = Plain()
        plain.keyboardType = .URL
        #expect(plain.keyboardType == .default)
        #expect(plain.autocapitalizationType == .sentences)
    }

    @Test("The input views of a text view are shown below the box while it is the first responder")
    func views() throws {
        let view = UITextView(frame: rect(0, 0, 100, 50))
        let shown = ShownView(view)
        let (keyboard, bar) = (UIView.box(10, 100), UIView.box(10, 44))
        (view.inputView, view.inputAccessoryView) = (keyboard, bar)
        #expect(view.becomeFirstResponder())
        _ = try shown.drawn()
        #expect(shown.window.strip.subviews == [bar, keyboard])
        view.inputView = nil
        _ = try shown.drawn()
        #expect(shown.window.strip.subviews == [bar])
        view.resignFirstResponder()
    }
}
