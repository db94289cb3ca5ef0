// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation
import HostLog
public import UIKit

/// A place on the map.
@preconcurrency @MainActor public protocol MKAnnotation: NSObjectProtocol {
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

/// A place on the map with its name.
@preconcurrency @MainActor open class MKPointAnnotation: NSObject, MKAnnotation {
    open var coordinate: CLLocationCoordinate2D
    open var title: String?
    open var subtitle: String?

    public override init() {
        coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 0)
        super.init()
    }

    /// A place with its name.
    public convenience init(coordinate: CLLocationCoordinate2D, title: String? = nil, subtitle: String? = nil) {
        self.init()
        (self.coordinate, self.title, self.subtitle) = (coordinate, title, subtitle)
    }
}

/// The object that decides how places look; nothing asks it here.
@preconcurrency @MainActor public protocol MKMapViewDelegate: NSObjectProtocol {}

/// A stand-in for a map: a plain area with the names of its places, or the coordinates of its middle.
///
/// There are no maps here, which the log says: a view has no network of Apple's, nor its pictures.
/// Source: Apple, "MKMapView".
@preconcurrency @MainActor open class MKMapView: UIView {
    /// The places that are named; more are not.
    private static let nameLimit = 8

    private let words = UILabel()

    public override init(frame: CGRect) {
        super.init(frame: frame)
        prepare()
    }

    /// Takes one of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        prepare()
    }

    private func prepare() {
        HostLog.warnOnce("there are no maps here: an MKMapView shows the names or coordinates of its places")
        backgroundColor = .systemGray5
        clipsToBounds = true
        words.textAlignment = .center
        words.numberOfLines = 0
        words.font = .systemFont(ofSize: 13)
        words.textColor = .secondaryLabel
        words.frame = bounds
        words.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(words)
        show()
    }

    /// The part that is shown.
    open var region = MKCoordinateRegion() { didSet { show() } }
    /// The middle of the part that is shown.
    open var centerCoordinate: CLLocationCoordinate2D {
        get { region.center }
        set { region.center = newValue }
    }
    /// The places.
    open private(set) var annotations: [any MKAnnotation] = []
    /// The object that decides; nothing asks it here.
    open weak var delegate: (any MKMapViewDelegate)?
    /// This has no effect: there is no map.
    open var mapType = MKMapType.standard
    /// This has no effect: there is no map.
    open var isZoomEnabled = true
    /// This has no effect: there is no map.
    open var isScrollEnabled = true
    /// This has no effect: there is no map.
    open var isRotateEnabled = true
    /// This has no effect: there is no map.
    open var isPitchEnabled = true
    /// This has no effect: nobody tells where a person is.
    open var showsUserLocation = false
    /// This has no effect: there is no map.
    open var showsCompass = true
    /// This has no effect: there is no map.
    open var showsScale = false

    /// Shows another part, at once.
    open func setRegion(_ region: MKCoordinateRegion, animated: Bool) { self.region = region }

    /// Shows another part, at once.
    open func setCenter(_ coordinate: CLLocationCoordinate2D, animated: Bool) { centerCoordinate = coordinate }

    /// The part itself.
    open func regionThatFits(_ region: MKCoordinateRegion) -> MKCoordinateRegion { region }

    /// Adds a place.
    open func addAnnotation(_ annotation: any MKAnnotation) { addAnnotations([annotation]) }

    /// Adds places.
    open func addAnnotations(_ annotations: [any MKAnnotation]) {
        self.annotations += annotations
        show()
    }

    /// Takes a place away.
    open func removeAnnotation(_ annotation: any MKAnnotation) { removeAnnotations([annotation]) }

    /// Takes places away.
    open func removeAnnotations(_ annotations: [any MKAnnotation]) {
        self.annotations.removeAll { mine in annotations.contains { $0 === mine } }
        show()
    }

    /// Adds places, and shows the part around them.
    open func showAnnotations(_ annotations: [any MKAnnotation], animated: Bool) {
        addAnnotations(annotations)
        if let first = annotations.first { centerCoordinate = first.coordinate }
    }

    /// Does nothing: the names of all places are shown.
    open func selectAnnotation(_ annotation: any MKAnnotation, animated: Bool) {}

    private func show() {
        let places = annotations.prefix(Self.nameLimit).map { place in
            ["\u{1F4CD}", place.title ?? Self.words(of: place.coordinate)].joined(separator: " ")
        }
        words.text = places.isEmpty ? Self.words(of: region.center) : places.joined(separator: "\n")
    }

    private static func words(of place: CLLocationCoordinate2D) -> String {
        String(format: "%.4f, %.4f", place.latitude, place.longitude)
    }
}
