// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A rectangle of a view's scene, with what is in it.
///
/// Nothing is drawn in this process: the page draws what the tree of views says. A change is sent with the next turn of
/// the main queue. What a subclass may override stands here, since Swift lets nothing be overridden that stands in an
/// extension.
/// Source: Apple, "UIView".
@preconcurrency @MainActor open class UIView: UIResponder, @preconcurrency NSCoding {
    /// The class of the view's layer.
    open class var layerClass: AnyClass { CALayer.self }
    /// True for a class whose views are placed by constraints alone; asked by nobody.
    open class var requiresConstraintBasedLayout: Bool { false }

    /// The layer that has the view's place and look.
    public let layer: CALayer
    /// The controller whose view this is.
    weak var controller: UIViewController?
    /// The views in this one, which lives as long as this one does; the layers have their order.
    var kept: [UIView] = []
    /// The state of the view in layout.
    var layout = ViewLayout()
    /// The words for a screen reader.
    var accessibility = ViewAccessibility()
    /// The look that Apple's API can set and the page does not draw.
    var options = ViewOptions()

    /// A view at a place in the one that it will be in.
    public init(frame: CGRect) {
        layer = Self.makeLayer()
        super.init()
        layer.owner = self
        layer.delegate = self
        layer.frame = frame
        setUp()
    }

    /// A view without a size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// A view of a storyboard, whose place and look are set afterwards.
    public required init?(coder: NSCoder) {
        layer = Self.makeLayer()
        super.init()
        layer.owner = self
        layer.delegate = self
        setUp()
        (coder as? NibCoder)?.configure(self)
    }

    /// Gives a new view of a class what that class has at first, before its file or its code sets anything.
    func setUp() {}

    /// Writes nothing: views are not archived.
    open func encode(with coder: NSCoder) {}

    /// True for a class whose views cut what is in them, until code says otherwise.
    class var clipsAtFirst: Bool { false }

    private static func makeLayer() -> CALayer {
        let layer = (layerClass as? CALayer.Type ?? CALayer.self).init()
        layer.masksToBounds = clipsAtFirst
        return layer
    }

    /// Called for a view of a storyboard once its outlets are set.
    open func awakeFromNib() {}

    /// Called by Interface Builder alone.
    open func prepareForInterfaceBuilder() {}

    open override var next: UIResponder? { controller ?? superview }

    // MARK: Place

    /// The rectangle in the view that this one is in.
    open var frame: CGRect {
        get { layer.frame }
        set {
            guard onMain(self.frame = newValue) else { return }
            layer.frame = newValue
        }
    }

    /// The rectangle in its own coordinates.
    open var bounds: CGRect {
        get { layer.bounds }
        set {
            guard onMain(self.bounds = newValue) else { return }
            layer.bounds = newValue
        }
    }

    /// The middle of the frame.
    open var center: CGPoint {
        get { layer.position }
        set {
            guard onMain(self.center = newValue) else { return }
            layer.position = newValue
        }
    }

    /// The transform about the middle.
    open var transform: CGAffineTransform {
        get { layer.affineTransform() }
        set {
            guard onMain(self.transform = newValue) else { return }
            layer.setAffineTransform(newValue)
        }
    }

