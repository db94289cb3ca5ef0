// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel
import TextLayout

/// A text of many lines that may be written and scrolled.
///
/// A text that is not editable is drawn as a label of its own, which the page scrolls; an editable one is the page's
/// editor.
/// Source: Apple, "UITextView".
open class UITextView: UIScrollView, UITextInputTraits {
    /// The label that draws a text that is not editable.
    private let lines = UILabel()
    private var isWritten = false

    /// A view at a place in the one that it will be in.
    public convenience override init(frame: CGRect) {
        self.init(frame: frame, textContainer: nil)
    }

    /// A text view; a container for the text is not understood here.
    public init(frame: CGRect, textContainer: AnyObject?) {
        super.init(frame: frame)
        backgroundColor = .systemBackground
    }

    /// A view of a storyboard or xib.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func setUp() {
        super.setUp()
        lines.numberOfLines = 0
        lines.lineBreakMode = .byWordWrapping
        lines.font = .systemFont(ofSize: 12)
        addSubview(lines)
    }

    // MARK: Content

    /// The text.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var text: String! {
        get { lines.text ?? "" }
        set {
            guard onMain(self.text = newValue) else { return }
            lines.text = newValue
            textChanged()
        }
    }

    /// The text with the looks of its parts, which an editor does not show.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var attributedText: NSAttributedString! {
        get { lines.attributedText ?? NSAttributedString(string: "") }
        set {
            guard onMain(self.attributedText = newValue) else { return }
            lines.attributedText = newValue
            textChanged()
        }
    }

    /// The font of what has no other.
    open var font: UIFont? {
        get { lines.font }
        set {
            guard onMain(self.font = newValue) else { return }
            lines.font = newValue ?? .systemFont(ofSize: 12)
            textChanged()
        }
    }

    /// The colour of what has no other.
    open var textColor: UIColor? {
        get { lines.textColor }
        set {
            guard onMain(self.textColor = newValue) else { return }
            lines.textColor = newValue ?? .label
        }
    }

    /// The place of the lines between the sides.
    open var textAlignment: NSTextAlignment {
        get { lines.textAlignment }
        set { lines.textAlignment = newValue }
    }

    /// True if a person may write in it.
    @_OnMainThread open var isEditable = true { didSet { textChanged() } }
    /// True if a person may select its text, which a browser always lets them.
    open var isSelectable = true
    /// The part of the text that is selected; the page does not tell.
    open var selectedRange = NSRange(location: 0, length: 0)
    /// The kinds of data that become links; the page makes none.
    open var dataDetectorTypes: UIDataDetectorTypes = []
    /// True if there is a text.
    open var hasText: Bool { lines.text?.isEmpty == false }
    /// The place of the lines, of which the room at their ends counts.
    public private(set) lazy var textContainer: NSTextContainer = {
        let container = NSTextContainer()
        container.changed = { [weak self] in self?.containerChanged() }
        return container
    }()
    /// The distances of the text from the edges, beside the room at the ends of the container's lines.
    @_OnMainThread open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0) {
        didSet { textChanged() }
    }
    /// True if fonts of a text style, and those of `UIFontMetrics`, follow the size of texts that a person wants.
    open var adjustsFontForContentSizeCategory: Bool {
        get { lines.adjustsFontForContentSizeCategory }
        set { lines.adjustsFontForContentSizeCategory = newValue }
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

    /// The view in the place of a keyboard, shown below the box while the view is the first responder.
    open override var inputView: UIView? {
        get { ownInputView }
        set { ownInputView = newValue }
    }

    /// The view above a keyboard, shown below the box while the view is the first responder.
    open override var inputAccessoryView: UIView? {
        get { ownAccessoryView }
        set { ownAccessoryView = newValue }
    }

    private var textDelegate: (any UITextViewDelegate)? { delegate as? any UITextViewDelegate }

    open override var canBecomeFirstResponder: Bool { isEditable }

    // MARK: Layout

    private var padding: UIEdgeInsets {
        let inset = textContainerInset
        let room = textContainer.lineFragmentPadding
        func bounded(_ number: CGFloat) -> CGFloat { CGFloat(Double(number).scene(SceneLimits.number)) }
        return UIEdgeInsets(
            top: bounded(inset.top),
            left: bounded(inset.left + room),
            bottom: bounded(inset.bottom),
            right: bounded(inset.right + room)
        )
    }

    private func containerChanged() {
        lines.numberOfLines = textContainer.maximumNumberOfLines
        lines.lineBreakMode = textContainer.lineBreakMode
        textChanged()
    }

    /// Does nothing: the page shows a text from its beginning, and scrolls as a person does.
    open func scrollRangeToVisible(_ range: NSRange) {}

    private func textChanged() {
        guard MainThread.isCurrent else { return }
        lines.isHidden = isEditable
        setNeedsLayout()
        invalidateIntrinsicContentSize()
    }

    private func size(inWidth width: CGFloat) -> CGSize {
        let padding = padding
        let inner = lines.sizeThatFits(CGSize(width: max(1, width - padding.left - padding.right), height: 0))
        let height = max(inner.height, font?.lineHeight ?? 0)
        return CGSize(
            width: inner.width + padding.left + padding.right,
            height: height + padding.top + padding.bottom
        )
    }

    override var wrapsContent: Bool { !isScrollEnabled }

    override func contentSize(inWidth width: CGFloat) -> CGSize { size(inWidth: width) }

    open override var intrinsicContentSize: CGSize {
        isScrollEnabled
            ? CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
            : size(inWidth: .greatestFiniteMagnitude)
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        self.size(inWidth: size.width > 0 ? size.width : .greatestFiniteMagnitude)
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        let (padding, size) = (padding, size(inWidth: bounds.width))
        lines.frame = CGRect(
            x: padding.left,
            y: padding.top,
            width: max(0, bounds.width - padding.left - padding.right),
            height: size.height - padding.top - padding.bottom
        )
        contentSize = CGSize(width: bounds.width, height: size.height)
    }

    // MARK: Drawing

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        guard isEditable else { return isScrollEnabled ? super.sceneKind(&drawing) : .view }
        return .editor(
            SceneField(
                value: text.cut(toByteCount: SceneLimits.nodeTextByteCount),
                keyboard: keyboardType.sceneKeyboard,
                isSecure: isSecureTextEntry,
                isPlain: true,
                font: font?.sceneFont,
                color: textColor?.sceneColor,
                alignment: textAlignment.sceneAlignment,
                isDisabled: drawing.isDead || text.utf8.count > SceneLimits.nodeTextByteCount
            )
        )
    }

    override func take(_ event: NodeEvent) {
        switch event {
        case .focus:
            guard textDelegate?.textViewShouldBeginEditing(self) ?? true else { return changed() }
            isWritten = true
            becomeFirstResponder()
            textDelegate?.textViewDidBeginEditing(self)
        case .value(.text(let value)) where isEditable: write(value)
        case .blur where isWritten:
            isWritten = false
            resignFirstResponder()
            textDelegate?.textViewDidEndEditing(self)
        default: break
        }
    }

    private func write(_ value: String) {
        let edit = TextEdit(from: text, to: value)
        guard textDelegate?.textView(self, shouldChangeTextIn: edit.range, replacementText: edit.text) ?? true else {
            // The page has the other text by now, so that the old one is sent again.
            return changed()
        }
        lines.text = value
        setNeedsLayout()
        textDelegate?.textViewDidChange(self)
    }
}

