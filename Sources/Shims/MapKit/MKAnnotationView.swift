// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import UIKit

/// The reuse identifier of the views of places for which the delegate has none.
public let MKMapViewDefaultAnnotationViewReuseIdentifier = "MKMapViewDefaultAnnotationViewReuseIdentifier"
/// The reuse identifier of the views of clusters, which are not made here.
public let MKMapViewDefaultClusterAnnotationViewReuseIdentifier =
    "MKMapViewDefaultClusterAnnotationViewReuseIdentifier"

/// The importance of a place among those that stand close to it.
public struct MKFeatureDisplayPriority: RawRepresentable, Hashable, Sendable {
    /// 0…1000.
    public var rawValue: Float

    /// Takes a number.
    public init(_ rawValue: Float) {
        self.rawValue = rawValue
    }

    /// Takes a number.
    public init(rawValue: Float) {
        self.rawValue = rawValue
    }

    /// The place is always shown.
    public static let required = MKFeatureDisplayPriority(1000)
    /// The place is shown before most others.
    public static let defaultHigh = MKFeatureDisplayPriority(750)
    /// The place is shown where most others leave room.
    public static let defaultLow = MKFeatureDisplayPriority(250)
}

/// The visibility of a part of a marker.
public enum MKFeatureVisibility: Int, Sendable {
    /// The part is shown where the map has room.
    case adaptive
    /// The part is never shown.
    case hidden
    /// The part is always shown.
    case visible
}

/// The state of a view that a person drags, which nobody can do here.
public enum MKAnnotationViewDragState: UInt, Sendable {
    case none, starting, dragging, canceling, ending
}

/// A view of a place: a picture, or what a subclass draws.
///
/// A tap selects it. There is no callout: what it would show is not drawn.
/// Source: Apple, "MKAnnotationView".
@preconcurrency @MainActor open class MKAnnotationView: UIView {
    /// The shape by which two views are found to collide, which nothing asks here.
    public enum CollisionMode: Int, Sendable {
        case rectangle, circle, none
    }

    /// The state of a view that a person drags.
    public typealias DragState = MKAnnotationViewDragState

    private var picture: UIImageView?
    private var identifier: String?

    /// A view of a place, which may be used again for another.
    public init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
        identifier = reuseIdentifier
        super.init(frame: .zero)
        prepare()
        take(annotation)
    }

    /// A view without a place.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        prepare()
    }

    /// A view of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        prepare()
    }

    /// Gives a view of MapKit's own its look, before it has a place.
    func prepare() {}

    /// The name by which a map finds it for another place.
    open var reuseIdentifier: String? { identifier }
    /// The place.
    open var annotation: (any MKAnnotation)? { didSet { annotationChanged() } }
    /// The picture, which gives the view its size.
    open var image: UIImage? { didSet { imageChanged() } }
    /// The distance of the view's middle from its place, in points.
    open var centerOffset = CGPoint.zero { didSet { superview?.setNeedsLayout() } }
    /// This has no effect: there is no callout.
    open var calloutOffset = CGPoint.zero
    /// False for a place that cannot be selected.
    open var isEnabled = true
    /// True while it is pressed, as code says.
    open var isHighlighted = false
    /// True for the place that is selected.
    open var isSelected = false
    /// This has no effect: there is no callout.
    open var canShowCallout = false
    /// This has no effect: there is no callout.
    open var leftCalloutAccessoryView: UIView?
    /// This has no effect: there is no callout.
    open var rightCalloutAccessoryView: UIView?
    /// This has no effect: there is no callout.
    open var detailCalloutAccessoryView: UIView?
    /// This has no effect: nobody can drag a place.
    open var isDraggable = false
    /// The state of dragging: none, until code sets another.
    open var dragState = DragState.none
    /// This has no effect: each place is drawn alone.
    open var clusteringIdentifier: String?
    /// The view of the cluster that has the place: `nil`.
    open weak var cluster: MKAnnotationView? { nil }
    /// This has no effect: each place is drawn.
    open var displayPriority = MKFeatureDisplayPriority.required
    /// This has no effect: each place is drawn.
    open var collisionMode = CollisionMode.rectangle

    /// Selects the view or not; the map calls it.
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }

    /// Sets the state of dragging.
    open func setDragState(_ newDragState: DragState, animated: Bool) { dragState = newDragState }

    /// Called before the view is used for another place.
    open func prepareForReuse() {}

    /// Called before the view is shown.
    open func prepareForDisplay() {}

    func setReuseIdentifier(_ identifier: String?) { self.identifier = identifier }

    /// Sets a place as code would, so that a subclass that watches the property sees it.
    func take(_ annotation: (any MKAnnotation)?) {
        if let annotation { self.annotation = annotation }
    }

    func annotationChanged() {
        guard let annotation else { return }
        accessibilityLabel = annotation.title ?? MKMapView.words(of: annotation.coordinate)
    }

    private func imageChanged() {
        guard let image else {
            picture?.removeFromSuperview()
            picture = nil
            return
        }
        let shown = picture ?? UIImageView()
        shown.image = image
        bounds = CGRect(origin: .zero, size: image.size)
        shown.frame = bounds
        if picture == nil { insertSubview(shown, at: 0) }
        picture = shown
    }
}
