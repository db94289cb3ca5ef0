// SPDX-License-Identifier: Apache-2.0

extension DeclarationReader {
    /// The words and signs that the type of a property or parameter may have.
    private static let typeLimit = 128

    /// Reads a function up to its parameters.
    mutating func readFunction(at place: Int) {
        defer { forgetModifiers() }
        guard let body, let name = tokens.name(at: place + 1) else { return }
        var open = place + 2
        let isGeneric = tokens.isSign("<", at: open)
        if isGeneric {
            guard let end = endOfParameters(at: open) else { return }
            open = end
        }
        guard tokens.isSign("(", at: open), let close = tokens.partner(of: open) else { return }
        let parameters = parameters((open + 1)..<close)
        let (effects, endOfEffects) = effects(at: close + 1)
        let hasResult = tokens.areSigns("-", ">", at: endOfEffects)
        let (result, end) =
            hasResult ? type(at: endOfEffects + 2, before: tokens.count) : (text: "", end: endOfEffects)
        var function = FunctionDeclaration(
            name: name,
            writtenName: tokens.text(of: place + 1),
            labels: parameters.map(\.label),
            parameterTypes: parameters.map(\.type),
            resultType: result
        )
        function.isStatic = modifiers.words.contains("static")
        function.isAsync = effects.contains("async") || effects.contains("reasync")
        function.isThrowing = effects.contains("throws") || effects.contains("rethrows")
        function.isGeneric = isGeneric
        function.isOverride = modifiers.words.contains("override")
        function.isOnMainActor = modifiers.attributes.contains("MainActor")
        function.isUnavailable = modifiers.isUnavailable
        function.isAction = isOne(of: "IBAction", "IBSegueAction")
        function.isHiddenFromObjectiveC = isOne(of: "nonobjc")
        function.isOptional = isOptionalRequirement
        function.isPrivate = modifiers.access.hasSuffix("private")
        function.isExposed = !isOne(of: "nonobjc") && (function.isAction || isOne(of: "objc"))
        function.attributes = modifiers.attributes
        function.objectiveCName = modifiers.objectiveCName.flatMap { ObjectiveCName.isValid($0) ? $0 : nil }
        function.condition = condition
        function.line = tokens.line(of: place + 1)
        noteRequirement(.function(function, effects: effects), at: place, end: end)
        note(function, in: body)
        index = open
    }

    private func isOne(of attributes: String...) -> Bool {
        attributes.contains { modifiers.attributes.contains($0) }
    }

    /// Cuts the parameters at their commas; brackets are jumped over, so that each token is looked at once.
    private func parameters(_ range: Range<Int>) -> [(label: String, type: String)] {
        var found: [(label: String, type: String)] = []
        var (start, angles) = (range.lowerBound, 0)
        var place = range.lowerBound
        while place < range.upperBound {
            if let partner = tokens.partner(of: place), partner > place {
                place = partner + 1
                continue
            }
            if tokens.isSign("<", at: place) { angles += 1 }
            if tokens.isSign(">", at: place), !tokens.areSigns("-", ">", at: place - 1) { angles = max(0, angles - 1) }
            if tokens.isSign(",", at: place), angles == 0 {
                found.append(parameter(start..<place))
                start = place + 1
            }
            place += 1
        }
        if start < range.upperBound { found.append(parameter(start..<range.upperBound)) }
        return found
    }

    private func parameter(_ range: Range<Int>) -> (label: String, type: String) {
        var start = range.lowerBound
        while start < range.upperBound, tokens.isSign("@", at: start) {
            start += 2
            if tokens.isSign("(", at: start), let close = tokens.partner(of: start) { start = close + 1 }
        }
        let label = tokens.name(at: start) ?? "_"
        guard
            let colon = (start..<max(start, min(range.upperBound, start + 3))).first(where: {
                tokens.isSign(":", at: $0)
            })
        else { return (label, "") }
        return (label, type(at: colon + 1, before: range.upperBound).text)
    }

