// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import MapKit
import SceneModel
import Testing

@testable import UIKit

/// A delegate that selects a place of its own as soon as another is selected no more.
@MainActor private final class Chooser: NSObject, MKMapViewDelegate {
    private let place: MKPointAnnotation

    init(place: MKPointAnnotation) {
        self.place = place
    }

    func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
        if annotation !== place { mapView.selectAnnotation(place, animated: false) }
    }
}

@MainActor @Suite struct AnnotationTests {
    /// A marker that learns its look when it gets its place, as many extensions have it.
    private final class WatchingMarker: MKMarkerAnnotationView {
        override var annotation: (any MKAnnotation)? {
            willSet { markerTintColor = newValue?.title == "Blue" ? .systemBlue : .systemGreen }
        }
    }

    @Test("markers stand with their lowest points at their places, and have their names")
    func places() async {
        let map = MapScene.map()
        map.addAnnotations([
            MapScene.pin(0, 10, "Middle"), MapScene.pin(0, 12.5, "East"), MapScene.pin(0, 30, "Far"),
            MapScene.pin(0, 7.5),
        ])
        let places = await MapScene.places(of: map)
        #expect(places.sorted() == ["0.0000, 7.5000 75.0 100.0", "East 225.0 100.0", "Middle 150.0 100.0"])
        let texts = await MapScene.texts(of: map)
        #expect(texts == ["\u{1F4CD} Middle\n\u{1F4CD} East\n\u{1F4CD} Far\n\u{1F4CD} 0.0000, 7.5000"])
    }

    @Test("north is above south, and a place beyond 180° is beside its neighbour")
    func dateLine() async {
        let map = MapScene.map()
        map.region = MKCoordinateRegion(
            center: CLLocationCoordinate2D(latitude: 0, longitude: 179),
            span: MKCoordinateSpan(latitudeDelta: 0, longitudeDelta: 10)
        )
        let (west, north) = (MapScene.pin(0, -180, "West"), MapScene.pin(2, 179, "North"))
        map.addAnnotations([west, north])
        let places = await MapScene.places(of: map)
        #expect(places.contains("West 180.0 100.0"))
        let y = map.convert(north.coordinate, toPointTo: map).y
        #expect(abs(y - 39.988) < 0.01)
        #expect(places.contains("North 150.0 \((y * 1000).rounded() / 1000)"))
    }

