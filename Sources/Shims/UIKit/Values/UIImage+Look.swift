// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// The way in which an image is drawn.
struct ImageLook: Equatable, Sendable {
    var mode = UIImage.RenderingMode.automatic
    var tint: UIColor?
    var configuration: UIImage.SymbolConfiguration?
    var isFlipped = false
    var capInsets = UIEdgeInsets.zero
    var resizing = UIImage.ResizingMode.tile
    var alignment = UIEdgeInsets.zero
    var images: [UIImage]?
    var duration: TimeInterval = 0
}

extension UIImage {
    func changed(_ change: (inout ImageLook) -> Void) -> UIImage {
        var look = look
        change(&look)
        return UIImage(content, look)
    }

    /// The choice between the image's own colours and the view's.
    public var renderingMode: RenderingMode { look.mode }
    /// Always upright: a page turns an image as its bytes say.
    public var imageOrientation: Orientation { .up }
    /// True if the image is mirrored where lines begin on the right.
    public var flipsForRightToLeftLayoutDirection: Bool { look.isFlipped }
    /// The sides of a resizable image that keep their size; it is drawn as a whole.
    public var capInsets: UIEdgeInsets { look.capInsets }
    /// The way in which the middle of a resizable image grows; it is drawn as a whole.
    public var resizingMode: ResizingMode { look.resizing }
    /// The distances that do not count for the alignment of views.
    public var alignmentRectInsets: UIEdgeInsets { look.alignment }
    /// The images of an animated one.
    public var images: [UIImage]? { look.images }
    /// The seconds of an animated image.
    public var duration: TimeInterval { look.duration }
    /// The configuration of a symbol; nil for the usual one.
    public var symbolConfiguration: SymbolConfiguration? { look.configuration }
    /// The configuration; the usual one when none was given.
    public var configuration: Configuration? { look.configuration }
    /// The traits that chose the image; none are kept.
    public var traitCollection: UITraitCollection { UITraitCollection() }

    /// The colour of `withTintColor`; nil for none.
    package var ownTint: UIColor? { look.tint }

    /// Returns the image in its own colours, or in the view's.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage { changed { $0.mode = renderingMode } }

    /// Returns the image in one colour.
    public func withTintColor(_ color: UIColor) -> UIImage { changed { $0.tint = color } }

    /// Returns the image in one colour, drawn in it or in the view's.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        changed { ($0.tint, $0.mode) = (color, renderingMode) }
    }

    /// Returns the image, which is mirrored where lines begin on the right.
    public func imageFlippedForRightToLeftLayoutDirection() -> UIImage { changed { $0.isFlipped = true } }

    /// Returns the image with sides that keep their size, which the page draws as a whole.
    public func resizableImage(withCapInsets capInsets: UIEdgeInsets) -> UIImage {
        resizableImage(withCapInsets: capInsets, resizingMode: .tile)
    }

    /// Returns the image with sides that keep their size, which the page draws as a whole.
    public func resizableImage(withCapInsets capInsets: UIEdgeInsets, resizingMode: ResizingMode) -> UIImage {
        changed { ($0.capInsets, $0.resizing) = (capInsets, resizingMode) }
    }

    /// Returns the image with sides that keep their size, which the page draws as a whole.
    public func stretchableImage(withLeftCapWidth leftCapWidth: Int, topCapHeight: Int) -> UIImage {
        let insets = UIEdgeInsets(
            top: CGFloat(topCapHeight),
            left: CGFloat(leftCapWidth),
            bottom: max(0, size.height - CGFloat(topCapHeight) - 1),
            right: max(0, size.width - CGFloat(leftCapWidth) - 1)
        )
        return resizableImage(withCapInsets: insets, resizingMode: .stretch)
    }

    /// Returns the image with distances that do not count for the alignment of views.
    public func withAlignmentRectInsets(_ alignmentInsets: UIEdgeInsets) -> UIImage {
        changed { $0.alignment = alignmentInsets }
    }

    /// Returns a symbol in another configuration; other images are returned as they are.
    public func withConfiguration(_ configuration: Configuration) -> UIImage {
        changed { $0.configuration = configuration as? SymbolConfiguration ?? $0.configuration }
    }

    /// Returns a symbol with what `configuration` says beside its own; nil for an image that is no symbol.
    public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? {
        guard isSymbolImage else { return nil }
        return changed { $0.configuration = $0.configuration?.joined(configuration) ?? configuration }
    }

    /// Returns the image itself, which the page decodes.
    public func preparingForDisplay() -> UIImage? { self }
    /// Calls with the image itself, which the page decodes, on the main thread.
    public func prepareForDisplay(completionHandler: @escaping @Sendable (UIImage?) -> Void) {
        DispatchQueue.main.async { completionHandler(self) }
    }
    /// Returns the image itself, which the page decodes.
    public func byPreparingForDisplay() async -> UIImage? { self }

    /// Returns the image itself, which the page makes as small as its view.
    public func preparingThumbnail(of size: CGSize) -> UIImage? { self }
    /// Calls with the image itself, which the page makes as small as its view, on the main thread.
    public func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (UIImage?) -> Void) {
        DispatchQueue.main.async { completionHandler(self) }
    }
    /// Returns the image itself, which the page makes as small as its view.
    public func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage? { self }

    /// The choice between an image's own colours and the view's.
    public enum RenderingMode: Int, Sendable {
        /// The view decides.
        case automatic
        /// The image's own colours.
        case alwaysOriginal
        /// The view's colour.
        case alwaysTemplate
    }

    /// The way in which the middle of a resizable image grows.
    public enum ResizingMode: Int, Sendable {
        /// The middle is repeated.
        case tile
        /// The middle is stretched.
        case stretch
    }

    /// The way in which an image is turned.
    public enum Orientation: Int, Sendable {
        /// Upright.
        case up
        /// Turned on its head.
        case down
        /// A quarter to the left.
        case left
        /// A quarter to the right.
        case right
        /// Upright and mirrored.
        case upMirrored
        /// Turned on its head and mirrored.
        case downMirrored
        /// A quarter to the left and mirrored.
        case leftMirrored
        /// A quarter to the right and mirrored.
        case rightMirrored
    }
}
