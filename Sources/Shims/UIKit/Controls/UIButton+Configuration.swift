// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIButton {
    /// The look and the words of a button, in one value.
    ///
    /// The background becomes that of the button's node. The page draws title and picture in one line, in one font and
    /// one colour. Source: Apple, "UIButton.Configuration".
    public struct Configuration {
        enum Style: Equatable {
            case plain, gray, tinted, filled
        }

        /// The radius of the corners.
        public enum CornerStyle: Int, Sendable {
            /// The radius of `background`.
            case fixed = -1
            /// The radius of `background`, which Apple makes larger with the text.
            case dynamic
            /// Small corners.
            case small
            /// Corners of the usual size.
            case medium
            /// Large corners.
            case large
            /// Half circles.
            case capsule
        }

        /// The size of the text and the room around it.
        public enum Size: Int, Sendable {
            /// The usual size.
            case medium
            /// A smaller size.
            case small
            /// The smallest size.
            case mini
            /// A larger size.
            case large
        }

        /// The place of the lines of a title beside each other; the page has one line.
        public enum TitleAlignment: Int, Sendable {
            case automatic, leading, center, trailing
        }

        /// The look of a button on the Mac.
        public enum MacIdiomStyle: Int, Sendable {
            case automatic, bordered, borderless, borderlessTinted
        }

        /// The mark of a button that opens a menu.
        public enum Indicator: Int, Sendable {
            case automatic, none, popup
        }

        let style: Style

        /// The words.
        public var title: String? { didSet { attributedTitle = nil } }
        /// The words with their look, in the place of `title`.
        public var attributedTitle: AttributedString?
        /// Changes the look of the title.
        public var titleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        /// The words behind the title.
        public var subtitle: String? { didSet { attributedSubtitle = nil } }
        /// The words behind the title with their look, of which the words are drawn.
        public var attributedSubtitle: AttributedString?
        /// Changes the look of the subtitle, which has that of the title.
        public var subtitleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        /// The way in which a long title gives way; the page breaks it into lines.
        public var titleLineBreakMode = NSLineBreakMode.byWordWrapping
        /// The way in which a long subtitle gives way; the page breaks it into lines.
        public var subtitleLineBreakMode = NSLineBreakMode.byWordWrapping
        /// The picture.
        public var image: UIImage?
        /// Changes the colour of the picture, where the button has no title beside it.
        public var imageColorTransformer: UIConfigurationColorTransformer?
        /// The size of a symbol.
        public var preferredSymbolConfigurationForImage: UIImage.SymbolConfiguration?
        /// True if a wheel turns in the place of the picture; the page draws a clock.
        public var showsActivityIndicator = false
        /// Changes the colour of the wheel.
        public var activityIndicatorColorTransformer: UIConfigurationColorTransformer?

        /// The side of the title on which the picture stands, which counts for the size; the page has it where a line
        /// begins.
        public var imagePlacement = NSDirectionalRectEdge.leading
        /// Points between picture and title.
        public var imagePadding: CGFloat = 0
        /// Points between title and subtitle, which counts for the size.
        public var titlePadding: CGFloat = 1
        /// The place of the lines of the title.
        public var titleAlignment = TitleAlignment.automatic
        /// The room around title and picture: that of the size, unless another was set.
        public var contentInsets: NSDirectionalEdgeInsets {
            get { ownInsets ?? buttonSize.insets }
            set { ownInsets = newValue }
        }
        private var ownInsets: NSDirectionalEdgeInsets?

        /// The size of the text and the room around it.
        public var buttonSize = Size.medium
        /// The radius of the corners.
        public var cornerStyle = CornerStyle.dynamic
        /// The colour of title and picture; `nil` means that of the style.
        public var baseForegroundColor: UIColor?
        /// The colour behind them; `nil` means that of the style.
        public var baseBackgroundColor: UIColor?
        /// The background, as far as the style does not say it.
        public var background: UIBackgroundConfiguration
        /// The look of a button on the Mac.
        public var macIdiomStyle = MacIdiomStyle.automatic
        /// The mark of a button that opens a menu; the page draws none.
        public var indicator = Indicator.automatic
        /// Changes the colour of the mark.
        public var indicatorColorTransformer: UIConfigurationColorTransformer?
        /// True if the state of the button changes its look.
        public var automaticallyUpdateForSelection = true

        private init(_ style: Style) {
            self.style = style
            background = .clear()
            background.cornerRadius = 5.95
        }

        /// Title and picture in the tint.
        public static func plain() -> Configuration { Configuration(.plain) }
        /// Title and picture in the tint, on a grey.
        public static func gray() -> Configuration { Configuration(.gray) }
        /// Title and picture in the tint, on a faint tint.
        public static func tinted() -> Configuration { Configuration(.tinted) }
        /// Title and picture in white, on the tint.
        public static func filled() -> Configuration { Configuration(.filled) }
        /// The same as `plain()`.
        public static func borderless() -> Configuration { Configuration(.plain) }
        /// The same as `gray()`.
        public static func bordered() -> Configuration { Configuration(.gray) }
        /// The same as `tinted()`.
        public static func borderedTinted() -> Configuration { Configuration(.tinted) }
        /// The same as `filled()`.
        public static func borderedProminent() -> Configuration { Configuration(.filled) }

        /// The room of the size, in the place of a room that was set.
        public mutating func setDefaultContentInsets() { ownInsets = nil }

        /// The configuration for the state of a button; all states have the same.
        @MainActor public func updated(for button: UIButton) -> Configuration { self }
    }
}

