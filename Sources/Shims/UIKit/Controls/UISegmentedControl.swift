// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// Choices in a line, of which at most one is chosen, 32 points high.
///
/// The page draws the first 16. A picture is drawn by the words of its symbol, or by the number of its segment.
/// Source: Apple, "UISegmentedControl".
@preconcurrency @MainActor open class UISegmentedControl: UIControl {
    /// The index of no segment.
    public static let noSegment = -1

    /// The half of a control to which something belongs.
    public enum Segment: Int, Sendable {
        case any, left, center, right, alone
    }

    private struct Choice {
        var title: String?
        var image: UIImage?
        var action: UIAction?
        var width: CGFloat = 0
        var offset = CGSize.zero
        var isEnabled = true
    }

    private var choices: [Choice] = [] { didSet { contentChanged() } }
    private var chosen = UISegmentedControl.noSegment
    private var attributes: [UIControl.State: [NSAttributedString.Key: Any]] = [:]

    /// A control without segments.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// A control of a storyboard.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// A control of titles and pictures; other things are left out.
    public init(items: [Any]?) {
        super.init(frame: .zero)
        choices = (items ?? []).compactMap { item in
            if let title = item as? String { return Choice(title: title) }
            if let image = item as? UIImage { return Choice(image: image) }
            return nil
        }
        frame.size = intrinsicContentSize
    }

    /// A control of actions, each of which is called when it is chosen.
    public convenience init(frame: CGRect, actions: [UIAction]) {
        self.init(frame: frame)
        for (index, action) in actions.enumerated() { insertSegment(action: action, at: index, animated: false) }
    }

    private func contentChanged() {
        invalidateIntrinsicContentSize()
        changed()
    }

    // MARK: Segments

    /// The number of segments.
    open var numberOfSegments: Int { choices.count }

