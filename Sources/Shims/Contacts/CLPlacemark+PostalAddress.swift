// SPDX-License-Identifier: Apache-2.0

public import CoreLocation

extension CLPlacemark {
    /// The address for letters; `nil` for a placemark without words.
    ///
    /// Source: Apple, "CLPlacemark", `postalAddress`.
    public var postalAddress: CNPostalAddress? {
        guard words != Words() else { return nil }
        let street = [subThoroughfare, thoroughfare].compactMap { $0 }.joined(separator: " ")
        return CNPostalAddress(
            parts: CNPostalAddress.Parts(
                street: street,
                subLocality: subLocality ?? "",
                city: locality ?? "",
                subAdministrativeArea: subAdministrativeArea ?? "",
                state: administrativeArea ?? "",
                postalCode: postalCode ?? "",
                country: country ?? "",
                isoCountryCode: isoCountryCode ?? ""
            )
        )
    }
}

extension CLPlacemark.Words {
    /// The words of an address for letters, whose street is the name as well.
    package init(_ address: CNPostalAddress) {
        self.init()
        func word(_ text: String) -> String? { text.isEmpty ? nil : text }
        (name, thoroughfare) = (word(address.street), word(address.street))
        (locality, subLocality) = (word(address.city), word(address.subLocality))
        administrativeArea = word(address.state)
        subAdministrativeArea = word(address.subAdministrativeArea)
        (postalCode, country) = (word(address.postalCode), word(address.country))
        isoCountryCode = word(address.isoCountryCode)
    }
}

extension CLGeocoder {
    /// Asks for the place of an address for letters; ends with an error.
    @preconcurrency public func geocodePostalAddress(
        _ postalAddress: CNPostalAddress,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        let text = CNPostalAddressFormatter.string(from: postalAddress, style: .mailingAddress)
        geocodeAddressString(text, completionHandler: completionHandler)
    }

    /// Asks for the place of an address for letters: throws `CLError(.network)`.
    public func geocodePostalAddress(_ postalAddress: CNPostalAddress) async throws -> [CLPlacemark] {
        try await geocodeAddressString(CNPostalAddressFormatter.string(from: postalAddress, style: .mailingAddress))
    }
}
