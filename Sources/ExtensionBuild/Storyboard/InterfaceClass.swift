// SPDX-License-Identifier: Apache-2.0

/// A class of the extension's sources, as far as storyboards and xibs refer to it.
///
/// An extension of a class, UIKit's own among them, is an entry too: entries of one name are taken together.
package struct InterfaceClass: Equatable, Sendable {
    /// A stored or computed property with a name and a type.
    package struct Property: Equatable, Sendable {
        package let name: String
        /// The type as the source has it: "UILabel!", "[UIButton]", "CGFloat"; empty where it is not written.
        package let type: String
        /// The name of `@objc(name)`, by which files know the property; nil without one.
        package let objectiveCName: String?
        /// True for a property that nobody can set.
        package let isConstant: Bool

        package init(name: String, type: String, objectiveCName: String? = nil, isConstant: Bool = false) {
            (self.name, self.type, self.objectiveCName) = (name, type, objectiveCName)
            self.isConstant = isConstant
        }
    }

    package let name: String
    /// The name of `@objc(Name)`, by which files know the class; nil without one.
    package let objectiveCName: String?
    /// The first name behind the colon of the declaration; nil without one, and in an extension.
    package let superclass: String?
    /// The properties with `@IBOutlet`; a type in brackets makes a collection.
    package let outlets: [Property]
    /// The selectors of the functions with `@IBAction`: "tapped:".
    package let actions: [String]
    /// The properties with `@IBInspectable`.
    package let inspectables: [Property]

    package init(
        name: String,
        objectiveCName: String? = nil,
        superclass: String? = nil,
        outlets: [Property] = [],
        actions: [String] = [],
        inspectables: [Property] = []
    ) {
        (self.name, self.objectiveCName, self.superclass) = (name, objectiveCName, superclass)
        (self.outlets, self.actions, self.inspectables) = (outlets, actions, inspectables)
    }
}

extension InterfaceClass.Property {
    /// The type without marks of optionals, brackets of a collection and the module.
    var elementType: String {
        var type = type.filter { !$0.isWhitespace }[...]
        while let last = type.last, last == "!" || last == "?" { type.removeLast() }
        for head in ["Optional<", "Array<"] where type.hasPrefix(head) && type.hasSuffix(">") {
            type = type.dropFirst(head.count).dropLast()
        }
        if isCollection, type.hasPrefix("["), type.hasSuffix("]") { type = type.dropFirst().dropLast() }
        return UIKitClass.withoutModule(String(type))
    }

    /// True for a list of objects, to which several elements lead.
    var isCollection: Bool { type.hasPrefix("[") || type.hasPrefix("Array<") || type.hasPrefix("Optional<Array<") }
}

/// The classes of the sources and UIKit's, by name.
struct InterfaceClasses {
    private let byName: [String: [InterfaceClass]]
    private let namesForFiles: [String: String]

    init(_ classes: [InterfaceClass]) {
        byName = Dictionary(grouping: classes, by: \.name)
        let names = classes.compactMap { entry in entry.objectiveCName.map { ($0, entry.name) } }
        namesForFiles = Dictionary(names, uniquingKeysWith: { first, _ in first })
    }

    /// The name in Swift of the class that a file names.
    func name(forFile name: String) -> String { namesForFiles[name] ?? name }

    /// True for a class of the sources or one of `UIKitClass`.
    func isKnown(_ name: String) -> Bool {
        UIKitClass.named(name) != nil || byName[name]?.contains { $0.superclass != nil } == true
    }

    /// The class and all above it, and whether the list reaches its root; a class of another module ends it early.
    func chain(of name: String) -> (names: [String], isWhole: Bool) {
        var names: [String] = []
        var next: String? = name
        while let name = next, !names.contains(name), names.count < 64 {
            names.append(name)
            if let own = UIKitClass.named(name) {
                guard let superclass = own.superclass else { return (names, true) }
                next = superclass
            } else {
                let superclass = byName[name]?.lazy.compactMap(\.superclass).first
                next = superclass.map(UIKitClass.withoutModule)
            }
        }
        return (names, false)
    }

    /// True if objects of the class are of the type as well; nil if that cannot be told here, as with a protocol.
    func fits(_ name: String, type: String) -> Bool? {
        if ["Any", "AnyObject"].contains(type) { return true }
        let chain = chain(of: name)
        if chain.names.contains(type) { return true }
        return chain.isWhole && isKnown(type) ? false : nil
    }

    /// The first property of that name in the class and those above it.
    func property(
        _ name: String,
        of className: String,
        in list: KeyPath<InterfaceClass, [InterfaceClass.Property]>
    ) -> InterfaceClass.Property? {
        entries(of: className).flatMap { $0[keyPath: list] }.first { $0.objectiveCName ?? $0.name == name }
    }

    /// True if the class, or one above it, has an action of that selector.
    func hasAction(_ selector: String, in className: String) -> Bool {
        entries(of: className).contains { $0.actions.contains(selector) }
    }

    private func entries(of className: String) -> [InterfaceClass] {
        chain(of: className).names.flatMap { byName[$0] ?? [] }
    }
}