    /// Puts a segment with a title before another; the index is held to those that there are.
    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        insert(Choice(title: title), at: segment)
    }

    /// Puts a segment with a picture before another.
    open func insertSegment(with image: UIImage?, at segment: Int, animated: Bool) {
        insert(Choice(image: image), at: segment)
    }

    /// Puts a segment of an action before another.
    open func insertSegment(action: UIAction, at segment: Int, animated: Bool) {
        insert(Choice(title: action.title, image: action.image, action: action), at: segment)
    }

    private func insert(_ choice: Choice, at index: Int) {
        guard onMain(self.insert(choice, at: index), "insertSegment") else { return }
        let index = min(max(0, index), choices.count)
        if chosen >= index { chosen += 1 }
        choices.insert(choice, at: index)
    }

    /// Takes a segment away; none is chosen if it was that one.
    open func removeSegment(at segment: Int, animated: Bool) {
        guard onMain(self.removeSegment(at: segment, animated: animated)) else { return }
        guard choices.indices.contains(segment) else { return }
        if chosen == segment { chosen = Self.noSegment } else if chosen > segment { chosen -= 1 }
        choices.remove(at: segment)
    }

    /// Takes all segments away.
    open func removeAllSegments() {
        guard onMain(self.removeAllSegments()) else { return }
        chosen = Self.noSegment
        choices = []
    }

    /// Gives a segment a title in the place of its picture.
    open func setTitle(_ title: String?, forSegmentAt segment: Int) {
        guard onMain(self.setTitle(title, forSegmentAt: segment)) else { return }
        change(segment) { ($0.title, $0.image) = (title, nil) }
    }

    /// The title of a segment.
    open func titleForSegment(at segment: Int) -> String? { choice(segment)?.title }

    /// Gives a segment a picture in the place of its title.
    open func setImage(_ image: UIImage?, forSegmentAt segment: Int) {
        guard onMain(self.setImage(image, forSegmentAt: segment)) else { return }
        change(segment) { ($0.title, $0.image) = (nil, image) }
    }

    /// The picture of a segment.
    open func imageForSegment(at segment: Int) -> UIImage? { choice(segment)?.image }

    /// Gives a segment an action, with its title and picture.
    open func setAction(_ action: UIAction, forSegmentAt segment: Int) {
        guard onMain(self.setAction(action, forSegmentAt: segment)) else { return }
        change(segment) { ($0.title, $0.image, $0.action) = (action.title, action.image, action) }
    }

    /// The action of a segment.
    open func actionForSegment(at segment: Int) -> UIAction? { choice(segment)?.action }

    /// The index of the segment that has the action of a name; `noSegment` if there is none.
    open func segmentIndex(identifiedBy actionIdentifier: UIAction.Identifier) -> Int {
        choices.firstIndex { $0.action?.identifier == actionIdentifier } ?? Self.noSegment
    }

    /// Lets a segment be chosen, or not; the page draws both the same.
    open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) {
        guard onMain(self.setEnabled(enabled, forSegmentAt: segment)) else { return }
        if !enabled { Absent.note("a disabled segment", "it looks as the others, and choosing it changes nothing") }
        change(segment) { $0.isEnabled = enabled }
    }

    /// True for a segment that can be chosen.
    open func isEnabledForSegment(at segment: Int) -> Bool { choice(segment)?.isEnabled ?? false }

    /// Gives a segment a width; the page draws all equally wide.
    open func setWidth(_ width: CGFloat, forSegmentAt segment: Int) {
        guard onMain(self.setWidth(width, forSegmentAt: segment)) else { return }
        if width != 0 { noteWidths() }
        change(segment) { $0.width = width }
    }

    /// The width that a segment was given, 0 for none.
    open func widthForSegment(at segment: Int) -> CGFloat { choice(segment)?.width ?? 0 }

    /// Moves the title of a segment; the page has it in the middle.
    open func setContentOffset(_ offset: CGSize, forSegmentAt segment: Int) {
        guard onMain(self.setContentOffset(offset, forSegmentAt: segment)) else { return }
        change(segment) { $0.offset = offset }
    }

    /// The way by which the title of a segment was moved.
    open func contentOffsetForSegment(at segment: Int) -> CGSize { choice(segment)?.offset ?? .zero }

    /// True if segments are as wide as their titles; the page draws all equally wide.
    @_OnMainThread open var apportionsSegmentWidthsByContent = false {
        didSet { if apportionsSegmentWidthsByContent { noteWidths() } }
    }

    private func noteWidths() { Absent.note("the widths of segments", "the page draws all of them equally wide") }

    private func choice(_ index: Int) -> Choice? { choices.indices.contains(index) ? choices[index] : nil }

    private func change(_ index: Int, _ change: (inout Choice) -> Void) {
        guard choices.indices.contains(index) else { return }
        change(&choices[index])
    }

    // MARK: Choice

    /// The index of the chosen segment; one that there is not chooses none.
    open var selectedSegmentIndex: Int {
        get { chosen }
        set {
            guard onMain(self.selectedSegmentIndex = newValue) else { return }
            chosen = choices.indices.contains(newValue) ? newValue : Self.noSegment
            changed()
        }
    }

    /// True if a segment is chosen only while it is told.
    @_OnMainThread open var isMomentary = false { didSet { changed() } }
    /// The colour of the chosen segment; `nil` means the page's.
    @_OnMainThread open var selectedSegmentTintColor: UIColor? { didSet { changed() } }

    /// Gives the titles of a state attributes; the page draws its own.
    open func setTitleTextAttributes(_ attributes: [NSAttributedString.Key: Any]?, for state: UIControl.State) {
        if attributes != nil {
            Absent.note("UISegmentedControl.setTitleTextAttributes", "the page draws titles in its own font and colour")
        }
        guard onMain(self.setTitleTextAttributes(attributes, for: state)) else { return }
        self.attributes[state] = attributes
    }

    /// The attributes of the titles of a state.
    open func titleTextAttributes(for state: UIControl.State) -> [NSAttributedString.Key: Any]? { attributes[state] }

    /// Sets the picture behind segments; the page draws its own.
    open func setBackgroundImage(
        _ backgroundImage: UIImage?,
        for state: UIControl.State,
        barMetrics: UIBarMetrics
    ) { notePicture(backgroundImage) }

    /// Sets the picture between two segments; the page draws none.
    open func setDividerImage(
        _ dividerImage: UIImage?,
        forLeftSegmentState leftState: UIControl.State,
        rightSegmentState rightState: UIControl.State,
        barMetrics: UIBarMetrics
    ) { notePicture(dividerImage) }

    /// None: the page draws its own.
    open func backgroundImage(for state: UIControl.State, barMetrics: UIBarMetrics) -> UIImage? { nil }

    /// None: the page draws its own.
    open func dividerImage(
        forLeftSegmentState leftState: UIControl.State,
        rightSegmentState rightState: UIControl.State,
        barMetrics: UIBarMetrics
    ) -> UIImage? { nil }

    private func notePicture(_ image: UIImage?) {
        if image != nil { Absent.note("the pictures of UISegmentedControl", "the page draws its own background") }
    }

    // MARK: Layout

    open override var intrinsicContentSize: CGSize {
        let font = UIFont.systemFont(ofSize: 13, weight: .semibold)
        let widest = titles.map { font.size(of: $0).width }.max() ?? 0
        let count = CGFloat(choices.count)
        return CGSize(width: count * (widest + 20).rounded(.up) + max(0, count - 1), height: 32)
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    // MARK: Scene

    /// The titles of the segments that are drawn.
    private var titles: [String] {
        choices.prefix(SceneLimits.segmentCount).enumerated().map { index, choice in
            if let title = choice.title, !title.isEmpty || choice.image == nil {
                // A long title is cut before each of its letters is looked at.
                let beginning = title.cut(toByteCount: 2 * SceneLimits.titleByteCount)
                return beginning.shown.cut(toByteCount: SceneLimits.titleByteCount)
            }
            guard let image = choice.image else { return "" }
            return image.sceneSymbol?.replacing(".", with: " ") ?? "\(index + 1)"
        }
    }

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let shown = titles
        if choices.count > SceneLimits.segmentCount {
            Absent.note("a segment beyond \(SceneLimits.segmentCount)", "it is not drawn")
        }
        return .segments(
            SceneSegments(
                titles: shown,
                chosen: !isMomentary && shown.indices.contains(chosen) ? chosen : nil,
                tint: selectedSegmentTintColor?.sceneColor,
                isDisabled: isDead(in: drawing)
            )
        )
    }

    override func take(_ value: SceneValue) {
        guard let index = value.number.flatMap(Int.init(exactly:)), let choice = choice(index), choice.isEnabled,
            isMomentary || index != chosen
        else { return }
        selectedSegmentIndex = index
        if let action = choice.action { sendAction(action) }
        sendValueChanged()
        if isMomentary { selectedSegmentIndex = Self.noSegment }
    }
}

/// The place of a bar for which a picture is meant; there are no bars here.
public enum UIBarMetrics: Int, Sendable {
    /// Any place.
    case `default` = 0
    /// A low bar.
    case compact = 1
    /// Any place, with a line above the title.
    case defaultPrompt = 101
    /// A low bar, with a line above the title.
    case compactPrompt = 102
}
