// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import MapKit
import Testing

@Suite struct MapRectTests {
    private static let world = 268_435_456.0

    @Test(
        "a place has its point in Mercator's projection, and the point its place",
        arguments: [
            (0.0, 0.0, 134_217_728.0, 134_217_728.0), (0, -180, 0, 134_217_728), (0, 180, 268_435_456, 134_217_728),
            // The border of the map: 85.0511287798066° are as high as 180° are wide.
            (85.05112877980659, 0, 134_217_728, 0), (-85.05112877980659, 90, 201_326_592, 268_435_456),
            // The logarithm of 1 + √2 is 0.881373587: 0.140274963 of the height above the equator.
            (45, -90, 67_108_864, 96_562_954.3189),
        ]
    )
    func points(latitude: Double, longitude: Double, x: Double, y: Double) {
        let point = MKMapPoint(CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        #expect(abs(point.x - x) < 0.01)
        #expect(abs(point.y - y) < 0.01)
        #expect(abs(point.coordinate.latitude - latitude) < 1e-9)
        #expect(abs(point.coordinate.longitude - longitude) < 1e-9)
    }

    @Test("the poles are at the border")
    func poles() {
        let north = MKMapPoint(CLLocationCoordinate2D(latitude: 90, longitude: 0))
        let south = MKMapPoint(CLLocationCoordinate2D(latitude: -90, longitude: 0))
        #expect(abs(north.y) < 1e-6)
        #expect(abs(south.y - Self.world) < 1e-6)
    }

    @Test("points are as far apart as their places")
    func distance() {
        let one = MKMapPoint(CLLocationCoordinate2D(latitude: 0, longitude: 0))
        let two = MKMapPoint(CLLocationCoordinate2D(latitude: 0, longitude: 1))
        #expect(abs(one.distance(to: two) - 111_319.4908) < 0.001)
        #expect(abs(MKMetersPerMapPointAtLatitude(0) - 0.149291070) < 1e-8)
        #expect(abs(MKMapPointsPerMeterAtLatitude(60) - 2 / 0.149291070) < 1e-5)
    }

    @Test("rectangles meet, contain and surround each other")
    func rectangles() {
        let one = MKMapRect(x: 0, y: 0, width: 10, height: 20)
        let two = MKMapRect(x: 5, y: 10, width: 10, height: 20)
        let both = one.union(two)
        #expect([both.minX, both.minY, both.maxX, both.maxY] == [0, 0, 15, 30])
        let common = one.intersection(two)
        #expect([common.minX, common.minY, common.width, common.height] == [5, 10, 5, 10])
        #expect(one.intersects(two))
        #expect(!one.intersects(two.offsetBy(dx: 5, dy: 0)))
        #expect(one.intersection(two.offsetBy(dx: 5, dy: 0)).isNull)
        #expect(one.contains(MKMapPoint(x: 10, y: 20)))
        #expect(!one.contains(MKMapPoint(x: 10.5, y: 20)))
        #expect(one.contains(one.insetBy(dx: 1, dy: 1)))
        #expect(one.insetBy(dx: 1, dy: 2).height == 16)
        #expect(MKMapRect.null.union(one).width == 10)
        #expect(one.union(.null).width == 10)
        #expect(MKMapRect().isEmpty)
        #expect(!MKMapRect.world.isEmpty)
        #expect(!MKMapRect.world.spans180thMeridian)
        #expect(one.offsetBy(dx: -1, dy: 0).spans180thMeridian)
    }

    @Test("a rectangle is a region, and the middle of that the middle of the rectangle")
    func region() {
        let region = MKCoordinateRegion(.world)
        #expect(abs(region.center.latitude) < 1e-9)
        #expect(region.center.longitude == 0)
        #expect(region.span.longitudeDelta == 360)
        #expect(abs(region.span.latitudeDelta - 170.10225755961318) < 1e-9)
    }
}