    /// The type that begins at `start`, and the place behind it; the text is "" when the type is too long.
    private func type(at start: Int, before limit: Int) -> (text: String, end: Int) {
        let end = endOfType(at: start, before: limit)
        guard start < end, end < min(limit, start + Self.typeLimit) || end == limit else {
            return ("", max(start, end))
        }
        return (typeText(start..<end), end)
    }

    /// The place behind a type: before its default value, a comma, a brace or the next line.
    private func endOfType(at start: Int, before limit: Int) -> Int {
        var (place, angles) = (start, 0)
        let limit = min(limit, start + Self.typeLimit)
        while place < limit {
            if place > start, angles == 0, startsLine(place) { break }
            if let partner = tokens.partner(of: place), partner > place, !tokens.isSign("{", at: place) {
                // What a closing bracket ends may be longer than the limit.
                guard partner < limit else { break }
                place = partner + 1
                continue
            }
            if tokens.isSign("<", at: place) { angles += 1 }
            if tokens.isSign(">", at: place), !tokens.areSigns("-", ">", at: place - 1) { angles = max(0, angles - 1) }
            let ends =
                ["=", "{", "}", ";"].contains { tokens.isSign($0, at: place) } || tokens.word(at: place) == "where"
            if ends || angles == 0 && tokens.isSign(",", at: place) { break }
            place += 1
        }
        return min(place, limit)
    }

    /// True when a new declaration may begin with that token: it is the first of its line, and no sign before it or at
    /// it joins the two lines.
    private func startsLine(_ place: Int) -> Bool {
        let gap = tokens.tokens[place - 1].range.upperBound..<tokens.tokens[place].range.lowerBound
        guard tokens.bytes[gap].contains(UInt8(ascii: "\n")) else { return false }
        let joining: [Unicode.Scalar] = [".", "&", ">", ":", ",", "<"]
        return !joining.contains { tokens.isSign($0, at: place - 1) }
            && !["&", ".", "-"].contains { tokens.isSign($0, at: place) }
    }

    /// The words between a function's parameters and its result.
    private func effects(at start: Int) -> (words: [String], end: Int) {
        var found: [String] = []
        var place = start
        while let word = tokens.word(at: place), ["async", "reasync", "throws", "rethrows"].contains(word) {
            found.append(word)
            place += 1
            if tokens.isSign("(", at: place), let close = tokens.partner(of: place) { place = close + 1 }
        }
        return (found, place)
    }

    /// Reads the names and types of properties that a storyboard or a selector can name.
    mutating func readProperties(at place: Int) {
        defer { forgetModifiers() }
        guard let body else { return }
        if isOptionalRequirement { return readOptionalProperty(at: place) }
        if isOne(of: "IBInspectable") { noteClosedWords() }
        let isConstant = tokens.word(at: place) == "let"
        var names: [Int] = []
        var place = place + 1
        while tokens.name(at: place) != nil {
            names.append(place)
            place += 1
            var type = ""
            if tokens.isSign(":", at: place) {
                (type, place) = self.type(at: place + 1, before: tokens.count)
            }
            let isMore = tokens.isSign(",", at: place)
            // The names of a list have the type of the next that says one.
            if !type.isEmpty || !isMore {
                let isFixed = isConstant || isReadOnly(at: place)
                for name in names { note(property(at: name, type: type, isConstant: isFixed), in: body) }
                names = []
            }
            guard isMore else { break }
            place += 1
        }
        index = max(index, place)
    }

    /// Reads a property that a class may leave out: one name, its type and its braces.
    private mutating func readOptionalProperty(at place: Int) {
        guard let name = tokens.name(at: place + 1), tokens.isSign(":", at: place + 2) else { return }
        let (type, brace) = type(at: place + 3, before: tokens.count)
        guard tokens.isSign("{", at: brace), let close = tokens.partner(of: brace) else { return }
        let isPlain = !((brace + 1)..<close).contains { ["async", "throws"].contains(tokens.word(at: $0)) }
        noteRequirement(
            isPlain && !type.isEmpty
                ? .property(name: name, writtenName: tokens.text(of: place + 1), type: type)
                : .other("is a property that is asynchronous, throws or has a long type"),
            at: place,
            end: close + 1
        )
        index = close + 1
    }

