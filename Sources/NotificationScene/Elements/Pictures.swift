// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// A symbol that whoever shows the view draws.
public struct Image: SceneContent {
    /// The symbol as one element.
    public let elements: SceneElements

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

extension String {
    /// The name of a symbol as a scene takes it; "square" for a text that cannot be one.
    var symbolName: String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isName = utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: ".") }
        return isName && (1...128).contains(utf8.count) ? self : "square"
    }
}
