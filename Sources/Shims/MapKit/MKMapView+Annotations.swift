// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import FoundationCompatibility
import HostLog
import UIKit

/// The places and shapes of a map, with their views.
struct MapState {
    /// The places that are drawn; more are not.
    static let viewLimit = 200
    /// The pieces of shapes that are drawn; more are not.
    static let pieceLimit = 100

    var annotations: [any MKAnnotation] = []
    /// The places, each once.
    var known: Set<ObjectIdentifier> = []
    /// The views of the places that are drawn.
    var views: [ObjectIdentifier: MKAnnotationView] = [:]
    /// The views of places that are drawn no more, by their names.
    var spare: [String: [MKAnnotationView]] = [:]
    var classes: [String: MKAnnotationView.Type] = [:]
    var selected: [any MKAnnotation] = []
    var overlays: [any MKOverlay] = []
    var renderers: [ObjectIdentifier: MKOverlayRenderer] = [:]
    /// The view that has those of all shapes.
    var shapes: UIView?
    /// The ground and the size for which the shapes were drawn; `nil` if they are to be drawn anew.
    var drawn: [Double]?
}

extension MKMapView {
    func add(_ annotations: [any MKAnnotation]) {
        for annotation in annotations where state.known.insert(ObjectIdentifier(annotation)).inserted {
            state.annotations.append(annotation)
            (annotation as? MKShape)?.map = self
        }
        show()
    }

    func remove(_ annotations: [any MKAnnotation]) {
        let gone = Set(annotations.map(ObjectIdentifier.init))
        for annotation in state.annotations where gone.contains(ObjectIdentifier(annotation)) {
            (annotation as? MKShape)?.map = nil
        }
        state.known.subtract(gone)
        state.annotations.removeAll { gone.contains(ObjectIdentifier($0)) }
        state.selected.removeAll { gone.contains(ObjectIdentifier($0)) }
        show()
    }

    /// The rectangle around places that are valid, with room; `nil` for none.
    static func rect(around annotations: [any MKAnnotation]) -> MKMapRect? {
        let points = annotations.map(\.coordinate).filter(CLLocationCoordinate2DIsValid).map { MKMapPoint($0) }
        guard let first = points.first else { return nil }
        let margin = 500 * MKMapPointsPerMeterAtLatitude(first.coordinate.latitude)
        let rect = points.reduce(MKMapRect.null) { rect, point in
            // The way to each does not go round the Earth.
            let dx = (point.x - first.x).remainder(dividingBy: MKMapSize.world.width)
            return rect.union(MKMapRect(x: first.x + dx, y: point.y, width: 0, height: 0))
        }
        // A tenth of room on each side, so that markers at the border are seen.
        return rect.insetBy(dx: -max(margin, rect.width / 8), dy: -max(margin, rect.height / 8))
    }

    // MARK: Views that are used again

    func spareView(_ identifier: String) -> MKAnnotationView? {
        guard let view = state.spare[identifier]?.popLast() else { return nil }
        view.prepareForReuse()
        return view
    }

    func spareOrNewView(_ identifier: String, for annotation: any MKAnnotation) -> MKAnnotationView {
        if let view = dequeueReusableAnnotationView(withIdentifier: identifier) {
            view.annotation = annotation
            return view
        }
        return Self.make(state.classes[identifier] ?? MKMarkerAnnotationView.self, annotation, identifier)
    }

    private static func make(
        _ type: MKAnnotationView.Type,
        _ annotation: any MKAnnotation,
        _ identifier: String
    ) -> MKAnnotationView {
        let own: [MKAnnotationView.Type] = [
            MKMarkerAnnotationView.self, MKPinAnnotationView.self, MKAnnotationView.self,
        ]
        if !own.contains(where: { $0 == type }) {
            HostLog.warnOnce(
                "a registered subclass of MKAnnotationView is not made here: a view of MapKit's own stands in its "
                    + "place, as mapView(_:viewFor:) alone can make one"
            )
        }
        return switch type {
        case is MKMarkerAnnotationView.Type:
            MKMarkerAnnotationView(annotation: annotation, reuseIdentifier: identifier)
        case is MKPinAnnotationView.Type: MKPinAnnotationView(annotation: annotation, reuseIdentifier: identifier)
        default: MKAnnotationView(annotation: annotation, reuseIdentifier: identifier)
        }
    }

