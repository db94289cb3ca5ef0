// SPDX-License-Identifier: Apache-2.0

package import SceneModel

/// The kind of a keyboard.
public enum UIKeyboardType: Int, Sendable {
    /// The keyboard of the language.
    case `default`
    /// Letters of ASCII.
    case asciiCapable
    /// A keyboard of digits and punctuation marks.
    case numbersAndPunctuation
    /// A keyboard for the address of a page, with a slash and a full stop.
    case URL
    /// A keyboard of digits alone, as the language writes them.
    case numberPad
    /// A keyboard for a telephone number: digits, `*` and `#`.
    case phonePad
    /// A keyboard of letters that changes to one for a telephone number.
    case namePhonePad
    /// A keyboard for an address of mail, with `@` and a full stop.
    case emailAddress
    /// A keyboard of digits and a decimal point.
    case decimalPad
    /// A keyboard of letters with `@` and `#` on it.
    case twitter
    /// A keyboard for words that are looked for, with a full stop.
    case webSearch
    /// Digits of ASCII.
    case asciiCapableNumberPad
    /// The former name of `asciiCapable`.
    public static let alphabet = UIKeyboardType.asciiCapable

    /// The kind as a scene names it.
    package var sceneKeyboard: SceneField.Keyboard {
        switch self {
        case .URL: .url
        case .numberPad, .asciiCapableNumberPad: .number
        case .phonePad: .phone
        case .emailAddress: .email
        case .decimalPad: .decimal
        case .default, .asciiCapable, .numbersAndPunctuation, .namePhonePad, .twitter, .webSearch: .text
        }
    }
}

/// The word on a return key.
public enum UIReturnKeyType: Int, Sendable {
    case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall, `continue`
}

/// The letters that become capitals as they are written.
public enum UITextAutocapitalizationType: Int, Sendable {
    case none, words, sentences, allCharacters
}

/// True or false, as the system does or by itself.
public enum UITextAutocorrectionType: Int, Sendable {
    case `default`, no, yes
}

/// True or false, as the system does or by itself.
public enum UITextSpellCheckingType: Int, Sendable {
    case `default`, no, yes
}

/// True or false, as the system does or by itself.
public enum UITextSmartQuotesType: Int, Sendable {
    case `default`, no, yes
}

/// True or false, as the system does or by itself.
public enum UITextSmartDashesType: Int, Sendable {
    case `default`, no, yes
}

/// True or false, as the system does or by itself.
public enum UITextSmartInsertDeleteType: Int, Sendable {
    case `default`, no, yes
}

/// The look of a keyboard.
public enum UIKeyboardAppearance: Int, Sendable {
    case `default`, dark, light
    /// The former name of `dark`.
    public static let alert = UIKeyboardAppearance.dark
}

/// The purpose of a field, by which a system offers what it knows.
public struct UITextContentType: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String

    /// Takes a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A whole name.
    public static let name = UITextContentType(rawValue: "name")
    /// A first name.
    public static let givenName = UITextContentType(rawValue: "given-name")
    /// A family's name.
    public static let familyName = UITextContentType(rawValue: "family-name")
    /// A name that friends use.
    public static let nickname = UITextContentType(rawValue: "nickname")
    /// A place.
    public static let location = UITextContentType(rawValue: "location")
    /// A whole address.
    public static let fullStreetAddress = UITextContentType(rawValue: "street-address")
    /// A town.
    public static let addressCity = UITextContentType(rawValue: "address-level2")
    /// A postal code.
    public static let postalCode = UITextContentType(rawValue: "postal-code")
    /// An address of mail.
    public static let emailAddress = UITextContentType(rawValue: "email")
    /// A telephone number.
    public static let telephoneNumber = UITextContentType(rawValue: "tel")
    /// The address of a page.
    public static let URL = UITextContentType(rawValue: "url")
    /// The name of an account.
    public static let username = UITextContentType(rawValue: "username")
    /// The password of an account.
    public static let password = UITextContentType(rawValue: "password")
    /// A new password.
    public static let newPassword = UITextContentType(rawValue: "new-password")
    /// A code for one use.
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
}