    /// The view at a point of this one that takes events, if there is one.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard isUserInteractionEnabled, !isHidden, alpha >= 0.01, self.point(inside: point, with: event) else {
            return nil
        }
        let below = subviews.reversed().lazy.compactMap { $0.hitTest($0.convert(point, from: self), with: event) }
        return below.first ?? self
    }

    /// True for a point of the view's bounds.
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    // MARK: Hierarchy

    /// Puts a view above all others in this one.
    open func addSubview(_ view: UIView) {
        guard onMain(self.addSubview(view)) else { return }
        insert(view, at: layer.sublayers?.count ?? 0)
    }

    /// Called when a view was put into this one.
    open func didAddSubview(_ subview: UIView) {}

    /// Called before a view leaves this one.
    open func willRemoveSubview(_ subview: UIView) {}

    /// Called before the view comes into another one, or into none.
    open func willMove(toSuperview newSuperview: UIView?) {}

    /// Called when the view has come into another one, or into none.
    open func didMoveToSuperview() {}

    /// Called before the view comes into a window, or into none.
    open func willMove(toWindow newWindow: UIWindow?) {}

    /// Called when the view has come into a window, or into none.
    open func didMoveToWindow() {}

    /// Takes the view out of the one that it is in.
    open func removeFromSuperview() {
        guard onMain(self.removeFromSuperview()) else { return }
        leave()
    }

    // MARK: Layout

    /// Places what is in the view; the constraints have placed it already when this is called.
    open func layoutSubviews() {}

    /// Has what is in the view placed with the next turn of the main queue.
    open func setNeedsLayout() {
        guard onMain(self.setNeedsLayout(), nil) else { return }
        layout.needsLayout = true
        window?.sceneChanged()
    }

    /// Places what is in the view now, if something has changed.
    open func layoutIfNeeded() {
        guard onMain(self.layoutIfNeeded()) else { return }
        LayoutPass(of: rootView).run()
    }

    /// Adds constraints that the view makes itself; call that of the superclass last.
    open func updateConstraints() { layout.needsConstraints = false }

    /// Has `updateConstraints()` called with the next layout.
    open func setNeedsUpdateConstraints() {
        guard onMain(self.setNeedsUpdateConstraints(), nil) else { return }
        layout.needsConstraints = true
        window?.sceneChanged()
    }

    /// True if `updateConstraints()` is called with the next layout.
    open func needsUpdateConstraints() -> Bool { layout.needsConstraints }

    /// The size of the content, `UIView.noIntrinsicMetric` for a side that it does not say.
    open var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric) }

    /// Has the content's size asked anew.
    open func invalidateIntrinsicContentSize() {
        guard onMain(self.invalidateIntrinsicContentSize(), nil) else { return }
        setNeedsMeasuring()
        changed()
    }

    /// The size that the view wants in so much room; the present one unless a subclass says another.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    /// Gives the view the size that it wants.
    open func sizeToFit() {
        guard onMain(self.sizeToFit()) else { return }
        let size = sizeThatFits(bounds.size)
        let origin = frame.origin
        frame = CGRect(origin: origin, size: size)
    }

    /// The size of the view by its constraints, as small or as large as `target` says where they leave room.
    ///
    /// Texts are broken for the width of the target, or, where it is 0, for that of the last layout.
    open func systemLayoutSizeFitting(_ target: CGSize) -> CGSize {
        systemLayoutSizeFitting(
            target,
            withHorizontalFittingPriority: .fittingSizeLevel,
            verticalFittingPriority: .fittingSizeLevel
        )
    }

    /// The size of the view by its constraints, where the target is wanted with these priorities.
    open func systemLayoutSizeFitting(
        _ target: CGSize,
        withHorizontalFittingPriority horizontal: UILayoutPriority,
        verticalFittingPriority vertical: UILayoutPriority
    ) -> CGSize {
        LayoutPass(of: self).fittingSize(target, horizontal, vertical)
    }

    /// Called when the margins have changed.
    open func layoutMarginsDidChange() { controller?.viewLayoutMarginsDidChange() }

    /// Called when the safe area has changed; it is always the whole view.
    open func safeAreaInsetsDidChange() {}

    /// The view in this one whose first baseline constraints mean when they name that of this one.
    open var forFirstBaselineLayout: UIView { forLastBaselineLayout }
    /// The view in this one whose last baseline constraints mean when they name that of this one.
    open var forLastBaselineLayout: UIView { self }
    /// The distances of the edges from the rectangle that constraints mean.
    open var alignmentRectInsets: UIEdgeInsets { .zero }

    // MARK: Look

    /// The colour behind everything in the view, which its layer has as well.
    open var backgroundColor: UIColor? {
        get { layer.fill }
        set {
            guard onMain(self.backgroundColor = newValue) else { return }
            layer.fill = newValue
        }
    }

    /// 0 to 1; what is in the view fades with it.
    open var alpha: CGFloat {
        get { layer.alpha }
        set {
            guard onMain(self.alpha = newValue) else { return }
            layer.alpha = min(max(0, newValue.isNaN ? 1 : newValue), 1)
        }
    }

    /// True for a view that is not drawn, with all in it.
    open var isHidden: Bool {
        get { layer.isHidden }
        set {
            guard onMain(self.isHidden = newValue) else { return }
            layer.isHidden = newValue
        }
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The colour of what can be worked; that of the view around it, if there is none.
    open var tintColor: UIColor! {
        get { options.tint ?? superview?.tintColor ?? .tintColor }
        set {
            guard onMain(self.tintColor = newValue) else { return }
            options.tint = newValue
            tellOfTint()
        }
    }

    /// Called when the tint of the view has changed.
    open func tintColorDidChange() {}

    /// The way in which content fills a frame of another shape.
    @_OnMainThread open var contentMode = ContentMode.scaleToFill { didSet { changed() } }
    /// A number that code gives the view.
    open var tag = 0
    /// False for a view that takes no events, nor anything in it.
    @_OnMainThread open var isUserInteractionEnabled = true { didSet { changed() } }
    /// The place in which the view is shown.
    open var traitCollection: UITraitCollection { .current }
    /// Called when the place has changed.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    // MARK: Events

    /// The recognizers of the view.
    @_OnMainThread open var gestureRecognizers: [UIGestureRecognizer]? { didSet { takeRecognizers(from: oldValue) } }

    /// Asked before a recognizer of the view begins.
    open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    // MARK: Drawing

    /// Draws the view; never called, because the page draws.
    open func draw(_ rect: CGRect) {}

    /// Has the view drawn anew.
    open func setNeedsDisplay() { changed() }

    /// Has a part of the view drawn anew.
    open func setNeedsDisplay(_ rect: CGRect) { setNeedsDisplay() }

    /// The node that draws the view, for a frame of that size.
    func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind { .view }

    /// Takes fonts of the size of texts as it is now, where the view follows it.
    func adaptFonts(from before: UITraitCollection, to now: UITraitCollection) {}

    /// Changes the look of the node beside what the layer says.
    func dress(_ style: inout SceneStyle) {}

    /// Takes what a person has done to the node, or what has become of it.
    func take(_ event: NodeEvent) {}

    /// True for a view of which a click is an event, beside those of its gesture recognizers.
    var isTappable: Bool { false }

    /// The mask of a view in this one that is placed by its frame whatever it says; `nil` means as it says.
    func givenMask(of subview: UIView) -> AutoresizingMask? { nil }

    /// True for a view whose height depends on the width that the layout gives it.
    var wrapsContent: Bool { false }

    /// The size of the content in so much width.
    func contentSize(inWidth width: CGFloat) -> CGSize { intrinsicContentSize }

    /// The size with what a class of an extension says beyond the content, as for room around a text.
    func withOwnRoom(_ size: CGSize) -> CGSize { size }

    /// The distances of the first and the last baseline from the top and from the bottom; 0 for a view without text.
    func baselines(inWidth width: CGFloat) -> (first: CGFloat, last: CGFloat) { (0, 0) }

    /// Adds what the view itself says on the places of what is in it.
    func addEquations(to equations: inout LayoutEquations) {}
}
