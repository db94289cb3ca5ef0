// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel
import TextLayout

/// A control with a title and a picture, which a person clicks.
///
/// The page draws picture and title beside each other in the middle, the picture first and as high as a line; without
/// a title the picture has its own height. `titleLabel` says the font of the title. Neither it nor `imageView` is in
/// the tree: code finds the button above them, and no view below the button. Source: Apple, "UIButton".
@preconcurrency @MainActor open class UIButton: UIControl {
    /// The kind of the button.
    open internal(set) var buttonType = ButtonType.custom
    /// The values for each of its states.
    var states = ButtonStates()
    private var label: UILabel?
    private var pictureView: UIImageView?
    private var needsConfiguring = false

    /// A button without a title.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A button of a storyboard, whose type the coder has under "UIButtonType".
    public required init?(coder: NSCoder) {
        buttonType = ButtonType(rawValue: coder.decodeInteger(forKey: "UIButtonType")) ?? .custom
        super.init(coder: coder)
    }

    // MARK: Content

    /// The label whose font and line breaks the title has.
    open var titleLabel: UILabel? {
        if let label { return label }
        let made = TitleLabel()
        made.font = defaultFont
        made.lineBreakMode = .byTruncatingMiddle
        made.layer.superlayer = layer
        label = made
        refreshParts()
        return made
    }

    /// The view of the picture.
    open var imageView: UIImageView? {
        if let pictureView { return pictureView }
        let made = UIImageView()
        made.layer.superlayer = layer
        pictureView = made
        refreshParts()
        return made
    }

    /// The font of the title by the label, or by the type.
    var titleFont: UIFont { label?.font ?? defaultFont }

    private var defaultFont: UIFont { .systemFont(ofSize: buttonType == .custom ? UIFont.buttonFontSize : 15) }

    private func contentChanged() {
        // A property that goes to the main thread has its old value, and comes here again.
        guard MainThread.isCurrent else { return }
        refreshParts()
        invalidateIntrinsicContentSize()
    }

    /// Tells label and view of the picture what they would show.
    private func refreshParts() {
        guard label != nil || pictureView != nil else { return }
        let look = look
        if let label, label.text ?? "" != look.title { label.text = look.title }
        if let label, let color = look.color, label.textColor != color { label.textColor = color }
        if let pictureView, pictureView.image != look.image { pictureView.image = look.image }
    }

    /// Sets the title of a state; that of the normal one is the configuration's, if there is one.
    open func setTitle(_ title: String?, for state: State) {
        guard onMain(self.setTitle(title, for: state)) else { return }
        if state == .normal, configuration != nil { configuration?.title = title } else { states.titles[state] = title }
        contentChanged()
    }

    /// Sets the title of a state with its look, of which the font and colour of the first letter count.
    open func setAttributedTitle(_ title: NSAttributedString?, for state: State) {
        guard onMain(self.setAttributedTitle(title, for: state)) else { return }
        if state == .normal, configuration != nil {
            configuration?.attributedTitle = title.map { AttributedString($0) }
        } else {
            states.attributedTitles[state] = title
        }
        contentChanged()
    }

    /// Sets the colour of the title of a state.
    open func setTitleColor(_ color: UIColor?, for state: State) {
        guard onMain(self.setTitleColor(color, for: state)) else { return }
        if state == .normal, configuration != nil { configuration?.baseForegroundColor = color }
        states.colors[state] = color
        refreshParts()
        changed()
    }

    /// Sets the colour of the title's shadow in a state; none is drawn.
    open func setTitleShadowColor(_ color: UIColor?, for state: State) {
        guard onMain(self.setTitleShadowColor(color, for: state)) else { return }
        states.shadowColors[state] = color
    }

    /// Sets the picture of a state; that of the normal one is the configuration's, if there is one.
    open func setImage(_ image: UIImage?, for state: State) {
        guard onMain(self.setImage(image, for: state)) else { return }
        if state == .normal, configuration != nil { configuration?.image = image } else { states.images[state] = image }
        contentChanged()
    }

    /// Sets the picture behind a title, which is drawn only where there is nothing else.
    open func setBackgroundImage(_ image: UIImage?, for state: State) {
        guard onMain(self.setBackgroundImage(image, for: state)) else { return }
        states.backgrounds[state] = image
        contentChanged()
    }

