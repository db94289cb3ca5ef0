// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import MapKit
import Testing

@testable import UIKit

@MainActor @Suite struct MapTests {
    @Test("a choice of sights has the kinds that it names, or all others")
    func sights() {
        let (some, others) = (
            MKPointOfInterestFilter(including: [.cafe, .bakery]), MKPointOfInterestFilter(excluding: [.cafe])
        )
        #expect(some.includes(.cafe) && some.excludes(.museum))
        #expect(others.excludes(.cafe) && others.includes(.museum))
        #expect(MKPointOfInterestFilter.includingAll.includes(.zoo))
        #expect(MKPointOfInterestFilter.excludingAll.excludes(.zoo))
        let map = MKMapView()
        #expect(map.pointOfInterestFilter == nil)
        map.pointOfInterestFilter = .excludingAll
        #expect(map.pointOfInterestFilter?.includes(.cafe) == false)
    }

    @Test("a map shows the coordinates of its middle, or the names of its places")
    func words() async {
        let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 300, height: 200))
        let place = CLLocationCoordinate2D(latitude: 41.38791, longitude: 2.16992)
        map.setRegion(
            MKCoordinateRegion(center: place, latitudinalMeters: 500, longitudinalMeters: 500),
            animated: false
        )
        let middle = await MapScene.texts(of: map)
        #expect(middle == ["41.3879, 2.1699"])
        let pin = MKPointAnnotation()
        (pin.coordinate, pin.title) = (place, "Home")
        map.addAnnotation(pin)
        let named = await MapScene.texts(of: map)
        #expect(named == ["\u{1F4CD} Home"])
        map.removeAnnotation(pin)
        #expect(map.annotations.isEmpty)
        let again = await MapScene.texts(of: map)
        #expect(again == ["41.3879, 2.1699"])
    }

    @Test("a region in metres has the degrees of its latitude")
    func region() {
        let region = MKCoordinateRegion(
            center: CLLocationCoordinate2D(latitude: 60, longitude: 0),
            latitudinalMeters: 111_195,
            longitudinalMeters: 111_195
        )
        #expect(abs(region.span.latitudeDelta - 1) < 1e-9)
        #expect(abs(region.span.longitudeDelta - 2) < 1e-9)
    }

    @Test("the delegate hears of another part before and after, and of the map that does not arrive")
    func delegate() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        map.setCenter(CLLocationCoordinate2D(latitude: 0, longitude: 20), animated: true)
        #expect(delegate.calls == ["from 10.0", "to 20.0 true"])
        delegate.calls = []
        _ = await MapScene.nodes(of: map)
        await MapScene.turn()
        #expect(delegate.calls == ["loading", "failed MKErrorDomain 2", "rendered false"])
    }

    @Test("the person's place is asked for and denied")
    func userLocation() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        map.showsUserLocation = true
        map.showsUserLocation = true
        await MapScene.turn()
        map.showsUserLocation = false
        #expect(delegate.calls == ["locating", "not located kCLErrorDomain 1", "located no more"])
        #expect(map.userLocation.location == nil)
        #expect(map.userLocation.coordinate.latitude == -180)
        #expect(map.annotations.isEmpty)
    }

    @Test("a place of the map has a point of the view, and the other way round")
    func conversion() {
        let map = MapScene.map()
        let point = map.convert(CLLocationCoordinate2D(latitude: 0, longitude: 12.5), toPointTo: map)
        #expect(abs(point.x - 225) < 1e-6)
        #expect(abs(point.y - 100) < 1e-6)
        let place = map.convert(CGPoint(x: 0, y: 100), toCoordinateFrom: map)
        #expect(abs(place.longitude - 5) < 1e-9)
        #expect(abs(place.latitude) < 1e-9)
        // 300 points are ten degrees: the height of 200 is two thirds of that.
        let degree = MKMapSize.world.width / 360
        #expect(abs(map.visibleMapRect.width - 10 * degree) < 1)
        #expect(abs(map.visibleMapRect.height - 20 / 3 * degree) < 1)
        let rect = map.convert(map.region, toRectTo: map)
        #expect(abs(rect.width - 300) < 1e-6)
        #expect(abs(rect.minX) < 1e-6)
    }

    @Test("far from the equator the middle of a part is that of the view, and a rectangle is shown as it is")
    func middle() {
        let map = MKMapView(frame: MapScene.size)
        let place = CLLocationCoordinate2D(latitude: 60, longitude: 20)
        map.region = MKCoordinateRegion(center: place, span: MKCoordinateSpan(latitudeDelta: 30, longitudeDelta: 10))
        let point = map.convert(place, toPointTo: map)
        #expect(abs(point.x - 150) < 1e-6)
        #expect(abs(point.y - 100) < 1e-6)
        // The border towards the pole is 15° away, and the upper edge of the view.
        let north = map.convert(CLLocationCoordinate2D(latitude: 75, longitude: 20), toPointTo: map)
        #expect(abs(north.y) < 1e-6)
        map.visibleMapRect = MKMapRect(x: 3_000_000, y: 20_000_000, width: 3_000, height: 2_000)
        #expect(abs(map.visibleMapRect.minY - 20_000_000) < 1e-3)
        #expect(abs(map.visibleMapRect.height - 2_000) < 1e-3)
    }

    @Test("a camera is as far as its part is large, and sets the part")
    func camera() {
        let map = MapScene.map()
        map.camera = MKMapCamera(
            lookingAtCenter: CLLocationCoordinate2D(latitude: 1, longitude: 2),
            fromDistance: 1_000,
            pitch: 45,
            heading: 90
        )
        #expect(map.centerCoordinate.longitude == 2)
        // 2 · tan 15° · 1000 m of 111 195 m a degree.
        #expect(abs(map.region.span.latitudeDelta - 535.8983848 / 111_195) < 1e-9)
        #expect(abs(map.camera.centerCoordinateDistance - 1_000) < 1e-6)
        let camera = MKMapCamera()
        camera.altitude = 500
        #expect(camera.centerCoordinateDistance == 500)
        let copy = camera.copy() as? MKMapCamera
        #expect(copy?.altitude == 500)
    }

    @Test("a region that is no place draws no places, whatever its numbers", arguments: [Double.nan, .infinity, -3])
    func brokenRegion(number: Double) async {
        let map = MapScene.map()
        map.addAnnotation(MapScene.pin(0, 10, "Home"))
        map.region = MKCoordinateRegion(
            center: CLLocationCoordinate2D(latitude: 0, longitude: 10),
            span: MKCoordinateSpan(latitudeDelta: number, longitudeDelta: number)
        )
        let places = await MapScene.places(of: map)
        #expect(places == [])
        let texts = await MapScene.texts(of: map)
        #expect(texts == ["\u{1F4CD} Home"])
        #expect(map.visibleMapRect.isNull)
    }

    @Test("a rectangle with room around it fits what is between")
    func padding() {
        let map = MapScene.map()
        let rect = MKMapRect(x: 1_000, y: 2_000, width: 200, height: 100)
        let fitting = map.mapRectThatFits(
            rect,
            edgePadding: UIEdgeInsets(top: 50, left: 50, bottom: 50, right: 50)
        )
        // 200 × 100 points of the view are left: one of the map is one of the view.
        #expect(fitting.minX == 950)
        #expect(fitting.minY == 1_950)
        #expect(fitting.width == 300)
        #expect(fitting.height == 200)
    }
}
