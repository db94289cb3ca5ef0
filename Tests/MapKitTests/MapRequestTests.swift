// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Dispatch
import Foundation
import MapKit
import Testing

@MainActor @Suite struct MapRequestTests {
    @Test("a picture of a map is not made: the handler and the task hear of the server")
    func snapshot() async {
        let options = MKMapSnapshotter.Options()
        #expect(options.size == CGSize(width: 256, height: 256))
        let snapshotter = MKMapSnapshotter(options: options)
        var isLoading = false
        let error: (any Error)? = await withCheckedContinuation { continuation in
            snapshotter.start { picture, error in
                #expect(picture == nil)
                continuation.resume(returning: error)
            }
            isLoading = snapshotter.isLoading
        }
        #expect(isLoading)
        #expect(error as? MKError == MKError(.serverFailure))
        #expect(!snapshotter.isLoading)
        await #expect(throws: MKError(.serverFailure)) { _ = try await snapshotter.start() }
    }

    @Test("a request that is taken back calls nobody, and another one is answered")
    func cancel() async {
        let snapshotter = MKMapSnapshotter()
        var calls: [String] = []
        snapshotter.start { _, _ in calls.append("first") }
        snapshotter.start { _, _ in calls.append("beside it") }
        snapshotter.cancel()
        snapshotter.start { _, _ in calls.append("second") }
        await MapScene.turn()
        #expect(calls == ["second"])
    }

    @Test("an error is told apart by its code")
    func errors() {
        let error: any Error = MKError(.loadingThrottled)
        if case MKError.loadingThrottled = error {} else { Issue.record("another code") }
        #expect((error as NSError).domain == "MKErrorDomain")
        #expect((error as NSError).code == 3)
        #expect(MKError.Code.decodingFailed.rawValue == 6)
    }

    @Test("an item has the name of its place, and opens nothing")
    func item() {
        let place = MKPlacemark(
            coordinate: CLLocationCoordinate2D(latitude: 41, longitude: 2),
            addressDictionary: ["Name": "Tower", "City": "Barcelona", "ZIP": "08001", "CountryCode": "ES"]
        )
        #expect(place.coordinate.latitude == 41)
        #expect(place.title == "Tower")
        #expect(place.locality == "Barcelona")
        #expect(place.countryCode == "ES")
        let item = MKMapItem(placemark: place)
        #expect(item.name == "Tower")
        #expect(!item.isCurrentLocation)
        let options = [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving]
        let isOpen = item.openInMaps(launchOptions: options)
        #expect(!isOpen)
        let areOpen = MKMapItem.openMaps(with: [item], launchOptions: nil)
        #expect(!areOpen)
        #expect(MKMapItem.forCurrentLocation().isCurrentLocation)
        #expect(MKPlacemark(placemark: place).postalCode == "08001")
    }

    @Test("a placemark can be a place of a map")
    func placemark() async {
        let map = MapScene.map()
        map.addAnnotation(MKPlacemark(coordinate: CLLocationCoordinate2D(latitude: 0, longitude: 10)))
        let places = await MapScene.places(of: map)
        #expect(places == ["0.0000, 10.0000 150.0 100.0"])
    }
}
