// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import MapKit
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct OverlayTests {
    private static func coordinates(_ longitudes: [Double]) -> [CLLocationCoordinate2D] {
        longitudes.map { CLLocationCoordinate2D(latitude: 0, longitude: $0) }
    }

    /// The frames of the nodes in the view of all shapes.
    private static func shapes(of map: MKMapView) async -> [SceneNode] {
        let nodes = await MapScene.nodes(of: map)
        return nodes.filter { node in nodes.first { $0.id == node.up }?.up == 1 && node.label == nil }
    }

    @Test("a circle is drawn in its size, in the colours of its renderer")
    func circle() async throws {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        delegate.makeRenderer = { overlay in
            let renderer = MKCircleRenderer(overlay: overlay)
            renderer.fillColor = .systemBlue
            renderer.strokeColor = .systemRed
            renderer.lineWidth = 3
            renderer.alpha = 0.5
            return renderer
        }
        // One degree of the equator, which is 30 points of the view.
        let circle = MKCircle(center: CLLocationCoordinate2D(latitude: 0, longitude: 10), radius: 111_319.4908)
        map.addOverlay(circle)
        let shapes = await Self.shapes(of: map)
        #expect(shapes.map(\.frame) == [SceneFrame(120, 70, 60, 60)])
        let style = try #require(shapes.first?.style)
        #expect(style.radius == 30)
        #expect(style.border?.width == 3)
        #expect(style.opacity == 0.5)
        #expect(delegate.calls == ["renderer for MKCircle", "added 1 renderers"])
        #expect(map.renderer(for: circle) is MKCircleRenderer)
        #expect(abs(circle.boundingMapRect.width - 2 * MKMapSize.world.width / 360) < 1)
        map.removeOverlay(circle)
        let none = await Self.shapes(of: map)
        #expect(none.isEmpty)
        #expect(map.overlays.isEmpty)
        #expect(map.renderer(for: circle) == nil)
    }

    @Test("a line is drawn in pieces, and not without a colour")
    func line() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        let line = MKPolyline(coordinates: Self.coordinates([6, 10, 12]), count: 3)
        #expect(line.pointCount == 3)
        var copied = [CLLocationCoordinate2D](repeating: CLLocationCoordinate2D(), count: 2)
        line.getCoordinates(&copied, range: NSRange(location: 1, length: 2))
        #expect(abs(copied[1].longitude - 12) < 1e-9)
        delegate.makeRenderer = { _ in
            let renderer = MKPolylineRenderer(polyline: line)
            renderer.strokeColor = .systemBlue
            renderer.lineWidth = 4
            return renderer
        }
        map.addOverlays([line])
        let shapes = await Self.shapes(of: map)
        #expect(shapes.map(\.frame) == [SceneFrame(30, 98, 120, 4), SceneFrame(150, 98, 60, 4)])
        (map.renderer(for: line) as? MKPolylineRenderer)?.strokeColor = nil
        map.renderer(for: line)?.setNeedsDisplay()
        let colourless = await Self.shapes(of: map)
        #expect(colourless.isEmpty)
    }

    @Test("a way of many points has 100 pieces, and begins and ends where it does")
    func long() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        let line = MKPolyline(coordinates: Self.coordinates((0...1_000).map { 5 + Double($0) / 100 }), count: 1_001)
        delegate.makeRenderer = { overlay in
            let renderer = MKPolylineRenderer(overlay: overlay)
            renderer.strokeColor = .black
            return renderer
        }
        map.addOverlay(line, level: .aboveRoads)
        let shapes = await Self.shapes(of: map)
        #expect(shapes.count == 100)
        #expect(shapes.first?.frame?.x == 0)
        #expect(shapes.last.flatMap(\.frame).map { ($0.x + $0.width).rounded() } == 300)
        let more = MKPolyline(coordinates: Self.coordinates([6, 10]), count: 2)
        map.addOverlay(more)
        let bounded = await Self.shapes(of: map)
        #expect(bounded.count == 100)
    }

    @Test("of a line far beyond the view the part is drawn that is seen")
    func clipped() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        map.region.span = MKCoordinateSpan(latitudeDelta: 0.0005, longitudeDelta: 0.001)
        delegate.makeRenderer = { overlay in
            let renderer = MKPolylineRenderer(overlay: overlay)
            renderer.strokeColor = .black
            return renderer
        }
        map.addOverlay(MKPolyline(coordinates: Self.coordinates([-40, 60]), count: 2))
        map.addOverlay(MKPolyline(coordinates: Self.coordinates([60, 80]), count: 2))
        let shapes = await Self.shapes(of: map)
        #expect(shapes.map(\.frame) == [SceneFrame(-2, 99, 304, 2)])
    }

    @Test(
        "places of a line that are copied are those of the range that are there",
        arguments: [
            (1, 5, 2), (0, -1, 0), (-1, 2, 0), (3, 1, 0), (Int.max, 2, 0), (2, Int.max, 1), (Int.min, Int.max, 0),
        ]
    )
    func copies(location: Int, length: Int, count: Int) {
        let line = MKPolyline(coordinates: Self.coordinates([6, 10, 12]), count: 3)
        var copied = [CLLocationCoordinate2D](repeating: kCLLocationCoordinate2DInvalid, count: 3)
        line.getCoordinates(&copied, range: NSRange(location: location, length: length))
        #expect(copied.filter(CLLocationCoordinate2DIsValid).count == count)
    }

    @Test(
        "a part of the map that is no place, or almost without a size, shows no shape and no marker",
        arguments: [
            MKMapRect(x: .nan, y: 0, width: 10, height: 10), MKMapRect(x: 0, y: .nan, width: 10, height: 10),
            MKMapRect(x: 1e308, y: 0, width: 1.7e308, height: 10), MKMapRect(x: 0, y: 0, width: 1e-307, height: 0),
        ]
    )
    func nowhere(rect: MKMapRect) async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        delegate.makeRenderer = { overlay in
            let renderer = MKPolylineRenderer(overlay: overlay)
            renderer.strokeColor = .black
            return renderer
        }
        map.addOverlay(MKPolyline(coordinates: Self.coordinates([6, 10, 12]), count: 3))
        map.addAnnotation(MapScene.pin(0, 10, "A"))
        map.visibleMapRect = rect
        let shapes = await Self.shapes(of: map)
        let places = await MapScene.places(of: map)
        #expect(shapes.isEmpty)
        #expect(places.isEmpty)
    }

    @Test("an area has its border drawn, back to its first point")
    func area() async {
        let (map, delegate) = (MapScene.map(), RecordingMapDelegate())
        map.delegate = delegate
        let corners = [(0.0, 8.0), (0, 12), (1, 12)].map { CLLocationCoordinate2D(latitude: $0.0, longitude: $0.1) }
        let area = MKPolygon(coordinates: corners, count: 3)
        delegate.makeRenderer = { overlay in
            let renderer = MKPolygonRenderer(overlay: overlay)
            renderer.strokeColor = .black
            return renderer
        }
        map.addOverlay(area)
        let shapes = await Self.shapes(of: map)
        #expect(shapes.count == 3)
        #expect(abs(area.coordinate.longitude - 10) < 1e-9)
        #expect(area.interiorPolygons == nil)
    }

    @Test("without a delegate a shape is not drawn, and a circle of any numbers ends nothing")
    func broken() async {
        let map = MapScene.map()
        let places = [Double.nan, .infinity, 1e300, -1]
        map.addOverlays(places.map { MKCircle(center: CLLocationCoordinate2D(latitude: $0, longitude: 0), radius: $0) })
        let plain = await Self.shapes(of: map)
        #expect(plain.isEmpty)
        let delegate = RecordingMapDelegate()
        delegate.makeRenderer = { MKCircleRenderer(overlay: $0) }
        map.delegate = delegate
        map.removeOverlays(map.overlays)
        map.addOverlays(places.map { MKCircle(center: CLLocationCoordinate2D(latitude: $0, longitude: 0), radius: $0) })
        map.addOverlay(MKPolyline(coordinates: Self.coordinates(places), count: 4))
        let shapes = await Self.shapes(of: map)
        #expect(shapes.isEmpty)
    }
}
