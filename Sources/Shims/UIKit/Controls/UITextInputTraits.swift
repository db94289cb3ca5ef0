// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The wishes of a field for its keyboard.
///
/// The kind of the keyboard is the browser's choice, by `keyboardType`; a browser has no other of these wishes. An
/// object may leave each of them out. Source: Apple, "UITextInputTraits".
@preconcurrency @MainActor public protocol UITextInputTraits: NSObjectProtocol {
    /// The kind of the keyboard.
    var keyboardType: UIKeyboardType { get set }
    /// True for a password, which nobody can be asked for here: the page draws the field dead.
    var isSecureTextEntry: Bool { get set }
    /// The word on the return key; without effect, as a browser has its own.
    var returnKeyType: UIReturnKeyType { get set }
    /// The letters that become capitals; without effect, as a browser decides.
    var autocapitalizationType: UITextAutocapitalizationType { get set }
    /// True if words are corrected; without effect, as a browser decides.
    var autocorrectionType: UITextAutocorrectionType { get set }
    /// True if words are looked up; without effect, as a browser decides.
    var spellCheckingType: UITextSpellCheckingType { get set }
    /// The form of quotes; without effect, as a browser decides.
    var smartQuotesType: UITextSmartQuotesType { get set }
    /// The form of dashes; without effect, as a browser decides.
    var smartDashesType: UITextSmartDashesType { get set }
    /// The blanks around what is put in; without effect, as a browser decides.
    var smartInsertDeleteType: UITextSmartInsertDeleteType { get set }
    /// The look of a keyboard; without effect, as a browser has its own.
    var keyboardAppearance: UIKeyboardAppearance { get set }
    /// True if the return key is dead while there is no text; without effect, as a browser has its own.
    var enablesReturnKeyAutomatically: Bool { get set }
    /// The kind of what is written; without effect, as a browser offers nothing of what it knows.
    var textContentType: UITextContentType? { get set }
    /// The form of new passwords; without effect, as nobody can be asked for one.
    var passwordRules: UITextInputPasswordRules? { get set }
}

/// The wishes as a field of UIKit keeps them.
struct InputTraits {
    var keyboardType = UIKeyboardType.default
    var isSecureTextEntry = false
    var returnKeyType = UIReturnKeyType.default
    var autocapitalizationType = UITextAutocapitalizationType.sentences
    var autocorrectionType = UITextAutocorrectionType.default
    var spellCheckingType = UITextSpellCheckingType.default
    var smartQuotesType = UITextSmartQuotesType.default
    var smartDashesType = UITextSmartDashesType.default
    var smartInsertDeleteType = UITextSmartInsertDeleteType.default
    var keyboardAppearance = UIKeyboardAppearance.default
    var enablesReturnKeyAutomatically = false
    var textContentType: UITextContentType?
    var passwordRules: UITextInputPasswordRules?
}

/// An object that keeps its wishes here.
@MainActor protocol HasInputTraits: AnyObject {
    var inputTraits: InputTraits { get set }
}

extension UITextInputTraits {
    private var kept: InputTraits { (self as? any HasInputTraits)?.inputTraits ?? InputTraits() }

    private func keep<Value>(_ member: WritableKeyPath<InputTraits, Value>, _ value: Value) {
        (self as? any HasInputTraits)?.inputTraits[keyPath: member] = value
    }

    /// The kind of the keyboard.
    public var keyboardType: UIKeyboardType {
        get { kept.keyboardType }
        set { keep(\.keyboardType, newValue) }
    }
    /// True for a password, which nobody can be asked for here: the page draws the field dead.
    public var isSecureTextEntry: Bool {
        get { kept.isSecureTextEntry }
        set { keep(\.isSecureTextEntry, newValue) }
    }
    /// The word on the return key; without effect, as a browser has its own.
    public var returnKeyType: UIReturnKeyType {
        get { kept.returnKeyType }
        set { keep(\.returnKeyType, newValue) }
    }
    /// The letters that become capitals; without effect, as a browser decides.
    public var autocapitalizationType: UITextAutocapitalizationType {
        get { kept.autocapitalizationType }
        set { keep(\.autocapitalizationType, newValue) }
    }
    /// True if words are corrected; without effect, as a browser decides.
    public var autocorrectionType: UITextAutocorrectionType {
        get { kept.autocorrectionType }
        set { keep(\.autocorrectionType, newValue) }
    }
    /// True if words are looked up; without effect, as a browser decides.
    public var spellCheckingType: UITextSpellCheckingType {
        get { kept.spellCheckingType }
        set { keep(\.spellCheckingType, newValue) }
    }
    /// The form of quotes; without effect, as a browser decides.
    public var smartQuotesType: UITextSmartQuotesType {
        get { kept.smartQuotesType }
        set { keep(\.smartQuotesType, newValue) }
    }
    /// The form of dashes; without effect, as a browser decides.
    public var smartDashesType: UITextSmartDashesType {
        get { kept.smartDashesType }
        set { keep(\.smartDashesType, newValue) }
    }
    /// The blanks around what is put in; without effect, as a browser decides.
    public var smartInsertDeleteType: UITextSmartInsertDeleteType {
        get { kept.smartInsertDeleteType }
        set { keep(\.smartInsertDeleteType, newValue) }
    }
    /// The look of a keyboard; without effect, as a browser has its own.
    public var keyboardAppearance: UIKeyboardAppearance {
        get { kept.keyboardAppearance }
        set { keep(\.keyboardAppearance, newValue) }
    }
    /// True if the return key is dead while there is no text; without effect, as a browser has its own.
    public var enablesReturnKeyAutomatically: Bool {
        get { kept.enablesReturnKeyAutomatically }
        set { keep(\.enablesReturnKeyAutomatically, newValue) }
    }
    /// The kind of what is written; without effect, as a browser offers nothing of what it knows.
    public var textContentType: UITextContentType? {
        get { kept.textContentType }
        set { keep(\.textContentType, newValue) }
    }
    /// The form of new passwords; without effect, as nobody can be asked for one.
    public var passwordRules: UITextInputPasswordRules? {
        get { kept.passwordRules }
        set { keep(\.passwordRules, newValue) }
    }
}

/// The form of new passwords; no field here takes one.
///
/// Source: Apple, "UITextInputPasswordRules".
@preconcurrency @MainActor open class UITextInputPasswordRules: NSObject {
    /// The rules as they were given.
    public let passwordRulesDescriptor: String

    /// Rules in Apple's words.
    public init(descriptor passwordRulesDescriptor: String) {
        self.passwordRulesDescriptor = passwordRulesDescriptor
    }
}
