// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A view that shows a part of what is in it, and that the page scrolls.
///
/// The page scrolls by itself, so that this process does not know what is seen. The content's size is what the
/// constraints between the content and the edges of this view say, or what code sets.
/// Source: Apple, "UIScrollView".
open class UIScrollView: UIView {
    /// The object that is told of what code does to the content's place; of what a person scrolls nobody is told.
    open weak var delegate: (any UIScrollViewDelegate)?
    private var offset: CGPoint?

    /// A scroll view at a place in the view that it will be in.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A scroll view of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override class var clipsAtFirst: Bool { true }

    // MARK: Content

    /// The size of what is scrolled, in points.
    @_OnMainThread open var contentSize = CGSize.zero { didSet { if contentSize != oldValue { changed() } } }

    /// The room between the edges and what is scrolled.
    @_OnMainThread open var contentInset = UIEdgeInsets.zero {
        didSet {
            guard contentInset != oldValue else { return }
            // The content is drawn as it stands before anybody scrolls.
            layer.bounds.origin = CGPoint(x: -contentInset.left, y: -contentInset.top)
            changed()
        }
    }

    /// The room between the edges and what is scrolled, with the safe area: nothing lies over a view.
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    /// This has no effect: the safe area is the whole view.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic

    /// The rectangle of what is scrolled, for constraints.
    open private(set) lazy var contentLayoutGuide = UILayoutGuide(.content, in: self)
    /// The rectangle of the view itself, for constraints.
    open private(set) lazy var frameLayoutGuide = UILayoutGuide(.inset { _ in .zero }, in: self)

    /// Takes the size that the constraints give to the content.
    func takeContentSize() { contentSize = contentLayoutGuide.placed.size }

    // MARK: Place of the content

    /// The place of the view's corner in the content, as code set it last.
    ///
    /// The page begins at the top left and scrolls by itself: it is neither moved by this nor told of here.
    open var contentOffset: CGPoint {
        get { offset ?? layer.bounds.origin }
        set { setContentOffset(newValue, animated: false) }
    }

    /// Sets the place of the view's corner in the content, which does not move the page.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        guard onMain(self.setContentOffset(contentOffset, animated: animated)) else { return }
        guard contentOffset != self.contentOffset else { return }
        if contentOffset != layer.bounds.origin { Self.noteScrolling() }
        offset = contentOffset
        delegate?.scrollViewDidScroll(self)
        if animated { delegate?.scrollViewDidEndScrollingAnimation(self) }
    }

    /// This has no effect, since the page scrolls by itself.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
        guard !bounds.contains(rect) else { return }
        Self.noteScrolling()
    }

    private static func noteScrolling() {
        Absent.note("scrolling by code", "a page shows a scroll view from its top left corner and scrolls by itself")
    }

    /// This has no effect: a page shows its bars as the person's system does.
    open func flashScrollIndicators() {}

    /// False, as the page scrolls by itself.
    open var isTracking: Bool { false }
    /// False, as the page scrolls by itself.
    open var isDragging: Bool { false }
    /// False, as the page scrolls by itself.
    open var isDecelerating: Bool { false }
    /// False, as nothing is zoomed.
    open var isZooming: Bool { false }

    // MARK: Ways of scrolling

    /// False for a view that is drawn without a way to scroll it.
    @_OnMainThread open var isScrollEnabled = true { didSet { if isScrollEnabled != oldValue { changed() } } }
    /// This has no effect: a page scrolls without steps.
    @_OnMainThread open var isPagingEnabled = false {
        didSet { if isPagingEnabled { Absent.note("isPagingEnabled", "the page scrolls without steps") } }
    }
    /// This has no effect: a page ends at its edges as the person's system does.
    open var bounces = true
    /// This has no effect: a page ends at its edges as the person's system does.
    open var alwaysBounceVertical = false
    /// This has no effect: a page ends at its edges as the person's system does.
    open var alwaysBounceHorizontal = false
    /// This has no effect: a page has its bars where there is something to scroll.
    open var showsVerticalScrollIndicator = true
    /// This has no effect: a page has its bars where there is something to scroll.
    open var showsHorizontalScrollIndicator = true
    /// This has no effect, as the page draws its bars.
    open var indicatorStyle = IndicatorStyle.default
    /// This has no effect, as the page draws its bars.
    open var scrollIndicatorInsets = UIEdgeInsets.zero
    /// This has no effect, as the page draws its bars.
    open var verticalScrollIndicatorInsets = UIEdgeInsets.zero
    /// This has no effect, as the page draws its bars.
    open var horizontalScrollIndicatorInsets = UIEdgeInsets.zero
    /// This has no effect, as the page draws its bars.
    open var automaticallyAdjustsScrollIndicatorInsets = true
    /// This has no effect, as the page scrolls.
    open var isDirectionalLockEnabled = false
    /// This has no effect, as the page scrolls.
    open var decelerationRate = DecelerationRate.normal
    /// This has no effect: there is no bar to tap.
    open var scrollsToTop = true
    /// This has no effect, as the page tells of whole touches.
    open var delaysContentTouches = true
    /// This has no effect, as the page tells of whole touches.
    open var canCancelContentTouches = true
    /// This has no effect: a page has no keyboard of its own.
    open var keyboardDismissMode = KeyboardDismissMode.none

    /// The observer of the finger that scrolls, which calls nobody.
    open private(set) lazy var panGestureRecognizer = UIPanGestureRecognizer()
    /// `nil`: nothing is zoomed.
    open var pinchGestureRecognizer: UIPinchGestureRecognizer? { nil }

    /// This is never called: the safe area is always the whole view.
    open func adjustedContentInsetDidChange() {}
    /// This is never asked, as the page tells of whole touches.
    open func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool { true }
    /// This is never asked, as the page tells of whole touches.
    open func touchesShouldCancel(in view: UIView) -> Bool { true }

    // MARK: Zoom

    /// This has no effect: nothing is zoomed.
    @_OnMainThread open var minimumZoomScale: CGFloat = 1 { didSet { noteZoom(minimumZoomScale) } }
    /// This has no effect: nothing is zoomed.
    @_OnMainThread open var maximumZoomScale: CGFloat = 1 { didSet { noteZoom(maximumZoomScale) } }
    /// This has no effect: nothing is zoomed.
    @_OnMainThread open var zoomScale: CGFloat = 1 { didSet { noteZoom(zoomScale) } }
    /// This has no effect: nothing is zoomed.
    open var bouncesZoom = true

    /// Sets the scale, which is without effect.
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoomScale = scale }

    /// Shows a rectangle as large as it fits, which is without effect.
    open func zoom(to rect: CGRect, animated: Bool) {
        Absent.note("the zoom of a scroll view", "it is drawn in its own size")
    }

    /// False, as nothing is zoomed.
    open var isZoomBouncing: Bool { false }

    private func noteZoom(_ scale: CGFloat) {
        if scale != 1 { Absent.note("the zoom of a scroll view", "it is drawn in its own size") }
    }

    // MARK: Drawing

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        guard isScrollEnabled else { return .view }
        return .scroll(
            SceneScroll(
                content: SceneSize(
                    Double(contentSize.width + contentInset.left + contentInset.right).scene(SceneLimits.length),
                    Double(contentSize.height + contentInset.top + contentInset.bottom).scene(SceneLimits.length)
                )
            )
        )
    }
}
