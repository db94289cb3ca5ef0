// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Testing

@testable import UserNotificationCenter

/// Distances on a sphere, and the boxes around circles.
struct PlaceTests {
    private static func place(_ latitude: Double, _ longitude: Double) throws -> Place {
        try #require(Place(latitude: latitude, longitude: longitude))
    }

    @Test(
        arguments: [
            // A hundredth of a degree of latitude, and of longitude at 60 degrees.
            (48.2, 16.4, 48.21, 16.4, 1112), (60, 10, 60, 10.01, 556),
            // Across the date line, over both poles, and from a pole.
            (0, 179.999, 0, -179.999, 222), (0, 180, 0, -180, 0), (89.999, 0, 89.999, 180, 222),
            (-89.999, 45, -89.999, -135, 222), (90, 0, 90, 123, 0), (-90, 0, 90, 77, 20_015_115),
            // The other side of the Earth, and no way at all.
            (0, 0, 0, 180, 20_015_115), (12, 34, -12, -146, 20_015_115), (1, 2, 1, 2, 0),
        ] as [(Double, Double, Double, Double, Double)]
    )
    func `a distance is that of a great circle, whichever way it is asked`(
        latitude: Double,
        longitude: Double,
        otherLatitude: Double,
        otherLongitude: Double,
        metres: Double
    ) throws {
        let (one, other) = (try Self.place(latitude, longitude), try Self.place(otherLatitude, otherLongitude))
        #expect(abs(one.distance(to: other) - metres) < 0.6)
        #expect(abs(other.distance(to: one) - metres) < 0.6)
    }

    @Test(
        arguments: [
            (90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity),
        ] as [(Double, Double)]
    )
    func `what is out of its range is no place`(latitude: Double, longitude: Double) {
        #expect(Place(latitude: latitude, longitude: longitude) == nil)
    }

    private static let middles: [(Double, Double)] = [
        (0, 0), (48.2, 16.4), (-33.9, 151.2), (0, 180), (0, -180), (60, 179.9999), (-60, -179.9999), (89.99, 12),
        (-89.99, 12), (90, 0), (-90, 0), (89.9, 180),
    ]

    @Test(arguments: middles, [1.0, 100, 1100, 30_000, 3_000_000, 20_000_000, 1e300])
    func `no place within reach lies out of the box`(middle: (Double, Double), reach: Double) throws {
        let middle = try Self.place(middle.0, middle.1)
        let box = BoundingBox(around: middle, reach: reach)
        #expect(box.contains(middle))
        var generator = SeededGenerator(seed: UInt64(min(reach, 1e9)))
        for _ in 0..<400 {
            let span = min(180, reach / 50_000)
            let near = Place(
                latitude: middle.latitude + Double.random(in: -span...span, using: &generator),
                longitude: Self.wrapped(middle.longitude + Double.random(in: -180...180, using: &generator))
            )
            let beside = Place(
                latitude: middle.latitude + Double.random(in: -span...span, using: &generator),
                longitude: Self.wrapped(middle.longitude + Double.random(in: -span...span, using: &generator))
            )
            for place in [near, beside].compactMap(\.self) where middle.distance(to: place) <= reach {
                #expect(box.contains(place), "\(place)")
            }
        }
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    @Test(
        arguments: [
            (0, 180, 0, 179.98), (0, 180, 0, -179.98), (0, -179.99, 0, 179.99), (48, 16, 48, 16.03),
            (48, 16, 48.02, 16),
            (48, 16, 47.98, 16), (48, 16, -48, -164), (89.98, 0, 89.9, 0),
        ] as [(Double, Double, Double, Double)]
    )
    func `a place farther than the sides of the box lies out of it, and so does the other side of the Earth`(
        latitude: Double,
        longitude: Double,
        otherLatitude: Double,
        otherLongitude: Double
    ) throws {
        let box = BoundingBox(around: try Self.place(latitude, longitude), reach: 1200)
        #expect(!box.contains(try Self.place(otherLatitude, otherLongitude)))
    }

    @Test(arguments: middles)
    func `a box comes back from its bytes`(middle: (Double, Double)) throws {
        let box = BoundingBox(around: try Self.place(middle.0, middle.1), reach: 1100)
        #expect(box.bytes.count == BoundingBox.byteCount)
        #expect(BoundingBox(box.bytes) == box)
    }

    @Test func `other bytes are no box`() {
        #expect(BoundingBox([]) == nil)
        #expect(BoundingBox([UInt8](repeating: 0, count: 17)) == nil)
        #expect(
            BoundingBox([UInt8](repeating: 0xFF, count: 16))?.bytes == [UInt8](repeating: 0xFF, count: 16)
        )
    }
}
