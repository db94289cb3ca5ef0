// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

/// An item of a bar.
///
/// Source: Apple, "UIBarItem".
@preconcurrency @MainActor open class UIBarItem: NSObject {
    /// The title.
    @_OnMainThread open var title: String? { didSet { itemChanged() } }
    /// The picture in the place of the title.
    @_OnMainThread open var image: UIImage? { didSet { itemChanged() } }
    /// True if a person can press it.
    @_OnMainThread open var isEnabled = true { didSet { itemChanged() } }
    /// The words of a screen reader, in the place of the title.
    @_OnMainThread open var accessibilityLabel: String? { didSet { itemChanged() } }
    /// A number by which an app knows it.
    open var tag = 0

    /// Called when the item looks otherwise.
    func itemChanged() {}
}

/// A button of a bar, or a space between two.
///
/// Source: Apple, "UIBarButtonItem".
@preconcurrency @MainActor open class UIBarButtonItem: UIBarItem {
    /// The weight of a button among others.
    public enum Style: Int, Sendable {
        /// A button like others.
        case plain
        /// The former look with an edge, which is drawn as `plain`.
        case bordered
        /// The button that ends a task, in bold letters.
        case done
    }

    /// A button or a space that every app has alike.
    public enum SystemItem: Int, Sendable {
        case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks,
            search, refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo, pageCurl, close
    }

    /// The weight of the button among others.
    @_OnMainThread open var style = Style.plain { didSet { itemChanged() } }
    /// The width in points; 0 for that of its content.
    @_OnMainThread open var width: CGFloat = 0 { didSet { itemChanged() } }
    /// A view in the place of a button.
    @_OnMainThread open var customView: UIView? { didSet { itemChanged() } }
    /// The colour of the title and the picture.
    @_OnMainThread open var tintColor: UIColor? { didSet { itemChanged() } }
    /// The object that is called; `nil` means the first of the responders that has the action.
    open weak var target: AnyObject? { didSet { hasTarget = target != nil } }
    /// The function that is called with the item.
    open var action: Selector?
    /// The action that is called in the place of a target, and that has a title and a picture.
    @_OnMainThread open var primaryAction: UIAction? { didSet { takePrimaryAction() } }
    /// Lines that a button would show; no menu is shown here.
    open var menu: UIMenu?

    /// The item of the system that it is, if it is one.
    private(set) var systemItem: SystemItem?
    /// The bar that shows the item.
    weak var bar: UIToolbar?
    private var hasTarget = false

    /// An item without a look.
    public override init() { super.init() }

    /// A button with a title.
    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.init()
        (self.title, self.style) = (title, style)
        set(target, action)
    }

    /// A button with a picture.
    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init()
        (self.image, self.style) = (image, style)
        set(target, action)
    }

    /// A button or a space that every app has alike.
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init()
        take(systemItem)
        set(target, action)
    }

    /// A view.
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    /// A button with the title and the picture of an action.
    public convenience init(primaryAction: UIAction?, menu: UIMenu? = nil) {
        self.init()
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// A button with a title and a picture that calls an action.
    public convenience init(
        title: String? = nil,
        image: UIImage? = nil,
        primaryAction: UIAction? = nil,
        menu: UIMenu? = nil
    ) {
        self.init(primaryAction: primaryAction, menu: menu)
        if let title { self.title = title }
        if let image { self.image = image }
    }

    /// A button or a space that every app has alike, which calls an action.
    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.init()
        take(systemItem)
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// A space that takes what others leave, as other such spaces do.
    open class func flexibleSpace() -> UIBarButtonItem {
        UIBarButtonItem(barButtonSystemItem: .flexibleSpace, target: nil, action: nil)
    }

    /// A space of a width in points.
    open class func fixedSpace(_ width: CGFloat) -> UIBarButtonItem {
        let item = UIBarButtonItem(barButtonSystemItem: .fixedSpace, target: nil, action: nil)
        item.width = width
        return item
    }

    private func set(_ target: Any?, _ action: Selector?) {
        self.target = target.map { $0 as AnyObject }
        self.action = action
    }

    private func take(_ systemItem: SystemItem) {
        self.systemItem = systemItem
        switch systemItem.look {
        case .title(let title): self.title = title
        case .symbol(let name): image = UIImage(systemName: name)
        case .space: break
        }
        if systemItem == .done || systemItem == .save { style = .done }
    }

    private func takePrimaryAction() {
        guard systemItem == nil, let primaryAction else { return itemChanged() }
        if !primaryAction.title.isEmpty { title = primaryAction.title }
        if let image = primaryAction.image { self.image = image }
    }

    override func itemChanged() { bar?.itemsChanged() }

    /// Calls what a person's press calls.
    func press(in bar: UIToolbar) {
        if let primaryAction { return primaryAction.perform(from: self) }
        guard let action else { return }
        guard !hasTarget || target != nil else { return }
        let first = UIResponder.first.flatMap { $0.target(forAction: action, withSender: self) == nil ? nil : $0 }
        TargetAction(target, action).call(from: self, first ?? bar)
    }
}

extension UIBarButtonItem.SystemItem {
    enum Look {
        case title(String)
        case symbol(String)
        case space
    }

    /// The title or the symbol, as iOS has it in English.
    var look: Look {
        switch self {
        case .done: .title("Done")
        case .cancel: .title("Cancel")
        case .edit: .title("Edit")
        case .save: .title("Save")
        case .undo: .title("Undo")
        case .redo: .title("Redo")
        case .flexibleSpace, .fixedSpace: .space
        case .add: .symbol("plus")
        case .compose: .symbol("square.and.pencil")
        case .reply: .symbol("arrowshape.turn.up.left")
        case .action: .symbol("square.and.arrow.up")
        case .organize: .symbol("folder")
        case .bookmarks: .symbol("book")
        case .search: .symbol("magnifyingglass")
        case .refresh: .symbol("arrow.clockwise")
        case .stop, .close: .symbol("xmark")
        case .camera: .symbol("camera")
        case .trash: .symbol("trash")
        case .play: .symbol("play.fill")
        case .pause: .symbol("pause.fill")
        case .rewind: .symbol("backward.fill")
        case .fastForward: .symbol("forward.fill")
        case .pageCurl: .symbol("doc")
        }
    }
}
