// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A picture.
///
/// Source: Apple, "UIImageView".
open class UIImageView: UIView {
    /// The picture.
    @_OnMainThread open var image: UIImage? {
        didSet { if image?.size != oldValue?.size { invalidateIntrinsicContentSize() } else { changed() } }
    }
    /// The picture while the view is highlighted.
    @_OnMainThread open var highlightedImage: UIImage? { didSet { changed() } }
    /// True if `highlightedImage` is shown.
    @_OnMainThread open var isHighlighted = false { didSet { invalidateIntrinsicContentSize() } }
    /// This has no effect: pictures do not grow with texts.
    open var adjustsImageSizeForAccessibilityContentSizeCategory = false
    /// The look of a symbol that says none.
    @_OnMainThread open var preferredSymbolConfiguration: UIImage.SymbolConfiguration? {
        didSet { invalidateIntrinsicContentSize() }
    }

    /// A view at a place in the one that it will be in.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A view of a storyboard or xib.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func setUp() { isUserInteractionEnabled = false }

    /// A view as large as its picture.
    public init(image: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }

    /// A view as large as its picture, with another one while it is highlighted.
    public convenience init(image: UIImage?, highlightedImage: UIImage?) {
        self.init(image: image)
        self.highlightedImage = highlightedImage
    }

    // MARK: Animation

    /// The pictures of a film, of which the first is shown.
    @_OnMainThread open var animationImages: [UIImage]? { didSet { changed() } }
    /// The length of a film.
    open var animationDuration: TimeInterval = 0
    /// The repetitions of a film.
    open var animationRepeatCount = 0
    /// True between the start and the stop.
    open private(set) var isAnimating = false

    /// Shows the first picture of the film: files that move by themselves, as GIF, are played by the page.
    open func startAnimating() {
        guard onMain(self.startAnimating()) else { return }
        isAnimating = true
        Absent.note("UIImageView.startAnimating", "the first picture is shown; a GIF moves by itself")
        changed()
    }

    /// Shows the picture again.
    open func stopAnimating() {
        guard onMain(self.stopAnimating()) else { return }
        isAnimating = false
        changed()
    }

    // MARK: Drawing

    private var shown: UIImage? {
        if isAnimating, let first = animationImages?.first { return first }
        let shown = isHighlighted ? highlightedImage ?? image : image
        guard let shown, shown.isSymbolImage, let preferred = preferredSymbolConfiguration else { return shown }
        // What the symbol says itself comes first.
        return shown.withConfiguration(shown.symbolConfiguration.map(preferred.joined) ?? preferred)
    }

    open override var intrinsicContentSize: CGSize {
        shown?.size ?? CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { shown?.size ?? .zero }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let image = shown
        return .image(
            SceneImage(
                source: drawing.file(of: image),
                symbol: image?.sceneSymbol,
                fit: contentMode.sceneFit,
                tint: image?.sceneTint(in: self)
            )
        )
    }
}

extension UIImage {
    /// The name of a symbol, for a picture that is one.
    var sceneSymbol: String? { if case .symbol(let name) = sceneContent { name } else { nil } }

    /// The colour in which it is drawn where its opacity alone counts; `nil` for a picture in its own colours.
    @MainActor func sceneTint(in view: UIView) -> SceneColor? {
        let own = ownTint ?? (isSymbolImage ? symbolConfiguration?.color : nil)
        return switch renderingMode {
        case .alwaysTemplate: (own ?? view.tintColor).sceneColor
        case .automatic where isSymbolImage: (own ?? view.tintColor).sceneColor
        default: isSymbolImage ? own?.sceneColor : nil
        }
    }
}

extension UIView.ContentMode {
    /// The same as a scene has it, which knows the middle alone for a picture in its own size.
    var sceneFit: SceneImage.Fit {
        switch self {
        case .scaleToFill, .redraw: .fill
        case .scaleAspectFit: .contain
        case .scaleAspectFill: .cover
        case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight: .center
        }
    }
}
