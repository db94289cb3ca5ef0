// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// Dots, one for each page, of which one is the present page.
///
/// A scene has no kind for them: they are drawn as a text that takes clicks. A click on the half where a line begins
/// goes one page back, one on the other half goes one on. Apple's default colours are two whites, for dark pictures;
/// here they are those of a first and a third text, which are seen on any background of the page.
/// Source: Apple, "UIPageControl".
@preconcurrency @MainActor open class UIPageControl: UIControl {
    /// The look of the background.
    public enum BackgroundStyle: Int, Sendable {
        case automatic, prominent, minimal
    }

    /// The way in which the control is being worked.
    public enum InteractionState: Int, Sendable {
        case none, discrete, continuous
    }

    /// The direction in which pages follow each other.
    public enum Direction: Int, Sendable {
        case natural, leftToRight, rightToLeft, topToBottom, bottomToTop
    }

    /// Dots that are drawn at most; a box has room for fewer.
    private static let dotLimit = 50

    private var count = 0
    private var page = 0

    /// The number of pages, 0 or more.
    open var numberOfPages: Int {
        get { count }
        set {
            guard onMain(self.numberOfPages = newValue) else { return }
            count = max(0, newValue)
            page = min(page, max(0, count - 1))
            invalidateIntrinsicContentSize()
            changed()
        }
    }

    /// The present page, which is always one that there is, or 0.
    open var currentPage: Int {
        get { page }
        set {
            guard onMain(self.currentPage = newValue) else { return }
            page = min(max(0, newValue), max(0, count - 1))
            changed()
        }
    }

    /// True if one page has no dot.
    @_OnMainThread open var hidesForSinglePage = false { didSet { changed() } }
    /// The colour of other pages.
    @_OnMainThread open var pageIndicatorTintColor: UIColor? { didSet { changed() } }
    /// The colour of the present page.
    @_OnMainThread open var currentPageIndicatorTintColor: UIColor? { didSet { changed() } }
    /// The look of the background; the page draws none.
    open var backgroundStyle = BackgroundStyle.automatic
    /// True if a finger may move over the dots; the page tells clicks alone.
    open var allowsContinuousInteraction = true
    /// The way in which the control is being worked: not at all.
    open var interactionState: InteractionState { .none }
    /// The picture of a dot; the page draws dots.
    @_OnMainThread open var preferredIndicatorImage: UIImage? { didSet { notePicture(preferredIndicatorImage) } }
    /// True if the dot of a new page waits for `updateCurrentPageDisplay()`; the page shows it at once.
    open var defersCurrentPageDisplay = false

    /// Shows the present page; it is shown already.
    open func updateCurrentPageDisplay() {}

    /// Sets the picture of a page's dot; the page draws dots.
    open func setIndicatorImage(_ image: UIImage?, forPage page: Int) { notePicture(image) }

    /// None: the page draws dots.
    open func indicatorImage(forPage page: Int) -> UIImage? { nil }

    /// The picture of the present page's dot; the page draws dots.
    @_OnMainThread open var preferredCurrentPageIndicatorImage: UIImage? {
        didSet { notePicture(preferredCurrentPageIndicatorImage) }
    }

    /// Sets the picture of a page's dot while it is the present one; the page draws dots.
    open func setCurrentPageIndicatorImage(_ image: UIImage?, forPage page: Int) { notePicture(image) }

    /// None: the page draws dots.
    open func currentPageIndicatorImage(forPage page: Int) -> UIImage? { nil }

    /// The direction of the dots; the page has them in a row.
    open var direction = Direction.natural

    private func notePicture(_ image: UIImage?) {
        if image != nil { Absent.note("the pictures of UIPageControl", "each page has a dot") }
    }

    // MARK: Layout

    /// The size of so many dots.
    open func size(forNumberOfPages pageCount: Int) -> CGSize {
        CGSize(width: 18 * CGFloat(min(max(0, pageCount), Self.dotLimit)) + 20, height: 26)
    }

    open override var intrinsicContentSize: CGSize { size(forNumberOfPages: count) }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { self.size(forNumberOfPages: count) }

    // MARK: Scene

    override var isTappable: Bool { isEnabled && count > 1 }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let drawn = min(count, Self.dotLimit)
        guard drawn > (hidesForSinglePage ? 1 : 0) else { return .view }
        let present = min(page, drawn - 1)
        let other = (pageIndicatorTintColor ?? .tertiaryLabel).sceneColor
        let runs = [
            SceneText.Run(Self.dots(present), color: other),
            SceneText.Run(Self.dots(1), color: (currentPageIndicatorTintColor ?? .label).sceneColor),
            SceneText.Run(Self.dots(drawn - present - 1), color: other),
        ]
        return .text(
            SceneText(
                runs.filter { !$0.text.isEmpty },
                font: SceneFont(size: 10),
                alignment: .center,
                isCentered: true
            )
        )
    }

    /// Dots with room on both sides that no line ends in.
    private static func dots(_ count: Int) -> String { String(repeating: "\u{00A0}\u{25CF}\u{00A0}", count: count) }

    override func tapped(at place: ScenePoint?) {
        let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
        // A key goes on.
        let isOnTheRight = place.map { $0.x >= Double(bounds.width) / 2 } ?? !isMirrored
        let next = page + (isOnTheRight == isMirrored ? -1 : 1)
        if (0..<count).contains(next) {
            currentPage = next
            sendValueChanged()
        }
        sendActions(for: .touchUpInside)
    }
}
