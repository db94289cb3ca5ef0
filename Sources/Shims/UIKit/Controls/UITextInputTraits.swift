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

/// The wishes of an object that leaves them out: those of UIKit, whatever is set.
extension UITextInputTraits {
    /// The kind of the keyboard.
    public var keyboardType: UIKeyboardType {
        get { .default }
        set {}
    }
    /// False: the text may be seen.
    public var isSecureTextEntry: Bool {
        get { false }
        set {}
    }
    /// The word on the return key; without effect, as a browser has its own.
    public var returnKeyType: UIReturnKeyType {
        get { .default }
        set {}
    }
    /// The letters that become capitals; without effect, as a browser decides.
    public var autocapitalizationType: UITextAutocapitalizationType {
        get { .sentences }
        set {}
    }
    /// True if words are corrected; without effect, as a browser decides.
    public var autocorrectionType: UITextAutocorrectionType {
        get { .default }
        set {}
    }
    /// True if words are looked up; without effect, as a browser decides.
    public var spellCheckingType: UITextSpellCheckingType {
        get { .default }
        set {}
    }
    /// The form of quotes; without effect, as a browser decides.
    public var smartQuotesType: UITextSmartQuotesType {
        get { .default }
        set {}
    }
    /// The form of dashes; without effect, as a browser decides.
    public var smartDashesType: UITextSmartDashesType {
        get { .default }
        set {}
    }
    /// The blanks around what is put in; without effect, as a browser decides.
    public var smartInsertDeleteType: UITextSmartInsertDeleteType {
        get { .default }
        set {}
    }
    /// The look of a keyboard; without effect, as a browser has its own.
    public var keyboardAppearance: UIKeyboardAppearance {
        get { .default }
        set {}
    }
    /// False: the return key is not dead; without effect, as a browser has its own.
    public var enablesReturnKeyAutomatically: Bool {
        get { false }
        set {}
    }
    /// None: the kind of what is written is not known.
    public var textContentType: UITextContentType? {
        get { nil }
        set {}
    }
    /// None: nobody can be asked for a new password.
    public var passwordRules: UITextInputPasswordRules? {
        get { nil }
        set {}
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
