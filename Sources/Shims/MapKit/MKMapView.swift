// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
import Dispatch
public import Foundation
import HostLog
public import UIKit

/// A stand-in for a map: a plain area with its places where they are, and their names or the coordinates of its middle.
///
/// There are no maps here, which the log says: a view has no network of Apple's, nor its pictures. Up to 200 places are
/// drawn, and up to 100 pieces of shapes.
/// Source: Apple, "MKMapView".
@preconcurrency @MainActor open class MKMapView: UIView {
    /// The places that are named; more are not.
    private static let nameLimit = 8

    let words = UILabel()
    var state = MapState()
    private var part = MKCoordinateRegion()
    /// The rectangle by which the part was set; `nil` for one that was set as a region.
    private var partRect: MKMapRect?
    private var rect: MKMapRect? { partRect ?? part.mapRect }
    private var wasShown = false

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

    /// The part that is shown, as it was set.
    open var region: MKCoordinateRegion {
        get { part }
        set { change(newValue, animated: false) }
    }
    /// The middle of the part that is shown.
    open var centerCoordinate: CLLocationCoordinate2D {
        get { region.center }
        set { region.center = newValue }
    }
    /// The part that is shown, in points of the whole map: as much as the view has room for.
    open var visibleMapRect: MKMapRect {
        get { ground?.rect ?? rect ?? .null }
        set { setVisibleMapRect(newValue, animated: false) }
    }
    /// The point in the sky from which the part is seen.
    open var camera: MKMapCamera {
        get { MKMapCamera(region: part) }
        set { region = newValue.region }
    }
    /// The places.
    open var annotations: [any MKAnnotation] { state.annotations }
    /// The shapes.
    open var overlays: [any MKOverlay] { state.overlays }
    /// The object that decides how places and shapes look.
    open weak var delegate: (any MKMapViewDelegate)? { didSet { setNeedsLayout() } }
    /// This has no effect: there is no map.
    open var mapType = MKMapType.standard
    /// This has no effect: there is no map.
    open var preferredConfiguration: MKMapConfiguration = MKStandardMapConfiguration()
    /// This has no effect: there is no map.
    open var isZoomEnabled = true
    /// This has no effect: there is no map.
    open var isScrollEnabled = true
    /// This has no effect: there is no map.
    open var isRotateEnabled = true
    /// This has no effect: there is no map.
    open var isPitchEnabled = true
    /// True if the person's place is wanted, which nobody tells: the delegate hears `CLError(.denied)`.
    open var showsUserLocation = false { didSet { locateUser(was: oldValue) } }
    /// The person's place, which is none.
    public let userLocation = MKUserLocation()
    /// False: nobody tells where a person is.
    open var isUserLocationVisible: Bool { false }
    /// This has no effect: nobody tells where a person is.
    open var userTrackingMode = MKUserTrackingMode.none
    /// This has no effect: there is no map.
    open var showsCompass = true
    /// This has no effect: there is no map.
    open var showsScale = false
    /// This has no effect: there is no map.
    open var showsTraffic = false
    /// This has no effect: there is no map.
    open var showsBuildings = true
    /// This has no effect: there is no map.
    open var showsPointsOfInterest = true
    /// This has no effect: there is no map.
    open var pointOfInterestFilter: MKPointOfInterestFilter?

    /// Shows another part, at once.
    open func setRegion(_ region: MKCoordinateRegion, animated: Bool) { change(region, animated: animated) }

    /// Shows another part, at once.
    open func setCenter(_ coordinate: CLLocationCoordinate2D, animated: Bool) {
        change(MKCoordinateRegion(center: coordinate, span: part.span), animated: animated)
    }

    /// Shows another part, at once.
    open func setVisibleMapRect(_ mapRect: MKMapRect, animated: Bool) {
        change(MKCoordinateRegion(mapRect), rect: mapRect, animated: animated)
    }

    /// Shows another part with room around it, in points of the view, at once.
    open func setVisibleMapRect(_ mapRect: MKMapRect, edgePadding insets: UIEdgeInsets, animated: Bool) {
        setVisibleMapRect(mapRectThatFits(mapRect, edgePadding: insets), animated: animated)
    }

    /// Shows the part that is seen from a point in the sky, at once.
    open func setCamera(_ camera: MKMapCamera, animated: Bool) { change(camera.region, animated: animated) }

    /// Sets the mode without effect: nobody tells where a person is.
    open func setUserTrackingMode(_ mode: MKUserTrackingMode, animated: Bool) { userTrackingMode = mode }

