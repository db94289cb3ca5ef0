// SPDX-License-Identifier: Apache-2.0

/// A member that a protocol asks for and a class may leave out.
struct WantedMember {
    /// The ways in which a function may wait, as far as the protocol cares.
    enum Kind: Hashable {
        /// A property, or a function of either kind.
        case any
        case synchronous, asynchronous
    }

    /// The function as Swift writes it, or the property's name.
    let title: String
    let kind: Kind
    /// The types of a function's parameters, which tell apart functions of one title.
    var types: [String] = []
    let condition: String

    init(_ requirement: OptionalRequirement) {
        condition = requirement.condition
        if case .function(let function, let effects) = requirement.kind {
            title = function.title
            types = function.parameterTypes
            kind = effects.contains("async") ? .any : .synchronous
        } else {
            title = requirement.name ?? ""
            kind = .any
        }
    }

    init(_ requirement: KnownRequirement) {
        title = requirement.title
        kind = requirement.isProperty ? .any : requirement.isAsync ? .asynchronous : .synchronous
        condition = ""
    }
}

/// The members of the classes of all sources, by the titles under which protocols ask for them.
struct ClassMembers {
    /// A member of a class, as far as a conformance needs it.
    struct Member {
        let file: Int
        let line: Int
        let condition: String
        let isOverride: Bool
        let types: [String]
    }

    /// The members of one title that are looked at; more than these nobody can tell apart.
    private static let limit = 64

    /// The members of one class by title and kind; one of either kind stands under two kinds.
    typealias Table = [String: [WantedMember.Kind: [Member]]]

    private var tables: [String: Table] = [:]

    init(_ sources: [ReadSource]) {
        for (file, source) in sources.enumerated() {
            for body in source.reader.bodies where body.kind == .classDeclaration || body.kind == .classExtension {
                var table = tables.removeValue(forKey: body.path) ?? [:]
                for function in body.functions { Self.add(function, in: file, to: &table) }
                for property in body.properties { Self.add(property, in: file, to: &table) }
                tables[body.path] = table
            }
        }
    }

    private static func add(_ function: FunctionDeclaration, in file: Int, to table: inout Table) {
        guard !function.isStatic, !function.isPrivate, !function.isGeneric, !function.isUnavailable else { return }
        let member = Member(
            file: file,
            line: function.line,
            condition: function.condition,
            isOverride: function.isOverride,
            types: function.parameterTypes
        )
        let title = function.title
        for kind in [.any, function.isAsync ? .asynchronous : .synchronous] as [WantedMember.Kind]
        where table[title]?[kind].map({ $0.count < limit }) != false {
            table[title, default: [:]][kind, default: []].append(member)
        }
    }

    private static func add(_ property: PropertyDeclaration, in file: Int, to table: inout Table) {
        // The first of its name counts, also where it cannot be asked for.
        guard table[property.name] == nil else { return }
        let member = Member(
            file: file,
            line: property.line,
            condition: property.condition,
            isOverride: property.isOverride,
            types: []
        )
        table[property.name] = property.isStatic || property.isPrivate ? [:] : [.any: [member]]
    }

    /// The members of the class and its extensions.
    func table(of path: String) -> Table { tables[path] ?? [:] }

    /// The member of a class that is meant; one of other parameter types where none has those.
    static func member(_ wanted: WantedMember, in table: Table) -> Member? {
        guard let members = table[wanted.title]?[wanted.kind] else { return nil }
        return members.first { $0.types == wanted.types } ?? members.first
    }
}
