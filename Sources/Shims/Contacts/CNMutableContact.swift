// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A person or an organization that can be changed.
///
/// Source: Apple, "CNMutableContact".
open class CNMutableContact: CNContact {
    /// The kind.
    open override var contactType: CNContactType {
        get { facts.contactType }
        set { facts.contactType = newValue }
    }
    /// The title before the name.
    open override var namePrefix: String {
        get { facts.namePrefix }
        set { facts.namePrefix = newValue }
    }
    /// The given name.
    open override var givenName: String {
        get { facts.givenName }
        set { facts.givenName = newValue }
    }
    /// The names in the middle.
    open override var middleName: String {
        get { facts.middleName }
        set { facts.middleName = newValue }
    }
    /// The family name.
    open override var familyName: String {
        get { facts.familyName }
        set { facts.familyName = newValue }
    }
    /// The title behind the name.
    open override var nameSuffix: String {
        get { facts.nameSuffix }
        set { facts.nameSuffix = newValue }
    }
    /// The name among friends.
    open override var nickname: String {
        get { facts.nickname }
        set { facts.nickname = newValue }
    }
    /// The organization.
    open override var organizationName: String {
        get { facts.organizationName }
        set { facts.organizationName = newValue }
    }
    /// The part of the organization.
    open override var departmentName: String {
        get { facts.departmentName }
        set { facts.departmentName = newValue }
    }
    /// The work.
    open override var jobTitle: String {
        get { facts.jobTitle }
        set { facts.jobTitle = newValue }
    }
    /// A note.
    open override var note: String {
        get { facts.note }
        set { facts.note = newValue }
    }
    /// The bytes of the picture.
    open override var imageData: Data? {
        get { facts.imageData }
        set { facts.imageData = newValue }
    }
    /// The day of birth.
    open override var birthday: DateComponents? {
        get { facts.birthday }
        set { facts.birthday = newValue }
    }
    /// The numbers of phones.
    open override var phoneNumbers: [CNLabeledValue<CNPhoneNumber>] {
        get { facts.phoneNumbers }
        set { facts.phoneNumbers = newValue }
    }
    /// The addresses for electronic mail.
    open override var emailAddresses: [CNLabeledValue<NSString>] {
        get { facts.emailAddresses }
        set { facts.emailAddresses = newValue }
    }
    /// The addresses for letters.
    open override var postalAddresses: [CNLabeledValue<CNPostalAddress>] {
        get { facts.postalAddresses }
        set { facts.postalAddresses = newValue }
    }
    /// The addresses of pages.
    open override var urlAddresses: [CNLabeledValue<NSString>] {
        get { facts.urlAddresses }
        set { facts.urlAddresses = newValue }
    }
}
