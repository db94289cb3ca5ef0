// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// A place with the words of its address.
///
/// The geocoder finds none here; MapKit's MKPlacemark makes one of a coordinate and an address.
/// Source: Apple, "CLPlacemark".
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The words of an address, by the names of the properties.
    package struct Words: Codable, Hashable, Sendable {
        package var name, thoroughfare, subThoroughfare, locality, subLocality: String?
        package var administrativeArea, subAdministrativeArea, postalCode, isoCountryCode, country: String?

        package init() {}
    }

    /// The words of the address.
    package let words: Words
    private let place: CLLocation?

    package init(words: Words, location: CLLocation?) {
        (self.words, place) = (words, location)
    }

    /// Takes what another one has.
    public convenience init(placemark: CLPlacemark) {
        self.init(words: placemark.words, location: placemark.location)
    }

    /// The place.
    open var location: CLLocation? { place }
    /// The area of the place: `nil`.
    open var region: CLRegion? { nil }
    /// The time zone of the place: `nil`.
    open var timeZone: TimeZone? { nil }
    /// The name of the place.
    open var name: String? { words.name }
    /// The street.
    open var thoroughfare: String? { words.thoroughfare }
    /// The number in the street.
    open var subThoroughfare: String? { words.subThoroughfare }
    /// The city.
    open var locality: String? { words.locality }
    /// The part of the city.
    open var subLocality: String? { words.subLocality }
    /// The state or province.
    open var administrativeArea: String? { words.administrativeArea }
    /// The part of the state or province.
    open var subAdministrativeArea: String? { words.subAdministrativeArea }
    /// The postal code.
    open var postalCode: String? { words.postalCode }
    /// The two letters of ISO 3166 for the country.
    open var isoCountryCode: String? { words.isoCountryCode }
    /// The country.
    open var country: String? { words.country }
    /// The lake or river of the place: `nil`.
    open var inlandWater: String? { nil }
    /// The sea of the place: `nil`.
    open var ocean: String? { nil }
    /// The sights of the place: `nil`.
    open var areasOfInterest: [String]? { nil }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// The words in the order of an address, and the coordinate.
    open override var description: String {
        let street = [subThoroughfare, thoroughfare].compactMap { $0 }.joined(separator: " ")
        let city = [administrativeArea, postalCode].compactMap { $0 }.joined(separator: " ")
        let parts = [name, street, locality, city, country].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.joined(separator: ", ") + (location.map { " @ \($0.description)" } ?? "")
    }

    /// Returns the placemark itself, which nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; `nil` for any other.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "words"),
            let data = coder.decodeObject(of: NSData.self, forKey: "words"),
            let words = try? PropertyListDecoder().decode(Words.self, from: data as Data)
        else { return nil }
        self.words = words
        place =
            coder.containsValue(forKey: "location")
            ? coder.decodeObject(of: CLLocation.self, forKey: "location") : nil
    }

    /// Archives the words and the place.
    open func encode(with coder: NSCoder) {
        guard let data = try? PropertyListEncoder().encode(words) else { return }
        coder.encode(data as NSData, forKey: "words")
        if let place { coder.encode(place, forKey: "location") }
    }
}
