// SPDX-License-Identifier: Apache-2.0

/// An object of the file, as later statements name it.
struct InterfaceObject {
    /// "label3", "view1.safeAreaLayoutGuide", "owner".
    let expression: String
    /// The most derived class that is known.
    let className: String
    let element: InterfaceElement
    /// True for an empty view in the place of one whose class is not there.
    var isStandIn = false
}

/// The statements of a file's Swift form while they are written, and what they refer to.
///
/// A script is used by one thread and thrown away when its file is written.
final class InterfaceScript {
    let classes: InterfaceClasses
    let options: InterfaceOptions
    let resources: InterfaceResources
    var troubles: InterfaceTroubles
    private(set) var lines: [String] = []
    /// The modules whose classes the statements name.
    private(set) var modules: Set<String> = ["Foundation", "UIKit"]
    private var depth = 0
    private var objects: [String: InterfaceObject] = [:]
    private var counts: [String: Int] = [:]
    /// Elements whose statements come when all objects are there, in the order of the file.
    private(set) var constraints: [(element: InterfaceElement, container: InterfaceObject)] = []
    private(set) var owners: [InterfaceObject] = []

    init(_ classes: InterfaceClasses, _ options: InterfaceOptions, _ resources: InterfaceResources, path: String) {
        (self.classes, self.options, self.resources) = (classes, options, resources)
        troubles = InterfaceTroubles(path: path)
    }

    /// Adds one line at the present indentation.
    func add(_ line: String) {
        lines.append(line.isEmpty ? "" : String(repeating: "    ", count: depth) + line)
    }

    /// Adds lines between `head` and `tail`, one step further in.
    func block(_ head: String, tail: String = "}", _ body: () -> Void) {
        add(head)
        depth += 1
        body()
        depth -= 1
        add(tail)
    }

    /// Adds what `body` adds so that the compiler's messages about it point at a line of the file; nil changes nothing.
    func located(_ line: Int?, _ body: () -> Void) {
        guard let line, options.isPointedAt else { return body() }
        add("#sourceLocation(file: \(SwiftText.literal(troubles.path)), line: \(line))")
        body()
        add("#sourceLocation()")
    }

    /// A name that no other variable has: "label3".
    func variable(_ stem: String) -> String {
        counts[stem, default: 0] += 1
        return "\(stem)\(counts[stem, default: 0])"
    }

    /// Makes the object known by its id; two of one id are an error.
    func register(_ object: InterfaceObject) {
        modules.formUnion(classes.chain(of: object.className).names.compactMap { UIKitClass.named($0)?.module })
        guard let id = object.element.id else { return }
        guard objects.updateValue(object, forKey: id) == nil else {
            return troubles.fail(object.element.line, "two objects have the id \"\(id)\"")
        }
    }

    /// Leaves connections and runtime attributes of the object for the end.
    func addOwner(_ object: InterfaceObject) {
        owners.append(object)
    }

    func addConstraints(of element: InterfaceElement, in container: InterfaceObject) {
        constraints += element.list("constraints").map { ($0, container) }
    }

    func object(_ id: String) -> InterfaceObject? { objects[id] }

    /// Forgets the objects and statements that wait, before the next function of the file.
    func begin() {
        (objects, constraints, owners) = ([:], [], [])
    }

    func warn(_ element: InterfaceElement, _ message: String) {
        troubles.warn(element.line, message + Self.place(element))
    }

    func fail(_ element: InterfaceElement, _ message: String) {
        troubles.fail(element.line, message + Self.place(element))
    }

    private static func place(_ element: InterfaceElement) -> String {
        element.attribute("id").map { ", in <\(element.name)> with the id \"\($0)\"" } ?? ", in <\(element.name)>"
    }
}
