// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres, as the radius in which a position may be wrong; below zero there is no position.
public typealias CLLocationAccuracy = Double

/// A place on the Earth (WGS 84).
///
/// Source: Apple, "CLLocationCoordinate2D".
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees, -90…90, north is positive.
    public var latitude: CLLocationDegrees
    /// Degrees, -180…180, east is positive.
    public var longitude: CLLocationDegrees

    /// 0 north, 0 east.
    public init() {
        latitude = 0
        longitude = 0
    }

    /// Takes any numbers; ``CLLocationCoordinate2DIsValid(_:)`` says whether they are a place.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A coordinate that is no place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a coordinate of any numbers.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns whether both numbers are in their ranges.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    (-90.0...90).contains(coordinate.latitude) && (-180.0...180).contains(coordinate.longitude)
}

extension CLLocationCoordinate2D {
    /// Metres along the surface of a sphere, which errs by 0.5 % at most; right across the date line and at the poles.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        let radians = Double.pi / 180
        let (north, south) = (latitude * radians, other.latitude * radians)
        let across = sin((other.longitude - longitude) * radians / 2)
        let along = sin((south - north) / 2)
        let half = along * along + cos(north) * cos(south) * across * across
        return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
    }
}