    /// The part itself.
    open func regionThatFits(_ region: MKCoordinateRegion) -> MKCoordinateRegion { region }

    /// The rectangle itself.
    open func mapRectThatFits(_ mapRect: MKMapRect) -> MKMapRect { mapRect }

    /// The rectangle with room around it, in points of the view.
    open func mapRectThatFits(_ mapRect: MKMapRect, edgePadding insets: UIEdgeInsets) -> MKMapRect {
        let size = CGSize(
            width: bounds.width - insets.left - insets.right,
            height: bounds.height - insets.top - insets.bottom
        )
        guard let ground = MapGround(mapRect, size: size) else { return mapRect }
        let rect = ground.rect
        return MKMapRect(
            x: rect.minX - insets.left / ground.scale,
            y: rect.minY - insets.top / ground.scale,
            width: bounds.width / ground.scale,
            height: bounds.height / ground.scale
        )
    }

    // MARK: Places of the view

    /// The point of a view at which a place is; one that is no number for a coordinate that is none.
    open func convert(_ coordinate: CLLocationCoordinate2D, toPointTo view: UIView?) -> CGPoint {
        guard let point = ground?.place(coordinate) else { return CGPoint(x: CGFloat.nan, y: CGFloat.nan) }
        return convert(point, to: view)
    }

    /// The place at a point of a view; `kCLLocationCoordinate2DInvalid` without a ground.
    open func convert(_ point: CGPoint, toCoordinateFrom view: UIView?) -> CLLocationCoordinate2D {
        ground?.point(at: convert(point, from: view)).coordinate ?? kCLLocationCoordinate2DInvalid
    }

    /// The rectangle of a view in which a part of the map is.
    open func convert(_ region: MKCoordinateRegion, toRectTo view: UIView?) -> CGRect {
        guard let rect = region.mapRect, let ground,
            let middle = ground.place(MKMapPoint(x: rect.midX, y: rect.midY))
        else { return .null }
        let size = CGSize(width: rect.width * ground.scale, height: rect.height * ground.scale)
        let place = CGRect(
            x: middle.x - size.width / 2,
            y: middle.y - size.height / 2,
            width: size.width,
            height: size.height
        )
        return convert(place, to: view)
    }

    // MARK: Places of the map

    /// Adds a place, unless it is there.
    open func addAnnotation(_ annotation: any MKAnnotation) { addAnnotations([annotation]) }

    /// Adds the places that are not there.
    open func addAnnotations(_ annotations: [any MKAnnotation]) { add(annotations) }

    /// Takes a place away.
    open func removeAnnotation(_ annotation: any MKAnnotation) { removeAnnotations([annotation]) }

    /// Takes places away.
    open func removeAnnotations(_ annotations: [any MKAnnotation]) { remove(annotations) }

    /// Adds the places that are not there, and shows the part around them: a kilometre for one place.
    open func showAnnotations(_ annotations: [any MKAnnotation], animated: Bool) {
        addAnnotations(annotations)
        if let rect = Self.rect(around: annotations) { setVisibleMapRect(rect, animated: animated) }
    }

    /// The places in a rectangle of the whole map.
    open func annotations(in mapRect: MKMapRect) -> Set<AnyHashable> {
        Set(annotations.filter { mapRect.contains(MKMapPoint($0.coordinate)) }.compactMap { $0 as? NSObject })
    }

    /// The view of a place; `nil` for one that is not drawn.
    open func view(for annotation: any MKAnnotation) -> MKAnnotationView? {
        state.views[ObjectIdentifier(annotation)]
    }

    /// Has views of that name made of a class.
    ///
    /// A class of the extension is taken for the nearest one of MapKit above it, which the log says: Swift makes no
    /// object of a class that it learns while it runs. `mapView(_:viewFor:)` makes views of any class.
    open func register(_ viewClass: AnyClass?, forAnnotationViewWithReuseIdentifier identifier: String) {
        state.classes[identifier] = viewClass as? MKAnnotationView.Type
        setNeedsLayout()
    }

    /// A view of that name that no place has; `nil` without one.
    open func dequeueReusableAnnotationView(withIdentifier identifier: String) -> MKAnnotationView? {
        spareView(identifier)
    }

    /// A view of that name for a place: one that no place has, or a new one of the registered class.
    open func dequeueReusableAnnotationView(
        withIdentifier identifier: String,
        for annotation: any MKAnnotation
    ) -> MKAnnotationView {
        spareOrNewView(identifier, for: annotation)
    }

