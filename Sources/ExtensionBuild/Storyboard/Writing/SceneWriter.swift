// SPDX-License-Identifier: Apache-2.0

/// Writes the initial view controller of a storyboard: a function that makes it, and one that makes its views.
struct SceneWriter {
    let script: InterfaceScript
    /// The tint of all views of the file; nil when Xcode's usual one is meant.
    private let tint: InterfaceElement?

    init(script: InterfaceScript, root: InterfaceElement) {
        self.script = script
        tint = root.child("color", key: "tintColor")
    }

    func write(_ root: InterfaceElement) {
        guard let initial = root["initialViewController"] else {
            _ = root.readingAll()
            return script.fail(root, "no view controller is the initial one: set it in Xcode's attributes inspector")
        }
        var found: InterfaceElement?
        for scene in root.list("scenes") where scene.name == "scene" {
            let objects = scene.child(named: "objects")?.children ?? []
            if let controller = objects.first(where: { $0.attribute("id") == initial }) {
                found = controller.reading()
                write(controller, in: objects)
            } else {
                script.warn(scene, "the scene is not the initial view controller's, and is left out")
                _ = scene.readingAll()
            }
        }
        if found == nil { script.fail(root, "the initial view controller \"\(initial)\" is not there") }
    }

    private func write(_ controller: InterfaceElement, in objects: [InterfaceElement]) {
        guard controller.name == "viewController" else {
            return script.fail(controller, "a <\(controller.name)> cannot be shown: a view controller is")
        }
        let name = ObjectWriter(script: script).className(of: controller, base: "UIViewController")
        writeMaking(of: controller, className: name)
        script.add("")
        script.begin()
        script.block("@MainActor private static func loadView(_ owner: UIViewController) -> [AnyObject] {") {
            writeLoading(of: controller, className: name, in: objects)
        }
    }

    private func writeMaking(of controller: InterfaceElement, className: String) {
        let isCustom = UIKitClass.named(className) == nil
        script.block("@MainActor static func makeInitialViewController() -> UIViewController {") {
            script.located(isCustom ? controller.line : nil) {
                script.block(
                    "let controller = NibCoder.viewController(\(className).self, loadView: { loadView($0) }) { "
                        + "controller in"
                ) {
                    let writer = PropertyWriter(element: controller, target: "controller", script: script)
                    writer.text("title")
                    writer.value("preferredContentSize", GeometryValue.size)
                    writer.value("contentSizeForViewInPopover", "preferredContentSize", GeometryValue.size)
                    _ = controller.child(key: "contentSizeForViewInPopover")?["type"]
                }
            }
            let object = InterfaceObject(expression: "controller", className: className, element: controller)
            RuntimeAttributeWriter(script: script).write(object)
            if isCustom { script.add("controller.awakeFromNib()") }
            script.add("return controller")
        }
    }

    /// Adds what the controller and the whole file say about its view.
    private func writeLook(of view: InterfaceObject, controller: InterfaceElement) {
        PropertyWriter(element: controller, target: view.expression, script: script)
            .choice("userInterfaceStyle", "overrideUserInterfaceStyle", Choices.interfaceStyles)
        guard let tint, view.element.child("color", key: "tintColor") == nil,
            let color = ColorValue.swift(tint.reading(), script)
        else { return }
        script.add("\(view.expression).tintColor = \(color)")
    }

    private func writeLoading(of controller: InterfaceElement, className: String, in objects: [InterfaceElement]) {
        let owner = InterfaceObject(expression: "owner", className: className, element: controller)
        script.register(owner)
        let writer = ObjectWriter(script: script)
        for guide in controller.list("layoutGuides") {
            guard let place = guide["type"], ["top", "bottom"].contains(place) else { continue }
            let expression = "owner.\(place)LayoutGuide"
            script.register(InterfaceObject(expression: expression, className: "UILayoutSupport", element: guide))
        }
        let view = controller.children.first { $0.attribute("key") == "view" }
        _ = view?.key
        let root = view.flatMap { writer.view($0.reading()) }
        var responders: Set<String> = []
        var kept: [String] = []
        for object in objects where object !== controller {
            _ = object.reading()
            if object.name == "placeholder" {
                object.readAttributes()
                responders.insert(object.id ?? "")
            } else if object.name == "exit" {
                object.readAttributes()
            } else if let other = writer.other(object) ?? writer.view(object) {
                kept.append(other.expression)
            }
        }
        if let root { writeLook(of: root, controller: controller) }
        script.add("owner.view = \(root?.expression ?? "UIView()")")
        EndWriter(script: script, responders: responders).write(owner)
        script.add("return [\(kept.joined(separator: ", "))]")
    }
}
