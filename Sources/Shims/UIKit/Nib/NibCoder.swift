// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The coder that views and view controllers of storyboards and xibs are made with.
///
/// There is no archive behind it: `extension-host build` turns the files into Swift, and that code has a closure for
/// each object that sets what its file says. For a class of an extension `UIView.init(coder:)` and
/// `UIViewController.init(coder:)` call it by `configure(_:)`, as their last step: the class finds its properties set
/// when its own initializer goes on, as on iOS. A view of UIKit's own is set when its initializer is through. For any
/// other key the coder has nothing.
/// Source: Apple, "UIView", `init(coder:)`; "UIViewController", `loadView()`.
public final class NibCoder: NSCoder {
    private let values: [String: Int]
    private let configuration: @MainActor (UIResponder) -> Void
    private let loading: (@MainActor (UIViewController) -> [AnyObject])?
    /// The objects beside the views that the controller's file holds, alive as long as the controller.
    @MainActor private var topLevelObjects: [AnyObject] = []

    private init(
        values: [String: Int] = [:],
        configuration: @escaping @MainActor (UIResponder) -> Void,
        loading: (@MainActor (UIViewController) -> [AnyObject])? = nil
    ) {
        (self.values, self.configuration, self.loading) = (values, configuration, loading)
        super.init()
    }

    /// Makes a view of UIKit's own as a file holds it.
    ///
    /// `values` are constants that a class needs from the start, by Apple's keys: "UIButtonType".
    @MainActor public static func view<View: UIView>(
        _ type: View.Type,
        values: [String: Int] = [:],
        _ configure: @MainActor (View) -> Void
    ) -> View {
        let view = make(type, NibCoder(values: values, configuration: { _ in }))
        configure(view)
        return view
    }

    /// Makes a view of a class of the extension as a file holds it; `values` are those of `view(_:values:_:)`.
    ///
    /// A view whose `init(coder:)` gives nil ends the program, as on iOS.
    @MainActor public static func customView<View: UIView>(
        _ type: View.Type,
        values: [String: Int] = [:],
        _ configure: @escaping @MainActor (View) -> Void
    ) -> View {
        make(type, NibCoder(values: values, configuration: { if let view = $0 as? View { configure(view) } }))
    }

    @MainActor private static func make<View: UIView>(_ type: View.Type, _ coder: NibCoder) -> View {
        guard let view = type.init(coder: coder) else {
            // There is no view to go on with: iOS ends the process as well.
            fatalError("init(coder:) of \(type) gives nil, and a storyboard or xib holds such a view")
        }
        return view
    }

    /// Makes a view controller as a storyboard holds it.
    ///
    /// `loadView` sets the controller's view and outlets when the view is first asked for, and gives objects that the
    /// controller is to keep.
    @MainActor public static func viewController<Controller: UIViewController>(
        _ type: Controller.Type,
        loadView: @escaping @MainActor (UIViewController) -> [AnyObject],
        _ configure: @escaping @MainActor (Controller) -> Void
    ) -> Controller {
        let coder = NibCoder(
            configuration: { if let controller = $0 as? Controller { configure(controller) } },
            loading: loadView
        )
        guard let controller = type.init(coder: coder) else {
            // There is no controller to go on with: iOS ends the process as well.
            fatalError("init(coder:) of \(type) gives nil, and a storyboard holds such a view controller")
        }
        return controller
    }

    /// Sets what the file says about the object; UIKit's `init(coder:)` calls it once.
    @MainActor func configure(_ object: UIResponder) {
        configuration(object)
    }

    /// Makes and connects the views of a controller; `UIViewController.loadView()` calls it, once.
    @MainActor func loadView(of controller: UIViewController) {
        guard let loading else { return }
        topLevelObjects = loading(controller)
    }

    /// Always true, because values have names.
    public override var allowsKeyedCoding: Bool { true }
    /// True for the constants of `view(_:values:_:)`.
    public override func containsValue(forKey key: String) -> Bool { values[key] != nil }
    /// A constant of `view(_:values:_:)`; 0 for other keys.
    public override func decodeInteger(forKey key: String) -> Int { values[key] ?? 0 }
    /// Always false.
    public override func decodeBool(forKey key: String) -> Bool { false }
    /// Always 0.
    public override func decodeDouble(forKey key: String) -> Double { 0 }
    /// Always 0.
    public override func decodeFloat(forKey key: String) -> Float { 0 }
    /// Always `nil`, because the code of a file sets objects itself.
    public override func decodeObject(forKey key: String) -> Any? { nil }
}
