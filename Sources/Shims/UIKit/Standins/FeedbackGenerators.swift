// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A tap on a person's finger; a page has none, so that nothing is felt.
///
/// Source: Apple, "UIFeedbackGenerator".
@preconcurrency @MainActor open class UIFeedbackGenerator: NSObject {
    public override init() {
        super.init()
    }

    /// A generator of a view.
    public convenience init(view: UIView) {
        self.init()
    }

    /// Does nothing.
    open func prepare() {}
}

/// The tap of something that has hit something.
@preconcurrency @MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The weight of what has hit.
    public enum FeedbackStyle: Int, Sendable {
        case light, medium, heavy, soft, rigid
    }

    /// A generator of a weight.
    public convenience init(style: FeedbackStyle) {
        self.init()
    }

    /// A generator of a weight, of a view.
    public convenience init(style: FeedbackStyle, view: UIView) {
        self.init()
    }

    /// Does nothing.
    open func impactOccurred() {}
    /// Does nothing.
    open func impactOccurred(intensity: CGFloat) {}
}

/// The tap of something that went well or badly.
@preconcurrency @MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// The way in which it went.
    public enum FeedbackType: Int, Sendable {
        case success, warning, error
    }

    /// Does nothing.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// The tap of a choice that changes.
@preconcurrency @MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Does nothing.
    open func selectionChanged() {}
}
