// SPDX-License-Identifier: Apache-2.0

extension UIControl {
    /// Something that has happened to a control.
    ///
    /// Source: Apple, "UIControl.Event", with its numbers.
    public struct Event: OptionSet, Hashable, Sendable {
        /// The value as Apple numbers it.
        public let rawValue: UInt

        /// Takes a value as Apple numbers it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// A finger went down.
        public static let touchDown = Event(rawValue: 1 << 0)
        /// A finger went down again soon after; never told.
        public static let touchDownRepeat = Event(rawValue: 1 << 1)
        /// A finger moved inside of the control; never told.
        public static let touchDragInside = Event(rawValue: 1 << 2)
        /// A finger moved outside of the control; never told.
        public static let touchDragOutside = Event(rawValue: 1 << 3)
        /// A finger came back; never told.
        public static let touchDragEnter = Event(rawValue: 1 << 4)
        /// A finger left; never told.
        public static let touchDragExit = Event(rawValue: 1 << 5)
        /// A finger went up inside of the control.
        public static let touchUpInside = Event(rawValue: 1 << 6)
        /// A finger went up outside of the control; never told.
        public static let touchUpOutside = Event(rawValue: 1 << 7)
        /// The system took the touch away; never told.
        public static let touchCancel = Event(rawValue: 1 << 8)
        /// The value is another one.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// A person did what the control is there for.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// The menu of a button is to be shown; never told.
        public static let menuActionTriggered = Event(rawValue: 1 << 14)
        /// A field has got the keyboard.
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        /// The text of a field is another one.
        public static let editingChanged = Event(rawValue: 1 << 17)
        /// A field has the keyboard no more.
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        /// The return key of a field.
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        /// Everything that a finger does.
        public static let allTouchEvents = Event(rawValue: 0x0000_0FFF)
        /// Everything that happens to the text of a field.
        public static let allEditingEvents = Event(rawValue: 0x000F_0000)
        /// The events of an app's own.
        public static let applicationReserved = Event(rawValue: 0x0F00_0000)
        /// The events of the system.
        public static let systemReserved = Event(rawValue: 0xF000_0000)
        /// Everything.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }

    /// The way in which a control is.
    ///
    /// Source: Apple, "UIControl.State", with its numbers.
    public struct State: OptionSet, Hashable, Sendable {
        /// The value as Apple numbers it.
        public let rawValue: UInt

        /// Takes a value as Apple numbers it.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Nothing of what follows.
        public static let normal: State = []
        /// The control is pressed.
        public static let highlighted = State(rawValue: 1 << 0)
        /// The control takes nothing.
        public static let disabled = State(rawValue: 1 << 1)
        /// The control is chosen.
        public static let selected = State(rawValue: 1 << 2)
        /// The control has the focus; the page shows it itself.
        public static let focused = State(rawValue: 1 << 3)
        /// The states of an app's own.
        public static let application = State(rawValue: 0x00FF_0000)
        /// The states of the system.
        public static let reserved = State(rawValue: 0xFF00_0000)
    }

    /// The place of content between top and bottom.
    public enum ContentVerticalAlignment: Int, Sendable {
        /// The content is in the middle.
        case center
        /// The content is at the top.
        case top
        /// The content is at the bottom.
        case bottom
        /// The content goes from top to bottom.
        case fill
    }

    /// The place of content between the sides.
    public enum ContentHorizontalAlignment: Int, Sendable {
        /// The content is in the middle.
        case center
        /// The content is on the left.
        case left
        /// The content is on the right.
        case right
        /// The content goes from side to side.
        case fill
        /// The content is on the side on which a line begins.
        case leading
        /// The content is on the side on which a line ends.
        case trailing
    }
}
