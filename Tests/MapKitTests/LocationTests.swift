// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Dispatch
import Foundation
import Testing

@Suite struct LocationTests {
    @Test("a place of two numbers has Apple's defaults")
    func defaults() {
        let place = CLLocation(latitude: 41.5, longitude: -2.25)
        #expect(place.coordinate.latitude == 41.5)
        #expect(place.coordinate.longitude == -2.25)
        #expect(place.altitude == 0)
        #expect(place.horizontalAccuracy == 0)
        #expect(place.verticalAccuracy == -1)
        #expect([place.course, place.courseAccuracy, place.speed, place.speedAccuracy] == [-1, -1, -1, -1])
        #expect(place.floor == nil)
    }

    @Test("a place has what it was made of, is equal to its copy, and can be archived")
    func facts() throws {
        let time = Date(timeIntervalSinceReferenceDate: 12)
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2),
            altitude: 3,
            horizontalAccuracy: 4,
            verticalAccuracy: 5,
            course: 6,
            speed: 7,
            timestamp: time
        )
        #expect([place.altitude, place.horizontalAccuracy, place.verticalAccuracy] == [3, 4, 5])
        #expect([place.course, place.speed] == [6, 7])
        #expect(place.timestamp == time)
        #expect(
            place.description
                == "<+1.00000000,+2.00000000> +/- 4.00m (speed 7.00 mps / course 6.00) @ 2001-01-01 00:00:12 +0000"
        )
        let plain = CLLocation(
            coordinate: place.coordinate,
            altitude: 3,
            horizontalAccuracy: 4,
            verticalAccuracy: 5,
            timestamp: time
        )
        #expect(plain.course == -1)
        #expect(place != plain)
        let data = try NSKeyedArchiver.archivedData(withRootObject: place, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
        #expect(back == place)
    }

    @Test(
        "a distance is that of the ellipsoid WGS 84",
        arguments: [
            // A degree of the equator is a · π / 180, and one of the meridian there 110 574.389 m.
            ((0.0, 0.0), (0.0, 1.0), 111_319.4908), ((0, 0), (1, 0), 110_574.3886),
            // A quarter of the meridian.
            ((0, 0), (90, 0), 10_001_965.7293),
            // From pole to pole, on whichever meridians, and from a pole to itself.
            ((90, 0), (-90, 0), 20_003_931.4586), ((90, 0), (-90, 77), 20_003_931.4586), ((90, 0), (90, 120), 0),
            // Flinders Peak and Buninyong, the example of the method's author for GRS 80, which differs by 0.1 mm.
            ((-37.95103341666667, 144.42486788888888), (-37.65282113888889, 143.92649552777777), 54_972.271),
            // Across the date line.
            ((0, 179.5), (0, -179.5), 111_319.4908), ((12, 34), (12, 34), 0),
        ]
    )
    func distance(one: (Double, Double), two: (Double, Double), metres: Double) {
        let (here, there) = (
            CLLocation(latitude: one.0, longitude: one.1), CLLocation(latitude: two.0, longitude: two.1)
        )
        #expect(abs(here.distance(from: there) - metres) < 0.001)
        #expect(abs(there.distance(from: here) - metres) < 0.001)
    }

    @Test("opposite points have the distance of a sphere, and what is no number has none")
    func opposite() {
        let one = CLLocation(latitude: 0, longitude: 0)
        let half = one.distance(from: CLLocation(latitude: 0.1, longitude: 179.9))
        #expect(abs(half - 20_000_000) < 100_000)
        #expect(one.distance(from: CLLocation(latitude: .nan, longitude: 0)).isNaN)
        #expect(one.distance(from: CLLocation(latitude: 0, longitude: .infinity)).isNaN)
    }

    @Test("a coordinate is valid inside its ranges")
    func validity() {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: 90, longitude: -180)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: 90.1, longitude: 0)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: .nan, longitude: 0)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }

    @Test("an error has Apple's number, and a catch names its code")
    func errors() {
        let error: any Error = CLError(.geocodeCanceled, userInfo: [NSLocalizedDescriptionKey: "gone"])
        if case CLError.geocodeCanceled = error {} else { Issue.record("another code") }
        #expect((error as NSError).domain == "kCLErrorDomain")
        #expect((error as NSError).code == 10)
        #expect(error.localizedDescription == "gone")
        #expect(CLError.Code.promptDeclined.rawValue == 18)
        #expect(CLError.Code.deferredFailed.rawValue == 11)
    }
}

@MainActor @Suite struct LocationRequestTests {
    /// A delegate that remembers what it hears.
    private final class RecordingDelegate: NSObject, CLLocationManagerDelegate {
        // SAFETY: the manager calls on the main queue, and the test reads there.
        nonisolated(unsafe) var calls: [String] = []

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            calls.append("failed \((error as NSError).code)")
        }
        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            calls.append("authorization \(manager.authorizationStatus.rawValue)")
        }
        func locationManager(
            _ manager: CLLocationManager,
            monitoringDidFailFor region: CLRegion?,
            withError error: any Error
        ) {
            calls.append("\(region?.identifier ?? "-") \((error as NSError).code)")
        }
    }

    @Test("requests for a place end with the denial, as the status says before")
    func manager() async {
        let (manager, delegate) = (CLLocationManager(), RecordingDelegate())
        manager.delegate = delegate
        manager.delegate = delegate
        manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        manager.requestWhenInUseAuthorization()
        manager.requestLocation()
        manager.startUpdatingLocation()
        manager.startUpdatingHeading()
        manager.startMonitoring(
            for: CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "home")
        )
        #expect(delegate.calls == [])
        await MapScene.turn()
        #expect(delegate.calls == ["authorization 2", "failed 1", "failed 1", "failed 3", "home 4"])
        #expect(manager.location == nil)
        #expect(manager.desiredAccuracy == 100)
        #expect(!CLLocationManager.locationServicesEnabled())
    }

    @Test("a geocoder answers each question with the network's error, on the main queue")
    func geocoder() async {
        let geocoder = CLGeocoder()
        var (answers, asked): ([String], Bool) = ([], false)
        geocoder.reverseGeocodeLocation(CLLocation(latitude: 1, longitude: 2)) { places, error in
            answers.append("\(places?.count ?? -1) \(error as? CLError == CLError(.network))")
        }
        asked = geocoder.isGeocoding
        geocoder.geocodeAddressString("1 Infinite Loop") {
            answers.append("\($0 == nil) \(($1 as NSError?)?.code ?? -1)")
        }
        await MapScene.turn()
        #expect(asked)
        #expect(answers == ["-1 true", "true 2"])
        #expect(!geocoder.isGeocoding)
        await #expect(throws: CLError(.network)) {
            _ = try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 1, longitude: 2))
        }
        await #expect(throws: CLError(.network)) { _ = try await geocoder.geocodeAddressString("Main Street") }
    }

    @Test("a question that is taken back is answered so, once")
    func cancelled() async {
        let geocoder = CLGeocoder()
        var answers: [CLError] = []
        geocoder.geocodeAddressString("here") { _, error in if let error = error as? CLError { answers.append(error) } }
        geocoder.cancelGeocode()
        #expect(!geocoder.isGeocoding)
        await MapScene.turn()
        #expect(answers == [CLError(.geocodeCanceled)])
    }
}
