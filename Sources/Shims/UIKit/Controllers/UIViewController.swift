// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

/// The code of a view: makes it, fills it, and hears of its life.
///
/// One is shown of a content extension, and its children. Nothing can be presented over it or pushed behind it.
/// Source: Apple, "UIViewController".
@preconcurrency @MainActor open class UIViewController: UIResponder, @preconcurrency NSCoding {
    /// The name of the xib that has the view.
    public let nibName: String?
    /// The bundle of that xib.
    public let nibBundle: Bundle?
    /// The storyboard that makes the view; `nil` for a controller that code makes.
    private let coder: NibCoder?

    private var loadedView: UIView?
    private var isAppeared = false

    /// A controller whose view is that of a xib, or one that code makes.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        (nibName, nibBundle, coder) = (nibNameOrNil, nibBundleOrNil, nil)
        super.init()
    }

    /// A controller whose view code makes, or a xib of the class's name has.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    /// A controller of a storyboard.
    public required init?(coder: NSCoder) {
        (nibName, nibBundle, self.coder) = (nil, nil, coder as? NibCoder)
        super.init()
        self.coder?.configure(self)
    }

    /// Writes nothing: controllers are not archived.
    open func encode(with coder: NSCoder) {}

    /// Called for a controller of a storyboard once its outlets are set.
    open func awakeFromNib() {}

    open override var next: UIResponder? { viewIfLoaded?.superview ?? parent }

    // MARK: The view

    /// The view, which is made when it is first asked for.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            newValue?.controller = self
        }
    }

    /// The view, if it is made.
    open var viewIfLoaded: UIView? { loadedView }
    /// True once the view is made.
    open var isViewLoaded: Bool { loadedView != nil }

    /// Makes the view: that of the storyboard or xib, or an empty one.
    open func loadView() {
        if let coder {
            coder.loadView(of: self)
        } else if let name = nibName ?? NibFiles.nibName(of: type(of: self)) {
            // The xib's owner is the controller, whose outlet "view" it sets.
            _ = NibFiles.objects(ofNib: name, owner: self)
        }
        if loadedView == nil {
            view = UIView(frame: UIScreen.main.bounds)
        }
    }

    /// Makes the view, unless it is made.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    // MARK: Life

    /// Called once the view is made.
    open func viewDidLoad() {}
    /// Called before the view is shown.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called when the view is in its place, before it is shown.
    open func viewIsAppearing(_ animated: Bool) {}
    /// Called when the view is shown.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called before the view is shown no more.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called when the view is shown no more.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called before what is in the view is placed.
    open func viewWillLayoutSubviews() {}
    /// Called when what is in the view is placed.
    open func viewDidLayoutSubviews() {}
    /// Adds constraints; the default has the view do it.
    open func updateViewConstraints() { viewIfLoaded?.updateConstraints() }
    /// Called when the margins of the view have changed.
    open func viewLayoutMarginsDidChange() {}
    /// Called when the safe area has changed; it is always the whole view.
    open func viewSafeAreaInsetsDidChange() {}
    /// This is never called: memory has a bound and no warnings.
    open func didReceiveMemoryWarning() {}
    /// Called when the place of the view has changed.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// Called before the view gets another size.
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {}

    /// The place in which the view is shown.
    open var traitCollection: UITraitCollection { .current }

    // MARK: The extension

    /// The connection with whoever shows the extension; `nil` for a controller that is not shown as one.
    open var extensionContext: NSExtensionContext? { context ?? parent?.extensionContext }

    private var context: NSExtensionContext?

    /// Gives the controller the connection with whoever shows it.
    package func take(_ context: NSExtensionContext) { self.context = context }

    /// The line above the view, where the extension's Info.plist says that it has its own.
    open var title: String? { didSet { viewIfLoaded?.window?.sceneChanged() } }

    /// The size that the view wants for its box, of which the height counts.
    open var preferredContentSize = CGSize.zero {
        didSet {
            guard preferredContentSize != oldValue else { return }
            parent?.preferredContentSizeDidChange(forChildContentContainer: self)
            viewIfLoaded?.window?.sceneChanged()
        }
    }

    /// Called when a child wants another size.
    open func preferredContentSizeDidChange(forChildContentContainer container: UIViewController) {}

    // MARK: Children

    /// The controllers whose views are in this one's.
    open private(set) var children: [UIViewController] = []
    /// The controller that this one is a child of.
    open private(set) weak var parent: UIViewController?

    /// Makes a controller a child; its view is added by the caller.
    open func addChild(_ childController: UIViewController) {
        if let parent = childController.parent {
            guard parent !== self else { return }
            childController.removeFromParent()
        }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
        if isAppeared { childController.appear() }
    }

    /// Stops being a child; the view is taken away by the caller.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        if isAppeared { disappear() }
        didMove(toParent: nil)
    }

    /// Called before the controller becomes a child, or stops being one.
    open func willMove(toParent parent: UIViewController?) {}
    /// Called when the controller has become a child, or stopped being one.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Guides

    /// The upper edge of the view.
    open private(set) lazy var topLayoutGuide: any UILayoutSupport = EdgeGuide(.top, in: view)
    /// The lower edge of the view.
    open private(set) lazy var bottomLayoutGuide: any UILayoutSupport = EdgeGuide(.bottom, in: view)
    /// Room beside the safe area; nothing lies over a view here, so that it is without effect.
    open var additionalSafeAreaInsets = UIEdgeInsets.zero
}

// The life of a controller as whoever shows it goes through it.
extension UIViewController {
    /// The view is shown from now on: calls what is called before and behind its first layout.
    package func appear() {
        guard !isAppeared else { return }
        isAppeared = true
        loadViewIfNeeded()
        viewWillAppear(false)
        for child in children { child.appear() }
        viewIsAppearing(false)
        view.layoutIfNeeded()
        viewDidAppear(false)
    }

    /// The view is shown no more.
    package func disappear() {
        guard isAppeared else { return }
        isAppeared = false
        viewWillDisappear(false)
        for child in children { child.disappear() }
        viewDidDisappear(false)
    }
}

/// The course of a change of size; nothing moves along with one here.
@preconcurrency @MainActor public protocol UIViewControllerTransitionCoordinator: NSObjectProtocol {
    /// Runs what moves along, and then what follows.
    @discardableResult
    func animate(
        alongsideTransition animation: (@MainActor ((any UIViewControllerTransitionCoordinator)?) -> Void)?,
        completion: (@MainActor ((any UIViewControllerTransitionCoordinator)?) -> Void)?
    ) -> Bool
}
