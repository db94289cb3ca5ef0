// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Foundation
import UIKit

/// The plain ground of a map: where places are in a view that shows a rectangle of the whole map.
///
/// The rectangle is wholly seen, in the middle of the view, and undistorted.
struct MapGround {
    private let middle: MKMapPoint
    /// The size of the view in points.
    let size: CGSize
    /// Points of the view for one of the whole map.
    let scale: Double

    /// `nil` for a view without a size, for a rectangle without one, and for one whose middle is no number.
    init?(_ rect: MKMapRect?, size: CGSize) {
        guard let rect, !rect.isNull, size.width > 0, size.height > 0, rect.width > 0 || rect.height > 0 else {
            return nil
        }
        let scales = [Double(size.width) / rect.width, Double(size.height) / rect.height].filter(\.isFinite)
        let middle = MKMapPoint(x: rect.midX, y: rect.midY)
        guard let scale = scales.min(), scale > 0, middle.x.isFinite, middle.y.isFinite else { return nil }
        (self.middle, self.size, self.scale) = (middle, size, scale)
    }

    /// The point of the view at which a point of the whole map is; `nil` for one that is no place.
    ///
    /// The Earth is round: the nearest way to the middle counts.
    func place(_ point: MKMapPoint) -> CGPoint? {
        let bound = 4 * MKMapSize.world.width
        guard abs(point.x) <= bound, abs(point.y) <= bound else { return nil }
        let dx = (point.x - middle.x).remainder(dividingBy: MKMapSize.world.width)
        let place = CGPoint(x: size.width / 2 + dx * scale, y: size.height / 2 + (point.y - middle.y) * scale)
        // A scale that is almost without bound has places beyond all numbers.
        return place.x.isFinite && place.y.isFinite ? place : nil
    }

    /// The point of the view at which a place is; `nil` for a coordinate that is none.
    func place(_ coordinate: CLLocationCoordinate2D) -> CGPoint? {
        CLLocationCoordinate2DIsValid(coordinate) ? place(MKMapPoint(coordinate)) : nil
    }

    /// The part of a straight line that is in the view or not farther than `margin` from it; `nil` for none.
    func seen(_ from: CGPoint, _ to: CGPoint, margin: CGFloat) -> (from: CGPoint, to: CGPoint)? {
        let box = CGRect(origin: .zero, size: size).insetBy(dx: -margin, dy: -margin)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        var (start, end): (CGFloat, CGFloat) = (0, 1)
        for (step, room) in [
            (-dx, from.x - box.minX), (dx, box.maxX - from.x), (-dy, from.y - box.minY), (dy, box.maxY - from.y),
        ] {
            if step == 0 {
                guard room >= 0 else { return nil }
            } else if step < 0 {
                start = max(start, room / step)
            } else {
                end = min(end, room / step)
            }
        }
        guard start < end else { return nil }
        return (
            CGPoint(x: from.x + start * dx, y: from.y + start * dy), CGPoint(x: from.x + end * dx, y: from.y + end * dy)
        )
    }

    /// The point of the whole map at a point of the view.
    func point(at place: CGPoint) -> MKMapPoint {
        let x = middle.x + (place.x - size.width / 2) / scale
        let width = MKMapSize.world.width
        return MKMapPoint(
            x: x < 0 || x > width ? x - (x / width).rounded(.down) * width : x,
            y: middle.y + (place.y - size.height / 2) / scale
        )
    }

    /// The part of the whole map that the view shows.
    var rect: MKMapRect {
        let (width, height) = (size.width / scale, size.height / scale)
        return MKMapRect(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }
}
