// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation

/// A shape on the map.
///
/// Source: Apple, "MKOverlay".
@preconcurrency @MainActor public protocol MKOverlay: MKAnnotation {
    /// The rectangle around the shape.
    var boundingMapRect: MKMapRect { get }
    /// True if a rectangle may have a part of the shape.
    func intersects(_ mapRect: MKMapRect) -> Bool
    /// True for a shape that hides the map below it.
    func canReplaceMapContent() -> Bool
}

extension MKOverlay {
    /// True if the rectangle around the shape and another have something in common.
    public func intersects(_ mapRect: MKMapRect) -> Bool { boundingMapRect.intersects(mapRect) }
    /// False.
    public func canReplaceMapContent() -> Bool { false }
}

/// The place of a shape among the parts of a map, which is the same for all here.
public enum MKOverlayLevel: Int, Sendable {
    /// The shape lies above the roads.
    case aboveRoads
    /// The shape lies above the labels.
    case aboveLabels
}

/// Several points.
///
/// Source: Apple, "MKMultiPoint".
@preconcurrency @MainActor open class MKMultiPoint: MKShape {
    let all: [MKMapPoint]

    init(all: [MKMapPoint]) {
        self.all = all
        super.init()
    }

    /// The number of points.
    open var pointCount: Int { all.count }

    /// Copies the places of some points, as many of a range as there are; none for a range that begins at no point.
    open func getCoordinates(_ coords: UnsafeMutablePointer<CLLocationCoordinate2D>, range: NSRange) {
        guard all.indices.contains(range.location) else { return }
        for (index, point) in all[range.location...].prefix(max(0, range.length)).enumerated() {
            coords[index] = point.coordinate
        }
    }

    /// The smallest rectangle around the points.
    var box: MKMapRect {
        guard let first = all.first else { return .null }
        let (x, y) = (all.map(\.x), all.map(\.y))
        let (west, north) = (x.min() ?? first.x, y.min() ?? first.y)
        return MKMapRect(x: west, y: north, width: (x.max() ?? west) - west, height: (y.max() ?? north) - north)
    }
}

/// A line from point to point.
///
/// Source: Apple, "MKPolyline".
@preconcurrency @MainActor open class MKPolyline: MKMultiPoint, MKOverlay {
    /// Takes places.
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init(all: UnsafeBufferPointer(start: coords, count: max(0, count)).map { MKMapPoint($0) })
    }

    /// Takes points.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
        self.init(all: Array(UnsafeBufferPointer(start: points, count: max(0, count))))
    }

    /// The rectangle around the line.
    open var boundingMapRect: MKMapRect { box }
    /// The point in the middle of the list.
    open override var coordinate: CLLocationCoordinate2D {
        all.isEmpty ? kCLLocationCoordinate2DInvalid : all[all.count / 2].coordinate
    }
}

/// An area within a line that ends where it begins.
///
/// Source: Apple, "MKPolygon".
@preconcurrency @MainActor open class MKPolygon: MKMultiPoint, MKOverlay {
    /// The areas that are left out.
    open var interiorPolygons: [MKPolygon]? { holes }
    private var holes: [MKPolygon]?

    /// Takes places.
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init(coordinates: coords, count: count, interiorPolygons: nil)
    }

    /// Takes places, and areas that are left out.
    public convenience init(
        coordinates coords: UnsafePointer<CLLocationCoordinate2D>,
        count: Int,
        interiorPolygons: [MKPolygon]?
    ) {
        self.init(all: UnsafeBufferPointer(start: coords, count: max(0, count)).map { MKMapPoint($0) })
        holes = interiorPolygons
    }

    /// Takes points.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
        self.init(all: Array(UnsafeBufferPointer(start: points, count: max(0, count))))
    }

    /// The rectangle around the area.
    open var boundingMapRect: MKMapRect { box }
    /// The middle of the rectangle around the area.
    open override var coordinate: CLLocationCoordinate2D {
        all.isEmpty ? kCLLocationCoordinate2DInvalid : MKMapPoint(x: box.midX, y: box.midY).coordinate
    }
}

/// A circle on the surface of the Earth.
///
/// Source: Apple, "MKCircle".
@preconcurrency @MainActor open class MKCircle: MKShape, MKOverlay {
    private let middle: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Takes the middle and metres.
    public init(center coord: CLLocationCoordinate2D, radius: CLLocationDistance) {
        (middle, self.radius) = (coord, radius)
        super.init()
    }

    /// The circle in a rectangle, as large as the shorter side of that.
    public convenience init(mapRect: MKMapRect) {
        let middle = MKMapPoint(x: mapRect.midX, y: mapRect.midY).coordinate
        let points = min(mapRect.width, mapRect.height) / 2
        self.init(center: middle, radius: points * MKMetersPerMapPointAtLatitude(middle.latitude))
    }

    /// The middle.
    open override var coordinate: CLLocationCoordinate2D { middle }
    /// The square around the circle.
    open var boundingMapRect: MKMapRect {
        let points = radius * MKMapPointsPerMeterAtLatitude(middle.latitude)
        let rect = MKMapRect(origin: MKMapPoint(middle), size: MKMapSize())
        return rect.insetBy(dx: -points, dy: -points)
    }
}
