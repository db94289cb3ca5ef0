// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A storyboard of the extension, of which the first controller can be made.
///
/// Source: Apple, "UIStoryboard".
@preconcurrency @MainActor open class UIStoryboard: NSObject {
    private let name: String

    /// The storyboard of a file's name without the extension; the bundle is always the extension's.
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) {
        self.name = name
    }

    /// A new first controller; `nil` if the extension has no such storyboard.
    open func instantiateInitialViewController() -> UIViewController? {
        NibFiles.initialViewController(ofStoryboard: name)
    }

    /// The controllers behind the first one are not made.
    @available(
        *,
        unavailable,
        message: "a storyboard's first controller alone is made: put the other one into a storyboard of its own"
    )
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController { UIViewController() }
}

/// A way from one controller to another; none is taken here.
///
/// Source: Apple, "UIStoryboardSegue".
@preconcurrency @MainActor open class UIStoryboardSegue: NSObject {
    /// The name of the way.
    public let identifier: String?
    /// The controller that it leads from.
    public let source: UIViewController
    /// The controller that it leads to.
    public let destination: UIViewController

    /// A way that nothing takes.
    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        (self.identifier, self.source, self.destination) = (identifier, source, destination)
        super.init()
    }

    /// Does nothing: one controller is shown.
    open func perform() {}
}
