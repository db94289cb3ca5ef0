// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The form of a contact's name.
public enum CNContactFormatterStyle: Int, Sendable {
    /// The whole name.
    case fullName
    /// The whole name by its sound, which is that of `fullName` here.
    case phoneticFullName
}

/// The order of the parts of a name.
public enum CNContactDisplayNameOrder: Int, Sendable {
    /// The order of the person's settings.
    case userDefault
    /// The given name first, as it is here for all names.
    case givenNameFirst
    /// The family name first.
    case familyNameFirst
}

/// Writes the name of a contact: prefix, given name, names in the middle, family name and suffix, with spaces between.
///
/// Apple orders the parts by the language of the name; here the given name is first.
/// Source: Apple, "CNContactFormatter".
open class CNContactFormatter: Formatter {
    /// The form of the name.
    open var style = CNContactFormatterStyle.fullName

    /// Returns the name, or that of the organization for a contact without one; `nil` if there is neither.
    open class func string(from contact: CNContact, style: CNContactFormatterStyle) -> String? {
        let names = [
            contact.namePrefix, contact.givenName, contact.middleName, contact.familyName, contact.nameSuffix,
        ].filter { !$0.isEmpty }
        let name = names.joined(separator: " ")
        let organization = contact.organizationName
        let isPerson = contact.contactType == .person && !name.isEmpty
        return [isPerson ? name : organization, name, organization].first { !$0.isEmpty }
    }

    /// Returns the name; `nil` if there is none.
    open func string(from contact: CNContact) -> String? { Self.string(from: contact, style: style) }

    /// Returns the name; `nil` for any other object.
    open override func string(for obj: Any?) -> String? { (obj as? CNContact).flatMap(string(from:)) }

    /// The order of the parts: the given name is first.
    open class func nameOrder(for contact: CNContact) -> CNContactDisplayNameOrder { .givenNameFirst }

    /// The text between the parts: a space.
    open class func delimiter(for contact: CNContact) -> String { " " }

    /// The keys that a name needs.
    open class func descriptorForRequiredKeys(for style: CNContactFormatterStyle) -> any CNKeyDescriptor {
        "CNContactFormatter.\(style.rawValue)"
    }
}
