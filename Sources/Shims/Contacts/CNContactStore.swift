// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Foundation

/// A key of a contact, or several; a text is one, as with Apple, where it becomes an NSString.
public protocol CNKeyDescriptor {}

extension String: CNKeyDescriptor {}
extension NSString: CNKeyDescriptor {}

/// The key of the given name.
public let CNContactGivenNameKey = "givenName"
/// The key of the family name.
public let CNContactFamilyNameKey = "familyName"
/// The key of the organization.
public let CNContactOrganizationNameKey = "organizationName"
/// The key of the numbers of phones.
public let CNContactPhoneNumbersKey = "phoneNumbers"
/// The key of the addresses for electronic mail.
public let CNContactEmailAddressesKey = "emailAddresses"
/// The key of the addresses for letters.
public let CNContactPostalAddressesKey = "postalAddresses"
/// The key of the picture.
public let CNContactImageDataKey = "imageData"
/// The key of the small picture.
public let CNContactThumbnailImageDataKey = "thumbnailImageData"

/// The kind of records that can be asked for.
public enum CNEntityType: Int, Sendable {
    /// Contacts.
    case contacts
}

/// The permission of a person.
public enum CNAuthorizationStatus: Int, Sendable {
    /// Nobody was asked.
    case notDetermined
    /// The device does not allow it.
    case restricted
    /// The person does not allow it, as it is here.
    case denied
    /// The person allows it.
    case authorized
    /// The person allows some.
    case limited
}

/// A search among all contacts.
///
/// Source: Apple, "CNContactFetchRequest".
open class CNContactFetchRequest: NSObject {
    /// The condition for a contact.
    open var predicate: NSPredicate?
    /// The properties that are wanted.
    open var keysToFetch: [any CNKeyDescriptor]
    /// True if contacts of one person are one.
    open var unifyResults = true

    /// Asks for all contacts.
    public init(keysToFetch: [any CNKeyDescriptor]) {
        self.keysToFetch = keysToFetch
    }
}

// SAFETY: it has no state.
/// The contacts of a person: an extension has none here, and each request ends with `CNError(.authorizationDenied)`.
///
/// Source: Apple, "CNContactStore".
open class CNContactStore: NSObject, @unchecked Sendable {
    /// A store that nothing is allowed.
    public override init() {}

    /// Denied.
    open class func authorizationStatus(for entityType: CNEntityType) -> CNAuthorizationStatus { .denied }

    /// Asks nobody; the handler is called on a queue of its own with false and an error.
    @preconcurrency open func requestAccess(
        for entityType: CNEntityType,
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { completionHandler(false, CNError(.authorizationDenied)) }
    }

    /// Asks nobody, and throws `CNError(.authorizationDenied)`.
    open func requestAccess(for entityType: CNEntityType) async throws -> Bool { throw CNError(.authorizationDenied) }

    /// Throws `CNError(.authorizationDenied)`.
    open func unifiedContacts(
        matching predicate: NSPredicate,
        keysToFetch keys: [any CNKeyDescriptor]
    ) throws -> [CNContact] {
        throw CNError(.authorizationDenied)
    }

    /// Throws `CNError(.authorizationDenied)`.
    open func unifiedContact(
        withIdentifier identifier: String,
        keysToFetch keys: [any CNKeyDescriptor]
    ) throws -> CNContact {
        throw CNError(.authorizationDenied)
    }

    /// Throws `CNError(.authorizationDenied)`, and calls the block for nobody.
    open func enumerateContacts(
        with fetchRequest: CNContactFetchRequest,
        usingBlock block: (CNContact, UnsafeMutablePointer<ObjCBool>) -> Void
    ) throws {
        throw CNError(.authorizationDenied)
    }
}

extension CNContact {
    /// A search by a name, for a store that answers none.
    public class func predicateForContacts(matchingName name: String) -> NSPredicate { NSPredicate(value: false) }
    /// A search by the address for electronic mail, for a store that answers none.
    public class func predicateForContacts(matchingEmailAddress emailAddress: String) -> NSPredicate {
        NSPredicate(value: false)
    }
    /// A search by the number of a phone, for a store that answers none.
    public class func predicateForContacts(matching phoneNumber: CNPhoneNumber) -> NSPredicate {
        NSPredicate(value: false)
    }
    /// A search by identifiers, for a store that answers none.
    public class func predicateForContacts(withIdentifiers identifiers: [String]) -> NSPredicate {
        NSPredicate(value: false)
    }
}
