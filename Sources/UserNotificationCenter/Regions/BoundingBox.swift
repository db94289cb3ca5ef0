// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Latitudes and longitudes around a circle: what lies out of them lies out of the circle, without a sine.
///
/// Kept as whole ten-millionths of a degree, rounded outwards, so that a box on a disk is the box that was made.
package struct BoundingBox: Sendable, Equatable {
    /// Bytes of a box as it is stored.
    package static let byteCount = 16
    private static let perDegree = 1e7
    private static let halfTurn: Int32 = 1_800_000_000
    private static let pole: Int32 = 900_000_000

    let south: Int32
    let north: Int32
    /// Larger than `east` for a box across the date line.
    let west: Int32
    let east: Int32

    /// Makes the box of all places that are no farther from a place than so many metres.
    package init(around center: Place, reach: Double) {
        let angle = reach / Place.earthRadius
        let along = angle * 180 / .pi
        south = Self.outward(max(-90, center.latitude - along), .down)
        north = Self.outward(min(90, center.latitude + along), .up)
        // Around a pole there is every longitude.
        guard south > -Self.pole, north < Self.pole else {
            (west, east) = (-Self.halfTurn, Self.halfTurn)
            return
        }
        let across = asin(min(1, sin(angle) / cos(center.latitude * .pi / 180))) * 180 / .pi
        west = Self.outward(Self.wrapped(center.longitude - across), .down)
        east = Self.outward(Self.wrapped(center.longitude + across), .up)
    }

    /// Tells whether a place lies in the box, its border included.
    package func contains(_ place: Place) -> Bool {
        let latitude = Self.nearest(place.latitude)
        guard latitude >= south, latitude <= north else { return false }
        let longitude = Self.nearest(place.longitude)
        return west <= east
            ? longitude >= west && longitude <= east
            : longitude >= west || longitude <= east
    }

    private static func wrapped(_ longitude: Double) -> Double {
        if longitude < -180 { longitude + 360 } else if longitude > 180 { longitude - 360 } else { longitude }
    }

    private static func nearest(_ degrees: Double) -> Int32 { Int32((degrees * perDegree).rounded()) }

    /// Rounds away from the middle, and one further for what the sines have rounded.
    private static func outward(_ degrees: Double, _ rule: FloatingPointRoundingRule) -> Int32 {
        let whole = Int32((degrees * perDegree).rounded(rule))
        let further = whole + (rule == .up ? 1 : -1)
        return min(halfTurn, max(-halfTurn, further))
    }
}

// MARK: Stored

extension BoundingBox {
    /// Four numbers of four bytes, the lowest byte first: south, north, west, east.
    package var bytes: [UInt8] {
        [south, north, west, east].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
    }

    /// Reads what `bytes` wrote; `nil` means any other number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let numbers = (0..<4).map { index in
            (0..<4).reduce(Int32(0)) { $0 | Int32(truncatingIfNeeded: UInt32(bytes[index * 4 + $1]) << ($1 * 8)) }
        }
        (south, north, west, east) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
