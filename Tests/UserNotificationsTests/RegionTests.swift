// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import Testing

struct RegionTests {
    private static let beacon = CLBeaconRegion(uuid: UUID(), major: 1, minor: 65_535, identifier: "b")

    private static func circle(_ latitude: Double, _ longitude: Double, radius: Double) -> CLCircularRegion {
        CLCircularRegion(
            center: CLLocationCoordinate2DMake(latitude, longitude),
            radius: radius,
            identifier: "c"
        )
    }

    @Test func `a region is watched in both directions until told otherwise`() {
        let circle = Self.circle(48.2, 16.4, radius: 100)
        #expect(circle.notifyOnEntry)
        #expect(circle.notifyOnExit)
        #expect(!Self.beacon.notifyEntryStateOnDisplay)
    }

    @Test(arguments: [
        // A hundredth of a degree of latitude is 1112 m.
        (48.2, 16.4, 48.21, 16.4, 1111.0, false), (48.2, 16.4, 48.21, 16.4, 1113, true),
        // Across the date line, and over the pole.
        (0, 179.999, 0, -179.999, 230, true), (0, 179.999, 0, -179.999, 220, false),
        (89.999, 0, 89.999, 180, 230, true), (89.999, 0, 89.999, 180, 220, false),
        // The other side of the Earth is 20,015 km away.
        (0, 0, 0, 180, 20_016_000, true), (0, 0, 0, 180, 20_014_000, false),
    ])
    func `a circle lies on a sphere`(
        latitude: Double,
        longitude: Double,
        otherLatitude: Double,
        otherLongitude: Double,
        radius: Double,
        inside: Bool
    ) {
        let place = CLLocationCoordinate2D(latitude: otherLatitude, longitude: otherLongitude)
        #expect(Self.circle(latitude, longitude, radius: radius).contains(place) == inside)
    }

    @Test func `coordinates have ranges`() {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2D()))
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
    }

    @Test func `regions are copied and compared with what may change in them`() throws {
        let circle = Self.circle(48.2, 16.4, radius: 100)
        circle.notifyOnEntry = false
        let copy = try #require(circle.copy() as? CLCircularRegion)
        #expect(copy == circle)
        circle.notifyOnExit = false
        #expect(copy != circle)
        #expect(copy.notifyOnExit)
        #expect(Self.circle(48.2, 16.4, radius: 101) != Self.circle(48.2, 16.4, radius: 100))
        let beacon = try #require(Self.beacon.copy() as? CLBeaconRegion)
        #expect(beacon == Self.beacon)
        #expect(beacon.major == 1)
        #expect(beacon.minor == 65_535)
        #expect(CLBeaconRegion(uuid: beacon.uuid, identifier: "b") != beacon)
        #expect(CLBeaconRegion(uuid: beacon.uuid, identifier: "b").major == nil)
        #expect(CLBeaconRegion(uuid: beacon.uuid, major: 1, identifier: "b").minor == nil)
    }

    @Test func `regions survive their archive`() throws {
        let circle = Self.circle(-33.9, 151.2, radius: 12.5)
        circle.notifyOnExit = false
        for before in [circle, Self.beacon, CLBeaconRegion(uuid: UUID(), identifier: "all")] as [CLRegion] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: before, requiringSecureCoding: true)
            let after = try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [CLRegion.self, CLCircularRegion.self, CLBeaconRegion.self],
                from: data
            )
            #expect(after as? CLRegion == before)
        }
    }
}
