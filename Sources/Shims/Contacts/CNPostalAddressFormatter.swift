// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The form of an address; there is one.
public enum CNPostalAddressFormatterStyle: Int, Sendable {
    /// The form on a letter.
    case mailingAddress
}

/// Writes an address in lines: the street, then city, state and postal code, then the country.
///
/// Apple orders the parts as the country of the address has them; here the order is that of the United States for all.
/// Source: Apple, "CNPostalAddressFormatter".
open class CNPostalAddressFormatter: Formatter {
    /// The form of the address.
    open var style = CNPostalAddressFormatterStyle.mailingAddress

    /// Returns the lines of an address; those without a part are left out.
    open class func string(from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle) -> String {
        let town = [postalAddress.city, postalAddress.state, postalAddress.postalCode].filter { !$0.isEmpty }
        return [postalAddress.street, town.joined(separator: " "), postalAddress.country].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    /// Returns the lines of an address with attributes.
    open class func attributedString(
        from postalAddress: CNPostalAddress,
        style: CNPostalAddressFormatterStyle,
        withDefaultAttributes attributes: [NSAttributedString.Key: Any] = [:]
    ) -> NSAttributedString {
        NSAttributedString(string: string(from: postalAddress, style: style), attributes: attributes)
    }

    /// Returns the lines of an address.
    open func string(from postalAddress: CNPostalAddress) -> String {
        Self.string(from: postalAddress, style: style)
    }

    /// Returns the lines of an address with attributes.
    open func attributedString(
        from postalAddress: CNPostalAddress,
        withDefaultAttributes attributes: [NSAttributedString.Key: Any] = [:]
    ) -> NSAttributedString {
        Self.attributedString(from: postalAddress, style: style, withDefaultAttributes: attributes)
    }

    /// Returns the lines of an address; `nil` for any other object.
    open override func string(for obj: Any?) -> String? { (obj as? CNPostalAddress).map(string(from:)) }
}
