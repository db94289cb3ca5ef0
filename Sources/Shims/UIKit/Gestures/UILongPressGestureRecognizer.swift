// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// An observer of presses of half a second.
///
/// The page tells a press once it is long enough, and not its end: the targets are called for its beginning and, right
/// behind that, for its end. Source: Apple, "UILongPressGestureRecognizer".
@preconcurrency @MainActor open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The length of a press in seconds; the page takes half a second for all.
    @_OnMainThread open var minimumPressDuration: TimeInterval = 0.5 {
        didSet {
            guard minimumPressDuration != 0.5 else { return }
            Absent.note("UILongPressGestureRecognizer.minimumPressDuration", "a long press is half a second")
        }
    }
    /// The way that a finger may move meanwhile, in points; the page takes 10 for all.
    open var allowableMovement: CGFloat = 10
    /// The number of clicks before the press; for more than none, nothing is called.
    @_OnMainThread open var numberOfTapsRequired = 0 { didSet { noteNumbers() } }
    /// The number of fingers; for more than one, nothing is called.
    @_OnMainThread open var numberOfTouchesRequired = 1 { didSet { noteNumbers() } }

    private var isPlain: Bool { numberOfTapsRequired <= 0 && numberOfTouchesRequired <= 1 }

    private func noteNumbers() {
        if !isPlain { Absent.note("a long press of several fingers or behind clicks", "its targets are never called") }
        view?.changed()
    }

    override var heard: NodeEvent.Name? { isPlain ? .longPress : nil }

    override var states: [State] { [.began, .ended] }
}