/// The kinds of data in a text that can become links.
public struct UIDataDetectorTypes: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Kinds by their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Numbers of telephones.
    public static let phoneNumber = UIDataDetectorTypes(rawValue: 1)
    /// Addresses of the web.
    public static let link = UIDataDetectorTypes(rawValue: 2)
    /// Addresses of houses.
    public static let address = UIDataDetectorTypes(rawValue: 4)
    /// Events of a calendar.
    public static let calendarEvent = UIDataDetectorTypes(rawValue: 8)
    /// All kinds.
    public static let all = UIDataDetectorTypes(rawValue: UInt.max)
}

/// An object that decides about a text view and hears of it.
@preconcurrency @MainActor public protocol UITextViewDelegate: UIScrollViewDelegate {
    /// False if nobody may write now; the default is true.
    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool
    /// Called when a person begins to write.
    func textViewDidBeginEditing(_ textView: UITextView)
    /// Called when a person has ended writing.
    func textViewDidEndEditing(_ textView: UITextView)
    /// False if the change is refused; the default is true.
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool
    /// Called when the text has changed.
    func textViewDidChange(_ textView: UITextView)
}

extension UITextViewDelegate {
    /// True.
    public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }

    /// Does nothing.
    public func textViewDidBeginEditing(_ textView: UITextView) {}

    /// Does nothing.
    public func textViewDidEndEditing(_ textView: UITextView) {}

    /// True.
    public func textView(
        _ textView: UITextView,
        shouldChangeTextIn range: NSRange,
        replacementText text: String
    ) -> Bool { true }

    /// Does nothing.
    public func textViewDidChange(_ textView: UITextView) {}
}
