// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import UIKit

extension MKMapView {
    func add(_ overlays: [any MKOverlay]) {
        for overlay in overlays where !state.overlays.contains(where: { $0 === overlay }) {
            state.overlays.append(overlay)
        }
        overlaysChanged()
    }

    func insert(_ overlay: any MKOverlay, at index: Int) {
        guard !state.overlays.contains(where: { $0 === overlay }) else { return }
        state.overlays.insert(overlay, at: min(max(0, index), state.overlays.count))
        overlaysChanged()
    }

    func remove(_ overlays: [any MKOverlay]) {
        let gone = Set(overlays.map(ObjectIdentifier.init))
        state.overlays.removeAll { gone.contains(ObjectIdentifier($0)) }
        for key in gone { state.renderers[key] = nil }
        overlaysChanged()
    }

    // MARK: Drawing

    func overlaysChanged() {
        state.drawn = nil
        setNeedsLayout()
    }

    /// Draws the shapes, if they, the part of the map or the size of the view have changed.
    func drawOverlays() {
        guard !state.overlays.isEmpty || state.shapes != nil, let ground else { return }
        let rect = ground.rect
        let key = [rect.minX, rect.minY, rect.width, rect.height, bounds.width, bounds.height].map { Double($0) }
        guard state.drawn != key else { return }
        state.drawn = key
        let shapes = state.shapes ?? UIView(frame: bounds)
        for view in shapes.subviews { view.removeFromSuperview() }
        guard !state.overlays.isEmpty else {
            shapes.removeFromSuperview()
            state.shapes = nil
            return
        }
        var added: [MKOverlayRenderer] = []
        var room = MapState.pieceLimit
        for overlay in state.overlays {
            let known = renderer(for: overlay)
            let renderer = known ?? delegate?.mapView(self, rendererFor: overlay) ?? MKOverlayRenderer(overlay: overlay)
            state.renderers[ObjectIdentifier(overlay)] = renderer
            renderer.map = self
            if known == nil { added.append(renderer) }
            let views = renderer.views(on: ground, limit: room)
            room -= views.count
            for view in views { shapes.addSubview(view) }
        }
        if state.shapes == nil {
            shapes.isUserInteractionEnabled = false
            shapes.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            insertSubview(shapes, belowSubview: words)
            state.shapes = shapes
        }
        if !added.isEmpty { delegate?.mapView(self, didAdd: added) }
    }
}
