// SPDX-License-Identifier: Apache-2.0

/// A source as far as it was read.
struct ReadSource {
    let path: String
    let reader: DeclarationReader

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

    let sources: [ReadSource]
    private(set) var types: Set<String> = []
    private(set) var protocols: Set<String> = []
    private var superclasses: [String: String] = [:]
    private var functions: [String: [MemberPlace]] = [:]
    private var properties: [String: [MemberPlace]] = [:]
    private var reachable: [String: Int] = [:]

    init(_ sources: [ReadSource]) {
        self.sources = sources
        for (file, source) in sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated() {
                let place = BodyPlace(file: file, body: number)
                if body.kind != .classExtension { types.insert(body.path) }
                if body.isReachable, reachable["\(file)/\(body.path)"] == nil {
                    reachable["\(file)/\(body.path)"] = number
                }
                if body.kind == .protocolDeclaration { protocols.insert(body.path) }
                if body.kind == .classDeclaration, let superclass = body.inherited.first {
                    superclasses[body.path] = superclass
                }
                for (member, function) in body.functions.enumerated() {
                    let function = function.name
                    Self.add(MemberPlace(body: place, member: member), function, of: body.path, to: &functions)
                }
                for (member, property) in body.properties.enumerated() {
                    let property = property.name
                    Self.add(MemberPlace(body: place, member: member), property, of: body.path, to: &properties)
                }
            }
        }
    }

    private static func add(
        _ place: MemberPlace,
        _ name: String,
        of type: String,
        to table: inout [String: [MemberPlace]]
    ) {
        for key in ["\(type)/\(name)", "/\(name)"] where (table[key]?.count ?? 0) < memberLimit {
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

    /// A class and its superclasses as far as the sources declare them.
    func ancestry(of path: String) -> [String] {
        var found = [path]
        while let last = found.last, let superclass = superclasses[last],
            let next = type(superclass, inside: last), !found.contains(next), found.count < Self.ancestryLimit
        {
            found.append(next)
        }
        return found
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
