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
    private var requests: [RequirementMatches.Request] = []
    /// The files that import the module of the markers for Apple's protocols.
    private var importing: Set<Int> = []

    /// The requirements of one protocol of the sources that become code.
    private struct Plan {
        let place: BodyPlace
        /// The numbers of the requirements of each base name and condition.
        let groups: [[Int]]
        /// The number of the first request; the others follow in the order of the groups.
        let firstRequest: Int
    }

    init(_ index: SourceIndex) {
        self.index = index
        lines = index.sources.map { _ in [] }
        remarks = index.sources.map { _ in [] }
        opened = index.sources.map { _ in [] }
        var plans: [Plan] = []
        for (file, source) in index.sources.enumerated() {
            for (number, body) in source.reader.bodies.enumerated() where !body.optionalRequirements.isEmpty {
                plan(body, BodyPlace(file: file, body: number)).map { plans.append($0) }
            }
        }
        let firstKnown = requests.count
        requests += KnownRequirement.all.map {
            RequirementMatches.Request(protocolPath: $0.protocolName, wanted: WantedMember($0), isKnown: true)
        }
        let conformances = Conformances(index, asked: Set(requests.lazy.map(\.protocolPath)))
        let found = RequirementMatches(requests, index, conformances)
        refuse(conformances, found)
        for plan in plans { add(plan, found) }
        for (number, requirement) in KnownRequirement.all.enumerated() {
            addKnown(requirement, found.matches[firstKnown + number])
        }
    }

    // MARK: Protocols of the sources

    private mutating func plan(_ body: TypeBody, _ place: BodyPlace) -> Plan? {
        let required = Set(body.functions.lazy.filter { !$0.isOptional }.map(\.title))
        let functions = Set(body.functions.lazy.filter(\.isOptional).map(\.name))
        let usable = body.optionalRequirements.indices.filter {
            check(body.optionalRequirements[$0], body, place, required: required, functions: functions)
        }
        guard !usable.isEmpty else { return nil }
        let groups = Dictionary(grouping: usable) { number in
            let requirement = body.optionalRequirements[number]
            return "\(requirement.name ?? "") \(requirement.condition)"
        }
        let plan = Plan(
            place: place,
            groups: groups.values.sorted { $0[0] < $1[0] },
            firstRequest: requests.count
        )
        requests += plan.groups.joined().map { number in
            let wanted = WantedMember(body.optionalRequirements[number])
            return RequirementMatches.Request(protocolPath: body.path, wanted: wanted, isKnown: false)
        }
        return plan
    }

    private mutating func add(_ plan: Plan, _ found: RequirementMatches) {
        let (place, body) = (plan.place, index.body(plan.place))
        if body.isHidden { opened[place.file].insert(DeclarationReader.outermost(of: body.path)) }
        let actors = OptionalRequirementCode.actors(of: body)
        var request = plan.firstRequest
        for numbers in plan.groups {
            let code = OptionalRequirementCode(body, place, numbers, actors: actors)
            let condition = body.optionalRequirements[numbers[0]].condition
            lines[place.file] += NamesTable.conditional(code.lines, if: condition)
            for number in numbers {
                for match in found.matches[request] {
                    add(conformance: code.path(ofProtocol: number), match, condition)
                }
                request += 1
            }
        }
    }

    /// Says where there is more than is looked at.
    private mutating func refuse(_ conformances: Conformances, _ found: RequirementMatches) {
        for place in conformances.crowded {
            refuse(
                place,
                "has more than \(Conformances.limit) protocols whose requirements may be left out; let other types have "
                    + "some of them"
            )
        }
        guard let place = found.end.flatMap(index.anyBody) else { return }
        refuse(
            place,
            "is where the classes have more than \(RequirementMatches.limit) members for requirements that may be left "
                + "out, and no more are looked at; split the extension's sources"
        )
    }

    private mutating func refuse(_ place: BodyPlace, _ text: String) {
        let body = index.body(place)
        remarks[place.file].append(
            SourceRemark(
                isError: true,
                line: body.line,
                column: 1,
                text: "\"\(body.path)\" \(text)",
                condition: body.condition
            )
        )
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

    /// Gives a class what stands for a requirement.
    private mutating func add(
        conformance marker: String,
        _ match: RequirementMatches.Match,
        _ condition: String
    ) {
        let (path, found) = (match.path, match.member)
        // A class that has the member from above gets it where it is declared itself.
        let own = match.isOwn ? nil : index.declaration(of: path)
        let file = own?.file ?? found.file
        let declaration = index.declaration(of: path).map(index.body)
        if declaration?.isHidden == true { opened[file].insert(DeclarationReader.outermost(of: path)) }
        if declaration?.isLocal == true { return }
        let line = own.map { index.body($0).line } ?? found.line
        let code = [
            NamesTable.location(index.sources[file].path, line: line),
            "extension \(path): \(match.conformer.attributes)\(marker) {}", NamesTable.ownLocation,
        ]
        let both = [condition, found.condition].filter { !$0.isEmpty }
        lines[file] += NamesTable.conditional(
            code,
            if: both.count > 1 && both[0] != both[1] ? "(\(both[0])) && (\(both[1]))" : both.first ?? ""
        )
    }

    // MARK: Apple's protocols

    private mutating func addKnown(_ requirement: KnownRequirement, _ matches: [RequirementMatches.Match]) {
        for match in matches {
            let file = match.member.file
            guard let marker = requirement.marker else {
                warn(requirement, match)
                continue
            }
            if importing.insert(file).inserted { lines[file].append("import UserNotificationsUI") }
            add(conformance: marker, match, "")
        }
    }

    private mutating func warn(_ requirement: KnownRequirement, _ match: RequirementMatches.Match) {
        remarks[match.member.file].append(
            SourceRemark(
                isError: false,
                line: match.member.line,
                column: 1,
                text:
                    "\"\(requirement.title)\" is not called here: \"\(match.conformer.path)\" names "
                    + "\(requirement.protocolName) and does not have it; declare it there too, and override it "
                    + "in \"\(match.path)\"",
                condition: match.member.condition
            )
        )
    }
}
