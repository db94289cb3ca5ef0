// SPDX-License-Identifier: Apache-2.0

extension DeclarationReader {
    /// The words and signs that can stand between a type's keyword and its brace.
    private static let headLimit = 128

    private static let kinds: [String: TypeBody.Kind] = [
        "class": .classDeclaration, "extension": .classExtension, "protocol": .protocolDeclaration,
    ]

    /// Reads the head of a type, and goes on inside its braces; does nothing if no such head follows.
    mutating func readType(_ keyword: String, at place: Int) {
        guard let (name, nameEnd) = typeName(at: place + 1, mayHaveDots: keyword == "extension") else { return }
        var place = nameEnd
        let hasParameters = tokens.isSign("<", at: place)
        if hasParameters {
            guard let end = endOfParameters(at: place) else { return }
            place = end
        }
        guard let head = inheritance(at: place) else { return }
        let enclosing = enclosingBody.map { bodies[$0] }
        let isNested = body != nil
        let nesting = isNested ? (enclosing?.path.utf8.count { $0 == UInt8(ascii: ".") } ?? 0) + 2 : 1
        let isPrivate = notesPrivateWord()
        let path = isNested ? "\(enclosing?.path ?? "").\(name)" : name
        let isTooDeep = nesting > Self.nestingLimit || path.utf8.count > Self.pathLimit
        enter(
            TypeBody(
                kind: Self.kinds[keyword] ?? .other,
                path: isTooDeep ? name : path,
                outer: enclosingBody,
                inherited: head.inherited,
                objectiveCName: modifiers.objectiveCName,
                access: modifiers.access,
                isGeneric: hasParameters || head.isConstrained || isNested && enclosing?.isGeneric == true,
                hasParameters: hasParameters,
                isLocal: isInCode || enclosing?.isLocal == true || isTooDeep,
                exposesMembers: modifiers.attributes.contains("objcMembers")
                    || keyword == "extension" && modifiers.attributes.contains("objc"),
                attributes: modifiers.attributes,
                isolation: isolation(isNested: isNested),
                isUnavailable: modifiers.isUnavailable || isNested && enclosing?.isUnavailable == true,
                condition: condition,
                line: tokens.line(of: nameEnd - 1),
                isHidden: isPrivate || isNested && enclosing?.isHidden == true,
                isOfFile: modifiers.access.hasSuffix("private") || isNested && enclosing?.isOfFile == true,
                endOfHead: max(place - 1, head.end)
            ),
            at: head.brace
        )
    }

    private func isolation(isNested: Bool) -> TypeBody.Isolation {
        if modifiers.attributes.contains("MainActor") { return .mainActor }
        return modifiers.attributes.contains { $0.hasSuffix("Actor") } ? .otherActor : .none
    }

    /// The name at `start`, and the place behind it.
    private func typeName(at start: Int, mayHaveDots: Bool) -> (name: String, end: Int)? {
        guard tokens.name(at: start) != nil else { return nil }
        var parts = [tokens.text(of: start)]
        var end = start + 1
        while mayHaveDots, parts.count < Self.nestingLimit, tokens.isSign(".", at: end),
            tokens.name(at: end + 1) != nil
        {
            parts.append(tokens.text(of: end + 1))
            end += 2
        }
        return (parts.joined(separator: "."), end)
    }

    /// The place behind the parameters in angle brackets that begin at `start`.
    func endOfParameters(at start: Int) -> Int? {
        var depth = 0
        for place in start..<min(tokens.count, start + Self.headLimit) {
            if tokens.isSign("<", at: place) { depth += 1 }
            if tokens.isSign(">", at: place), !tokens.areSigns("-", ">", at: place - 1) { depth -= 1 }
            if depth == 0 { return place + 1 }
            if tokens.isSign("{", at: place) || tokens.isSign("}", at: place) { return nil }
        }
        return nil
    }

    private struct Head {
        var inherited: [String] = []
        var isConstrained = false
        var brace = 0
        /// The last word or sign of what is inherited.
        var end = 0
    }

    /// Reads from behind a type's name to its brace.
    private func inheritance(at start: Int) -> Head? {
        guard tokens.isSign("{", at: start) || tokens.isSign(":", at: start) || tokens.word(at: start) == "where"
        else { return nil }
        var head = Head()
        var depth = 0
        var first = start + 1
        func note(upTo end: Int) {
            if !head.isConstrained, first < end {
                head.inherited.append(typeText(first..<end))
                head.end = end - 1
            }
            first = end + 1
        }
        for place in start..<min(tokens.count, start + Self.headLimit) {
            if tokens.isSign("{", at: place) {
                note(upTo: place)
                head.brace = place
                return head
            }
            if tokens.isSign("}", at: place) || tokens.isSign(";", at: place) { return nil }
            if tokens.isSign("<", at: place) || tokens.isSign("(", at: place) { depth += 1 }
            if tokens.isSign(">", at: place) || tokens.isSign(")", at: place) { depth -= 1 }
            guard depth == 0 else { continue }
            if tokens.isSign(",", at: place) { note(upTo: place) }
            if tokens.word(at: place) == "where" {
                note(upTo: place)
                head.isConstrained = true
            }
        }
        return nil
    }

    /// The text of a type; comments and line breaks in it become a space.
    func typeText(_ range: Range<Int>) -> String {
        var text = ""
        for place in range {
            text += tokens.text(of: place)
            if place + 1 < range.upperBound, !tokens.isAdjacent(place) { text += " " }
        }
        return text
    }
}