    // MARK: The chosen place

    func select(_ annotation: any MKAnnotation, animated: Bool) {
        let isThere = annotations.contains { $0 === annotation }
        guard isThere, !state.selected.contains(where: { $0 === annotation }) else { return }
        let others = state.selected
        state.selected = [annotation]
        for other in others { showDeselected(other, animated: animated) }
        // The delegate, who has heard of it, may have selected another place by now.
        guard state.selected.contains(where: { $0 === annotation }) else { return }
        let view = view(for: annotation)
        view?.setSelected(true, animated: animated)
        if let view { delegate?.mapView(self, didSelect: view) }
        delegate?.mapView(self, didSelect: annotation)
    }

    func deselect(_ annotation: (any MKAnnotation)?, animated: Bool) {
        guard let annotation, state.selected.contains(where: { $0 === annotation }) else { return }
        state.selected.removeAll { $0 === annotation }
        showDeselected(annotation, animated: animated)
    }

    private func showDeselected(_ annotation: any MKAnnotation, animated: Bool) {
        let view = view(for: annotation)
        view?.setSelected(false, animated: animated)
        if let view { delegate?.mapView(self, didDeselect: view) }
        delegate?.mapView(self, didDeselect: annotation)
    }

    // MARK: Drawing

    /// Takes in that a place has moved, or has another name.
    func annotationChanged(_ annotation: any MKAnnotation) {
        view(for: annotation)?.annotationChanged()
        show()
    }

    /// Puts the views of the places that are seen where those are, and takes the others off.
    func placeAnnotations() {
        let ground = ground
        var places: [(annotation: any MKAnnotation, point: CGPoint)] = []
        for annotation in annotations where places.count < MapState.viewLimit {
            if let point = ground?.place(annotation.coordinate), bounds.contains(point) {
                places.append((annotation, point))
            }
        }
        let seen = Set(places.map { ObjectIdentifier($0.annotation) })
        for (key, view) in state.views where !seen.contains(key) {
            state.views[key] = nil
            putAside(view)
        }
        var added: [MKAnnotationView] = []
        var below: UIView = words
        // What is farther south is in front.
        for (annotation, point) in places.sorted(by: { $0.point.y < $1.point.y }) {
            let isNew = view(for: annotation) == nil
            let view = view(for: annotation) ?? makeView(for: annotation, above: below)
            below = view
            let center = CGPoint(x: point.x + view.centerOffset.x, y: point.y + view.centerOffset.y)
            if view.center != center { view.center = center }
            guard isNew else { continue }
            view.prepareForDisplay()
            if state.selected.contains(where: { $0 === annotation }) { view.setSelected(true, animated: false) }
            added.append(view)
        }
        if !added.isEmpty { delegate?.mapView(self, didAdd: added) }
    }

    private func makeView(for annotation: any MKAnnotation, above below: UIView) -> MKAnnotationView {
        let view =
            delegate?.mapView(self, viewFor: annotation)
            ?? dequeueReusableAnnotationView(
                withIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier,
                for: annotation
            )
        state.views[ObjectIdentifier(annotation)] = view
        if view.annotation !== annotation { view.annotation = annotation }
        Self.nameTap
        if view.gestureRecognizers?.contains(where: { $0.name == Self.tapName }) != true {
            let tap = UITapGestureRecognizer(target: self, action: Selector(Self.tapName))
            tap.name = Self.tapName
            view.addGestureRecognizer(tap)
        }
        insertSubview(view, aboveSubview: below)
        return view
    }

    private func putAside(_ view: MKAnnotationView) {
        view.removeFromSuperview()
        view.setSelected(false, animated: false)
        guard let identifier = view.reuseIdentifier, state.spare[identifier]?.count ?? 0 < MapState.viewLimit else {
            return
        }
        state.spare[identifier, default: []].append(view)
    }

    private static let tapName = "mapKitAnnotationTapped:"

    /// Gives the function that hears taps its name, once.
    private static let nameTap: Void = ObjectiveCNames.register(tapName, of: MKMapView.self) { map, arguments in
        let tap: UITapGestureRecognizer = try arguments.value(0)
        guard let view = tap.view as? MKAnnotationView, view.isEnabled, let annotation = view.annotation else {
            return nil
        }
        map.selectAnnotation(annotation, animated: true)
        return nil
    }
}