    @Test("a marker follows its place and its name, and goes with it")
    func changes() async {
        let map = MapScene.map()
        let pin = MapScene.pin(0, 10, "Here")
        map.addAnnotation(pin)
        map.addAnnotation(pin)
        #expect(map.annotations.count == 1)
        _ = await MapScene.places(of: map)
        pin.coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 12.5)
        pin.title = "There"
        let moved = await MapScene.places(of: map)
        #expect(moved == ["There 225.0 100.0"])
        let first = map.view(for: pin)
        pin.coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 50)
        let far = await MapScene.places(of: map)
        #expect(far == [])
        #expect(map.view(for: pin) == nil)
        pin.coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 10)
        _ = await MapScene.places(of: map)
        // The view that was put aside is used again.
        #expect(map.view(for: pin) === first)
        map.removeAnnotations([pin])
        let none = await MapScene.places(of: map)
        #expect(none == [])
        let texts = await MapScene.texts(of: map)
        #expect(texts == ["0.0000, 10.0000"])
    }

    @Test("200 places are drawn, and the others are not")
    func limit() async {
        let map = MapScene.map()
        map.addAnnotations((0..<250).map { MapScene.pin(0, 10 + Double($0) / 100, "\($0)") })
        let places = await MapScene.places(of: map)
        #expect(places.count == 200)
        #expect(map.annotations.count == 250)
        #expect(map.view(for: map.annotations[199]) != nil)
        #expect(map.view(for: map.annotations[200]) == nil)
    }

    @Test("a place that is no coordinate is not drawn", arguments: [Double.nan, .infinity, 1e300, -180.5])
    func broken(number: Double) async {
        let map = MapScene.map()
        map.addAnnotation(MapScene.pin(0, number, "Nowhere"))
        let places = await MapScene.places(of: map)
        #expect(places == [])
        map.showAnnotations(map.annotations, animated: false)
        #expect(map.region.center.longitude == 10)
    }

    @Test("the delegate gives views, and hears of those that were added")
    func delegate() async throws {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        delegate.makeView = { map, annotation in
            guard annotation.title != "Plain" else { return nil }
            let view =
                map.dequeueReusableAnnotationView(withIdentifier: "pin") as? MKPinAnnotationView
                ?? MKPinAnnotationView(annotation: annotation, reuseIdentifier: "pin")
            view.pinTintColor = .systemGreen
            return view
        }
        let (own, plain) = (MapScene.pin(0, 10, "Own"), MapScene.pin(0, 12, "Plain"))
        map.addAnnotations([own, plain])
        _ = await MapScene.nodes(of: map)
        #expect(delegate.calls.filter { $0 != "loading" } == ["view for Own", "view for Plain", "added 2 views"])
        let view = try #require(map.view(for: own))
        #expect(view is MKPinAnnotationView)
        #expect(view.bounds.width == 16)
        #expect(view.backgroundColor == .systemGreen)
        #expect(map.view(for: plain) is MKMarkerAnnotationView)
    }

    @Test("a place that the delegate removes while it is asked for its view is gone with its view")
    func removal() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        let (one, two) = (MapScene.pin(0, 10, "One"), MapScene.pin(0, 12, "Two"))
        delegate.makeView = { map, annotation in
            map.removeAnnotations([one])
            return nil
        }
        map.delegate = delegate
        map.addAnnotations([one, two])
        _ = await MapScene.nodes(of: map)
        _ = await MapScene.nodes(of: map)
        #expect(map.annotations.count == 1)
        #expect(map.view(for: one) == nil)
        #expect(map.view(for: two) != nil)
    }

    @Test("a selection within that of another place is the one that stands")
    func selectionWithin() async {
        let map = MapScene.map()
        let places = [MapScene.pin(0, 10, "One"), MapScene.pin(0, 12, "Two"), MapScene.pin(0, 13, "Three")]
        map.addAnnotations(places)
        _ = await MapScene.nodes(of: map)
        map.selectAnnotation(places[0], animated: false)
        let chooser = Chooser(place: places[2])
        map.delegate = chooser
        map.selectAnnotation(places[1], animated: false)
        let selected = places.filter { map.view(for: $0)?.isSelected == true }
        #expect(selected.compactMap(\.title) == map.selectedAnnotations.compactMap { $0.title })
        #expect(map.selectedAnnotations.count == 1)
    }

    @Test("a registered class of MapKit's is made, and a class of the extension is taken for the one above it")
    func registered() {
        let map = MapScene.map()
        let pin = MapScene.pin(0, 10, "Blue")
        map.register(MKPinAnnotationView.self, forAnnotationViewWithReuseIdentifier: "pin")
        map.register(WatchingMarker.self, forAnnotationViewWithReuseIdentifier: "own")
        let made = map.dequeueReusableAnnotationView(withIdentifier: "pin", for: pin)
        #expect(made is MKPinAnnotationView)
        #expect(made.reuseIdentifier == "pin")
        #expect(made.annotation === pin)
        #expect(map.dequeueReusableAnnotationView(withIdentifier: "pin") == nil)
        let nearest = map.dequeueReusableAnnotationView(withIdentifier: "own", for: pin)
        #expect(type(of: nearest) == MKMarkerAnnotationView.self)
        let other = map.dequeueReusableAnnotationView(withIdentifier: "unknown", for: pin)
        #expect(type(of: other) == MKMarkerAnnotationView.self)
    }

    @Test("a subclass that watches its place has its look when it is made, and when it is used again")
    func watching() {
        let marker = WatchingMarker(annotation: MapScene.pin(0, 0, "Blue"), reuseIdentifier: nil)
        #expect(marker.backgroundColor == .systemBlue)
        marker.annotation = MapScene.pin(0, 0, "Other")
        #expect(marker.backgroundColor == .systemGreen)
    }

    @Test("a marker has Apple's defaults, and shows a letter in its circle")
    func marker() async {
        let marker = MKMarkerAnnotationView(annotation: MapScene.pin(0, 10, "A"), reuseIdentifier: "m")
        #expect(marker.bounds.width == 28)
        #expect(marker.centerOffset == CGPoint(x: 0, y: -14))
        #expect(!marker.canShowCallout)
        #expect(marker.displayPriority == .required)
        #expect(marker.titleVisibility == .adaptive)
        #expect(marker.markerTintColor == nil)
        #expect(marker.backgroundColor == .systemRed)
        #expect(marker.accessibilityLabel == "A")
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        delegate.makeView = { _, _ in
            marker.glyphText = "7"
            marker.markerTintColor = .systemBlue
            return marker
        }
        map.addAnnotation(MapScene.pin(0, 10, "Seven"))
        let texts = await MapScene.texts(of: map)
        #expect(texts == ["\u{1F4CD} Seven", "7"])
        #expect(marker.backgroundColor == .systemBlue)
    }

    @Test("one place at a time is selected, by code and by a tap")
    func selection() async throws {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        let (one, two) = (MapScene.pin(0, 10, "One"), MapScene.pin(0, 12, "Two"))
        map.addAnnotations([one, two])
        let nodes = await MapScene.nodes(of: map)
        #expect(nodes.filter(\.isTappable).compactMap(\.label).sorted() == ["One", "Two"])
        map.delegate = delegate
        map.selectAnnotation(one, animated: false)
        #expect(map.view(for: one)?.isSelected == true)
        #expect(delegate.calls == ["selected a view", "selected One"])
        delegate.calls = []
        let view = try #require(map.view(for: two))
        let tap = try #require(view.gestureRecognizers?.first as? UITapGestureRecognizer)
        tap.take(.tap(at: nil), of: view)
        #expect(delegate.calls == ["deselected One", "selected a view", "selected Two"])
        #expect(map.selectedAnnotations.first === two)
        map.selectedAnnotations = []
        #expect(map.view(for: two)?.isSelected == false)
        map.selectAnnotation(MapScene.pin(0, 0, "Foreign"), animated: false)
        #expect(map.selectedAnnotations.isEmpty)
    }

    @Test("the name of a place can be read with one optional and with Apple's two")
    func optionals() {
        let (named, nameless): (any MKAnnotation, any MKAnnotation) = (MapScene.pin(0, 0, "A"), MapScene.pin(0, 0))
        let view = MKAnnotationView(annotation: named, reuseIdentifier: nil)
        #expect(named.title!! == "A")
        #expect(view.annotation?.title??.count == 1)
        #expect(nameless.subtitle??.count == nil)
        if let title = named.title { #expect(title.count == 1) } else { Issue.record("no name") }
        #expect(nameless.title == nil)
        #expect((view.annotation?.title ?? "") == "A")
    }

    @Test("places that are shown are all on the map, and one place has a kilometre around it")
    func show() async {
        let map = MapScene.map()
        map.showAnnotations([MapScene.pin(10, 179, "A"), MapScene.pin(-10, -179, "B")], animated: true)
        let places = await MapScene.places(of: map)
        #expect(places.count == 2)
        #expect(abs(abs(map.region.center.longitude) - 180) < 1e-6)
        let single = MapScene.map()
        single.showAnnotations([MapScene.pin(0, 20, "C")], animated: false)
        #expect(abs(single.region.center.longitude - 20) < 1e-9)
        #expect(abs(single.region.span.longitudeDelta - 1_000 / 111_319.4908) < 1e-7)
    }
}
