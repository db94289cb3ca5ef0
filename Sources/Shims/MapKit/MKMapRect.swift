// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
import Foundation

/// A point of the whole map: the Earth in Mercator's projection, 268 435 456 points wide and high.
///
/// The origin is 180° west and 85.05° north; y grows southwards. Places nearer to a pole have the y of that border.
/// Source: Apple, "MKMapPoint".
public struct MKMapPoint: Sendable {
    /// Points eastwards.
    public var x: Double
    /// Points southwards.
    public var y: Double

    /// The point in the north-west.
    public init() {
        (x, y) = (0, 0)
    }

    /// Takes its parts.
    public init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
    }

    /// The point of a place.
    public init(_ coordinate: CLLocationCoordinate2D) {
        let sine = min(max(sin(coordinate.latitude * .pi / 180), -Self.border), Self.border)
        x = (coordinate.longitude + 180) / 360 * MKMapSize.world.width
        y = (0.5 - atanh(sine) / (2 * .pi)) * MKMapSize.world.height
    }

    /// The sine of the latitude at which the map ends, where it is as high as it is wide.
    private static let border = tanh(Double.pi)

    /// The place of the point.
    public var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(
            latitude: atan(sinh((0.5 - y / MKMapSize.world.height) * 2 * .pi)) * 180 / .pi,
            longitude: x / MKMapSize.world.width * 360 - 180
        )
    }

    /// Metres along the surface of the Earth.
    public func distance(to other: MKMapPoint) -> CLLocationDistance {
        let (here, there) = (coordinate, other.coordinate)
        return CLLocation(latitude: here.latitude, longitude: here.longitude)
            .distance(from: CLLocation(latitude: there.latitude, longitude: there.longitude))
    }
}

/// A width and a height of the whole map.
///
/// Source: Apple, "MKMapSize".
public struct MKMapSize: Sendable {
    /// Points.
    public var width: Double
    /// Points.
    public var height: Double

    /// The size of the whole map.
    public static let world = MKMapSize(width: 268_435_456, height: 268_435_456)

    /// No size.
    public init() {
        (width, height) = (0, 0)
    }

    /// Takes its parts.
    public init(width: Double, height: Double) {
        (self.width, self.height) = (width, height)
    }
}

/// A rectangle of the whole map.
///
/// Source: Apple, "MKMapRect".
public struct MKMapRect: Sendable {
    /// The corner in the north-west.
    public var origin: MKMapPoint
    /// The size.
    public var size: MKMapSize

    /// The whole map.
    public static let world = MKMapRect(origin: MKMapPoint(), size: .world)
    /// No rectangle.
    public static let null = MKMapRect(x: .infinity, y: .infinity, width: 0, height: 0)

    /// A point without a size.
    public init() {
        (origin, size) = (MKMapPoint(), MKMapSize())
    }

    /// Takes its parts.
    public init(origin: MKMapPoint, size: MKMapSize) {
        (self.origin, self.size) = (origin, size)
    }

