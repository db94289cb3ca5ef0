// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The kind of a person's address.
public enum INPersonHandleType: Int, Sendable {
    /// The app's own.
    case unknown = 0
    /// An e-mail address.
    case emailAddress = 1
    /// A telephone number.
    case phoneNumber = 2
}

/// The use of a person's address, such as at home or at work.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    /// Apple's word.
    public let rawValue: String

    /// A label by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A label by its word.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// At home.
    public static let home = INPersonHandleLabel("_$!<Home>!$_")
    /// At work.
    public static let work = INPersonHandleLabel("_$!<Work>!$_")
    /// An iPhone.
    public static let iPhone = INPersonHandleLabel("iPhone")
    /// A mobile telephone.
    public static let mobile = INPersonHandleLabel("_$!<Mobile>!$_")
    /// The main one.
    public static let main = INPersonHandleLabel("_$!<Main>!$_")
    /// Any other.
    public static let other = INPersonHandleLabel("_$!<Other>!$_")
}

// SAFETY: immutable after `init`.
/// The address of a person in an app.
open class INPersonHandle: NSObject, NSCopying, @unchecked Sendable {
    /// The address; nil for none.
    public let value: String?
    /// The kind of the address.
    public let type: INPersonHandleType
    /// The use of the address.
    public let label: INPersonHandleLabel?

    /// An address with what it is for.
    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        (self.value, self.type, self.label) = (value, type, label)
    }

    /// An address.
    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    /// Returns the handle itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares value, kind and label.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return value == other.value && type == other.type && label == other.label
    }

    /// The same for equal handles.
    open override var hash: Int { value.hashValue }
}

/// The relationship of a person to the user.
public struct INPersonRelationship: RawRepresentable, Hashable, Sendable {
    /// Apple's word.
    public let rawValue: String

    /// A relationship by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Mother or father.
    public static let parent = INPersonRelationship(rawValue: "parent")
    /// Brother or sister.
    public static let sibling = INPersonRelationship(rawValue: "sibling")
    /// Friend.
    public static let friend = INPersonRelationship(rawValue: "friend")
    /// Wife, husband or partner.
    public static let partner = INPersonRelationship(rawValue: "partner")
}

/// The place from which Siri may know a person; stored without effect.
public enum INPersonSuggestionType: Int, Sendable {
    /// From nowhere.
    case none = 0
    /// From a social profile.
    case socialProfile = 1
    /// From messages.
    case instantMessageAddress = 2
}

// SAFETY: immutable after `init`.
/// Somebody who sends or gets a message.
open class INPerson: NSObject, NSCopying, @unchecked Sendable {
    /// The person's address in the app.
    public let personHandle: INPersonHandle?
    /// The parts of the name.
    public let nameComponents: PersonNameComponents?
    /// The person's picture.
    public let image: INImage?
    /// The person's identifier among the contacts.
    public let contactIdentifier: String?
    /// The person's identifier in the app.
    public let customIdentifier: String?
    /// Further addresses.
    public let aliases: [INPersonHandle]?
    /// Stored without effect.
    public let suggestionType: INPersonSuggestionType
    /// True if the person is the user.
    public let isMe: Bool
    /// The relationship of the person to the user.
    public let relationship: INPersonRelationship?
    /// Stored without effect.
    public let isContactSuggestion: Bool

    private let givenName: String?

    /// The name to show: as given, else of the name's parts, else the address; "" if there is none of them.
    ///
    /// Apple formats the parts by the language; here given and family name stand in this order.
    open var displayName: String {
        if let givenName, !givenName.isEmpty { return givenName }
        let parts = [nameComponents?.givenName, nameComponents?.familyName].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? personHandle?.value ?? "" : parts.joined(separator: " ")
    }

    /// The address, by its older name.
    open var handle: String? { personHandle?.value }

    private init(_ facts: Facts) {
        personHandle = facts.handle
        nameComponents = facts.nameComponents
        givenName = facts.displayName
        image = facts.image
        contactIdentifier = facts.contactIdentifier
        customIdentifier = facts.customIdentifier
        aliases = facts.aliases
        suggestionType = facts.suggestionType
        isMe = facts.isMe
        relationship = facts.relationship
        isContactSuggestion = facts.isContactSuggestion
    }

    private struct Facts {
        var handle: INPersonHandle
        var nameComponents: PersonNameComponents?
        var displayName: String?
        var image: INImage?
        var contactIdentifier: String?
        var customIdentifier: String?
        var aliases: [INPersonHandle]?
        var suggestionType = INPersonSuggestionType.none
        var isMe = false
        var relationship: INPersonRelationship?
        var isContactSuggestion = false
    }

    /// A person by name and address, and whether this is the user.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        isMe: Bool = false,
        suggestionType: INPersonSuggestionType = .none
    ) {
        self.init(
            Facts(
                handle: personHandle,
                nameComponents: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                suggestionType: suggestionType,
                isMe: isMe
            )
        )
    }

    /// A person with further addresses.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        aliases: [INPersonHandle]?,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            Facts(
                handle: personHandle,
                nameComponents: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                aliases: aliases,
                suggestionType: suggestionType
            )
        )
    }

    /// A person and what he or she is to the user.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        relationship: INPersonRelationship?
    ) {
        self.init(
            Facts(
                handle: personHandle,
                nameComponents: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                relationship: relationship
            )
        )
    }

    /// A person who may be suggested as a contact.
    public convenience init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?,
        isContactSuggestion: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            Facts(
                handle: personHandle,
                nameComponents: nameComponents,
                displayName: displayName,
                image: image,
                contactIdentifier: contactIdentifier,
                customIdentifier: customIdentifier,
                suggestionType: suggestionType,
                isContactSuggestion: isContactSuggestion
            )
        )
    }

    /// A person by an address of the app's own kind.
    public convenience init(handle: String, displayName: String?, contactIdentifier: String?) {
        self.init(
            Facts(
                handle: INPersonHandle(value: handle, type: .unknown),
                displayName: displayName,
                contactIdentifier: contactIdentifier
            )
        )
    }

    /// Returns the person itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the handle, the name and the identifiers, and whether it is the user.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPerson else { return false }
        return personHandle == other.personHandle && displayName == other.displayName
            && contactIdentifier == other.contactIdentifier && customIdentifier == other.customIdentifier
            && isMe == other.isMe
    }

    /// The same for equal people.
    open override var hash: Int { personHandle.hashValue }
}
