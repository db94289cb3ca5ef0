// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The label of what belongs to a home.
public let CNLabelHome = "_$!<Home>!$_"
/// The label of what belongs to a work place.
public let CNLabelWork = "_$!<Work>!$_"
/// The label of what belongs to a school.
public let CNLabelSchool = "_$!<School>!$_"
/// The label of what belongs to something else.
public let CNLabelOther = "_$!<Other>!$_"
/// The label of a phone in the pocket.
public let CNLabelPhoneNumberMobile = "_$!<Mobile>!$_"
/// The label of the number that is called first.
public let CNLabelPhoneNumberMain = "_$!<Main>!$_"
/// The label of Apple's phone.
public let CNLabelPhoneNumberiPhone = "iPhone"

/// A value of a contact with a label, such as the number of a phone at home.
///
/// Source: Apple, "CNLabeledValue".
open class CNLabeledValue<ValueType: NSCopying & NSSecureCoding>: NSObject, NSCopying {
    /// The name of the pair, which no other has.
    public let identifier: String
    /// The label; `nil` for none.
    public let label: String?
    /// The value.
    public let value: ValueType

    private init(identifier: String, label: String?, value: ValueType) {
        (self.identifier, self.label, self.value) = (identifier, label, value)
    }

    /// Takes a label and a value.
    public convenience init(label: String?, value: ValueType) {
        self.init(identifier: UUID().uuidString, label: label, value: value)
    }

    /// The pair with another label.
    open func settingLabel(_ label: String?) -> CNLabeledValue<ValueType> {
        CNLabeledValue(identifier: identifier, label: label, value: value)
    }

    /// The pair with another value.
    open func settingValue(_ value: ValueType) -> CNLabeledValue<ValueType> {
        CNLabeledValue(identifier: identifier, label: label, value: value)
    }

    /// The label in English: "home" for `CNLabelHome`, and a label of one's own as it is.
    open class func localizedString(forLabel label: String) -> String {
        guard label.hasPrefix("_$!<"), label.hasSuffix(">!$_") else { return label }
        return label.dropFirst(4).dropLast(4).lowercased()
    }

    /// Returns the pair itself, which nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The number of a phone, as it was written.
///
/// Source: Apple, "CNPhoneNumber".
open class CNPhoneNumber: NSObject, NSCopying, NSSecureCoding {
    /// The number as it was written.
    public let stringValue: String

    /// Takes a number in any form.
    public init(stringValue string: String) {
        stringValue = string
    }

    /// Returns the number itself, which nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    /// Compares what was written.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CNPhoneNumber)?.stringValue == stringValue }
    /// The same for equal numbers.
    open override var hash: Int { stringValue.hashValue }
    /// True: an archive of one holds a string.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; `nil` for any other.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "stringValue"),
            let text = coder.decodeObject(of: NSString.self, forKey: "stringValue")
        else { return nil }
        stringValue = text as String
    }

    /// Archives what was written.
    open func encode(with coder: NSCoder) { coder.encode(stringValue as NSString, forKey: "stringValue") }
}