    /// Sets the size of a symbol in a state.
    open func setPreferredSymbolConfiguration(
        _ configuration: UIImage.SymbolConfiguration?,
        forImageIn state: State
    ) {
        guard onMain(self.setPreferredSymbolConfiguration(configuration, forImageIn: state)) else { return }
        states.symbols[state] = configuration
        contentChanged()
    }

    /// The title of a state, or of the normal one.
    open func title(for state: State) -> String? {
        states.titles.own(state) ?? configuration?.title ?? states.titles[state]
    }

    /// The title of a state with its look, or that of the normal one.
    open func attributedTitle(for state: State) -> NSAttributedString? {
        states.attributedTitles.own(state) ?? configuration?.attributedTitle.map { NSAttributedString($0) }
            ?? states.attributedTitles[state]
    }

    /// The colour of the title of a state: that of the normal one, white, or the tint, if none was set.
    open func titleColor(for state: State) -> UIColor? {
        states.colors[state] ?? (buttonType == .custom ? .white : tintColor)
    }

    /// The colour of the title's shadow in a state.
    open func titleShadowColor(for state: State) -> UIColor? { states.shadowColors[state] }
    /// The picture of a state, or of the normal one.
    open func image(for state: State) -> UIImage? {
        states.images.own(state) ?? configuration?.image ?? states.images[state]
    }
    /// The picture behind a title in a state, or in the normal one.
    open func backgroundImage(for state: State) -> UIImage? { states.backgrounds[state] }
    /// The size of a symbol in a state, or in the normal one.
    open func preferredSymbolConfigurationForImage(in state: State) -> UIImage.SymbolConfiguration? {
        states.symbols[state]
    }

    /// The title of the present state.
    open var currentTitle: String? { title(for: state) }
    /// The title of the present state with its look.
    open var currentAttributedTitle: NSAttributedString? { attributedTitle(for: state) }
    /// The colour of the title in the present state.
    open var currentTitleColor: UIColor { titleColor(for: state) ?? tintColor }
    /// The colour of the title's shadow in the present state.
    open var currentTitleShadowColor: UIColor? { titleShadowColor(for: state) }
    /// The picture of the present state.
    open var currentImage: UIImage? { image(for: state) }
    /// The picture behind the title in the present state.
    open var currentBackgroundImage: UIImage? { backgroundImage(for: state) }
    /// The size of a symbol in the present state.
    open var currentPreferredSymbolConfiguration: UIImage.SymbolConfiguration? {
        preferredSymbolConfigurationForImage(in: state)
    }

    /// The room around title and picture, which counts for the size of a button without a configuration.
    @_OnMainThread open var contentEdgeInsets = UIEdgeInsets.zero { didSet { contentChanged() } }
    /// Moves the title; the page has it in the middle.
    open var titleEdgeInsets = UIEdgeInsets.zero
    /// Moves the picture; the page has it before the title.
    open var imageEdgeInsets = UIEdgeInsets.zero
    /// This has no effect: the page draws a pressed button fainter.
    open var adjustsImageWhenHighlighted = true
    /// This has no effect: the page draws a disabled button fainter.
    open var adjustsImageWhenDisabled = true
    /// This has no effect: the page draws a pressed button fainter.
    open var showsTouchWhenHighlighted = false
    /// This has no effect: no shadow of a title is drawn.
    open var reversesTitleShadowWhenHighlighted = false

    override func takePrimary(_ action: UIAction) {
        super.takePrimary(action)
        if !action.title.isEmpty { states.titles[.normal] = action.title }
        states.images[.normal] = action.image
    }

    // MARK: Configuration

    /// The look and the words in one value, before those by state.
    @_OnMainThread open var configuration: Configuration? { didSet { contentChanged() } }
    /// The function that is called before the next layout when the state has changed.
    @_OnMainThread open var configurationUpdateHandler: ConfigurationUpdateHandler? {
        didSet { setNeedsUpdateConfiguration() }
    }
    /// True if a change of the state has the configuration updated.
    open var automaticallyUpdatesConfiguration = true

    /// Has the configuration updated with the next layout.
    open func setNeedsUpdateConfiguration() {
        guard onMain(self.setNeedsUpdateConfiguration(), nil) else { return }
        needsConfiguring = true
        setNeedsLayout()
    }

    /// Updates the configuration for the state: calls the handler.
    open func updateConfiguration() { configurationUpdateHandler?(self) }