extension UIButton.Configuration: Equatable {
    /// True for the same words, picture and look; functions that change a look are not compared.
    public static func == (left: UIButton.Configuration, right: UIButton.Configuration) -> Bool {
        left.style == right.style && left.title == right.title && left.attributedTitle == right.attributedTitle
            && left.subtitle == right.subtitle && left.attributedSubtitle == right.attributedSubtitle
            && left.image == right.image && left.imagePlacement == right.imagePlacement
            && left.imagePadding == right.imagePadding && left.titlePadding == right.titlePadding
            && left.contentInsets == right.contentInsets && left.buttonSize == right.buttonSize
            && left.cornerStyle == right.cornerStyle && left.baseForegroundColor == right.baseForegroundColor
            && left.baseBackgroundColor == right.baseBackgroundColor && left.background == right.background
    }
}

extension UIButton.Configuration.Size {
    /// The room around title and picture.
    var insets: NSDirectionalEdgeInsets {
        switch self {
        case .mini: NSDirectionalEdgeInsets(top: 3, leading: 8, bottom: 3, trailing: 8)
        case .small: NSDirectionalEdgeInsets(top: 5, leading: 10, bottom: 5, trailing: 10)
        case .medium: NSDirectionalEdgeInsets(top: 7, leading: 12, bottom: 7, trailing: 12)
        case .large: NSDirectionalEdgeInsets(top: 15, leading: 20, bottom: 15, trailing: 20)
        }
    }

    /// The font of the title.
    var font: UIFont {
        switch self {
        case .mini, .small: .preferredFont(forTextStyle: .subheadline)
        case .medium, .large: .preferredFont(forTextStyle: .body)
        }
    }
}

extension UIButton.Configuration {
    /// The radius of the corners of a button of that height.
    func radius(inHeight height: CGFloat) -> CGFloat {
        switch cornerStyle {
        case .fixed, .dynamic: background.cornerRadius
        case .small: 4
        case .medium: 6
        case .large: 9
        case .capsule: height / 2
        }
    }
}

/// The background of a button: a colour, a border and corners.
///
/// Source: Apple, "UIBackgroundConfiguration".
public struct UIBackgroundConfiguration: Equatable {
    /// The colour; `nil` means that of whoever has the background.
    public var backgroundColor: UIColor?
    /// The radius of the corners, in points.
    public var cornerRadius: CGFloat = 0
    /// The colour of the border; `nil` means none.
    public var strokeColor: UIColor?
    /// The width of the border, in points.
    public var strokeWidth: CGFloat = 0
    /// Points by which the border lies outside; the page draws it inside.
    public var strokeOutset: CGFloat = 0
    /// The distances of the background from the edges; the page fills all.
    public var backgroundInsets = NSDirectionalEdgeInsets.zero
    /// The sides to which margins are added; the page fills all.
    public var edgesAddingLayoutMarginsToBackgroundInsets: NSDirectionalRectEdge = []
    /// The picture; the page draws none behind a title.
    public var image: UIImage?
    /// The way in which the picture fills the background.
    public var imageContentMode = UIView.ContentMode.scaleToFill
    /// Changes the colour of the background.
    public var backgroundColorTransformer: UIConfigurationColorTransformer?
    /// Changes the colour of the border.
    public var strokeColorTransformer: UIConfigurationColorTransformer?
    /// The effect of what is behind; the page draws none.
    public var visualEffect: UIVisualEffect?
    /// The view of the background; the page draws none behind a title.
    public var customView: UIView?

    /// The colour of the background for a tint.
    public func resolvedBackgroundColor(for tintColor: UIColor) -> UIColor {
        Self.resolved(backgroundColor ?? tintColor, backgroundColorTransformer)
    }

    /// The colour of the border for a tint.
    public func resolvedStrokeColor(for tintColor: UIColor) -> UIColor {
        Self.resolved(strokeColor ?? tintColor, strokeColorTransformer)
    }

    private static func resolved(_ color: UIColor, _ transformer: UIConfigurationColorTransformer?) -> UIColor {
        transformer?(color) ?? color
    }

    /// True for the same looks; functions that change a colour are not compared.
    public static func == (left: UIBackgroundConfiguration, right: UIBackgroundConfiguration) -> Bool {
        left.backgroundColor == right.backgroundColor && left.cornerRadius == right.cornerRadius
            && left.strokeColor == right.strokeColor && left.strokeWidth == right.strokeWidth
            && left.strokeOutset == right.strokeOutset && left.backgroundInsets == right.backgroundInsets
            && left.edgesAddingLayoutMarginsToBackgroundInsets == right.edgesAddingLayoutMarginsToBackgroundInsets
            && left.image === right.image && left.imageContentMode == right.imageContentMode
            && left.visualEffect === right.visualEffect && left.customView === right.customView
    }

    /// A background of nothing.
    public static func clear() -> UIBackgroundConfiguration { UIBackgroundConfiguration() }
}
