// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// The screen on which the view is shown, as far as a view learns of it: a phone's, as wide as the view.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    private static let only = UIScreen()

    /// The one screen.
    open class var main: UIScreen { only }

    /// The one screen.
    open class var screens: [UIScreen] { [only] }

    /// Half, until the extension sets another; no screen becomes brighter by it.
    open var brightness: CGFloat = 0.5

    /// The rectangle of a phone: as wide as the view, and 844 points high for each 390 of its width.
    open var bounds: CGRect {
        let width = CGFloat(Surroundings.environment.width)
        return CGRect(x: 0, y: 0, width: width, height: (width * 844 / 390).rounded())
    }

    /// The bounds in pixels.
    open var nativeBounds: CGRect {
        let (size, scale) = (bounds.size, scale)
        return CGRect(x: 0, y: 0, width: size.width * scale, height: size.height * scale)
    }

    /// Pixels of a point.
    open var scale: CGFloat { CGFloat(Surroundings.environment.scale) }

    /// Pixels of a point.
    open var nativeScale: CGFloat { scale }

    /// Thirty: a view is drawn as often at most.
    open var maximumFramesPerSecond: Int { 30 }

    /// False: nothing tells whether the screen is recorded.
    open var isCaptured: Bool { false }

    /// The traits of the place in which the view is shown.
    open var traitCollection: UITraitCollection { .surrounding }
}
