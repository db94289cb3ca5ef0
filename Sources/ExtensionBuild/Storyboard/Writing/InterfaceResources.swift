// SPDX-License-Identifier: Apache-2.0

/// The part `<resources>` of a file: colours by name, for the case that the catalogue has them no longer.
struct InterfaceResources {
    private var named: [String: InterfaceElement] = [:]
    private var system: [String: InterfaceElement] = [:]

    init(_ root: InterfaceElement) {
        for element in root.list("resources") {
            guard let name = element["name"] else { continue }
            switch element.name {
            case "namedColor": named[name] = element.child(named: "color")
            case "systemColor": system[name] = element.child(named: "color")
            // Size, catalogue and drawn form of an image are those of its file.
            case "image": _ = element.readingAll()
            default: break
            }
        }
    }

    func color(named name: String) -> InterfaceElement? { named[name] }
    func color(system name: String) -> InterfaceElement? { system[name] }
}
