// SPDX-License-Identifier: Apache-2.0

public import Contacts
public import CoreLocation

extension MKPlacemark {
    /// A place with an address for letters.
    public convenience init(coordinate: CLLocationCoordinate2D, postalAddress: CNPostalAddress) {
        self.init(coordinate: coordinate, words: Words(postalAddress))
    }
}
