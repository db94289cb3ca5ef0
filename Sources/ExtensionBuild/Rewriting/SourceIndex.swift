// SPDX-License-Identifier: Apache-2.0

/// A source as far as it was read.
struct ReadSource {
    let path: String
    var reader: DeclarationReader

    var tokens: SwiftTokens { reader.tokens }
}

/// The place of a type's body among all sources.
struct BodyPlace: Hashable {
    let file: Int
    let body: Int
}

/// The place of a function or a property among all sources.
struct MemberPlace: Hashable {
    let body: BodyPlace
    let member: Int
}

/// The types of all sources and their members, by name.
struct SourceIndex {
    /// The members of one name that are looked at; more than these nobody can tell apart.
    private static let memberLimit = 64
    /// The superclasses of a class that are looked at.
    private static let ancestryLimit = 64

    private(set) var sources: [ReadSource]
    private(set) var types: Set<String> = []
    private(set) var protocols: Set<String> = []
    private var aliases: Set<String> = []
    private var superclasses: [String: String] = [:]
    /// The superclasses that the sources declare.
    private var ownSuperclasses: [String: String] = [:]
    private var functions: [String: [MemberPlace]] = [:]
    private var properties: [String: [MemberPlace]] = [:]
    private var reachable: [String: Int] = [:]
    /// The classes with type parameters above each class without them.
    private(set) var specializations: [String: [BodyPlace]] = [:]
    private var declarations: [String: BodyPlace] = [:]

