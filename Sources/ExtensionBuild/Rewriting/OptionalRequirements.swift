// SPDX-License-Identifier: Apache-2.0

/// The code that lets requirements be left out as Objective-C does it: `delegate?.done?()`.
///
/// A requirement becomes a protocol of its own, which the classes that have the function get, and a property of the
/// first protocol: nil for an object of another class, else a value that can be called like the function.
struct OptionalRequirements {
    /// The code for the end of each file.
    private(set) var lines: [[String]]
    private(set) var remarks: [[SourceRemark]]
    /// The outermost types of each file whose private types the code has to reach.
    private(set) var opened: [Set<String>]

    private let index: SourceIndex
    private let conformances: Conformances

    init(_ index: SourceIndex) {
        self.index = index
        lines = index.sources.map { _ in [] }
        remarks = index.sources.map { _ in [] }
        opened = index.sources.map { _ in [] }
        conformances = Conformances(index)
        for (file, source) in index.sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated() where !body.optionalRequirements.isEmpty {
                add(body, BodyPlace(file: file, body: number))
            }
        }
        addKnown()
    }

    // MARK: Protocols of the sources

    private mutating func add(_ body: TypeBody, _ place: BodyPlace) {
        let required = Set(body.functions.lazy.filter { !$0.isOptional }.map(\.title))
        let functions = Set(body.functions.lazy.filter(\.isOptional).map(\.name))
        let usable = body.optionalRequirements.indices.filter {
            check(body.optionalRequirements[$0], body, place, required: required, functions: functions)
        }
        guard !usable.isEmpty else { return }
        if body.isHidden { opened[place.file].insert(DeclarationReader.outermost(of: body.path)) }
        let namers = conformances.namers(of: body.path)
        let groups = Dictionary(grouping: usable) { number in
            let requirement = body.optionalRequirements[number]
            return "\(requirement.name ?? "") \(requirement.condition)"
        }
        for numbers in groups.values.sorted(by: { $0[0] < $1[0] }) {
            let code = OptionalRequirementCode(body, place, numbers)
            let first = body.optionalRequirements[numbers[0]]
            lines[place.file] += NamesTable.conditional(code.lines, if: first.condition)
            for number in numbers {
                let requirement = body.optionalRequirements[number]
                addConformances(namers, wanted: Wanted(requirement), marker: code.path(ofProtocol: number))
            }
        }
    }

    /// Says what cannot be had; true for what can.
    ///
    /// `required` are the titles of the functions that every class has, `functions` the names of the others.
    private mutating func check(
        _ requirement: OptionalRequirement,
        _ body: TypeBody,
        _ place: BodyPlace,
        required: Set<String>,
        functions: Set<String>
    ) -> Bool {
        var reason: String?
        if body.isLocal { reason = "belongs to a protocol inside a function" }
        switch requirement.kind {
        case .other(let text): reason = text
        case .function(let function, _):
            let words = ["some", "autoclosure", "...", "repeat", "each"]
            let isStrange = function.parameterTypes.contains { type in
                type.isEmpty || words.contains { type.contains(word: $0) }
            }
            if isStrange { reason = "has a parameter that is not understood" }
            if function.isGeneric { reason = "has type parameters" }
            if function.labels.isEmpty, required.contains(function.title) {
                reason = "has the name of another function"
            }
        case .property(let name, _, _):
            if functions.contains(name) { reason = "has the name of a function" }
        }
        guard let reason else { return true }
        remarks[place.file].append(
            SourceRemark(
                isError: true,
                line: requirement.line,
                column: 1,
                text: "this optional requirement \(reason), which needs Objective-C: make it a requirement of a "
                    + "protocol of its own, and ask for that with \"as?\"",
                condition: requirement.condition
            )
        )
        return false
    }

    // MARK: Classes

    /// A member of a class that is looked for.
    private struct Wanted {
        let name: String
        /// The labels of a function; nil for a property.
        let labels: [String]?
        var isAsync: Bool?
        var types: [String] = []
        let condition: String

        init(_ requirement: OptionalRequirement) {
            name = requirement.name ?? ""
            condition = requirement.condition
            if case .function(let function, let effects) = requirement.kind {
                labels = function.labels
                types = function.parameterTypes
                if !effects.contains("async") { isAsync = false }
            } else {
                labels = nil
            }
        }

        init(_ requirement: KnownRequirement) {
            name = requirement.name
            labels = requirement.isProperty ? nil : requirement.labels
            isAsync = requirement.isAsync
            condition = ""
        }
    }

    /// A member of a class, as far as a conformance needs it.
    private struct Found {
        let file: Int
        let line: Int
        let condition: String
        let isOverride: Bool
    }

    private func member(_ wanted: Wanted, of path: String) -> Found? {
        guard let labels = wanted.labels else {
            return index.properties(wanted.name, inFirstOf: [path]).first.flatMap { place in
                let property = index.property(place)
                guard !property.isStatic, !property.isPrivate else { return nil }
                return Found(
                    file: place.body.file,
                    line: property.line,
                    condition: property.condition,
                    isOverride: property.isOverride
                )
            }
        }
        let places = index.functions(wanted.name, inFirstOf: [path]).filter { place in
            let function = index.function(place)
            return function.labels == labels && !function.isStatic && !function.isPrivate && !function.isGeneric
                && !function.isUnavailable && (wanted.isAsync ?? function.isAsync) == function.isAsync
        }
        let exact = places.first { index.function($0).parameterTypes == wanted.types } ?? places.first
        return exact.map { place in
            let function = index.function(place)
            return Found(
                file: place.body.file,
                line: function.line,
                condition: function.condition,
                isOverride: function.isOverride
            )
        }
    }

    /// Gives the marker to each class that has the member, unless a superclass has the marker.
    private mutating func addConformances(_ namers: Conformances.Namers, wanted: Wanted, marker: String) {
        var marked: Set<String> = []
        /// Classes that have the member, and of which a subclass may name the protocol.
        var others: [String: Found] = [:]
        for path in conformances.owners(of: wanted.name) {
            guard let found = member(wanted, of: path) else { continue }
            let ancestry = index.ancestry(of: path)
            if let conformer = namers.conformer(ancestry) {
                let isNew = !ancestry.dropFirst().contains(where: marked.contains)
                marked.insert(path)
                if isNew {
                    add(conformance: marker, of: path, conformer.attributes, found, isOwn: true, wanted.condition)
                }
            } else {
                others[path] = found
            }
        }
        guard !others.isEmpty else { return }
        // The first class with the protocol may have the function from above.
        for path in namers.texts.keys.sorted() where !marked.contains(path) {
            let ancestry = index.ancestry(of: path)
            guard let conformer = namers.conformer(ancestry), conformer.path == path,
                let found = ancestry.lazy.compactMap({ others[$0] }).first
            else { continue }
            add(conformance: marker, of: path, conformer.attributes, found, isOwn: false, wanted.condition)
        }
    }

    private mutating func add(
        conformance marker: String,
        of path: String,
        _ attributes: String,
        _ found: Found,
        isOwn: Bool,
        _ condition: String
    ) {
        // A class that has the member from above gets it where it is declared itself.
        let own = isOwn ? nil : index.declaration(of: path)
        let file = own?.file ?? found.file
        let declaration = index.declaration(of: path).map(index.body)
        if declaration?.isHidden == true { opened[file].insert(DeclarationReader.outermost(of: path)) }
        if declaration?.isLocal == true { return }
        let line = own.map { index.body($0).line } ?? found.line
        let code = [
            NamesTable.location(index.sources[file].path, line: line), "extension \(path): \(attributes)\(marker) {}",
            NamesTable.ownLocation,
        ]
        let both = [condition, found.condition].filter { !$0.isEmpty }
        lines[file] += NamesTable.conditional(
            code,
            if: both.count > 1 && both[0] != both[1] ? "(\(both[0])) && (\(both[1]))" : both.first ?? ""
        )
    }

    // MARK: Apple's protocols

    private mutating func addKnown() {
        var namers: [String: Conformances.Namers] = [:]
        var importing: Set<Int> = []
        for requirement in KnownRequirement.all {
            let name = requirement.protocolName
            if namers[name] == nil { namers[name] = conformances.namers(of: name) }
            guard let classes = namers[name], !classes.texts.isEmpty else { continue }
            let wanted = Wanted(requirement)
            var having: Set<String> = []
            for path in conformances.owners(of: wanted.name) {
                guard let found = member(wanted, of: path) else { continue }
                let ancestry = index.ancestry(of: path)
                let isNew = !ancestry.dropFirst().contains(where: having.contains)
                having.insert(path)
                // The first class with the protocol, and one above it, are asked by Swift itself.
                guard isNew, !found.isOverride, let conformer = classes.conformer(ancestry), conformer.path != path
                else { continue }
                if let marker = requirement.marker {
                    if importing.insert(found.file).inserted { lines[found.file].append("import UserNotificationsUI") }
                    add(conformance: marker, of: path, conformer.attributes, found, isOwn: true, "")
                } else {
                    warn(requirement, of: path, conformer, found)
                }
            }
        }
    }

    private mutating func warn(
        _ requirement: KnownRequirement,
        of path: String,
        _ conformer: Conformances.Conformer,
        _ found: Found
    ) {
        remarks[found.file].append(
            SourceRemark(
                isError: false,
                line: found.line,
                column: 1,
                text:
                    "\"\(requirement.title)\" is not called here: \"\(conformer.path)\" names "
                    + "\(requirement.protocolName) and does not have it; declare it there too, and override it "
                    + "in \"\(path)\"",
                condition: found.condition
            )
        )
    }
}
