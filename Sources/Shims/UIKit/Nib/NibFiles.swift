// SPDX-License-Identifier: Apache-2.0

/// The storyboards and xibs of an extension, by name, as its program registers them at its start.
///
/// `UINib`, `Bundle.loadNibNamed` and `UIViewController.loadView()` look here; Apple's look into the bundle.
@MainActor public enum NibFiles {
    private static var storyboards: [String: @MainActor () -> UIViewController] = [:]
    private static var nibs: [String: @MainActor (Any?) -> [Any]] = [:]

    /// Makes a storyboard known by its file's name without the extension.
    public static func add(storyboard name: String, initial: @escaping @MainActor () -> UIViewController) {
        storyboards[name] = initial
    }

    /// Makes a xib known by its file's name without the extension.
    public static func add(nib name: String, objects: @escaping @MainActor (_ owner: Any?) -> [Any]) {
        nibs[name] = objects
    }

    /// A new initial view controller of a storyboard; nil if there is no such storyboard.
    public static func initialViewController(ofStoryboard name: String) -> UIViewController? { storyboards[name]?() }

    /// New objects of a xib, connected to the owner; nil if there is no such xib.
    public static func objects(ofNib name: String, owner: Any?) -> [Any]? { nibs[name]?(owner) }

    /// The xib that a controller's class has by its name: that of the class, or without "Controller" at its end.
    static func nibName(of controller: UIViewController.Type) -> String? {
        let name = String(describing: controller)
        let short = name.hasSuffix("Controller") ? String(name.dropLast("Controller".count)) : name
        return [short, name].first(where: hasNib)
    }

    /// True for the name of a xib.
    public static func hasNib(_ name: String) -> Bool { nibs[name] != nil }
}
