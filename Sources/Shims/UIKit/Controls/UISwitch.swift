// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// A control that is on or off, 51 points wide and 31 high, which a layout does not stretch where it need not.
///
/// Source: Apple, "UISwitch".
@preconcurrency @MainActor open class UISwitch: UIControl {
    /// The look of a switch.
    public enum Style: Int, Sendable {
        /// The look of the device.
        case automatic
        /// A box with a tick.
        case checkbox
        /// A knob that slides.
        case sliding
    }

    private static let size = CGSize(width: 51, height: 31)

    /// A switch at a place; its size is always its own.
    public override init(frame: CGRect) {
        super.init(frame: CGRect(origin: frame.origin, size: Self.size))
    }

    /// A switch of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func setUp() { layout.hugging = (.defaultHigh, .defaultHigh) }

    /// True for a switch that is on.
    @_OnMainThread open var isOn = false { didSet { if isOn != oldValue { changed() } } }
    /// The colour of a switch that is on; `nil` means the page's green.
    @_OnMainThread open var onTintColor: UIColor? { didSet { changed() } }
    /// The colour of the knob; the page draws it white.
    @_OnMainThread open var thumbTintColor: UIColor? {
        didSet { if thumbTintColor != nil { Absent.note("UISwitch.thumbTintColor", "the knob is white") } }
    }
    /// A picture of older systems; never drawn, on iOS neither.
    open var onImage: UIImage?
    /// A picture of older systems; never drawn, on iOS neither.
    open var offImage: UIImage?
    /// The words beside a box with a tick; there is none.
    open var title: String?
    /// The look that is wished for; the page draws a knob.
    open var preferredStyle = Style.automatic
    /// The look: a knob that slides.
    open var style: Style { .sliding }

    /// Turns the switch; the page draws the way of the knob.
    open func setOn(_ on: Bool, animated: Bool) { isOn = on }

    open override var frame: CGRect {
        get { super.frame }
        set { super.frame = CGRect(origin: newValue.origin, size: Self.size) }
    }

    open override var intrinsicContentSize: CGSize { Self.size }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { Self.size }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        .switch(SceneSwitch(isOn: isOn, tint: onTintColor?.sceneColor, isDisabled: isDead(in: drawing)))
    }

    override func take(_ value: SceneValue) {
        guard case .flag(let flag) = value, flag != isOn else { return }
        isOn = flag
        sendValueChanged()
    }
}
