// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

/// The code of a view: makes it, fills it, and hears of its life.
///
/// One is shown of a content extension, and its children. Nothing can be presented over it or pushed behind it. A child
/// appears when its view comes into that of a controller that is shown.
/// Source: Apple, "UIViewController".
@preconcurrency @MainActor open class UIViewController: UIResponder, @preconcurrency NSCoding, UIContentContainer {
    /// The name of the xib that has the view.
    public let nibName: String?
    /// The bundle of that xib.
    public let nibBundle: Bundle?
    /// The storyboard that makes the view; `nil` for a controller that code makes.
    private let coder: NibCoder?
    /// The storyboard that the controller is of; `nil`, as none is left once a program is built.
    open var storyboard: UIStoryboard? { nil }

    private var loadedView: UIView?
    /// The part of the view's life that it is in.
    var appearance = ViewAppearance()
    /// The functions that are called when traits change.
    var traitWatches: [TraitWatch] = []

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
    /// This is never called: the safe area is always the whole view.
    open func viewSafeAreaInsetsDidChange() {}
    /// This is never called: memory has a bound and no warnings.
    open func didReceiveMemoryWarning() {}

    /// True if what is shown within the view is told of the controller's appearing and disappearing.
    open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

    /// Begins to show the view of a child, or to show it no more, where that is not told by itself.
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        if isAppearing { beginAppearing(animated) } else { beginDisappearing(animated) }
    }

    /// Ends what `beginAppearanceTransition(_:animated:)` began.
    open func endAppearanceTransition() {
        if appearance.state == .going { endDisappearing() } else { endAppearing() }
    }

    // MARK: The place

    /// The place in which the view is shown.
    open var traitCollection: UITraitCollection { .current }

    /// Called when a trait of the place has changed.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    /// Called before traits of the place change; the default tells the children.
    open func willTransition(
        to newCollection: UITraitCollection,
        with coordinator: any UIViewControllerTransitionCoordinator
    ) {
        for child in children { child.willTransition(to: newCollection, with: coordinator) }
    }

    /// Called before the view gets another size; the default tells the children that get another one with it.
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {
        for child in children {
            let wanted = self.size(forChildContentContainer: child, withParentContainerSize: size)
            guard let view = child.viewIfLoaded, view.bounds.size != wanted else { continue }
            child.viewWillTransition(to: wanted, with: coordinator)
        }
    }

    /// The size that a child will have in a size of this view: all of it for one that fills the view, or the present.
    open func size(
        forChildContentContainer container: any UIContentContainer,
        withParentContainerSize parentSize: CGSize
    ) -> CGSize {
        guard let child = (container as? UIViewController)?.viewIfLoaded else { return parentSize }
        return child.bounds.size == viewIfLoaded?.bounds.size ? parentSize : child.bounds.size
    }

    // MARK: The extension

    /// The connection with whoever shows the extension; `nil` for a controller that is not shown as one.
    open var extensionContext: NSExtensionContext? { context ?? parent?.extensionContext }

    private var context: NSExtensionContext?

    /// Gives the controller the connection with whoever shows it.
    package func take(_ context: NSExtensionContext) { self.context = context }

    /// The line above the view, where the extension's Info.plist says that it has its own.
    @_OnMainThread open var title: String? { didSet { viewIfLoaded?.window?.sceneChanged() } }

    /// The size that the view wants for its box, of which the height counts.
    @_OnMainThread open var preferredContentSize = CGSize.zero {
        didSet {
            guard preferredContentSize != oldValue else { return }
            parent?.preferredContentSizeDidChange(forChildContentContainer: self)
            viewIfLoaded?.window?.sceneChanged()
        }
    }

    /// Called when a child wants another size.
    open func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer) {}
    /// This is never called: constraints around a child's view are solved with those in it.
    open func systemLayoutFittingSizeDidChange(forChildContentContainer container: any UIContentContainer) {}

    // MARK: Children

    /// The controllers whose views are in this one's.
    open private(set) var children: [UIViewController] = []
    /// The controller that this one is a child of.
    open private(set) weak var parent: UIViewController?

    /// Makes a controller a child, which appears when the caller adds its view.
    ///
    /// A child of another controller stops being that one's first.
    open func addChild(_ childController: UIViewController) {
        guard onMain(self.addChild(childController)) else { return }
        if let parent = childController.parent {
            guard parent !== self else { return }
            childController.removeFromParent()
        }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
        childController.appearance.isMovingToParent = true
    }

    /// Stops being a child; the view stays where it is until the caller takes it away.
    open func removeFromParent() {
        guard onMain(self.removeFromParent()), let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// Called before the controller becomes a child; the caller of `removeFromParent()` calls it with `nil`.
    open func willMove(toParent parent: UIViewController?) {
        if parent == nil { appearance.isMovingFromParent = true }
    }

    /// Called when the controller is a child no more; the caller of `addChild(_:)` calls it for one that has become it.
    open func didMove(toParent parent: UIViewController?) {}

    /// Puts the view of a child in the place of another's, while a function changes what is seen.
    open func transition(
        from fromViewController: UIViewController,
        to toViewController: UIViewController,
        duration: TimeInterval,
        options: UIView.AnimationOptions = [],
        animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.transition(
                    from: fromViewController,
                    to: toViewController,
                    duration: duration,
                    options: options,
                    animations: animations,
                    completion: completion
                )
            )
        else { return }
        exchange(fromViewController, toViewController, duration, options, animations, completion)
    }

    // MARK: Guides

    /// The upper edge of the view.
    open private(set) lazy var topLayoutGuide: any UILayoutSupport = EdgeGuide(.top, in: view)
    /// The lower edge of the view.
    open private(set) lazy var bottomLayoutGuide: any UILayoutSupport = EdgeGuide(.bottom, in: view)
    /// Room beside the safe area; nothing lies over a view here, so that it is without effect.
    @_OnMainThread open var additionalSafeAreaInsets = UIEdgeInsets.zero {
        didSet {
            guard additionalSafeAreaInsets != .zero else { return }
            Absent.note("UIViewController.additionalSafeAreaInsets", "the safe area is always the whole view")
        }
    }
    /// True if the margins of the view are at least `systemMinimumLayoutMargins`.
    @_OnMainThread open var viewRespectsSystemMinimumLayoutMargins = true { didSet { viewIfLoaded?.marginsChanged() } }

    // MARK: What a view has not

    /// This is never called: a storyboard's first controller alone is made.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
    /// True between two calls of `setEditing(_:animated:)`; nothing but code calls it.
    open var isEditing = false
    /// Sets `isEditing`.
    open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }
    /// This has no effect: nothing is presented over a view.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// This has no effect: nothing is presented over a view.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// This has no effect: nothing is presented over a view.
    open var definesPresentationContext = false
    /// This has no effect: the box has no bars.
    open var edgesForExtendedLayout = UIRectEdge.all
    /// This has no effect: the box has no bars.
    open var extendedLayoutIncludesOpaqueBars = false
    /// This is never asked: a view has no status bar.
    open var prefersStatusBarHidden: Bool { false }
    /// This is never asked: a view has no status bar.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    /// This is never asked: a view stands upright.
    open var shouldAutorotate: Bool { true }
    /// This is never asked: a view stands upright.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
}
