// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MapKit
import SceneModel
import TestClock

@testable import UIKit

/// The nodes of a map in a window of 300 × 200 points.
@MainActor enum MapScene {
    static let size = CGRect(x: 0, y: 0, width: 300, height: 200)

    static func nodes(of map: MKMapView) async -> [SceneNode] {
        await Stage.with(Stage(clock: ManualClock())) {
            let controller = UIViewController(nibName: nil, bundle: nil)
            controller.view = map
            let window = UIWindow(frame: size)
            window.rootViewController = controller
            return window.draw(in: ViewEnvironment()) { _ in nil }.set
        }
    }

    static func texts(of map: MKMapView) async -> [String] { await nodes(of: map).flatMap(\.kind.texts) }

    /// The labels and the lowest points of the nodes that have a label.
    static func places(of map: MKMapView) async -> [String] {
        await nodes(of: map).compactMap { node in
            guard let label = node.label, let frame = node.frame else { return nil }
            return "\(label) \(frame.x + frame.width / 2) \(frame.y + frame.height)"
        }
    }

    /// Waits until the main queue has done what it was given.
    static func turn() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    /// A map of ten degrees of the equator and its surroundings.
    static func map() -> MKMapView {
        let map = MKMapView(frame: size)
        map.region = MKCoordinateRegion(
            center: CLLocationCoordinate2D(latitude: 0, longitude: 10),
            span: MKCoordinateSpan(latitudeDelta: 5, longitudeDelta: 10)
        )
        return map
    }

    static func pin(_ latitude: Double, _ longitude: Double, _ title: String? = nil) -> MKPointAnnotation {
        MKPointAnnotation(coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), title: title)
    }
}

/// A delegate that remembers what it hears, in the order of the calls.
@MainActor final class RecordingMapDelegate: NSObject, MKMapViewDelegate {
    var calls: [String] = []
    var makeView: (MKMapView, any MKAnnotation) -> MKAnnotationView? = { _, _ in nil }
    var makeRenderer: (any MKOverlay) -> MKOverlayRenderer = { MKOverlayRenderer(overlay: $0) }

    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
        calls.append("view for \((annotation.title ?? nil) ?? "-")")
        return makeView(mapView, annotation)
    }
    func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        calls.append("renderer for \(type(of: overlay))")
        return makeRenderer(overlay)
    }
    func mapView(_ mapView: MKMapView, didAdd views: [MKAnnotationView]) { calls.append("added \(views.count) views") }
    func mapView(_ mapView: MKMapView, didAdd renderers: [MKOverlayRenderer]) {
        calls.append("added \(renderers.count) renderers")
    }
    func mapView(_ mapView: MKMapView, didSelect view: MKAnnotationView) { calls.append("selected a view") }
    func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
        calls.append("selected \((annotation.title ?? nil) ?? "-")")
    }
    func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
        calls.append("deselected \((annotation.title ?? nil) ?? "-")")
    }
    func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {
        calls.append("from \(mapView.region.center.longitude)")
    }
    func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
        calls.append("to \(mapView.region.center.longitude) \(animated)")
    }
    func mapViewWillStartLoadingMap(_ mapView: MKMapView) { calls.append("loading") }
    func mapViewDidFailLoadingMap(_ mapView: MKMapView, withError error: any Error) {
        calls.append("failed \((error as NSError).domain) \((error as NSError).code)")
    }
    func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool) {
        calls.append("rendered \(fullyRendered)")
    }
    func mapViewWillStartLocatingUser(_ mapView: MKMapView) { calls.append("locating") }
    func mapViewDidStopLocatingUser(_ mapView: MKMapView) { calls.append("located no more") }
    func mapView(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error) {
        calls.append("not located \((error as NSError).domain) \((error as NSError).code)")
    }
}
