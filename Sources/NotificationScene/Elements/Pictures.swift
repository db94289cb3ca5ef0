// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A picture, or a symbol that whoever shows the view draws.
public struct Image: SceneContent {
    /// The way in which a picture fills a frame of another shape.
    public enum Fit: Sendable {
        /// The picture is whole and undistorted, with room beside it.
        case contain
        /// The picture is undistorted, leaves no room, and is cut where it is larger.
        case cover
        /// The picture is stretched to the frame.
        case fill
        /// The picture has its own size, in the middle.
        case center
    }

    /// The picture or symbol as one element.
    public let elements: SceneElements

    /// A picture of a file: PNG, JPEG, GIF or WebP of at most 10 MB and 16 million pixels.
    ///
    /// The file is copied at the first drawing, and again when another has its place or it was written to. One that is
    /// not there draws nothing, and the log says so once. A view shows at most 16 pictures of 64 MB in all. With a
    /// colour the picture is drawn in it, by its opacity alone.
    public init(contentsOf file: URL, fit: Fit = .contain, color: Color? = nil) {
        let image = SceneImage(fit: SceneImage.Fit(fit), tint: color?.scene)
        var element = Element(.image(image))
        element.file = file
        elements = SceneElements(list: [element])
    }

    /// A picture of the extension's bundle by its name, with or without an extension.
    ///
    /// Asset catalogs are not read. A name that the bundle does not have draws nothing, and the log says so once.
    public init(_ name: String, fit: Fit = .contain, color: Color? = nil) {
        let endings = ["", "png", "jpg", "jpeg", "gif", "webp"]
        let found = endings.lazy.compactMap { Bundle.main.url(forResource: name, withExtension: $0) }.first
        self.init(contentsOf: found ?? URL(fileURLWithPath: "/\(name)"), fit: fit, color: color)
    }

    /// A symbol by its name among Apple's SF Symbols, of which a page has those that docs/page.md lists.
    ///
    /// Any other name is a square. The default colour is the page's accent.
    public init(symbol name: String, color: Color? = nil) {
        let image = SceneImage(symbol: name.symbolName, fit: .contain, tint: color?.scene)
        elements = SceneElements(list: [Element(.image(image))])
    }
}

/// A bar that shows how much of something is done.
public struct ProgressBar: SceneContent {
    /// The bar as one element.
    public let elements: SceneElements

    /// A bar of which a share is filled, 0 to 1.
    public init(value: Double, color: Color? = nil) {
        let progress = SceneProgress(value: value.within(0...1), tint: color?.scene)
        elements = SceneElements(list: [Element(.progress(progress))])
    }
}

/// A wheel that turns while something is waited for.
public struct Spinner: SceneContent {
    /// The wheel as one element.
    public let elements: SceneElements

    /// A wheel that turns, or stands still.
    public init(isTurning: Bool = true) {
        elements = SceneElements(list: [Element(.spinner(SceneSpinner(isTurning: isTurning)))])
    }
}

extension SceneImage.Fit {
    fileprivate init(_ fit: Image.Fit) {
        self =
            switch fit {
            case .contain: .contain
            case .cover: .cover
            case .fill: .fill
            case .center: .center
            }
    }
}

extension String {
    /// The name of a symbol as a scene takes it; "square" for a text that cannot be one.
    var symbolName: String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isName = utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: ".") }
        return isName && (1...128).contains(utf8.count) ? self : "square"
    }
}