    init(_ sources: [ReadSource]) {
        self.sources = sources
        for source in sources {
            for body in source.reader.bodies {
                if body.kind != .classExtension { types.insert(body.path) }
                if body.kind == .protocolDeclaration { protocols.insert(body.path) }
                if body.kind == .classDeclaration, let superclass = body.inherited.first {
                    superclasses[body.path] = superclass
                }
            }
            aliases.formUnion(source.reader.aliases)
        }
        for (path, superclass) in superclasses {
            ownSuperclasses[path] = type(superclass, inside: path).flatMap { protocols.contains($0) ? nil : $0 }
        }
        refine()
        specialize()
        for (file, source) in self.sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated() {
                let place = BodyPlace(file: file, body: number)
                if body.isReachable, reachable["\(file)/\(body.path)"] == nil {
                    reachable["\(file)/\(body.path)"] = number
                }
                if body.kind != .classExtension, declarations[body.path] == nil { declarations[body.path] = place }
                for (member, function) in body.functions.enumerated() {
                    let function = function.name
                    Self.add(MemberPlace(body: place, member: member), function, of: body.path, to: &functions)
                }
                for (member, property) in body.properties.enumerated() {
                    let place = MemberPlace(body: place, member: member)
                    let keys = property.isExposed ? 2 : 1
                    Self.add(place, property.name, of: body.path, to: &properties, keys: keys)
                }
            }
        }
    }

    /// Tells each body what the other bodies of its type and its superclasses say.
    private mutating func refine() {
        let facts = TypeFacts(sources)
        for file in sources.indices {
            for body in sources[file].reader.bodies.indices {
                let path = sources[file].reader.bodies[body].path
                let isForeign = !types.contains(path)
                let ancestry = facts.needAncestry ? ancestry(of: path) : []
                sources[file].reader.refine(body) { facts.refine(&$0, isForeign: isForeign, ancestry: ancestry) }
            }
        }
    }

    /// Marks the classes with type parameters that classes without them stand on.
    private mutating func specialize() {
        var generic: [String: BodyPlace] = [:]
        for (file, source) in sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated()
            where body.kind == .classDeclaration && body.hasParameters && !body.path.contains(".") {
                generic[body.path] = BodyPlace(file: file, body: number)
            }
        }
        guard !generic.isEmpty else { return }
        for body in sources.flatMap(\.reader.bodies) where body.kind == .classDeclaration && body.isReachable {
            for place in ancestry(of: body.path).compactMap({ generic[$0] }) {
                specializations[body.path, default: []].append(place)
            }
        }
        for place in specializations.values.joined() {
            sources[place.file].reader.refine(place.body) { $0.isSpecialized = true }
        }
    }

    private static func add(
        _ place: MemberPlace,
        _ name: String,
        of type: String,
        to table: inout [String: [MemberPlace]],
        keys: Int = 2
    ) {
        for key in ["\(type)/\(name)", "/\(name)"].prefix(keys) where (table[key]?.count ?? 0) < memberLimit {
            table[key, default: []].append(place)
        }
    }

    func body(_ place: BodyPlace) -> TypeBody {
        sources[place.file].reader.bodies[place.body]
    }

    func function(_ place: MemberPlace) -> FunctionDeclaration {
        body(place.body).functions[place.member]
    }

    func property(_ place: MemberPlace) -> PropertyDeclaration {
        body(place.body).properties[place.member]
    }

    /// The bodies around a place, the innermost first.
    func bodies(around body: Int?, in file: Int) -> [TypeBody] {
        var found: [TypeBody] = []
        var next = body
        while let body = next, found.count <= DeclarationReader.nestingLimit {
            found.append(sources[file].reader.bodies[body])
            next = sources[file].reader.bodies[body].outer
        }
        return found
    }

    /// The first body of a class in a file whose members can be called by name.
    func reachableBody(of type: String, in file: Int) -> BodyPlace? {
        reachable["\(file)/\(type)"].map { BodyPlace(file: file, body: $0) }
    }

    /// The full name of a type of the sources that is called `name` inside `path`.
    func type(_ name: String, inside path: String) -> String? {
        let name = String(name.prefix { $0 != "<" })
        var outer = path[...]
        while true {
            let full = outer.isEmpty ? name : "\(outer).\(name)"
            if types.contains(full) { return full }
            if outer.isEmpty { return nil }
            outer = outer[..<(outer.lastIndex(of: ".") ?? outer.startIndex)]
        }
    }

    /// A type as code outside of `path` has to write it, where its first name is one of a type inside `path`.
    func qualified(_ type: String, inside path: String) -> String {
        guard path.contains(".") else { return type }
        var (result, word) = ("", "")
        func end() {
            let isMember = result.last == "."
            result += isMember ? word : full(word, inside: path)
            word = ""
        }
        for character in type {
            if character.utf8.allSatisfy(SwiftTokens.isPartOfName) {
                word.append(character)
            } else {
                if !word.isEmpty { end() }
                result.append(character)
            }
        }
        if !word.isEmpty { end() }
        return result
    }

    private func full(_ name: String, inside path: String) -> String {
        var outer = path[...]
        while !outer.isEmpty {
            for type in ancestry(of: String(outer)) {
                let full = "\(type).\(name)"
                if types.contains(full) || aliases.contains(full) { return full }
            }
            outer = outer[..<(outer.lastIndex(of: ".") ?? outer.startIndex)]
        }
        return name
    }

    /// The superclass of the last of a class's ancestors that the sources declare, as written; nil without one.
    func foreignSuperclass(of path: String) -> String? {
        guard let last = ancestry(of: path).last else { return nil }
        return types.contains(last) ? superclasses[last].map { String($0.prefix { $0 != "<" }) } : last
    }

    /// The functions of a type that differ from that one by their results, and the function itself.
    func namesakes(of function: FunctionDeclaration, in path: String) -> [FunctionDeclaration] {
        (functions["\(path)/\(function.name)"] ?? []).map { self.function($0) }
            .filter {
                $0.labels == function.labels && $0.parameterTypes == function.parameterTypes && !$0.isOverride
                    && !$0.isAsync && !$0.isStatic
            }
    }

    /// A class and its superclasses as far as the sources declare them.
    func ancestry(of path: String) -> [String] {
        var found = [path]
        while found.count < Self.ancestryLimit, let next = found.last.flatMap(superclass(of:)) { found.append(next) }
        return found
    }

    /// The superclass of a class, where the sources declare it; a class may be above itself, as no compiler permits.
    func superclass(of path: String) -> String? {
        ownSuperclasses[path]
    }

    /// The first body that declares a type of that name.
    func declaration(of path: String) -> BodyPlace? { declarations[path] }

    /// The first body that declares a type of that name, or one that extends it.
    func anyBody(of path: String) -> BodyPlace? {
        if let declared = declarations[path] { return declared }
        for (file, source) in sources.enumerated() {
            guard let number = source.reader.bodies.firstIndex(where: { $0.path == path }) else { continue }
            return BodyPlace(file: file, body: number)
        }
        return nil
    }

    /// The functions of that name in the first of the types that has one.
    func functions(_ name: String, inFirstOf types: [String]) -> [MemberPlace] {
        types.lazy.compactMap { functions["\($0)/\(name)"] }.first ?? []
    }

    func properties(_ name: String, inFirstOf types: [String]) -> [MemberPlace] {
        types.lazy.compactMap { properties["\($0)/\(name)"] }.first ?? []
    }

    func functions(anywhere name: String) -> [MemberPlace] { functions["/\(name)"] ?? [] }

    func properties(anywhere name: String) -> [MemberPlace] { properties["/\(name)"] ?? [] }

    /// The name by which selectors know a function; one that replaces a superclass's has that one's.
    func selector(of place: MemberPlace) -> String {
        let function = function(place)
        guard function.isOverride, function.objectiveCName == nil else { return function.selector }
        let ancestors = ancestry(of: body(place.body).path).dropFirst()
        let overridden = ancestors.lazy.flatMap { functions["\($0)/\(function.name)"] ?? [] }
            .map { self.function($0) }
            .first { $0.labels == function.labels && $0.objectiveCName != nil }
        return overridden?.selector ?? function.selector
    }
}
