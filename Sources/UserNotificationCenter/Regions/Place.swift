// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A place on the Earth (WGS 84).
package struct Place: Sendable, Equatable {
    /// Metres; a sphere of it errs by 0.5 % at most.
    static let earthRadius = 6_371_008.8

    /// Degrees, -90 to 90.
    package let latitude: Double
    /// Degrees, -180 to 180.
    package let longitude: Double

    /// Takes degrees; `nil` means that they are out of their ranges, or no numbers.
    package init?(latitude: Double, longitude: Double) {
        guard (-90.0...90).contains(latitude), (-180.0...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Returns the metres along a great circle, right across the date line and at the poles.
    package func distance(to other: Place) -> Double {
        let radians = Double.pi / 180
        let (north, south) = (latitude * radians, other.latitude * radians)
        let along = sin((south - north) / 2)
        let across = sin((other.longitude - longitude) * radians / 2)
        let half = along * along + cos(north) * cos(south) * across * across
        // Rounding may lead beyond the other side of the Earth.
        return 2 * Self.earthRadius * asin(min(1, half.squareRoot()))
    }
}
