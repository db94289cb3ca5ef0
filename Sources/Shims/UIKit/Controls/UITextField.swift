// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel
import TextLayout

/// A field in which a person writes one line.
///
/// The page draws the whole text in one font and one colour, those of the first letter where the text has attributes.
/// Text, placeholder and label have 8,192 bytes of UTF-8 together: a longer text is drawn as far as it goes, and cannot
/// be changed. A field for a password is drawn dead, its text stays here. Source: Apple, "UITextField".
@preconcurrency @MainActor open class UITextField: UIControl, UITextInputTraits {
    /// A field without a text.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A field of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The object that decides about the field.
    open weak var delegate: (any UITextFieldDelegate)?

    // MARK: Text

    private(set) var content = ""
    private var color: UIColor?
    private var attributes: [NSAttributedString.Key: Any] = [:]

    /// The text, which is never `nil`.
    open var text: String? {
        get { content }
        set {
            guard onMain(self.text = newValue) else { return }
            setContent(newValue ?? "")
        }
    }

    /// The text with its look, of which the font and the colour of the first letter count.
    open var attributedText: NSAttributedString? {
        get { NSAttributedString(string: content, attributes: defaultTextAttributes) }
        set {
            guard onMain(self.attributedText = newValue) else { return }
            if let font = newValue?.first(.font, as: UIFont.self) { self.font = font }
            if let color = newValue?.first(.foregroundColor, as: UIColor.self) { textColor = color }
            setContent(newValue?.string ?? "")
        }
    }

    func setContent(_ text: String) {
        // A line has no ends of lines in it.
        content = text.contains(where: \.isNewline) ? text.replacing(/\R/, with: " ") : text
        contentChanged()
    }

    private func contentChanged() {
        invalidateIntrinsicContentSize()
        changed()
    }

    /// The font.
    @_OnMainThread open var font: UIFont? = .systemFont(ofSize: 17) { didSet { contentChanged() } }
    /// The colour of the text; that of a first text, unless another was set.
    open var textColor: UIColor? {
        get { color ?? .label }
        set {
            guard onMain(self.textColor = newValue) else { return }
            color = newValue
            changed()
        }
    }
    /// The place of the text between the sides.
    @_OnMainThread open var textAlignment = NSTextAlignment.natural { didSet { changed() } }
    /// The attributes of the text, of which font and colour are drawn.
    open var defaultTextAttributes: [NSAttributedString.Key: Any] {
        get {
            var all = attributes
            (all[.font], all[.foregroundColor]) = (font, textColor)
            return all
        }
        set {
            guard onMain(self.defaultTextAttributes = newValue) else { return }
            attributes = newValue
            if let font = newValue[.font] as? UIFont { self.font = font }
            if let color = newValue[.foregroundColor] as? UIColor { textColor = color }
        }
    }
    /// The attributes of what is written next: those of the text.
    open var typingAttributes: [NSAttributedString.Key: Any]?
    /// True if a person may change attributes; the page lets nobody.
    open var allowsEditingTextAttributes = false

    /// The text of an empty field.
    @_OnMainThread open var placeholder: String? { didSet { contentChanged() } }
    /// The text of an empty field with its look; the page draws it in its own grey.
    open var attributedPlaceholder: NSAttributedString? {
        get { placeholder.map { NSAttributedString(string: $0) } }
        set { placeholder = newValue?.string }
    }

    /// True if the text is made smaller where it has no room; the page moves it.
    open var adjustsFontSizeToFitWidth = false
    /// The least size of the font.
    open var minimumFontSize: CGFloat = 0
    /// True if fonts of a text style, and those of `UIFontMetrics`, follow the size of texts that a person wants.
    open var adjustsFontForContentSizeCategory = false
    /// True if the text is taken away when the field gets the keyboard.
    open var clearsOnBeginEditing = false
    /// True if what is written takes the place of the text; the page has the caret.
    open var clearsOnInsertion = false
    /// True if there is a text.
    open var hasText: Bool { !content.isEmpty }

    /// Adds a text at the end: the page has the caret.
    open func insertText(_ text: String) {
        guard onMain(self.insertText(text)) else { return }
        setContent(content + text)
    }
    /// Takes the last letter away: the page has the caret.
    open func deleteBackward() {
        guard onMain(self.deleteBackward()) else { return }
        setContent(String(content.dropLast()))
    }

