// SPDX-License-Identifier: Apache-2.0

// Everything of Foundation comes with Contacts.
@_exported public import Foundation

/// The key of the street.
public let CNPostalAddressStreetKey = "street"
/// The key of the part of the city.
public let CNPostalAddressSubLocalityKey = "subLocality"
/// The key of the city.
public let CNPostalAddressCityKey = "city"
/// The key of the part of the state.
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"
/// The key of the state.
public let CNPostalAddressStateKey = "state"
/// The key of the postal code.
public let CNPostalAddressPostalCodeKey = "postalCode"
/// The key of the country.
public let CNPostalAddressCountryKey = "country"
/// The key of the country's two letters.
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"

/// An address for letters, whose parts are empty unless they are set.
///
/// Source: Apple, "CNPostalAddress".
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    struct Parts: Codable, Hashable {
        /// Lines are divided by line ends.
        var street = ""
        var subLocality = ""
        var city = ""
        var subAdministrativeArea = ""
        var state = ""
        var postalCode = ""
        var country = ""
        var isoCountryCode = ""
    }

    var parts = Parts()

    /// An address whose parts are empty.
    public override init() {
        super.init()
    }

    init(parts: Parts) {
        self.parts = parts
        super.init()
    }

    /// The street with its number, in one line or more.
    open var street: String { parts.street }
    /// The part of the city.
    open var subLocality: String { parts.subLocality }
    /// The city.
    open var city: String { parts.city }
    /// The part of the state.
    open var subAdministrativeArea: String { parts.subAdministrativeArea }
    /// The state or province.
    open var state: String { parts.state }
    /// The postal code.
    open var postalCode: String { parts.postalCode }
    /// The country.
    open var country: String { parts.country }
    /// The two letters of ISO 3166 for the country.
    open var isoCountryCode: String { parts.isoCountryCode }

    /// The name of a part in English; the key itself for one that is unknown.
    open class func localizedString(forKey key: String) -> String {
        switch key {
        case CNPostalAddressStreetKey: "Street"
        case CNPostalAddressSubLocalityKey: "Sublocality"
        case CNPostalAddressCityKey: "City"
        case CNPostalAddressSubAdministrativeAreaKey: "Subadministrative Area"
        case CNPostalAddressStateKey: "State"
        case CNPostalAddressPostalCodeKey: "ZIP"
        case CNPostalAddressCountryKey: "Country"
        case CNPostalAddressISOCountryCodeKey: "Country Code"
        default: key
        }
    }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns an address of its own that nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress(parts: parts) }

    /// Returns an address of its own that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutablePostalAddress(parts: parts) }

    /// Compares all parts.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CNPostalAddress)?.parts == parts }

    /// The same for equal addresses.
    open override var hash: Int { parts.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; `nil` for any other.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "parts"),
            let data = coder.decodeObject(of: NSData.self, forKey: "parts"),
            let parts = try? PropertyListDecoder().decode(Parts.self, from: data as Data)
        else { return nil }
        self.parts = parts
        super.init()
    }

    /// Archives all parts.
    open func encode(with coder: NSCoder) {
        guard let data = try? PropertyListEncoder().encode(parts) else { return }
        coder.encode(data as NSData, forKey: "parts")
    }
}

/// An address for letters that can be changed.
///
/// Source: Apple, "CNMutablePostalAddress".
open class CNMutablePostalAddress: CNPostalAddress {
    /// The street with its number, in one line or more.
    open override var street: String {
        get { parts.street }
        set { parts.street = newValue }
    }
    /// The part of the city.
    open override var subLocality: String {
        get { parts.subLocality }
        set { parts.subLocality = newValue }
    }
    /// The city.
    open override var city: String {
        get { parts.city }
        set { parts.city = newValue }
    }
    /// The part of the state.
    open override var subAdministrativeArea: String {
        get { parts.subAdministrativeArea }
        set { parts.subAdministrativeArea = newValue }
    }
    /// The state or province.
    open override var state: String {
        get { parts.state }
        set { parts.state = newValue }
    }
    /// The postal code.
    open override var postalCode: String {
        get { parts.postalCode }
        set { parts.postalCode = newValue }
    }
    /// The country.
    open override var country: String {
        get { parts.country }
        set { parts.country = newValue }
    }
    /// The two letters of ISO 3166 for the country.
    open override var isoCountryCode: String {
        get { parts.isoCountryCode }
        set { parts.isoCountryCode = newValue }
    }
}
