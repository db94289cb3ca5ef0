// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The kind of a contact.
public enum CNContactType: Int, Sendable {
    /// A person.
    case person
    /// An organization.
    case organization
}

/// A person or an organization, made by code: nobody's contacts are read here.
///
/// All properties can be read, whatever keys were asked for.
/// Source: Apple, "CNContact".
open class CNContact: NSObject, NSCopying, NSMutableCopying {
    struct Facts {
        var identifier = UUID().uuidString
        var contactType = CNContactType.person
        var namePrefix = ""
        var givenName = ""
        var middleName = ""
        var familyName = ""
        var nameSuffix = ""
        var nickname = ""
        var organizationName = ""
        var departmentName = ""
        var jobTitle = ""
        var note = ""
        var imageData: Data?
        var birthday: DateComponents?
        var phoneNumbers: [CNLabeledValue<CNPhoneNumber>] = []
        var emailAddresses: [CNLabeledValue<NSString>] = []
        var postalAddresses: [CNLabeledValue<CNPostalAddress>] = []
        var urlAddresses: [CNLabeledValue<NSString>] = []
    }

    var facts = Facts()

    /// A contact whose properties are empty.
    public override init() {
        super.init()
    }

    init(facts: Facts) {
        self.facts = facts
        super.init()
    }

    /// The name of the contact, which no other has.
    open var identifier: String { facts.identifier }
    /// The kind.
    open var contactType: CNContactType { facts.contactType }
    /// The title before the name.
    open var namePrefix: String { facts.namePrefix }
    /// The given name.
    open var givenName: String { facts.givenName }
    /// The names in the middle.
    open var middleName: String { facts.middleName }
    /// The family name.
    open var familyName: String { facts.familyName }
    /// The title behind the name.
    open var nameSuffix: String { facts.nameSuffix }
    /// The name among friends.
    open var nickname: String { facts.nickname }
    /// The organization.
    open var organizationName: String { facts.organizationName }
    /// The part of the organization.
    open var departmentName: String { facts.departmentName }
    /// The work.
    open var jobTitle: String { facts.jobTitle }
    /// A note.
    open var note: String { facts.note }
    /// The bytes of the picture.
    open var imageData: Data? { facts.imageData }
    /// The bytes of the picture.
    open var thumbnailImageData: Data? { facts.imageData }
    /// True if there is a picture.
    open var imageDataAvailable: Bool { facts.imageData != nil }
    /// The day of birth.
    open var birthday: DateComponents? { facts.birthday }
    /// The numbers of phones.
    open var phoneNumbers: [CNLabeledValue<CNPhoneNumber>] { facts.phoneNumbers }
    /// The addresses for electronic mail.
    open var emailAddresses: [CNLabeledValue<NSString>] { facts.emailAddresses }
    /// The addresses for letters.
    open var postalAddresses: [CNLabeledValue<CNPostalAddress>] { facts.postalAddresses }
    /// The addresses of pages.
    open var urlAddresses: [CNLabeledValue<NSString>] { facts.urlAddresses }

    /// True: all properties can be read.
    open func isKeyAvailable(_ key: String) -> Bool { true }
    /// True: all properties can be read.
    open func areKeysAvailable(_ keyDescriptors: [any CNKeyDescriptor]) -> Bool { true }

    /// Returns a contact of its own that nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { CNContact(facts: facts) }
    /// Returns a contact of its own that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutableContact(facts: facts) }
}
