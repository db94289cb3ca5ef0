// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The view controllers among an extension's classes, as far as they can show notifications.
struct ContentControllers {
    private static let protocolName = "UNNotificationContentExtension"

    private let declarations: [ClassDeclaration]
    private let classes: InterfaceClasses
    private let sources: [String: [UInt8]]

    init(_ declarations: [ClassDeclaration], sources: [String: [UInt8]]) {
        self.declarations = declarations
        self.sources = sources
        classes = InterfaceClasses(declarations.map(InterfaceClass.init))
    }

    /// The one class with which an extension begins whose Info.plist names none.
    ///
    /// - Throws: `CommandError` at `place`, the line of Info.plist, when there is no such class, or more than one.
    func only(place: String) throws(CommandError) -> ClassDeclaration {
        let found = declarations.filter { declaration in
            !declaration.isForeign && protocols(of: declaration.name).contains(Self.protocolName)
                && classes.chain(of: declaration.name).names.contains("UIViewController")
        }
        guard let first = found.first else {
            throw CommandError(
                "\(place): NSExtension has neither NSExtensionMainStoryboard nor NSExtensionPrincipalClass, and no "
                    + "view controller of the sources conforms to \(Self.protocolName)",
                hint: "name the storyboard, or the class: $(PRODUCT_MODULE_NAME).NotificationViewController"
            )
        }
        guard found.count == 1 else {
            let places = found.map { "\($0.name) (\($0.path):\($0.line))" }.joined(separator: ", ")
            throw CommandError(
                "\(place): NSExtension names neither a storyboard nor a class, and \(found.count) view controllers "
                    + "could be meant: \(places)",
                hint: "name the one with NSExtensionPrincipalClass: $(PRODUCT_MODULE_NAME).\(first.name)"
            )
        }
        return first
    }

    /// Refuses a class that cannot show notifications, where that is certain; the compiler decides about others.
    ///
    /// `place` is the line that names the class, and `what` the words for it there.
    func check(_ name: String, what: String, place: String) throws(CommandError) {
        let chain = classes.chain(of: name)
        guard chain.isWhole, chain.names.contains("UIViewController") else { return }
        let protocols = protocols(of: name)
        guard !protocols.contains(Self.protocolName), !protocols.contains(where: isOfSources) else { return }
        let declaration = declarations.first { $0.name == name && !$0.isForeign }
        throw CommandError(
            "\(place): the class \"\(name)\" of \(what) does not conform to \(Self.protocolName), so that no "
                + "notification reaches it",
            hint: declaration.map {
                "write at \($0.path):\($0.line): class \(name): \($0.superclass ?? ""), "
                    + "\(Self.protocolName)"
            } ?? "name a class of the sources that conforms to it"
        )
    }

    /// The protocols that the class and those above it name, without their modules.
    private func protocols(of name: String) -> Set<String> {
        let names = Set(classes.chain(of: name).names)
        let written = declarations.filter { names.contains($0.name) }.flatMap(\.protocols)
        let parts = written.flatMap { $0.split(separator: "&") }
        // An attribute may stand before the name.
        let words = parts.compactMap { $0.split(whereSeparator: \.isWhitespace).last }
        return Set(words.compactMap { $0.split(separator: ".").last.map(String.init) })
    }

    /// True for a protocol that the sources declare, or another name for one: it may stand for any.
    private func isOfSources(_ name: String) -> Bool {
        sources.values.contains { source in
            let text = String(decoding: source, as: UTF8.self)
            return ["protocol", "typealias"].contains { text.contains("\($0) \(name)") }
        }
    }
}
