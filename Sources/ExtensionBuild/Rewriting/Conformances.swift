// SPDX-License-Identifier: Apache-2.0

/// The classes of the sources that have protocols, by their own words or by those of a superclass.
///
/// Protocols count of which somebody asks, up to `limit` for one class: so the time grows with the sources and no
/// faster, however many classes and protocols there are.
struct Conformances {
    /// The protocols asked for that one class, or one protocol, may have.
    static let limit = 64

    /// The class that says that it has a protocol.
    struct Conformer {
        let path: String
        /// The attributes with which it says so: "@preconcurrency ".
        let attributes: String
    }

    /// The classes and extended classes, superclasses first.
    private(set) var classes: [String] = []
    /// The classes and protocols that have more protocols than `limit`; the rest is not looked at.
    private(set) var crowded: [BodyPlace] = []

    /// The first of a class and its superclasses that names each protocol, by the class and the protocol.
    private var conformers: [String: [String: Conformer]] = [:]
    /// The protocols that each type names behind its colon, with the text as written.
    private var names: [String: [(name: String, text: String)]] = [:]
    /// The protocols asked for that a protocol has: itself, and those that it stands on.
    private var closures: [String: [String]] = [:]
    /// The protocols whose bases have been looked at.
    private var closed: Set<String> = []

    /// `asked` are the protocols that count, by their full names.
    init(_ index: SourceIndex, asked: Set<String>) {
        var places: [String: BodyPlace] = [:]
        for (file, source) in index.sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated() where body.kind != .other {
                for text in body.inherited.flatMap(Self.parts) {
                    let name = Self.name(of: text)
                    let full = index.type(name, inside: body.path) ?? name
                    names[body.path, default: []].append((full, text))
                }
                guard places[body.path] == nil else { continue }
                places[body.path] = BodyPlace(file: file, body: number)
                if body.kind != .protocolDeclaration { classes.append(body.path) }
            }
        }
        classes = Self.ordered(classes, index)
        var crowded: Set<String> = []
        for name in asked.sorted() + index.protocols.sorted() {
            close(name, in: index, asked: asked, &crowded)
        }
        for path in classes { addConformers(of: path, in: index, asked: asked, &crowded) }
        self.crowded = crowded.sorted().compactMap { places[$0] }
    }

    /// The protocols asked for that the class has, each with the class that says so.
    func conformers(of path: String) -> [String: Conformer] { conformers[path] ?? [:] }

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

    /// The classes by the count of those above them, then by name; a circle is cut where it is met.
    private static func ordered(_ paths: [String], _ index: SourceIndex) -> [String] {
        var depths: [String: Int] = [:]
        for path in paths {
            var chain: [String] = []
            var next: String? = path
            while let path = next, depths[path] == nil {
                depths[path] = 0
                chain.append(path)
                next = index.superclass(of: path)
            }
            var depth = next.flatMap { depths[$0] } ?? 0
            for path in chain.reversed() {
                depth += 1
                depths[path] = depth
            }
        }
        return paths.sorted { (depths[$0] ?? 0, $0) < (depths[$1] ?? 0, $1) }
    }

    /// Finds the protocols asked for of a protocol, after those of the ones that it stands on.
    private mutating func close(
        _ name: String,
        in index: SourceIndex,
        asked: Set<String>,
        _ crowded: inout Set<String>
    ) {
        var open = [name]
        while let name = open.last {
            let bases = index.protocols.contains(name) ? names[name] ?? [] : []
            if closures[name] == nil {
                // It stands for itself meanwhile, so that a circle ends.
                closures[name] = asked.contains(name) ? [name] : []
                open += bases.lazy.map(\.name).filter { closures[$0] == nil }
                continue
            }
            open.removeLast()
            guard closed.insert(name).inserted else { continue }
            var (found, seen) = (closures[name] ?? [], Set(closures[name] ?? []))
            for base in bases {
                for inherited in closures[base.name] ?? [] where seen.insert(inherited).inserted {
                    if found.count < Self.limit { found.append(inherited) } else { crowded.insert(name) }
                }
            }
            closures[name] = found
        }
    }

    private mutating func addConformers(
        of path: String,
        in index: SourceIndex,
        asked: Set<String>,
        _ crowded: inout Set<String>
    ) {
        var found = index.superclass(of: path).flatMap { conformers[$0] } ?? [:]
        let own = names[path] ?? []
        func add(_ name: String, _ text: String) {
            guard found[name] == nil else { return }
            guard found.count < Self.limit else {
                crowded.insert(path)
                return
            }
            let attributes = text.split(separator: " ").dropLast().map { $0 + " " }.joined()
            found[name] = Conformer(path: path, attributes: attributes)
        }
        // What is named itself counts before what another protocol stands on.
        for (name, text) in own where asked.contains(name) { add(name, text) }
        for (name, text) in own {
            for base in closures[name] ?? [] { add(base, text) }
        }
        if !found.isEmpty { conformers[path] = found }
    }
}
