// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation

/// A point in the sky from which a part of the map is seen.
///
/// A map here is seen from straight above with north at the top: pitch and heading are stored. The camera sees 30° from
/// edge to edge, so that the part is 0.536 times as wide and high as the distance.
/// Source: Apple, "MKMapCamera".
open class MKMapCamera: NSObject, NSCopying {
    /// The width of the part for a distance of 1: twice the tangent of 15°.
    private static let width = 2 * tan(Double.pi / 12)

    /// The place that is looked at.
    open var centerCoordinate: CLLocationCoordinate2D
    /// Metres from the place that is looked at.
    open var centerCoordinateDistance: CLLocationDistance
    /// Degrees from straight down.
    open var pitch: CGFloat
    /// Degrees from north, clockwise.
    open var heading: CLLocationDirection

    /// A camera at 0° north, 0° east without a distance.
    public override convenience init() {
        self.init(lookingAtCenter: CLLocationCoordinate2D(), fromDistance: 0, pitch: 0, heading: 0)
    }

    /// A camera by its distance from a place.
    public init(
        lookingAtCenter centerCoordinate: CLLocationCoordinate2D,
        fromDistance distance: CLLocationDistance,
        pitch: CGFloat,
        heading: CLLocationDirection
    ) {
        (self.centerCoordinate, centerCoordinateDistance) = (centerCoordinate, distance)
        (self.pitch, self.heading) = (pitch, heading)
        super.init()
    }

    /// A camera above one place that looks at another.
    public convenience init(
        lookingAtCenter centerCoordinate: CLLocationCoordinate2D,
        fromEyeCoordinate eyeCoordinate: CLLocationCoordinate2D,
        eyeAltitude: CLLocationDistance
    ) {
        let across = MKMapPoint(eyeCoordinate).distance(to: MKMapPoint(centerCoordinate))
        self.init(
            lookingAtCenter: centerCoordinate,
            fromDistance: (across * across + eyeAltitude * eyeAltitude).squareRoot(),
            pitch: eyeAltitude > 0 ? atan(across / eyeAltitude) * 180 / .pi : 0,
            heading: 0
        )
    }

    /// The camera of a part of the map.
    convenience init(region: MKCoordinateRegion) {
        let metres = region.span.latitudeDelta * MKCoordinateRegion.metresOfDegree
        self.init(lookingAtCenter: region.center, fromDistance: metres / Self.width, pitch: 0, heading: 0)
    }

    /// Metres above the ground.
    open var altitude: CLLocationDistance {
        get { centerCoordinateDistance * cos(pitch * .pi / 180) }
        set { centerCoordinateDistance = newValue / max(0.01, cos(pitch * .pi / 180)) }
    }

    /// The part of the map that is seen.
    var region: MKCoordinateRegion {
        let metres = centerCoordinateDistance * Self.width
        return MKCoordinateRegion(center: centerCoordinate, latitudinalMeters: metres, longitudinalMeters: metres)
    }

    /// Returns a camera of its own.
    open func copy(with zone: NSZone? = nil) -> Any {
        MKMapCamera(
            lookingAtCenter: centerCoordinate,
            fromDistance: centerCoordinateDistance,
            pitch: pitch,
            heading: heading
        )
    }
}

/// The look of a map, which is not drawn here.
///
/// Source: Apple, "MKMapConfiguration".
open class MKMapConfiguration: NSObject {
    /// The ground, which is flat here.
    public enum ElevationStyle: Int, Sendable {
        case flat, realistic
    }

    /// The ground, which is flat here.
    open var elevationStyle = ElevationStyle.flat
}

/// The look of a map with roads.
///
/// Source: Apple, "MKStandardMapConfiguration".
open class MKStandardMapConfiguration: MKMapConfiguration {
    /// This has no effect: there is no map.
    open var showsTraffic = false
    /// This has no effect: there is no map.
    open var pointOfInterestFilter: MKPointOfInterestFilter?
}

/// The look of a map with pictures from above.
///
/// Source: Apple, "MKImageryMapConfiguration".
open class MKImageryMapConfiguration: MKMapConfiguration {}

/// The look of a map with pictures from above and roads.
///
/// Source: Apple, "MKHybridMapConfiguration".
open class MKHybridMapConfiguration: MKMapConfiguration {
    /// This has no effect: there is no map.
    open var showsTraffic = false
    /// This has no effect: there is no map.
    open var pointOfInterestFilter: MKPointOfInterestFilter?
}
