// SPDX-License-Identifier: Apache-2.0

/// The classes of the sources that have protocols, by their own words or by those of a superclass.
struct Conformances {
    /// The class that says that it has a protocol.
    struct Conformer {
        let path: String
        /// The attributes with which it says so: "@preconcurrency ".
        let attributes: String
    }

    /// The types that name one protocol, or one that stands on it, with the text as written.
    struct Namers {
        fileprivate(set) var texts: [String: String] = [:]

        /// The first of a class and its superclasses that says so; `ancestry` begins with the class itself.
        func conformer(_ ancestry: [String]) -> Conformer? {
            guard let path = ancestry.last(where: { texts[$0] != nil }), let text = texts[path] else { return nil }
            return Conformer(path: path, attributes: text.split(separator: " ").dropLast().map { $0 + " " }.joined())
        }
    }

    /// The types that name each protocol behind their colon, with the text as written.
    private var naming: [String: [(path: String, text: String)]] = [:]
    private var protocols: Set<String> = []
    /// The classes and extended classes that have a member of a name, superclasses first.
    private var owners: [String: [String]] = [:]

    init(_ index: SourceIndex) {
        protocols = index.protocols
        var depths: [String: Int] = [:]
        for body in index.sources.lazy.flatMap(\.reader.bodies) where body.kind != .other {
            for text in body.inherited.flatMap(Self.parts) {
                let name = Self.name(of: text)
                naming[index.type(name, inside: body.path) ?? name, default: []].append((body.path, text))
            }
            guard body.kind != .protocolDeclaration else { continue }
            if depths[body.path] == nil { depths[body.path] = index.ancestry(of: body.path).count }
            for name in Set(body.functions.map(\.name) + body.properties.map(\.name)) {
                owners[name, default: []].append(body.path)
            }
        }
        for (name, paths) in owners where paths.count > 1 {
            owners[name] = Set(paths).sorted { (depths[$0] ?? 0, $0) < (depths[$1] ?? 0, $1) }
        }
    }

    /// The protocols of a composition: `A & B`.
    private static func parts(_ text: String) -> [String] {
        text.split(separator: "&").map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// The name without attributes and the module.
    private static func name(of text: String) -> String {
        let name = String(text.split(separator: " ").last ?? "")
        for module in ["UIKit.", "UserNotificationsUI."] where name.hasPrefix(module) {
            return String(name.dropFirst(module.count))
        }
        return name
    }

    /// The classes that declare a function or property of that name, superclasses first.
    func owners(of name: String) -> [String] { owners[name] ?? [] }

    /// The types that name the protocol.
    func namers(of name: String) -> Namers {
        var found = Namers()
        var (open, seen): ([String], Set<String>) = ([name], [name])
        while let next = open.popLast() {
            for (path, text) in naming[next] ?? [] {
                if protocols.contains(path) {
                    if seen.insert(path).inserted { open.append(path) }
                } else if found.texts[path] == nil {
                    found.texts[path] = text
                }
            }
        }
        return found
    }
}
