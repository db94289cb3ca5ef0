// SPDX-License-Identifier: Apache-2.0

/// Facts of a controller that are the same for each view, and calls that a view has no place for.
extension UIViewController {
    /// True while the view appears because the controller has become a child.
    public var isMovingToParent: Bool { appearance.isMovingToParent }
    /// True while the view disappears because the controller is to be a child no more.
    public var isMovingFromParent: Bool { appearance.isMovingFromParent }
    /// False: nothing is presented over a view.
    public var isBeingPresented: Bool { false }
    /// False: nothing is presented over a view.
    public var isBeingDismissed: Bool { false }
    /// `nil`: nothing is presented over a view.
    public var presentedViewController: UIViewController? { nil }
    /// `nil`: nothing is presented over a view.
    public var presentingViewController: UIViewController? { nil }

    /// Controllers are not presented in a content extension.
    @available(
        *,
        unavailable,
        message: "nothing is shown over a notification's view: add a child controller, or a view"
    )
    public func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {}

    /// Controllers are not presented in a content extension.
    @available(
        *,
        unavailable,
        message: "nothing was presented: extensionContext?.dismissNotificationContentExtension() closes the view"
    )
    public func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}

    /// Controllers are not presented in a content extension.
    @available(
        *,
        unavailable,
        message: "nothing is shown over a notification's view: add a child controller, or a view"
    )
    public func show(_ vc: UIViewController, sender: Any?) {}

    /// A storyboard's first controller alone is made.
    @available(
        *,
        unavailable,
        message: "segues lead to other controllers, which nothing shows over a notification's view"
    )
    public func performSegue(withIdentifier identifier: String, sender: Any?) {}

    /// Asks that the status bar look otherwise; a view has none.
    public func setNeedsStatusBarAppearanceUpdate() {}
    /// Asks for another orientation; a view has one.
    public func setNeedsUpdateOfSupportedInterfaceOrientations() {}

    /// The appearance that the controller asks for; a view has the style of the page.
    public var overrideUserInterfaceStyle: UIUserInterfaceStyle {
        get { view.overrideUserInterfaceStyle }
        set { view.overrideUserInterfaceStyle = newValue }
    }

    /// The least margins that the place gives a view: 16 points at the sides.
    public var systemMinimumLayoutMargins: NSDirectionalEdgeInsets {
        NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 16)
    }
}

/// The way in which one controller is shown over another; nothing is.
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0, pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    case blurOverFullScreen
    case none = -1
    case automatic = -2
}

/// The motion with which one controller is shown over another; nothing is.
public enum UIModalTransitionStyle: Int, Sendable {
    case coverVertical, flipHorizontal, crossDissolve, partialCurl
}

/// The look of a status bar; a view has none.
public enum UIStatusBarStyle: Int, Sendable {
    case `default` = 0
    case lightContent = 1
    case darkContent = 3
}

/// The ways in which a device can be held; a view stands upright.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 1 << 1)
    /// Upside down.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 1 << 2)
    /// Lying on a side, the edge that is the lower one of an upright device on the right.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 1 << 3)
    /// Lying on a side, the edge that is the lower one of an upright device on the left.
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 1 << 4)
    /// Lying on either side.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// Any way.
    public static let all: UIInterfaceOrientationMask = [.portrait, .landscape, .portraitUpsideDown]
    /// Any way but upside down.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}
