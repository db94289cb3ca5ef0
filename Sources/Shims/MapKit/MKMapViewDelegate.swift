// SPDX-License-Identifier: Apache-2.0

import CoreLocation
public import Foundation
public import UIKit

/// The object that decides how places look, and hears of the map.
///
/// No function is called that is about pictures that have arrived, dragging, callouts, clusters and the person's place:
/// there are none. Source: Apple, "MKMapViewDelegate".
@preconcurrency @MainActor public protocol MKMapViewDelegate: NSObjectProtocol {
    /// The view of a place; `nil` for the registered one, or else a marker.
    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView?
    /// The object that draws a shape.
    func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer
    /// Called when views of places were put on the map.
    func mapView(_ mapView: MKMapView, didAdd views: [MKAnnotationView])
    /// Called when shapes were put on the map.
    func mapView(_ mapView: MKMapView, didAdd renderers: [MKOverlayRenderer])
    /// Called when a place was selected.
    func mapView(_ mapView: MKMapView, didSelect view: MKAnnotationView)
    /// Called when a place was selected.
    func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation)
    /// Called when a place is selected no more.
    func mapView(_ mapView: MKMapView, didDeselect view: MKAnnotationView)
    /// Called when a place is selected no more.
    func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation)
    /// Called before another part is shown.
    func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool)
    /// Called when another part is shown.
    func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool)
    /// Called with the one about the region.
    func mapViewDidChangeVisibleRegion(_ mapView: MKMapView)
    /// Called when the map comes into a window.
    func mapViewWillStartLoadingMap(_ mapView: MKMapView)
    /// Never called: no picture of a map arrives.
    func mapViewDidFinishLoadingMap(_ mapView: MKMapView)
    /// Called when the map has come into a window, with `MKError(.serverFailure)`.
    func mapViewDidFailLoadingMap(_ mapView: MKMapView, withError error: any Error)
    /// Called when the map comes into a window.
    func mapViewWillStartRenderingMap(_ mapView: MKMapView)
    /// Called when the map has come into a window; false says that pictures are missing.
    func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool)
    /// Called when `showsUserLocation` is set.
    func mapViewWillStartLocatingUser(_ mapView: MKMapView)
    /// Called when `showsUserLocation` is set to false.
    func mapViewDidStopLocatingUser(_ mapView: MKMapView)
    /// Never called: nobody tells where a person is.
    func mapView(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation)
    /// Called when `showsUserLocation` is set, with `CLError(.denied)`.
    func mapView(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error)
    /// Never called: there is no callout.
    func mapView(
        _ mapView: MKMapView,
        annotationView view: MKAnnotationView,
        calloutAccessoryControlTapped control: UIControl
    )
    /// Never called: each place is drawn alone.
    func mapView(
        _ mapView: MKMapView,
        clusterAnnotationForMemberAnnotations memberAnnotations: [any MKAnnotation]
    ) -> MKClusterAnnotation
}

extension MKMapViewDelegate {
    /// No view of its own.
    public func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? { nil }
    /// An object that draws nothing.
    public func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        MKOverlayRenderer(overlay: overlay)
    }
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didAdd views: [MKAnnotationView]) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didAdd renderers: [MKOverlayRenderer]) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didSelect view: MKAnnotationView) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didDeselect view: MKAnnotationView) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {}
    /// Does nothing.
    public func mapViewDidChangeVisibleRegion(_ mapView: MKMapView) {}
    /// Does nothing.
    public func mapViewWillStartLoadingMap(_ mapView: MKMapView) {}
    /// Does nothing.
    public func mapViewDidFinishLoadingMap(_ mapView: MKMapView) {}
    /// Does nothing.
    public func mapViewDidFailLoadingMap(_ mapView: MKMapView, withError error: any Error) {}
    /// Does nothing.
    public func mapViewWillStartRenderingMap(_ mapView: MKMapView) {}
    /// Does nothing.
    public func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool) {}
    /// Does nothing.
    public func mapViewWillStartLocatingUser(_ mapView: MKMapView) {}
    /// Does nothing.
    public func mapViewDidStopLocatingUser(_ mapView: MKMapView) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation) {}
    /// Does nothing.
    public func mapView(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error) {}
    /// Does nothing.
    public func mapView(
        _ mapView: MKMapView,
        annotationView view: MKAnnotationView,
        calloutAccessoryControlTapped control: UIControl
    ) {}
    /// A cluster of the places.
    public func mapView(
        _ mapView: MKMapView,
        clusterAnnotationForMemberAnnotations memberAnnotations: [any MKAnnotation]
    ) -> MKClusterAnnotation {
        MKClusterAnnotation(memberAnnotations: memberAnnotations)
    }
}