    /// True for a computed property without a setter, whose braces begin at `brace`.
    private func isReadOnly(at brace: Int) -> Bool {
        guard tokens.isSign("{", at: brace), let close = tokens.partner(of: brace) else { return false }
        var place = brace + 1
        while place < close {
            if let word = tokens.word(at: place), ["set", "willSet", "didSet", "_modify"].contains(word),
                !tokens.isSign(".", at: place - 1)
            {
                let next = tokens.isSign("(", at: place + 1) ? (tokens.partner(of: place + 1) ?? place) + 1 : place + 1
                if tokens.isSign("{", at: next) { return false }
            }
            place = max(place, tokens.partner(of: place) ?? place) + 1
        }
        return true
    }

    private func property(at name: Int, type: String, isConstant: Bool) -> PropertyDeclaration {
        var property = PropertyDeclaration(
            name: tokens.name(at: name) ?? "",
            writtenName: tokens.text(of: name),
            type: String(type.reversed().drop { $0 == "!" || $0 == "?" || $0 == " " }.reversed())
        )
        property.isOutlet = isOne(of: "IBOutlet")
        property.isExposed = isOne(of: "objc", "IBOutlet", "IBInspectable")
        property.isInspectable = isOne(of: "IBInspectable")
        property.isOverride = modifiers.words.contains("override")
        property.isPrivate = modifiers.access.hasSuffix("private")
        property.isStatic = modifiers.words.contains("static")
        property.isConstant = isConstant
        property.isOnMainActor = isOne(of: "MainActor")
        property.objectiveCName = modifiers.objectiveCName.flatMap { ObjectiveCName.isValid($0) ? $0 : nil }
        property.condition = condition
        property.line = tokens.line(of: name)
        return property
    }
}

extension DeclarationReader {
    /// The words and signs behind a requirement's name that are looked at.
    private static let requirementLimit = 1024

    /// True when the declaration whose words have been read is a requirement that may be left out.
    var isOptionalRequirement: Bool {
        guard let body, modifiers.words.contains("optional") else { return false }
        return bodies[body].isObjectiveCProtocol
    }

    /// Notes the requirement that ends before `end`.
    mutating func noteRequirement(_ kind: OptionalRequirement.Kind, at place: Int, end: Int) {
        guard isOptionalRequirement, let body else { return }
        var kind = kind
        if modifiers.words.contains("static") { kind = .other("belongs to the class") }
        let attributes = modifiers.attributes.filter { $0 == "MainActor" || $0.hasSuffix("Actor") }
        let head =
            attributes.sorted().map { "@\($0) " }.joined()
            + (modifiers.words.contains("nonisolated") ? "nonisolated " : "")
        note(
            OptionalRequirement(
                kind: kind,
                tokens: (modifiers.start ?? place)..<max(end, place + 1),
                head: head,
                condition: condition,
                line: tokens.line(of: place)
            ),
            in: body
        )
    }

    /// Notes an optional subscript or initialiser, which only Objective-C can leave out.
    mutating func readOtherRequirement(_ word: String, at place: Int) {
        guard isOptionalRequirement else { return }
        var end = place + 1
        while end < min(tokens.count, place + Self.requirementLimit), !tokens.isSign("}", at: end),
            tokens.line(of: end) == tokens.line(of: place)
        {
            end = max(end, tokens.partner(of: end) ?? end) + 1
        }
        noteRequirement(.other("is a\(word == "init" ? "n initialiser" : " \(word)")"), at: place, end: end)
        index = max(index, end)
    }
}
