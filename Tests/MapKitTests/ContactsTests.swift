// SPDX-License-Identifier: Apache-2.0

import Contacts
import CoreLocation
import Foundation
import MapKit
import Testing

@Suite struct ContactsTests {
    private static func address() -> CNMutablePostalAddress {
        let address = CNMutablePostalAddress()
        address.street = "1 Infinite Loop"
        address.city = "Cupertino"
        address.state = "CA"
        address.postalCode = "95014"
        address.country = "United States"
        address.isoCountryCode = "US"
        return address
    }

    @Test("an address has lines: the street, city, state and postal code, the country")
    func lines() {
        let address = Self.address()
        let lines = "1 Infinite Loop\nCupertino CA 95014\nUnited States"
        #expect(CNPostalAddressFormatter.string(from: address, style: .mailingAddress) == lines)
        #expect(CNPostalAddressFormatter().string(from: address) == lines)
        #expect(CNPostalAddressFormatter().string(for: address) == lines)
        #expect(CNPostalAddressFormatter().attributedString(from: address).string == lines)
        address.state = ""
        address.street = ""
        #expect(CNPostalAddressFormatter().string(from: address) == "Cupertino 95014\nUnited States")
        #expect(CNPostalAddressFormatter().string(from: CNPostalAddress()) == "")
        #expect(CNPostalAddress.localizedString(forKey: CNPostalAddressPostalCodeKey) == "ZIP")
    }

    @Test("a copy of an address is its own, and an archive has all of it")
    func copies() throws {
        let address = Self.address()
        let copy = try #require(address.copy() as? CNPostalAddress)
        let mutable = try #require(copy.mutableCopy() as? CNMutablePostalAddress)
        #expect(copy == address)
        mutable.city = "Berlin"
        #expect(copy.city == "Cupertino")
        #expect(copy != mutable)
        let data = try NSKeyedArchiver.archivedData(withRootObject: copy, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CNPostalAddress.self, from: data)
        #expect(back == copy)
    }

    @Test("a contact has what was set, and a copy keeps it")
    func contact() throws {
        let contact = CNMutableContact()
        contact.namePrefix = "Dr."
        contact.givenName = "Ada"
        contact.familyName = "Lovelace"
        contact.phoneNumbers = [CNLabeledValue(label: CNLabelHome, value: CNPhoneNumber(stringValue: "555"))]
        contact.postalAddresses = [CNLabeledValue(label: CNLabelWork, value: Self.address())]
        #expect(CNContactFormatter.string(from: contact, style: .fullName) == "Dr. Ada Lovelace")
        let copy = try #require(contact.copy() as? CNContact)
        contact.givenName = "Augusta"
        #expect(copy.givenName == "Ada")
        #expect(copy.identifier == contact.identifier)
        #expect(copy.phoneNumbers.first?.value.stringValue == "555")
        #expect(copy.postalAddresses.first?.value.city == "Cupertino")
        #expect(CNLabeledValue<NSString>.localizedString(forLabel: CNLabelHome) == "home")
        #expect(CNLabeledValue<NSString>.localizedString(forLabel: "boat") == "boat")
        #expect(copy.isKeyAvailable(CNContactGivenNameKey))
    }

    @Test("a contact without a name has that of its organization, or none")
    func names() {
        let contact = CNMutableContact()
        #expect(CNContactFormatter.string(from: contact, style: .fullName) == nil)
        contact.organizationName = "Engines"
        #expect(CNContactFormatter().string(from: contact) == "Engines")
        contact.givenName = "Ada"
        #expect(CNContactFormatter().string(from: contact) == "Ada")
        contact.contactType = .organization
        #expect(CNContactFormatter().string(from: contact) == "Engines")
    }

    @Test("nobody's contacts are read: each request is denied")
    func store() async {
        let store = CNContactStore()
        let keys = [CNContactGivenNameKey as any CNKeyDescriptor]
        #expect(CNContactStore.authorizationStatus(for: .contacts) == .denied)
        await #expect(throws: CNError(.authorizationDenied)) { _ = try await store.requestAccess(for: .contacts) }
        let (isGranted, error) = await withCheckedContinuation { continuation in
            store.requestAccess(for: .contacts) { continuation.resume(returning: ($0, $1)) }
        }
        #expect(!isGranted)
        #expect((error as NSError?)?.code == 100)
        #expect((error as NSError?)?.domain == "CNErrorDomain")
        #expect(throws: CNError(.authorizationDenied)) {
            _ = try store.unifiedContacts(
                matching: CNContact.predicateForContacts(matchingName: "Ada"),
                keysToFetch: keys
            )
        }
        #expect(throws: CNError(.authorizationDenied)) {
            _ = try store.unifiedContact(withIdentifier: "1", keysToFetch: keys)
        }
        #expect(throws: CNError(.authorizationDenied)) {
            try store.enumerateContacts(with: CNContactFetchRequest(keysToFetch: keys)) { _, _ in
                Issue.record("a contact")
            }
        }
    }

    @Test("a placemark of an address has its words, and gives the address back")
    func placemark() throws {
        let coordinate = CLLocationCoordinate2D(latitude: 37.33, longitude: -122.03)
        let place = MKPlacemark(coordinate: coordinate, postalAddress: Self.address())
        #expect(place.locality == "Cupertino")
        #expect(place.administrativeArea == "CA")
        #expect(place.thoroughfare == "1 Infinite Loop")
        #expect(place.title == "1 Infinite Loop")
        #expect(place.postalAddress == Self.address())
        #expect(CLPlacemark(placemark: place).postalAddress?.postalCode == "95014")
        #expect(MKPlacemark(coordinate: coordinate).postalAddress == nil)
        let data = try NSKeyedArchiver.archivedData(withRootObject: place, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: MKPlacemark.self, from: data)
        #expect(back?.country == "United States")
        #expect(back?.coordinate.longitude == -122.03)
        #expect(
            place.description.hasPrefix(
                "1 Infinite Loop, 1 Infinite Loop, Cupertino, CA 95014, United States @ <+37.33000000,-122.03000000>"
            )
        )
    }

    @Test("an address for letters is asked for in vain")
    func geocoding() async {
        await #expect(throws: CLError(.network)) { _ = try await CLGeocoder().geocodePostalAddress(Self.address()) }
    }
}
