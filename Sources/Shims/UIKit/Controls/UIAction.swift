// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A line of a menu; no menu is shown here.
///
/// Source: Apple, "UIMenuElement".
@preconcurrency @MainActor open class UIMenuElement: NSObject {
    /// The state of an element that can be ticked.
    public enum State: Int, Sendable {
        /// The line has no tick.
        case off
        /// The line has a tick.
        case on
        /// A part of the line's state has a tick.
        case mixed
    }

    /// The way in which an element is.
    public struct Attributes: OptionSet, Sendable {
        /// The value as Apple numbers it.
        public let rawValue: UInt

        /// Takes a value as Apple numbers it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The element takes nothing.
        public static let disabled = Attributes(rawValue: 1)
        /// The element takes something away that does not come back.
        public static let destructive = Attributes(rawValue: 2)
        /// The element is not shown.
        public static let hidden = Attributes(rawValue: 4)
        /// The menu stays when the element is chosen.
        public static let keepsMenuPresented = Attributes(rawValue: 8)
    }

    /// The words of the element.
    open internal(set) var title: String
    /// The words below the title.
    open var subtitle: String?
    /// The picture beside the title.
    open internal(set) var image: UIImage?

    init(title: String, subtitle: String? = nil, image: UIImage?) {
        (self.title, self.subtitle, self.image) = (title, subtitle, image)
        super.init()
    }
}

/// A function that a control calls.
public typealias UIActionHandler = @MainActor (_ action: UIAction) -> Void

/// A function with a title, which a control calls.
///
/// Source: Apple, "UIAction".
@preconcurrency @MainActor open class UIAction: UIMenuElement {
    /// The name of an action, of which a control has one for each event.
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Takes a name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The name of the action.
    public let identifier: Identifier
    /// The words of the action.
    open override var title: String {
        get { super.title }
        set { super.title = newValue }
    }
    /// The picture beside the title.
    open override var image: UIImage? {
        get { super.image }
        set { super.image = newValue }
    }
    /// The words of the action beside a key.
    open var discoverabilityTitle: String?
    /// The way in which the action is; one that is disabled is not called.
    open var attributes: UIMenuElement.Attributes
    /// The tick of the action.
    open var state: UIMenuElement.State
    /// The control that calls the action, while it does.
    open private(set) var sender: Any?

    private let handler: UIActionHandler

    /// An action that calls a function; without a name it has one of its own.
    public init(
        title: String = "",
        subtitle: String? = nil,
        image: UIImage? = nil,
        identifier: UIAction.Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: UIMenuElement.Attributes = [],
        state: UIMenuElement.State = .off,
        handler: @escaping UIActionHandler
    ) {
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        (self.discoverabilityTitle, self.attributes, self.state) = (discoverabilityTitle, attributes, state)
        self.handler = handler
        super.init(title: title, subtitle: subtitle, image: image)
    }

    /// Calls the function for a sender.
    func perform(from sender: Any) {
        guard !attributes.contains(.disabled) else { return }
        let before = self.sender
        self.sender = sender
        defer { self.sender = before }
        handler(self)
    }
}

/// Lines that a button would show; no menu is shown here.
///
/// Source: Apple, "UIMenu".
@preconcurrency @MainActor open class UIMenu: UIMenuElement {
    /// The name of a menu.
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Takes a name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The way in which a menu shows its lines.
    public struct Options: OptionSet, Sendable {
        /// The value as Apple numbers it.
        public let rawValue: UInt

        /// Takes a value as Apple numbers it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The lines stand in the menu around it.
        public static let displayInline = Options(rawValue: 1)
        /// The menu takes something away that does not come back.
        public static let destructive = Options(rawValue: 2)
        /// One line has a tick.
        public static let singleSelection = Options(rawValue: 32)
        /// The lines are small and stand beside each other.
        public static let displayAsPalette = Options(rawValue: 128)
    }

    /// The name of the menu.
    public let identifier: Identifier
    /// The way in which the lines are shown.
    public let options: Options
    /// The lines.
    open private(set) var children: [UIMenuElement]

    /// A menu of lines.
    public init(
        title: String = "",
        subtitle: String? = nil,
        image: UIImage? = nil,
        identifier: UIMenu.Identifier? = nil,
        options: UIMenu.Options = [],
        children: [UIMenuElement] = []
    ) {
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        (self.options, self.children) = (options, children)
        super.init(title: title, subtitle: subtitle, image: image)
    }

    /// A menu with the same facts and other lines.
    open func replacingChildren(_ newChildren: [UIMenuElement]) -> UIMenu {
        UIMenu(
            title: title,
            subtitle: subtitle,
            image: image,
            identifier: identifier,
            options: options,
            children: newChildren
        )
    }
}
