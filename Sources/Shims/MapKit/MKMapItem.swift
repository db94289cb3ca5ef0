// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation
import HostLog

/// The key of the way to travel.
public let MKLaunchOptionsDirectionsModeKey = "MKLaunchOptionsDirectionsMode"
/// The key of the kind of the map.
public let MKLaunchOptionsMapTypeKey = "MKLaunchOptionsMapType"
/// The key of the middle of the map.
public let MKLaunchOptionsMapCenterKey = "MKLaunchOptionsMapCenter"
/// The key of the size of the part of the map.
public let MKLaunchOptionsMapSpanKey = "MKLaunchOptionsMapSpan"
/// The key of the traffic.
public let MKLaunchOptionsShowsTrafficKey = "MKLaunchOptionsShowsTraffic"
/// The way of a car.
public let MKLaunchOptionsDirectionsModeDriving = "MKLaunchOptionsDirectionsModeDriving"
/// The way of a person on foot.
public let MKLaunchOptionsDirectionsModeWalking = "MKLaunchOptionsDirectionsModeWalking"
/// The way of buses and trains.
public let MKLaunchOptionsDirectionsModeTransit = "MKLaunchOptionsDirectionsModeTransit"
/// The way that the person likes.
public let MKLaunchOptionsDirectionsModeDefault = "MKLaunchOptionsDirectionsModeDefault"

// SAFETY: immutable after `init`, as the class above it.
/// A place of the map with the words of its address.
///
/// Source: Apple, "MKPlacemark".
nonisolated open class MKPlacemark: CLPlacemark, MKAnnotation, @unchecked Sendable {
    /// A place without an address.
    public convenience init(coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate, words: Words())
    }

    /// A place with an address by Apple's old keys: "Street", "City", "State", "ZIP", "Country" and others.
    public convenience init(coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?) {
        var words = Words()
        func word(_ key: String) -> String? { addressDictionary?[key] as? String }
        (words.name, words.thoroughfare) = (word("Name"), word("Thoroughfare") ?? word("Street"))
        (words.subThoroughfare, words.locality) = (word("SubThoroughfare"), word("City"))
        (words.subLocality, words.administrativeArea) = (word("SubLocality"), word("State"))
        (words.subAdministrativeArea, words.postalCode) = (word("SubAdministrativeArea"), word("ZIP"))
        (words.country, words.isoCountryCode) = (word("Country"), word("CountryCode"))
        self.init(coordinate: coordinate, words: words)
    }

    /// The place and the address of another placemark.
    public convenience init(placemark: CLPlacemark) {
        let place = placemark.location?.coordinate ?? kCLLocationCoordinate2DInvalid
        self.init(coordinate: place, words: placemark.words)
    }

    package init(coordinate: CLLocationCoordinate2D, words: Words) {
        super.init(
            words: words,
            location: CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
        )
    }

    /// Reads an archive that `encode(with:)` wrote; `nil` for any other.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The place.
    open var coordinate: CLLocationCoordinate2D { location?.coordinate ?? kCLLocationCoordinate2DInvalid }
    /// The country's two letters.
    open var countryCode: String? { isoCountryCode }
    /// The name.
    open var title: String? { name }
    /// The city.
    open var subtitle: String? { locality }
}

/// A place that an app of maps can open; there is none here.
///
/// Source: Apple, "MKMapItem".
open class MKMapItem: NSObject {
    /// The place.
    public let placemark: MKPlacemark
    /// The name.
    open var name: String?
    /// The number of a phone.
    open var phoneNumber: String?
    /// The page.
    open var url: URL?
    /// The time zone of the place.
    open var timeZone: TimeZone?
    /// True for the person's place.
    public let isCurrentLocation: Bool

    /// Takes a place.
    public convenience init(placemark: MKPlacemark) {
        self.init(placemark: placemark, isCurrentLocation: false)
    }

    private init(placemark: MKPlacemark, isCurrentLocation: Bool) {
        (self.placemark, self.isCurrentLocation) = (placemark, isCurrentLocation)
        name = placemark.name
        super.init()
    }

    /// The person's place, which nobody tells.
    open class func forCurrentLocation() -> MKMapItem {
        MKMapItem(placemark: MKPlacemark(coordinate: kCLLocationCoordinate2DInvalid), isCurrentLocation: true)
    }

    /// Opens nothing: false, and a line in the log.
    @discardableResult
    open func openInMaps(launchOptions: [String: Any]? = nil) -> Bool { Self.open() }

    /// Opens nothing: false, and a line in the log.
    @discardableResult
    open class func openMaps(with mapItems: [MKMapItem], launchOptions: [String: Any]? = nil) -> Bool { open() }

    private static func open() -> Bool {
        HostLog.warnOnce("MKMapItem.openInMaps has no effect here: there is no app of maps that could be opened")
        return false
    }
}