    // MARK: Look

    /// The border, of which the page draws none or a rounded one.
    @_OnMainThread open var borderStyle = BorderStyle.none { didSet { contentChanged() } }
    /// The picture in the place of a border; the page draws none.
    @_OnMainThread open var background: UIImage? { didSet { if background != nil { noteBorder() } } }
    /// The picture in the place of a border where nothing is taken; the page draws none.
    @_OnMainThread open var disabledBackground: UIImage? { didSet { if disabledBackground != nil { noteBorder() } } }
    /// The time at which a button is shown that takes the text away; the page shows none.
    @_OnMainThread open var clearButtonMode = ViewMode.never {
        didSet {
            if clearButtonMode != .never { Absent.note("UITextField.clearButtonMode", "there is no such button") }
        }
    }
    /// The view before the text; the page has no room for it.
    @_OnMainThread open var leftView: UIView? { didSet { noteSide(leftView) } }
    /// The time at which the view before the text is shown.
    open var leftViewMode = ViewMode.never
    /// The view behind the text; the page has no room for it.
    @_OnMainThread open var rightView: UIView? { didSet { noteSide(rightView) } }
    /// The time at which the view behind the text is shown.
    open var rightViewMode = ViewMode.never

    private func noteBorder() { Absent.note("the border of a UITextField", "the page draws none or a rounded one") }

    private func noteSide(_ view: UIView?) {
        guard let view, !view.subviews.isEmpty || type(of: view) != UIView.self else { return }
        Absent.note("leftView and rightView of a UITextField", "the page draws nothing beside the text")
    }

    // MARK: Keyboard

    /// The kind of the keyboard.
    @_OnMainThread open var keyboardType = UIKeyboardType.default { didSet { changed() } }
    /// True for a password, which nobody can be asked for here: the page draws the field dead.
    @_OnMainThread open var isSecureTextEntry = false { didSet { changed() } }
    /// The word on the return key; without effect, as a browser has its own.
    open var returnKeyType = UIReturnKeyType.default
    /// The letters that become capitals; without effect, as a browser decides.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    /// True if words are corrected; without effect, as a browser decides.
    open var autocorrectionType = UITextAutocorrectionType.default
    /// True if words are looked up; without effect, as a browser decides.
    open var spellCheckingType = UITextSpellCheckingType.default
    /// The form of quotes; without effect, as a browser decides.
    open var smartQuotesType = UITextSmartQuotesType.default
    /// The form of dashes; without effect, as a browser decides.
    open var smartDashesType = UITextSmartDashesType.default
    /// The blanks around what is put in; without effect, as a browser decides.
    open var smartInsertDeleteType = UITextSmartInsertDeleteType.default
    /// The look of a keyboard; without effect, as a browser has its own.
    open var keyboardAppearance = UIKeyboardAppearance.default
    /// True if the return key is dead while there is no text; without effect, as a browser has its own.
    open var enablesReturnKeyAutomatically = false
    /// The kind of what is written; without effect, as a browser offers nothing of what it knows.
    open var textContentType: UITextContentType?
    /// The form of new passwords; without effect, as nobody can be asked for one.
    open var passwordRules: UITextInputPasswordRules?

    @_OnMainThread private var ownInputView: UIView? { didSet { reloadInputViews() } }
    @_OnMainThread private var ownAccessoryView: UIView? { didSet { reloadInputViews() } }

    /// The view in the place of a keyboard, shown below the box while the field is the first responder.
    open override var inputView: UIView? {
        get { ownInputView }
        set { ownInputView = newValue }
    }

    /// The view above a keyboard, shown below the box while the field is the first responder.
    open override var inputAccessoryView: UIView? {
        get { ownAccessoryView }
        set { ownAccessoryView = newValue }
    }

    // MARK: Editing

    /// True while the field is written in.
    open var isEditing: Bool { isFirstResponder }

