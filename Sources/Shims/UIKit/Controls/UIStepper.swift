// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A value that a person makes larger and smaller by steps, 94 points wide and 32 high.
///
/// Bounds beyond those of a scene's numbers, 100,000 to both sides, end there for the page; a stepper whose value lies
/// beyond them takes nothing. Source: Apple, "UIStepper".
@preconcurrency @MainActor open class UIStepper: UIControl {
    private static let size = CGSize(width: 94, height: 32)

    private var chosen = 0.0
    private var bottom = 0.0
    private var top = 100.0
    private var step = 1.0

    /// A stepper at a place; its size is always its own.
    public override init(frame: CGRect) {
        super.init(frame: CGRect(origin: frame.origin, size: Self.size))
    }

    /// A stepper of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func setUp() { layout.hugging = (.defaultHigh, .defaultHigh) }

    /// The value, which is always inside the bounds; a value that is no number changes nothing.
    open var value: Double {
        get { chosen }
        set {
            guard onMain(self.value = newValue) else { return }
            choose(newValue)
        }
    }

    /// The lower bound; one above the upper bound moves that as well, and one that is no number changes nothing.
    open var minimumValue: Double {
        get { bottom }
        set {
            guard onMain(self.minimumValue = newValue) else { return }
            guard !newValue.isNaN else { return }
            (bottom, top) = (newValue, max(top, newValue))
            choose(chosen)
        }
    }

    /// The upper bound; one below the lower bound moves that as well, and one that is no number changes nothing.
    open var maximumValue: Double {
        get { top }
        set {
            guard onMain(self.maximumValue = newValue) else { return }
            guard !newValue.isNaN else { return }
            (bottom, top) = (min(bottom, newValue), newValue)
            choose(chosen)
        }
    }

    /// The step, a number above 0; others change nothing.
    open var stepValue: Double {
        get { step }
        set {
            guard onMain(self.stepValue = newValue), newValue > 0, newValue.isFinite else { return }
            step = newValue
            changed()
        }
    }

    /// True if the value goes on at the other bound.
    @_OnMainThread open var wraps = false { didSet { changed() } }
    /// True if a button that is held counts on; the page counts clicks.
    open var autorepeat = true
    /// False if a value is told only at the end of a press; the page tells each click at its end.
    open var isContinuous = true

    private func choose(_ value: Double) {
        chosen = min(max(value.isNaN ? chosen : value, bottom), top)
        changed()
    }

    // MARK: Pictures

    /// Sets the picture of the right half; the page draws a plus.
    open func setIncrementImage(_ image: UIImage?, for state: UIControl.State) { notePicture(image) }
    /// Sets the picture of the left half; the page draws a minus.
    open func setDecrementImage(_ image: UIImage?, for state: UIControl.State) { notePicture(image) }
    /// Sets the picture behind the stepper; the page draws a grey.
    open func setBackgroundImage(_ image: UIImage?, for state: UIControl.State) { notePicture(image) }
    /// Sets the picture between the halves; the page draws a line.
    open func setDividerImage(
        _ image: UIImage?,
        forLeftSegmentState leftState: UIControl.State,
        rightSegmentState rightState: UIControl.State
    ) { notePicture(image) }
    /// None: the page draws a plus.
    open func incrementImage(for state: UIControl.State) -> UIImage? { nil }
    /// None: the page draws a minus.
    open func decrementImage(for state: UIControl.State) -> UIImage? { nil }
    /// None: the page draws a grey.
    open func backgroundImage(for state: UIControl.State) -> UIImage? { nil }

    private func notePicture(_ image: UIImage?) {
        if image != nil { Absent.note("the pictures of UIStepper", "the page draws a minus and a plus") }
    }

    // MARK: Layout

    open override var frame: CGRect {
        get { super.frame }
        set { super.frame = CGRect(origin: newValue.origin, size: Self.size) }
    }

    open override var intrinsicContentSize: CGSize { Self.size }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { Self.size }

    // MARK: Scene

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let (low, high) = (bottom.within(SceneLimits.number), top.within(SceneLimits.number))
        return .stepper(
            SceneRange(
                value: chosen.within(low...high),
                minimum: low,
                maximum: high,
                step: step.within(0...SceneLimits.number.upperBound),
                wraps: wraps,
                tint: givenTint?.sceneColor,
                isDisabled: isDead(in: drawing) || !(low...high).contains(chosen)
            )
        )
    }

    override func take(_ value: SceneValue) {
        guard let number = value.number, number != chosen else { return }
        choose(number)
        sendValueChanged()
    }
}
