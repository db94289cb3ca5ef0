// SPDX-License-Identifier: Apache-2.0

/// A requirement of a protocol for Objective-C that a class may leave out: `@objc optional func done()`.
struct OptionalRequirement {
    enum Kind {
        /// The second names are of the parameters, in the order of the labels.
        case function(FunctionDeclaration, effects: [String])
        case property(name: String, writtenName: String, type: String)
        /// A part that is not understood, with the reason.
        case other(String)
    }

    let kind: Kind
    /// From the first attribute or word to the end.
    let tokens: Range<Int>
    /// The attributes and words that a copy needs: "@MainActor".
    let head: String
    let condition: String
    let line: Int

    /// The base name, without backticks; nil for what is not understood.
    var name: String? {
        switch kind {
        case .function(let function, _): function.name
        case .property(let name, _, _): name
        case .other: nil
        }
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