    /// Takes its parts.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: MKMapPoint(x: x, y: y), size: MKMapSize(width: width, height: height))
    }

    /// The western border.
    public var minX: Double { origin.x }
    /// The northern border.
    public var minY: Double { origin.y }
    /// The middle from west to east.
    public var midX: Double { origin.x + size.width / 2 }
    /// The middle from north to south.
    public var midY: Double { origin.y + size.height / 2 }
    /// The eastern border.
    public var maxX: Double { origin.x + size.width }
    /// The southern border.
    public var maxY: Double { origin.y + size.height }
    /// The width.
    public var width: Double { size.width }
    /// The height.
    public var height: Double { size.height }
    /// True for no rectangle.
    public var isNull: Bool { origin.x.isInfinite || origin.y.isInfinite }
    /// True for no rectangle, and for one without a width or a height.
    public var isEmpty: Bool { isNull || size.width == 0 || size.height == 0 }
    /// True for a rectangle that goes beyond 180°, where east and west meet.
    public var spans180thMeridian: Bool { !isNull && (minX < 0 || maxX > MKMapSize.world.width) }

    /// The smallest rectangle around two.
    public func union(_ other: MKMapRect) -> MKMapRect {
        if isNull { return other }
        if other.isNull { return self }
        let (x, y) = (min(minX, other.minX), min(minY, other.minY))
        return MKMapRect(x: x, y: y, width: max(maxX, other.maxX) - x, height: max(maxY, other.maxY) - y)
    }

    /// The rectangle that two have in common; `null` for nothing.
    public func intersection(_ other: MKMapRect) -> MKMapRect {
        guard intersects(other) else { return .null }
        let (x, y) = (max(minX, other.minX), max(minY, other.minY))
        return MKMapRect(x: x, y: y, width: min(maxX, other.maxX) - x, height: min(maxY, other.maxY) - y)
    }

    /// True if two rectangles have something in common.
    public func intersects(_ other: MKMapRect) -> Bool {
        !isNull && !other.isNull && minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// The rectangle with borders that are nearer to its middle, or farther for numbers below zero.
    public func insetBy(dx: Double, dy: Double) -> MKMapRect {
        MKMapRect(x: minX + dx, y: minY + dy, width: width - 2 * dx, height: height - 2 * dy)
    }

    /// The rectangle at another place.
    public func offsetBy(dx: Double, dy: Double) -> MKMapRect {
        MKMapRect(x: minX + dx, y: minY + dy, width: width, height: height)
    }

    /// True for a point inside or on a border.
    public func contains(_ point: MKMapPoint) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// True for a rectangle that is wholly inside.
    public func contains(_ other: MKMapRect) -> Bool {
        !other.isNull && other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }
}

extension MKCoordinateRegion {
    /// The part of the map in a rectangle.
    public init(_ rect: MKMapRect) {
        let north = MKMapPoint(x: rect.midX, y: rect.minY).coordinate.latitude
        let south = MKMapPoint(x: rect.midX, y: rect.maxY).coordinate.latitude
        self.init(
            center: MKMapPoint(x: rect.midX, y: rect.midY).coordinate,
            span: MKCoordinateSpan(
                latitudeDelta: north - south,
                longitudeDelta: rect.width / MKMapSize.world.width * 360
            )
        )
    }

    /// The rectangle around the region whose middle is that of the region.
    ///
    /// A region without a size is as large as the whole map; one that is no place has no rectangle.
    var mapRect: MKMapRect? {
        guard CLLocationCoordinate2DIsValid(center), span.latitudeDelta.isFinite, span.longitudeDelta.isFinite,
            span.latitudeDelta >= 0, span.longitudeDelta >= 0
        else { return nil }
        let middle = MKMapPoint(center)
        guard span.latitudeDelta > 0 || span.longitudeDelta > 0 else {
            return MKMapRect(origin: middle, size: MKMapSize()).insetBy(
                dx: -MKMapSize.world.width / 2,
                dy: -MKMapSize.world.height / 2
            )
        }
        let half = min(span.latitudeDelta, 180) / 2
        let north = MKMapPoint(CLLocationCoordinate2D(latitude: min(center.latitude + half, 90), longitude: 0)).y
        let south = MKMapPoint(CLLocationCoordinate2D(latitude: max(center.latitude - half, -90), longitude: 0)).y
        let width = min(span.longitudeDelta, 360) / 360 * MKMapSize.world.width
        // The half towards the pole is the larger one.
        let height = 2 * max(middle.y - north, south - middle.y)
        return MKMapRect(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }
}

/// A point of the whole map.
public func MKMapPointMake(_ x: Double, _ y: Double) -> MKMapPoint { MKMapPoint(x: x, y: y) }

/// A size of the whole map.
public func MKMapSizeMake(_ width: Double, _ height: Double) -> MKMapSize { MKMapSize(width: width, height: height) }

/// A rectangle of the whole map.
public func MKMapRectMake(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> MKMapRect {
    MKMapRect(x: x, y: y, width: width, height: height)
}

/// Metres of one point of the whole map at a latitude.
public func MKMetersPerMapPointAtLatitude(_ latitude: CLLocationDegrees) -> CLLocationDistance {
    // The length of the equator of the Earth's ellipsoid.
    2 * .pi * 6_378_137 * cos(latitude * .pi / 180) / MKMapSize.world.width
}

/// Points of the whole map of one metre at a latitude.
public func MKMapPointsPerMeterAtLatitude(_ latitude: CLLocationDegrees) -> Double {
    1 / MKMetersPerMapPointAtLatitude(latitude)
}
