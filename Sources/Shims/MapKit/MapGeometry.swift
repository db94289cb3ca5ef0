// SPDX-License-Identifier: Apache-2.0

// CoreLocation comes with MapKit, as with Apple.
@_exported public import CoreLocation
import Foundation

/// The size of a part of the map, in degrees.
public struct MKCoordinateSpan: Sendable {
    /// From north to south.
    public var latitudeDelta: CLLocationDegrees
    /// From east to west.
    public var longitudeDelta: CLLocationDegrees

    /// Takes zeros.
    public init() {
        (latitudeDelta, longitudeDelta) = (0, 0)
    }

    /// Takes its parts.
    public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
        (self.latitudeDelta, self.longitudeDelta) = (latitudeDelta, longitudeDelta)
    }
}

/// A part of the map by its middle and size.
public struct MKCoordinateRegion: Sendable {
    /// The middle.
    public var center: CLLocationCoordinate2D
    /// The size.
    public var span: MKCoordinateSpan

    /// Takes zeros.
    public init() {
        (center, span) = (CLLocationCoordinate2D(latitude: 0, longitude: 0), MKCoordinateSpan())
    }

    /// Takes its parts.
    public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
        (self.center, self.span) = (center, span)
    }

    /// A part of the map by its size in metres.
    public init(
        center: CLLocationCoordinate2D,
        latitudinalMeters: CLLocationDistance,
        longitudinalMeters: CLLocationDistance
    ) {
        let narrowing = max(0.01, cos(center.latitude * .pi / 180))
        let span = MKCoordinateSpan(
            latitudeDelta: latitudinalMeters / Self.metresOfDegree,
            longitudeDelta: longitudinalMeters / Self.metresOfDegree / narrowing
        )
        self.init(center: center, span: span)
    }

    /// Metres of a degree of latitude on the mean sphere of the Earth.
    static let metresOfDegree = 111_195.0
}

/// A part of the map by its size in metres.
public func MKCoordinateRegionMakeWithDistance(
    _ centerCoordinate: CLLocationCoordinate2D,
    _ latitudinalMeters: CLLocationDistance,
    _ longitudinalMeters: CLLocationDistance
) -> MKCoordinateRegion {
    MKCoordinateRegion(
        center: centerCoordinate,
        latitudinalMeters: latitudinalMeters,
        longitudinalMeters: longitudinalMeters
    )
}

/// A part of the map.
public func MKCoordinateRegionMake(_ center: CLLocationCoordinate2D, _ span: MKCoordinateSpan) -> MKCoordinateRegion {
    MKCoordinateRegion(center: center, span: span)
}

/// The size of a part of the map.
public func MKCoordinateSpanMake(
    _ latitudeDelta: CLLocationDegrees,
    _ longitudeDelta: CLLocationDegrees
)
    -> MKCoordinateSpan
{
    MKCoordinateSpan(latitudeDelta: latitudeDelta, longitudeDelta: longitudeDelta)
}

/// The kind of a map; there is one.
public enum MKMapType: UInt, Sendable {
    case standard, satellite, hybrid, satelliteFlyover, hybridFlyover, mutedStandard
}

/// The way in which a map follows a person, which none does here.
public enum MKUserTrackingMode: Int, Sendable {
    /// The map stays.
    case none
    /// The person is in the middle.
    case follow
    /// The person is in the middle, and the map turns.
    case followWithHeading
}