    open override func layoutSubviews() {
        super.layoutSubviews()
        guard needsConfiguring else { return }
        needsConfiguring = false
        updateConfiguration()
    }

    override func stateChanged() {
        super.stateChanged()
        if states.isMixed { contentChanged() } else { refreshParts() }
        guard automaticallyUpdatesConfiguration, configuration != nil || configurationUpdateHandler != nil else {
            return
        }
        setNeedsUpdateConfiguration()
    }

    /// The purpose of the button; one that takes something away has a configuration in red.
    @_OnMainThread open var role = Role.normal { didSet { changed() } }
    /// The menu of the button; nothing shows it.
    @_OnMainThread open var menu: UIMenu? { didSet { if menu != nil { noteMenu() } } }
    /// True if a click also chooses the button, or chooses it no more.
    open var changesSelectionAsPrimaryAction = false
    /// This has no effect: the page shows a pointer itself.
    open var isPointerInteractionEnabled = false
    /// False: the page does not tell where a pointer is.
    open var isHovered: Bool { false }
    /// This has no effect: a button looks as on a phone.
    open var preferredBehavioralStyle = UIBehavioralStyle.automatic

    open override func tintColorDidChange() {
        super.tintColorDidChange()
        refreshParts()
    }

    override func adaptFonts(from before: UITraitCollection, to now: UITraitCollection) {
        label?.adaptFonts(from: before, to: now)
    }

    // MARK: Layout

    open override var intrinsicContentSize: CGSize { contentSize }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { contentSize }

    override func baselines(inWidth width: CGFloat) -> (first: CGFloat, last: CGFloat) {
        let font = look.font
        let height = bounds.height > 0 ? bounds.height : contentSize.height
        let line = TextFont(size: Double(font.pointSize), weight: font.measuredWeight)
        let first = (height - line.lineHeight) / 2 + line.baseline
        return (first, height - first)
    }

    /// The rectangle of the background; never asked.
    open func backgroundRect(forBounds bounds: CGRect) -> CGRect { bounds }
    /// The rectangle of the content; never asked.
    open func contentRect(forBounds bounds: CGRect) -> CGRect {
        CGRect(
            x: bounds.minX + contentEdgeInsets.left,
            y: bounds.minY + contentEdgeInsets.top,
            width: max(0, bounds.width - contentEdgeInsets.left - contentEdgeInsets.right),
            height: max(0, bounds.height - contentEdgeInsets.top - contentEdgeInsets.bottom)
        )
    }
    /// The rectangle of the title; never asked.
    open func titleRect(forContentRect contentRect: CGRect) -> CGRect { contentRect }
    /// The rectangle of the picture; never asked.
    open func imageRect(forContentRect contentRect: CGRect) -> CGRect { contentRect }

    // MARK: Scene

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        var look = look
        var height = look.image?.size.height ?? 22
        if let background = states.backgrounds[state] {
            if look.lines.isEmpty, look.image == nil, background.size.width > 0, background.size.height > 0 {
                look.image = background
                let share = min(bounds.width / background.size.width, bounds.height / background.size.height)
                height = background.size.height * (share > 0 ? share : 1)
            } else {
                Absent.note("the picture behind the title of a button", "it is drawn only where there is no title")
            }
        }
        let file = look.image.flatMap { $0.isSymbolImage ? nil : drawing.file(of: $0) }
        return .button(look.node(file: file, isDisabled: isDead(in: drawing), height: height))
    }

    override func dress(_ style: inout SceneStyle) {
        guard configuration != nil else { return }
        let look = look
        style.background = look.background?.sceneColor ?? style.background
        if style.radius == 0, let radius = look.radius { style.radius = Double(radius).scene(SceneLimits.extent) }
        if style.border == nil, let (width, color) = look.border {
            style.border = SceneStyle.Border(
                width: Double(width).scene(SceneLimits.extent),
                color: color.sceneColor
            )
        }
    }

    override func tapped(at place: ScenePoint?) {
        if changesSelectionAsPrimaryAction { isSelected.toggle() }
        super.tapped(at: place)
    }
}

/// The label of a button's title, which is in no view: a change of it changes the button.
private final class TitleLabel: UILabel {
    override func invalidateIntrinsicContentSize() {
        super.invalidateIntrinsicContentSize()
        superview?.invalidateIntrinsicContentSize()
    }
}
