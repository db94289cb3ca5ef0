// SPDX-License-Identifier: Apache-2.0

import CoreLocation
public import Foundation
public import UIKit

/// The object that says how a shape looks; the ones below it are drawn, and what a subclass of this one draws is not.
///
/// Source: Apple, "MKOverlayRenderer".
@preconcurrency @MainActor open class MKOverlayRenderer: NSObject {
    /// The shape.
    public let overlay: any MKOverlay
    /// 0…1.
    open var alpha: CGFloat = 1

    /// Takes a shape.
    public init(overlay: any MKOverlay) {
        self.overlay = overlay
        super.init()
    }

    /// Has the shape drawn anew.
    open func setNeedsDisplay() { map?.overlaysChanged() }

    /// The map that shows the shape.
    weak var map: MKMapView?

    /// The views that draw the shape; not more than so many.
    func views(on ground: MapGround, limit: Int) -> [UIView] { [] }
}

/// The object that says how a shape of lines looks.
///
/// Source: Apple, "MKOverlayPathRenderer".
@preconcurrency @MainActor open class MKOverlayPathRenderer: MKOverlayRenderer {
    /// The colour inside, which circles alone have here.
    open var fillColor: UIColor?
    /// The colour of the line; no line without one.
    open var strokeColor: UIColor?
    /// Points; 0 stands for Apple's own width, which is 2 here.
    open var lineWidth: CGFloat = 0
    /// This has no effect: lines are whole.
    open var lineDashPattern: [NSNumber]?
    /// This has no effect: lines are whole.
    open var lineDashPhase: CGFloat = 0
    /// This has no effect: lines end straight.
    open var lineCap = CGLineCap.round
    /// This has no effect: lines meet straight.
    open var lineJoin = CGLineJoin.round
    /// This has no effect: lines meet straight.
    open var miterLimit: CGFloat = 10

    var drawnWidth: CGFloat { lineWidth.isFinite && lineWidth > 0 ? min(lineWidth, 100) : 2 }

    /// Straight pieces from point to point as far as they are seen, each a view.
    ///
    /// Points are left out evenly where there would be more pieces than `limit`.
    func pieces(_ points: [MKMapPoint], on ground: MapGround, limit: Int) -> [UIView] {
        guard let strokeColor, limit > 0, points.count > 1 else { return [] }
        let step = (points.count - 2) / limit + 1
        var corners = stride(from: 0, to: points.count - 1, by: step).map { points[$0] }
        corners += points.suffix(1)
        let places = corners.compactMap(ground.place)
        return zip(places, places.dropFirst()).compactMap { one, two in
            guard let (from, to) = ground.seen(one, two, margin: drawnWidth) else { return nil }
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let piece = UIView(frame: .zero)
            piece.bounds = CGRect(x: 0, y: 0, width: (dx * dx + dy * dy).squareRoot(), height: drawnWidth)
            piece.center = CGPoint(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
            piece.transform = CGAffineTransform(rotationAngle: atan2(dy, dx))
            piece.backgroundColor = strokeColor
            piece.alpha = alpha
            return piece
        }
    }
}

/// The object that says how a line looks.
///
/// Source: Apple, "MKPolylineRenderer".
@preconcurrency @MainActor open class MKPolylineRenderer: MKOverlayPathRenderer {
    /// The line.
    open var polyline: MKPolyline { line }
    private let line: MKPolyline
    /// The part of the line at which it begins; this has no effect.
    open var strokeStart: CGFloat = 0
    /// The part of the line at which it ends; this has no effect.
    open var strokeEnd: CGFloat = 1

    /// Takes a line.
    public init(polyline: MKPolyline) {
        line = polyline
        super.init(overlay: polyline)
    }

    /// Takes a shape, of which nothing is drawn if it is no line.
    public override convenience init(overlay: any MKOverlay) {
        self.init(polyline: overlay as? MKPolyline ?? MKPolyline(all: []))
    }

    override func views(on ground: MapGround, limit: Int) -> [UIView] { pieces(line.all, on: ground, limit: limit) }
}

/// The object that says how an area looks: its border is drawn, and nothing inside.
///
/// Source: Apple, "MKPolygonRenderer".
@preconcurrency @MainActor open class MKPolygonRenderer: MKOverlayPathRenderer {
    /// The area.
    open var polygon: MKPolygon { area }
    private let area: MKPolygon

    /// Takes an area.
    public init(polygon: MKPolygon) {
        area = polygon
        super.init(overlay: polygon)
    }

    /// Takes a shape, of which nothing is drawn if it is no area.
    public override convenience init(overlay: any MKOverlay) {
        self.init(polygon: overlay as? MKPolygon ?? MKPolygon(all: []))
    }

    override func views(on ground: MapGround, limit: Int) -> [UIView] {
        pieces(area.all + area.all.prefix(1), on: ground, limit: limit)
    }
}

/// The object that says how a circle looks.
///
/// Source: Apple, "MKCircleRenderer".
@preconcurrency @MainActor open class MKCircleRenderer: MKOverlayPathRenderer {
    /// The circle.
    open var circle: MKCircle { round }
    private let round: MKCircle
    /// The part of the line at which it begins; this has no effect.
    open var strokeStart: CGFloat = 0
    /// The part of the line at which it ends; this has no effect.
    open var strokeEnd: CGFloat = 1

    /// Takes a circle.
    public init(circle: MKCircle) {
        round = circle
        super.init(overlay: circle)
    }

    /// Takes a shape, of which nothing is drawn if it is no circle.
    public override convenience init(overlay: any MKOverlay) {
        self.init(circle: overlay as? MKCircle ?? MKCircle(center: kCLLocationCoordinate2DInvalid, radius: 0))
    }

    override func views(on ground: MapGround, limit: Int) -> [UIView] {
        guard limit > 0, round.radius > 0, let middle = ground.place(round.coordinate) else { return [] }
        let points = round.radius * MKMapPointsPerMeterAtLatitude(round.coordinate.latitude) * ground.scale
        guard points > 0, points <= 10_000 else { return [] }
        let view = UIView(frame: .zero)
        view.bounds = CGRect(x: 0, y: 0, width: points * 2, height: points * 2)
        view.center = middle
        view.layer.cornerRadius = points
        view.backgroundColor = fillColor
        view.layer.borderColor = strokeColor?.cgColor
        view.layer.borderWidth = strokeColor == nil ? 0 : drawnWidth
        view.alpha = alpha
        return [view]
    }
}
