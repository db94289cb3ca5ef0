// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel

/// A bar that shows how much is done.
///
/// Source: Apple, "UIProgressView".
open class UIProgressView: UIView {
    /// The look of the bar; both are drawn alike.
    public enum Style: Int, Sendable {
        case `default`, bar
    }

    /// The look of the bar.
    open var progressViewStyle = Style.default
    /// 0 to 1.
    @_OnMainThread open var progress: Float = 0 {
        didSet {
            let inside = progress.isNaN ? 0 : min(max(0, progress), 1)
            if inside != progress { progress = inside }
            changed()
        }
    }
    /// The colour of what is done.
    @_OnMainThread open var progressTintColor: UIColor? { didSet { changed() } }
    /// The colour of the rest, which the page has one of.
    open var trackTintColor: UIColor?
    /// A picture for what is done; the page draws the tint.
    @_OnMainThread open var progressImage: UIImage? {
        didSet { if progressImage != nil { Absent.note("UIProgressView.progressImage", "the tint is drawn") } }
    }
    /// A picture for the rest; the page draws its own.
    @_OnMainThread open var trackImage: UIImage? {
        didSet { if trackImage != nil { Absent.note("UIProgressView.trackImage", "the page's own is drawn") } }
    }
    /// Work that the bar follows; its progress is not told here.
    @_OnMainThread open var observedProgress: Progress? {
        didSet {
            if observedProgress != nil { Absent.note("UIProgressView.observedProgress", "set progress itself") }
        }
    }

    /// A bar of a style.
    public convenience init(progressViewStyle style: Style) {
        self.init(frame: CGRect(x: 0, y: 0, width: 150, height: 4))
        progressViewStyle = style
    }

    /// Sets what is done; the page moves the bar there.
    open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }

    open override var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: 4) }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 4) }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        .progress(
            SceneProgress(value: Double(progress).scene(0...1), tint: (progressTintColor ?? tintColor).sceneColor)
        )
    }
}

/// A wheel that turns while something is waited for.
///
/// Source: Apple, "UIActivityIndicatorView".
open class UIActivityIndicatorView: UIView {
    /// The size and colour of a wheel.
    public enum Style: Int, Sendable {
        case whiteLarge = 0
        case white = 1
        case gray = 2
        case medium = 100
        case large = 101
    }

    /// The size of the wheel.
    @_OnMainThread open var style: Style {
        didSet {
            guard MainThread.isCurrent else { return }
            takeColor()
            invalidateIntrinsicContentSize()
        }
    }
    /// True if a wheel that stands still is not shown.
    @_OnMainThread open var hidesWhenStopped = true {
        didSet { if MainThread.isCurrent { isHidden = hidesWhenStopped && !isAnimating } }
    }
    /// The colour of the wheel.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    @_OnMainThread open var color: UIColor! = .secondaryLabel {
        didSet {
            if color == nil { color = .secondaryLabel }
            changed()
        }
    }
    /// True while the wheel turns.
    open private(set) var isAnimating = false

    /// A wheel that stands still.
    public init(style: Style) {
        self.style = style
        super.init(frame: .zero)
    }

    /// A view at a place in the one that it will be in.
    public override init(frame: CGRect) {
        style = .medium
        super.init(frame: frame)
    }

    /// A view of a storyboard or xib.
    public required init?(coder: NSCoder) {
        style = .medium
        super.init(coder: coder)
    }

    override func setUp() {
        takeColor()
        isHidden = hidesWhenStopped && !isAnimating
        if bounds.size == .zero { bounds.size = intrinsicContentSize }
    }

    private func takeColor() { if style == .white || style == .whiteLarge { color = .white } }

    /// Turns the wheel.
    open func startAnimating() {
        guard onMain(self.startAnimating()) else { return }
        isAnimating = true
        isHidden = false
        changed()
    }

    /// Lets the wheel stand still.
    open func stopAnimating() {
        guard onMain(self.stopAnimating()) else { return }
        isAnimating = false
        isHidden = hidesWhenStopped
        changed()
    }

    open override var intrinsicContentSize: CGSize {
        let side: CGFloat = style == .large || style == .whiteLarge ? 37 : 20
        return CGSize(width: side, height: side)
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        .spinner(SceneSpinner(isTurning: isAnimating, color: color.sceneColor))
    }
}
