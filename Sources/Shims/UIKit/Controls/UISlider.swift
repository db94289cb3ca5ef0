// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A value that a person chooses along a line.
///
/// Bounds beyond those of a scene's numbers, 100,000 to both sides, go to the page as shares of their distance, so that
/// a slider of any bounds can be worked. Source: Apple, "UISlider".
@preconcurrency @MainActor open class UISlider: UIControl {
    /// The look of a slider.
    public enum Style: Int, Sendable {
        /// The look of the device.
        case automatic
        /// A line without a knob.
        case thumbless
    }

    private var chosen: Float = 0
    private var bottom: Float = 0
    private var top: Float = 1
    /// True if a person has chosen a value that was not told yet.
    private var isWaiting = false

    /// The value, which is always inside the bounds; a value that is no number changes nothing.
    open var value: Float {
        get { chosen }
        set {
            guard onMain(self.value = newValue) else { return }
            choose(newValue)
        }
    }

    /// The lower bound; one above the upper bound moves that as well, and one that is no number changes nothing.
    open var minimumValue: Float {
        get { bottom }
        set {
            guard onMain(self.minimumValue = newValue) else { return }
            guard !newValue.isNaN else { return }
            (bottom, top) = (newValue.clear, max(top, newValue.clear))
            choose(chosen)
        }
    }

    /// The upper bound; one below the lower bound moves that as well, and one that is no number changes nothing.
    open var maximumValue: Float {
        get { top }
        set {
            guard onMain(self.maximumValue = newValue) else { return }
            guard !newValue.isNaN else { return }
            (bottom, top) = (min(bottom, newValue.clear), newValue.clear)
            choose(chosen)
        }
    }

    /// False if a value is told only when the finger goes up.
    open var isContinuous = true
    /// The colour of the line below the value; `nil` means the tint.
    @_OnMainThread open var minimumTrackTintColor: UIColor? { didSet { changed() } }
    /// The colour of the line above the value; the page draws it grey.
    @_OnMainThread open var maximumTrackTintColor: UIColor? {
        didSet { note(maximumTrackTintColor, "maximumTrackTintColor") }
    }
    /// The colour of the knob; the page draws it white.
    @_OnMainThread open var thumbTintColor: UIColor? { didSet { note(thumbTintColor, "thumbTintColor") } }
    /// The picture before the line; the page draws none.
    @_OnMainThread open var minimumValueImage: UIImage? { didSet { note(minimumValueImage, "minimumValueImage") } }
    /// The picture behind the line; the page draws none.
    @_OnMainThread open var maximumValueImage: UIImage? { didSet { note(maximumValueImage, "maximumValueImage") } }
    /// The look that is wished for; the page draws a knob.
    open var preferredBehavioralStyle = UIBehavioralStyle.automatic

    private func note(_ value: AnyObject?, _ name: String) {
        if value != nil { Absent.note("UISlider.\(name)", "the page draws its own line and knob") }
    }

    /// Sets the value; the page moves the knob at once.
    open func setValue(_ value: Float, animated: Bool) {
        guard onMain(self.setValue(value, animated: animated)) else { return }
        choose(value)
    }

    private func choose(_ value: Float) {
        let value = min(max(value.isNaN ? chosen : value, bottom), top)
        // A value of code takes the place of one that a person has chosen and that waits.
        isWaiting = false
        chosen = value
        changed()
    }

    // MARK: Pictures

    /// Sets the picture of the knob; the page draws its own.
    open func setThumbImage(_ image: UIImage?, for state: UIControl.State) { note(image, "setThumbImage") }
    /// Sets the picture of the line below the value; the page draws its own.
    open func setMinimumTrackImage(_ image: UIImage?, for state: UIControl.State) {
        note(image, "setMinimumTrackImage")
    }
    /// Sets the picture of the line above the value; the page draws its own.
    open func setMaximumTrackImage(_ image: UIImage?, for state: UIControl.State) {
        note(image, "setMaximumTrackImage")
    }
    /// None: the page draws its own knob.
    open func thumbImage(for state: UIControl.State) -> UIImage? { nil }
    /// None: the page draws its own line.
    open func minimumTrackImage(for state: UIControl.State) -> UIImage? { nil }
    /// None: the page draws its own line.
    open func maximumTrackImage(for state: UIControl.State) -> UIImage? { nil }
    /// None: the page draws its own knob.
    open var currentThumbImage: UIImage? { nil }
    /// None: the page draws its own line.
    open var currentMinimumTrackImage: UIImage? { nil }
    /// None: the page draws its own line.
    open var currentMaximumTrackImage: UIImage? { nil }
    /// The rectangle of the line; never asked.
    open func trackRect(forBounds bounds: CGRect) -> CGRect {
        CGRect(x: bounds.minX, y: bounds.midY - 2, width: bounds.width, height: 4)
    }
    /// The rectangle of the knob; never asked.
    open func thumbRect(forBounds bounds: CGRect, trackRect rect: CGRect, value: Float) -> CGRect {
        let share = top > bottom ? CGFloat((value - bottom) / (top - bottom)) : 0
        return CGRect(x: rect.minX + share * (rect.width - 28), y: bounds.midY - 14, width: 28, height: 28)
    }

    // MARK: Layout

    open override var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: 31) }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: bounds.width, height: 31) }

    // MARK: Scene

    /// True if the page can have the bounds as they are.
    private var isPlain: Bool {
        SceneLimits.number.contains(bottom.asWritten) && SceneLimits.number.contains(top.asWritten)
    }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let (low, high) = (bottom.asWritten, top.asWritten)
        let range = isPlain ? low...high : 0...1
        let value = isPlain ? chosen.asWritten : (Double(chosen) - Double(bottom)) / (Double(top) - Double(bottom))
        return .slider(
            SceneRange(
                value: value.within(range),
                minimum: range.lowerBound,
                maximum: range.upperBound,
                tint: (minimumTrackTintColor ?? givenTint)?.sceneColor,
                isDisabled: isDead(in: drawing)
            )
        )
    }

    override func take(_ value: SceneValue) {
        guard let number = value.number else { return }
        let (low, high) = (Double(bottom), Double(top))
        // Without a finger on it, as by a key, each value is a whole touch.
        let isWhole = !isTracking
        if isWhole { sendActions(for: .touchDown) }
        choose(Float(isPlain ? number : low + number * (high - low)))
        if isContinuous || isWhole { sendValueChanged() } else { isWaiting = true }
        if isWhole, isEnabled { sendActions(for: .touchUpInside) }
    }

    override func released() {
        if isWaiting {
            isWaiting = false
            sendValueChanged()
        }
        endPress(isTold: true)
    }
}

/// The way in which a control looks and works.
public enum UIBehavioralStyle: UInt, Sendable {
    /// The way of the device.
    case automatic
    /// The way of iPad.
    case pad
    /// The way of the Mac.
    case mac
}

extension Float {
    /// The number, and the greatest one in the place of an infinite one.
    fileprivate var clear: Float {
        min(max(self, -Float.greatestFiniteMagnitude), Float.greatestFiniteMagnitude)
    }
}
