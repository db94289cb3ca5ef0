// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation

/// The names of a place as optional members of an optional type, which they are with Apple.
///
/// Sources that take both optionals away, as in `annotation.title!!`, compile by it; all others mean those of
/// `MKAnnotation`.
@preconcurrency @MainActor public protocol _MKAnnotationTexts: NSObjectProtocol {}

extension _MKAnnotationTexts {
    /// The name.
    @_disfavoredOverload public var title: String?? { .some((self as? any MKAnnotation).flatMap(\.title)) }
    /// The second line.
    @_disfavoredOverload public var subtitle: String?? { .some((self as? any MKAnnotation).flatMap(\.subtitle)) }
}

/// A place on the map.
@preconcurrency @MainActor public protocol MKAnnotation: _MKAnnotationTexts {
    var coordinate: CLLocationCoordinate2D { get }
    var title: String? { get }
    var subtitle: String? { get }
}

extension MKAnnotation {
    /// No name.
    public var title: String? { nil }
    /// No second line.
    public var subtitle: String? { nil }
}

/// A shape or a point with a name.
///
/// Source: Apple, "MKShape".
@preconcurrency @MainActor open class MKShape: NSObject, MKAnnotation {
    /// The middle of the shape.
    open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }
    /// The name.
    open var title: String? { didSet { changed() } }
    /// The second line.
    open var subtitle: String? { didSet { changed() } }

    /// The map that shows the shape, which is told of changes.
    weak var map: MKMapView?

    override init() {
        super.init()
    }

    func changed() { map?.annotationChanged(self) }
}

/// A place on the map with its name; the map follows when it changes.
///
/// Source: Apple, "MKPointAnnotation".
@preconcurrency @MainActor open class MKPointAnnotation: MKShape {
    private var place = CLLocationCoordinate2D(latitude: 0, longitude: 0)

    /// The place.
    open override var coordinate: CLLocationCoordinate2D {
        get { place }
        set {
            place = newValue
            changed()
        }
    }

    /// A place at 0° north, 0° east.
    public override init() {
        super.init()
    }

    /// A place with its name.
    public convenience init(coordinate: CLLocationCoordinate2D, title: String? = nil, subtitle: String? = nil) {
        self.init()
        (self.coordinate, self.title, self.subtitle) = (coordinate, title, subtitle)
    }
}

/// The place of the person, which is not known here.
///
/// Source: Apple, "MKUserLocation".
@preconcurrency @MainActor open class MKUserLocation: NSObject, MKAnnotation {
    /// No place: `kCLLocationCoordinate2DInvalid`.
    open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }
    /// The place: `nil`.
    open var location: CLLocation? { nil }
    /// The direction of the device: `nil`.
    open var heading: CLHeading? { nil }
    /// False.
    open var isUpdating: Bool { false }
    /// The name.
    open var title: String? = "My Location"
    /// The second line.
    open var subtitle: String?
}

/// Several places that are drawn as one; a map here draws each alone, and makes none.
///
/// Source: Apple, "MKClusterAnnotation".
@preconcurrency @MainActor open class MKClusterAnnotation: NSObject, MKAnnotation {
    /// The places.
    public let memberAnnotations: [any MKAnnotation]
    /// The place of the first of them.
    open var coordinate: CLLocationCoordinate2D {
        memberAnnotations.first?.coordinate ?? kCLLocationCoordinate2DInvalid
    }
    /// The name.
    open var title: String?
    /// The second line.
    open var subtitle: String?

    /// Takes the places.
    public init(memberAnnotations: [any MKAnnotation]) {
        self.memberAnnotations = memberAnnotations
        super.init()
    }
}