    /// The places that are selected: one, or none.
    open var selectedAnnotations: [any MKAnnotation] {
        get { state.selected }
        set {
            for annotation in state.selected where !newValue.contains(where: { $0 === annotation }) {
                deselectAnnotation(annotation, animated: false)
            }
            if let first = newValue.first { selectAnnotation(first, animated: false) }
        }
    }

    /// Selects a place of the map, and no other.
    open func selectAnnotation(_ annotation: any MKAnnotation, animated: Bool) {
        select(annotation, animated: animated)
    }

    /// Selects a place no more.
    open func deselectAnnotation(_ annotation: (any MKAnnotation)?, animated: Bool) {
        deselect(annotation, animated: animated)
    }

    // MARK: Shapes of the map

    /// Adds a shape, unless it is there.
    open func addOverlay(_ overlay: any MKOverlay) { addOverlays([overlay]) }

    /// Adds the shapes that are not there.
    open func addOverlays(_ overlays: [any MKOverlay]) { add(overlays) }

    /// Adds a shape, unless it is there; the level has no effect.
    open func addOverlay(_ overlay: any MKOverlay, level: MKOverlayLevel) { addOverlays([overlay]) }

    /// Adds the shapes that are not there; the level has no effect.
    open func addOverlays(_ overlays: [any MKOverlay], level: MKOverlayLevel) { addOverlays(overlays) }

    /// Adds a shape below others, unless it is there.
    open func insertOverlay(_ overlay: any MKOverlay, at index: Int) { insert(overlay, at: index) }

    /// Takes a shape away.
    open func removeOverlay(_ overlay: any MKOverlay) { removeOverlays([overlay]) }

    /// Takes shapes away.
    open func removeOverlays(_ overlays: [any MKOverlay]) { remove(overlays) }

    /// The object that draws a shape; `nil` until it is drawn.
    open func renderer(for overlay: any MKOverlay) -> MKOverlayRenderer? {
        state.renderers[ObjectIdentifier(overlay)]
    }

    // MARK: What happens

    private func change(_ region: MKCoordinateRegion, rect: MKMapRect? = nil, animated: Bool) {
        delegate?.mapView(self, regionWillChangeAnimated: animated)
        (part, partRect) = (region, rect)
        show()
        delegate?.mapViewDidChangeVisibleRegion(self)
        delegate?.mapView(self, regionDidChangeAnimated: animated)
    }

    private func locateUser(was: Bool) {
        guard showsUserLocation != was else { return }
        guard showsUserLocation else { return delegate?.mapViewDidStopLocatingUser(self) ?? () }
        delegate?.mapViewWillStartLocatingUser(self)
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            delegate?.mapView(self, didFailToLocateUserWithError: CLError(.denied))
        }
    }

    /// Tells the delegate, with the next turn of the main queue, that no map arrives.
    open override func didMoveToWindow() {
        super.didMoveToWindow()
        guard window != nil, !wasShown else { return }
        wasShown = true
        DispatchQueue.main.async { [weak self] in
            guard let self, let delegate else { return }
            delegate.mapViewWillStartLoadingMap(self)
            delegate.mapViewWillStartRenderingMap(self)
            delegate.mapViewDidFailLoadingMap(self, withError: MKError(.serverFailure))
            delegate.mapViewDidFinishRenderingMap(self, fullyRendered: false)
        }
    }

    /// Places what is on the map.
    open override func layoutSubviews() {
        super.layoutSubviews()
        drawOverlays()
        placeAnnotations()
        placeWords()
    }

    /// The plain ground; `nil` for a view without a size or a region that is no place.
    var ground: MapGround? { MapGround(rect, size: bounds.size) }

    /// Writes the names, and has everything placed anew.
    func show() {
        let places = annotations.prefix(Self.nameLimit).map { place in
            ["\u{1F4CD}", place.title ?? Self.words(of: place.coordinate)].joined(separator: " ")
        }
        words.text = places.isEmpty ? Self.words(of: region.center) : places.joined(separator: "\n")
        setNeedsLayout()
    }

    /// The names fill the view, or stand at its lower edge where places are drawn.
    private func placeWords() {
        var frame = bounds
        if !state.views.isEmpty {
            let height = min(words.sizeThatFits(bounds.size).height + 8, bounds.height)
            frame = CGRect(x: bounds.minX, y: bounds.maxY - height, width: bounds.width, height: height)
        }
        if words.frame != frame { words.frame = frame }
    }

    static func words(of place: CLLocationCoordinate2D) -> String {
        String(format: "%.4f, %.4f", place.latitude, place.longitude)
    }
}
