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
        let effects = effects(at: close + 1)
        var function = FunctionDeclaration(
            name: name,
            writtenName: tokens.text(of: place + 1),
            labels: parameters.map(\.label),
            parameterTypes: parameters.map(\.type)
        )
        function.isStatic = modifiers.words.contains("static")
        function.isAsync = effects.contains("async") || effects.contains("reasync")
        function.isThrowing = effects.contains("throws") || effects.contains("rethrows")
        function.isGeneric = isGeneric
        function.isOverride = modifiers.words.contains("override")
        function.isOnMainActor = modifiers.attributes.contains("MainActor")
        function.isUnavailable = modifiers.isUnavailable
        function.isAction = isOne(of: "IBAction", "IBSegueAction")
        function.isExposed =
            !isOne(of: "nonobjc") && (function.isAction || isOne(of: "objc") || bodies[body].exposesMembers)
        function.objectiveCName = modifiers.objectiveCName.flatMap { ObjectiveCName.isValid($0) ? $0 : nil }
        function.condition = condition
        function.line = tokens.line(of: place + 1)
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
        return (label, typeText((colon + 1)..<endOfType(at: colon + 1, before: range.upperBound)))
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
            let ends = ["=", "{", "}", ";"].contains { tokens.isSign($0, at: place) }
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
    private func effects(at start: Int) -> [String] {
        var found: [String] = []
        var place = start
        while let word = tokens.word(at: place), ["async", "reasync", "throws", "rethrows"].contains(word) {
            found.append(word)
            place += 1
            if tokens.isSign("(", at: place), let close = tokens.partner(of: place) { place = close + 1 }
        }
        return found
    }

    /// Reads the names and types of properties that a storyboard or a selector can name.
    mutating func readProperties(at place: Int) {
        defer { forgetModifiers() }
        guard let body, isOne(of: "IBOutlet", "IBInspectable", "objc") else { return }
        var names: [Int] = []
        var place = place + 1
        while tokens.name(at: place) != nil {
            names.append(place)
            place += 1
            var type = ""
            if tokens.isSign(":", at: place) {
                let end = endOfType(at: place + 1, before: tokens.count)
                type = typeText((place + 1)..<max(place + 1, end))
                place = end
            }
            let isMore = tokens.isSign(",", at: place)
            // The names of a list have the type of the next that says one.
            if !type.isEmpty || !isMore {
                for name in names { note(property(at: name, type: type), in: body) }
                names = []
            }
            guard isMore else { break }
            place += 1
        }
        index = max(index, place)
    }

    private func property(at name: Int, type: String) -> PropertyDeclaration {
        var property = PropertyDeclaration(
            name: tokens.name(at: name) ?? "",
            writtenName: tokens.text(of: name),
            type: String(type.reversed().drop { $0 == "!" || $0 == "?" || $0 == " " }.reversed())
        )
        property.isOutlet = isOne(of: "IBOutlet")
        property.isInspectable = isOne(of: "IBInspectable")
        property.isStatic = modifiers.words.contains("static")
        property.isConstant = tokens.word(at: name - 1) == "let"
        property.isOnMainActor = isOne(of: "MainActor")
        property.objectiveCName = modifiers.objectiveCName.flatMap { ObjectiveCName.isValid($0) ? $0 : nil }
        property.condition = condition
        property.line = tokens.line(of: name)
        return property
    }
}
