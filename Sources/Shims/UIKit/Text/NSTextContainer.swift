// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The place of a text's lines.
///
/// A text view has one. Source: Apple, "NSTextContainer".
@preconcurrency @MainActor open class NSTextContainer: NSObject {
    /// The room at both ends of each line in points.
    @_OnMainThread open var lineFragmentPadding: CGFloat = 5 { didSet { changed() } }
    /// The lines that are shown at most; 0 for all.
    @_OnMainThread open var maximumNumberOfLines = 0 { didSet { changed() } }
    /// The way in which lines end.
    @_OnMainThread open var lineBreakMode = NSLineBreakMode.byWordWrapping { didSet { changed() } }
    /// The size of the place; kept, and without effect, as a text view has its own.
    open var size: CGSize
    /// True if the place follows the width of its view; kept, as it always does.
    open var widthTracksTextView = true
    /// True if the place follows the height of its view; kept, as a text is as high as its lines.
    open var heightTracksTextView = false

    /// Called when a value of the lines has changed.
    var changed: @MainActor () -> Void = {}

    /// A place of a size.
    public init(size: CGSize = .zero) {
        self.size = size
        super.init()
    }
}