    open override var canBecomeFirstResponder: Bool { isEnabled }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard onMain(_ = self.becomeFirstResponder()) else { return false }
        guard !isEditing else { return true }
        guard isEnabled, delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else {
            return false
        }
        didBegin()
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard onMain(_ = self.resignFirstResponder()) else { return false }
        guard isEditing else { return true }
        let mayEnd = delegate?.textFieldShouldEndEditing(self) ?? true
        guard mayEnd || UIResponder.isForced, super.resignFirstResponder() else { return false }
        didEnd()
        return true
    }

    override func focused() { becomeFirstResponder() }
    override func blurred() { resignFirstResponder() }
    override func submitted() { pressReturn() }
    override func released() { endPress(isTold: false) }

    override func take(_ value: SceneValue) {
        if case .text(let text) = value { write(text) }
        // The page shows what the field has, whether or not it took the text.
        changed()
    }

    override func adaptFonts(from before: UITraitCollection, to now: UITraitCollection) {
        guard adjustsFontForContentSizeCategory else { return }
        if let adapted = font?.adapted(from: before, to: now) { font = adapted }
    }

    // MARK: Layout

    open override var intrinsicContentSize: CGSize {
        let font = font ?? .systemFont(ofSize: 17)
        let text = content.isEmpty ? placeholder ?? "" : content
        let size = font.size(of: text.isEmpty ? "" : text.cut(toByteCount: SceneLimits.nodeTextByteCount))
        let width = max(5, size.width.rounded(.up))
        return borderStyle == .none
            ? CGSize(width: width, height: size.height + 1)
            : CGSize(width: width + 28, height: max(34, size.height + 13))
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    override func baselines(inWidth width: CGFloat) -> (first: CGFloat, last: CGFloat) {
        let height = bounds.height > 0 ? bounds.height : intrinsicContentSize.height
        let font = font ?? .systemFont(ofSize: 17)
        let line = TextFont(size: Double(font.pointSize), weight: font.measuredWeight)
        let first = (height - line.lineHeight) / 2 + line.baseline
        return (first, height - first)
    }

    /// The rectangle of the border; never asked.
    open func borderRect(forBounds bounds: CGRect) -> CGRect { bounds }
    /// The rectangle of the text; never asked.
    open func textRect(forBounds bounds: CGRect) -> CGRect {
        borderStyle == .none ? bounds : bounds.insetBy(dx: 7, dy: 2)
    }
    /// The rectangle of the placeholder; never asked.
    open func placeholderRect(forBounds bounds: CGRect) -> CGRect { textRect(forBounds: bounds) }
    /// The rectangle of the text while it is written; never asked.
    open func editingRect(forBounds bounds: CGRect) -> CGRect { textRect(forBounds: bounds) }
    /// The rectangle of the button that takes the text away; never asked.
    open func clearButtonRect(forBounds bounds: CGRect) -> CGRect { .zero }
    /// The rectangle of the view before the text; never asked.
    open func leftViewRect(forBounds bounds: CGRect) -> CGRect { leftView?.frame ?? .zero }
    /// The rectangle of the view behind the text; never asked.
    open func rightViewRect(forBounds bounds: CGRect) -> CGRect { rightView?.frame ?? .zero }
    /// Draws the text; never called.
    open func drawText(in rect: CGRect) {}
    /// Draws the placeholder; never called.
    open func drawPlaceholder(in rect: CGRect) {}

    // MARK: Scene

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let label = accessibilityLabel?.cut(toByteCount: SceneLimits.titleByteCount) ?? ""
        let placeholder = (placeholder ?? "").shown.cut(toByteCount: SceneLimits.titleByteCount)
        let room = SceneLimits.nodeTextByteCount - placeholder.utf8.count - label.utf8.count
        let text = isSecureTextEntry ? "" : content.shown
        let isCut = text.utf8.count > room
        if borderStyle == .line || borderStyle == .bezel { noteBorder() }
        if isCut { Absent.note("a text of a UITextField beyond 8,192 bytes", "it is drawn cut, and cannot be changed") }
        return .field(
            SceneField(
                value: text.cut(toByteCount: room),
                placeholder: placeholder,
                keyboard: keyboardType.sceneKeyboard,
                isSecure: isSecureTextEntry,
                isPlain: borderStyle == .none,
                font: (font ?? .systemFont(ofSize: 17)).sceneFont,
                color: color?.sceneColor,
                alignment: textAlignment.sceneAlignment,
                isDisabled: isDead(in: drawing) || isCut
            )
        )
    }
}
