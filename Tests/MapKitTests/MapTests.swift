// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import MapKit
import SceneModel
import TestClock
import Testing

@testable import UIKit

@MainActor @Suite struct MapTests {
    /// The texts that a map in a window shows.
    static func texts(of map: MKMapView) async -> [String] {
        await Stage.with(Stage(clock: ManualClock())) {
            let controller = UIViewController(nibName: nil, bundle: nil)
            controller.view = map
            let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 300, height: 200))
            window.rootViewController = controller
            let (set, _) = window.draw(in: ViewEnvironment()) { _ in nil }
            return set.flatMap(\.kind.texts)
        }
    }

    @Test("a map shows the coordinates of its middle, or the names of its places")
    func words() async {
        let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 300, height: 200))
        let place = CLLocationCoordinate2D(latitude: 41.38791, longitude: 2.16992)
        map.setRegion(
            MKCoordinateRegion(center: place, latitudinalMeters: 500, longitudinalMeters: 500),
            animated: false
        )
        let middle = await Self.texts(of: map)
        #expect(middle == ["41.3879, 2.1699"])
        let pin = MKPointAnnotation()
        (pin.coordinate, pin.title) = (place, "Home")
        map.addAnnotation(pin)
        let named = await Self.texts(of: map)
        #expect(named == ["\u{1F4CD} Home"])
        map.removeAnnotation(pin)
        #expect(map.annotations.isEmpty)
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
}
