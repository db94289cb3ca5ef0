// SPDX-License-Identifier: Apache-2.0

/// A class of an extension's sources, with what a storyboard can name of it.
///
/// A class of another module that the sources extend, such as UIKit's own, is one too: without a superclass.
struct ClassDeclaration: Equatable {
    /// The name with those of the types around it: "Outer.Inner".
    let name: String
    /// The superclass as written; nil without one.
    let superclass: String?
    /// The protocols as written, also those of extensions.
    let protocols: [String]
    /// The name of `@objc(Name)`.
    let objectiveCName: String?
    /// True for a class of another module, of which nothing but the extensions is known.
    let isForeign: Bool
    /// The word for its access; "internal" when none is written.
    let access: String
    /// The path of the file that declares it.
    let path: String
    /// The line of its name, counted from 1.
    let line: Int
    /// The properties of the class and its extensions that are outlets.
    let outlets: [PropertyDeclaration]
    /// The properties that are marked as inspectable.
    let inspectables: [PropertyDeclaration]
    /// The functions that are marked as actions or for Objective-C, those that some `#selector` names, and those that
    /// replace a superclass's.
    let functions: [FunctionDeclaration]

    /// The classes of the sources, in the order of files and lines.
    ///
    /// `named` are the functions that selectors name.
    static func all(in index: SourceIndex, named: Set<MemberPlace>) -> [ClassDeclaration] {
        var (classes, extensions): ([(TypeBody, String)], [String: [TypeBody]]) = ([], [:])
        var foreign: Set<String> = []
        for (file, source) in index.sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated() {
                let place = BodyPlace(file: file, body: number)
                var body = body
                body.functions = body.functions.enumerated().filter { member, function in
                    function.isExposed || function.isOverride
                        || named.contains(MemberPlace(body: place, member: member))
                }.map(\.element)
                if body.kind == .classDeclaration { classes.append((body, source.path)) }
                guard body.kind == .classExtension else { continue }
                if !index.types.contains(body.path), foreign.insert(body.path).inserted {
                    classes.append((body, source.path))
                } else {
                    extensions[body.path, default: []].append(body)
                }
            }
        }
        return classes.map { body, path in
            ClassDeclaration(body, extensions: extensions[body.path] ?? [], path: path, index: index)
        }
    }

    private init(_ body: TypeBody, extensions: [TypeBody], path: String, index: SourceIndex) {
        isForeign = body.kind == .classExtension
        let inheritsClass = !isForeign && body.inherited.first.map { !Self.isProtocol($0, in: index) } == true
        name = body.path
        superclass = inheritsClass ? body.inherited.first : nil
        protocols = body.inherited.dropFirst(inheritsClass ? 1 : 0) + extensions.flatMap(\.inherited)
        objectiveCName = body.objectiveCName
        access = body.access
        self.path = path
        line = body.line
        let bodies = [body] + extensions
        outlets = bodies.flatMap { $0.properties.filter(\.isOutlet) }
        inspectables = bodies.flatMap { $0.properties.filter { $0.isInspectable && !$0.isConstant } }
        functions = bodies.flatMap(\.functions)
    }

    /// Protocols that real extensions name first; those of the sources are known.
    private static let knownProtocols: Set<String> = [
        "AnyObject", "UNNotificationContentExtension", "Sendable", "Equatable", "Hashable", "Codable",
        "Decodable", "Encodable", "Error", "LocalizedError", "Identifiable", "ObservableObject",
        "CustomStringConvertible", "NSObjectProtocol", "NSCoding", "NSSecureCoding", "NSCopying",
    ]

    private static func isProtocol(_ name: String, in index: SourceIndex) -> Bool {
        let name = String(name.split(separator: " ").last ?? "")
        return index.protocols.contains(name) || knownProtocols.contains(name)
            || ["Delegate", "DataSource", "Protocol"].contains { name.hasSuffix($0) }
    }
}
