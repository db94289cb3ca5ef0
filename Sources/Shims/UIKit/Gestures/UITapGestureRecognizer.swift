// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel

/// An observer of clicks, of one or of several that follow each other.
///
/// The page tells each click. Two belong together if not more than 350 milliseconds lie between them, by the clock of
/// this machine that does not go while it sleeps. A recognizer of one click is called at the first one,
/// whatever `require(toFail:)` says. Source: Apple, "UITapGestureRecognizer".
@preconcurrency @MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
    private static let patience: TimeInterval = 0.35

    /// The seconds that the machine has been running.
    var uptime: () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
    private var count = 0
    private var last: TimeInterval = 0

    /// The number of clicks, 1 or more.
    @_OnMainThread open var numberOfTapsRequired = 1 {
        didSet {
            if numberOfTapsRequired < 1 { numberOfTapsRequired = 1 }
            count = 0
        }
    }
    /// The number of fingers; for more than one, nothing is called.
    @_OnMainThread open var numberOfTouchesRequired = 1 {
        didSet {
            if numberOfTouchesRequired > 1 {
                Absent.note(
                    "a tap of several fingers",
                    "its targets are never called, because the page has one pointer"
                )
            }
            view?.changed()
        }
    }
    /// The buttons of a pointer; the page tells the first one alone.
    open var buttonMaskRequired = UIEvent.ButtonMask.primary

    override var heard: NodeEvent.Name? { numberOfTouchesRequired > 1 ? nil : .tap }

    override func take(_ event: NodeEvent, of view: UIView) {
        let now = uptime()
        count = now - last <= Self.patience ? count + 1 : 1
        last = now
        guard count >= numberOfTapsRequired else { return }
        count = 0
        super.take(event, of: view)
    }
}

extension UIEvent {
    /// Buttons of a pointer.
    public struct ButtonMask: OptionSet, Sendable {
        /// The value as Apple numbers it.
        public let rawValue: Int

        /// Takes a value as Apple numbers it.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The first button.
        public static let primary = ButtonMask(rawValue: 1)
        /// The second button.
        public static let secondary = ButtonMask(rawValue: 2)
    }
}
