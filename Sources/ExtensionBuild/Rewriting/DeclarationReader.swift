// SPDX-License-Identifier: Apache-2.0

/// Reads the types of a Swift source, their members, and the expressions that name functions for Objective-C.
///
/// The reader knows the shape of declarations and nothing of expressions: it walks over words and signs once, with a
/// stack of braces of its own. What it cannot make sense of it passes over.
struct DeclarationReader {
    /// The braces that may stand in one another; the compiler gives up at 256.
    static let depthLimit = 512
    /// The types that may stand in one another.
    static let nestingLimit = 32
    /// The bytes that a type's name may have with those of the types around it.
    static let pathLimit = 1 << 11
    /// The attributes that one declaration may have.
    static let attributeLimit = 64
    /// The `#if` that may stand in one another.
    static let blockLimit = 256

    /// The words and attributes before a declaration.
    struct Modifiers {
        var words: Set<String> = []
        var attributes: Set<String> = []
        var objectiveCName: String?
        var access = "internal"
        var privateWord: Int?
        /// The places of words and parentheses that keep others from setting a property.
        var closedWords: [Range<Int>] = []
        var isUnavailable = false
        /// The first of the words and attributes.
        var start: Int?
    }

    /// The inside of a pair of braces.
    struct Scope {
        /// The type whose braces these are; nil for a file and for code.
        let body: Int?
        /// The innermost type around.
        let enclosing: Int?
        let isCode: Bool
        var parentheses = 0
        var modifiers = Modifiers()
    }

    let tokens: SwiftTokens
    private(set) var bodies: [TypeBody] = []
    private(set) var expressions: [NameExpression] = []
    /// The bytes of attributes for Objective-C.
    private(set) var attributes: [Range<Int>] = []
    /// The places of the words `private` before types inside another, by the outermost type.
    private(set) var privateWords: [String: [Int]] = [:]
    /// The full names of the type aliases inside types.
    private(set) var aliases: Set<String> = []
    /// The words that keep a property from storyboards that can set it.
    private(set) var closedWords: [Range<Int>] = []
    /// False when the source goes beyond a limit, or its brackets or conditions do not match.
    private(set) var isUnderstood = true

    /// True behind a declaration with too many attributes, and in too many conditions.
    private var isOverLimit = false

    var scopes = [Scope(body: nil, enclosing: nil, isCode: false)]
    var conditions: [ConditionalBlock] = []
    /// The place of the next token to look at.
    var index = 0

    init(_ tokens: SwiftTokens) {
        self.tokens = tokens
        while index < tokens.count, scopes.count <= Self.depthLimit, !isOverLimit {
            readToken()
            isOverLimit = isOverLimit || conditions.count > Self.blockLimit
        }
        isUnderstood = index >= tokens.count && tokens.isBalanced && conditions.isEmpty && scopes.count == 1
    }

    /// The condition of the `#if` around the next token.
    var condition: String { conditions.last?.condition ?? "" }

    private var scope: Int { scopes.count - 1 }

    private mutating func readToken() {
        guard tokens.tokens[index].kind == .sign else { return readWord() }
        let sign = tokens.bytes[tokens.tokens[index].range.lowerBound]
        index += 1
        switch sign {
        case UInt8(ascii: "@"): readAttribute()
        case UInt8(ascii: "#"): readPound()
        case UInt8(ascii: "("), UInt8(ascii: "["): scopes[scope].parentheses += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
            scopes[scope].parentheses = max(0, scopes[scope].parentheses - 1)
        case UInt8(ascii: "{"):
            forgetModifiers()
            scopes.append(Scope(body: nil, enclosing: scopes[scope].enclosing, isCode: true))
        case UInt8(ascii: "}"):
            if scopes.count > 1 { scopes.removeLast() }
            forgetModifiers()
        default: forgetModifiers()
        }
    }

    mutating func forgetModifiers() {
        if scopes[scope].parentheses == 0 { scopes[scope].modifiers = Modifiers() }
    }

    private mutating func readWord() {
        let place = index
        index += 1
        guard scopes[scope].parentheses == 0, !tokens.isSign(".", at: place - 1) else { return }
        guard let word = tokens.word(at: place), !keepsModifiers(word, at: place) else { return }
        switch word {
        case "class", "struct", "enum", "protocol", "extension", "actor": readType(word, at: place)
        case "func": readFunction(at: place)
        case "var", "let": readProperties(at: place)
        case "typealias":
            _ = notesPrivateWord()
            noteAlias(at: place)
        case "subscript", "init": readOtherRequirement(word, at: place)
        default: break
        }
        // The braces of a type have modifiers of their own.
        if index == place + 1 { forgetModifiers() }
    }

    private static let accessLevels: Set<String> = ["open", "public", "package", "internal", "fileprivate", "private"]
    private static let modifiers: Set<String> = [
        "final", "static", "override", "nonisolated", "weak", "unowned", "lazy", "dynamic", "required", "convenience",
        "mutating", "nonmutating", "optional", "indirect", "prefix", "postfix", "infix", "distributed", "isolated",
    ]

    /// True when the word is a modifier, which is noted.
    private mutating func keepsModifiers(_ word: String, at place: Int) -> Bool {
        if Self.accessLevels.contains(word) {
            // `private(set)` says nothing of who may read.
            let argument = tokens.isSign("(", at: place + 1) ? tokens.partner(of: place + 1) : nil
            if argument == nil {
                scopes[scope].modifiers.access = word
                scopes[scope].modifiers.privateWord = word == "private" ? place : nil
            }
            if word == "private" || word == "fileprivate" {
                scopes[scope].modifiers.closedWords.append(place..<((argument ?? place) + 1))
            }
            noteStart(place)
            return true
        }
        if Self.modifiers.contains(word) {
            scopes[scope].modifiers.words.insert(word)
            noteStart(place)
            return true
        }
        guard word == "class", let next = tokens.word(at: place + 1),
            Self.modifiers.contains(next) || ["func", "var", "let", "subscript"].contains(next)
                || Self.accessLevels.contains(next)
        else { return false }
        scopes[scope].modifiers.words.insert("static")
        noteStart(place)
        return true
    }

    private mutating func noteStart(_ place: Int) {
        if scopes[scope].modifiers.start == nil { scopes[scope].modifiers.start = place }
    }
}

// MARK: Attributes and expressions

extension DeclarationReader {
    /// The attributes that only a compiler with Objective-C takes.
    private static let namesForObjectiveC: Set<String> = [
        "objc", "objcMembers", "nonobjc", "IBOutlet", "IBAction", "IBInspectable", "IBDesignable", "IBSegueAction",
    ]

    /// Reads the attribute whose sign has just been passed.
    private mutating func readAttribute() {
        guard tokens.isAdjacent(index - 1), let name = tokens.name(at: index) else { return }
        let sign = index - 1
        var end = index + 1
        if tokens.isAdjacent(index), tokens.isSign("(", at: end), let close = tokens.partner(of: end) {
            end = close + 1
        }
        let argument = end > index + 1 ? (index + 2)..<(end - 1) : nil
        let isAtDeclaration = scopes[scope].parentheses == 0
        if isAtDeclaration {
            scopes[scope].modifiers.attributes.insert(name)
            isOverLimit = modifiers.attributes.count > Self.attributeLimit
            noteStart(sign)
        }
        if Self.namesForObjectiveC.contains(name) {
            attributes.append(tokens.byteRange(of: sign..<end))
            if isAtDeclaration, name == "objc", let argument {
                scopes[scope].modifiers.objectiveCName = argument.map(tokens.text(of:)).joined()
            }
            index = end
            return
        }
        if isAtDeclaration, name == "available", let argument {
            let words = argument.prefix(64).compactMap(tokens.word(at:))
            if words.contains("unavailable") || words.contains("obsoleted") {
                scopes[scope].modifiers.isUnavailable = true
            }
        }
        // Its argument is looked at like any other code: a closure may stand in it.
        index += 1
    }

    /// Reads what follows the sign `#` that has just been passed.
    private mutating func readPound() {
        guard tokens.isAdjacent(index - 1), let word = tokens.word(at: index) else { return }
        switch word {
        case "if", "elseif", "else", "endif": readDirective(word)
        case "selector", "keyPath":
            guard tokens.isSign("(", at: index + 1), let close = tokens.partner(of: index + 1) else { return }
            expressions.append(
                NameExpression(
                    kind: word == "selector" ? .selector : .keyPath,
                    tokens: (index - 1)..<(close + 1),
                    body: scopes[scope].enclosing,
                    condition: condition
                )
            )
            index = close + 1
        default: index += 1
        }
    }
}

// MARK: What the readers of declarations note

extension DeclarationReader {
    var modifiers: Modifiers { scopes[scope].modifiers }

    /// The type in whose braces the next token stands, not in braces of a member.
    var body: Int? { scopes[scope].body }

    /// Notes the word `private` before a type inside another; false when there is none.
    mutating func notesPrivateWord() -> Bool {
        guard let body, let word = modifiers.privateWord else { return false }
        privateWords[Self.outermost(of: bodies[body].path), default: []].append(word)
        return true
    }

    /// The first of the types that the name of one inside others consists of.
    static func outermost(of path: String) -> String {
        String(path.prefix { $0 != "." })
    }

    var enclosingBody: Int? { scopes[scope].enclosing }

    var isInCode: Bool { scopes[scope].isCode }

    /// Notes the other name of a type, inside the type whose braces these are.
    private mutating func noteAlias(at place: Int) {
        guard let body, let name = tokens.name(at: place + 1) else { return }
        aliases.insert("\(bodies[body].path).\(name)")
    }

    /// Goes on inside the braces of that type, which begin at `brace`.
    mutating func enter(_ type: TypeBody, at brace: Int) {
        forgetModifiers()
        bodies.append(type)
        scopes.append(Scope(body: bodies.count - 1, enclosing: bodies.count - 1, isCode: false))
        index = brace + 1
    }

    mutating func note(_ function: FunctionDeclaration, in body: Int) {
        bodies[body].functions.append(function)
    }

    mutating func note(_ property: PropertyDeclaration, in body: Int) {
        bodies[body].properties.append(property)
    }

    mutating func note(_ requirement: OptionalRequirement, in body: Int) {
        bodies[body].optionalRequirements.append(requirement)
    }

    /// Notes that the declaration that is being read has to be within a storyboard's reach.
    mutating func noteClosedWords() {
        closedWords += modifiers.closedWords
    }

    /// Takes over what other files say of a body.
    mutating func refine(_ body: Int, _ change: (inout TypeBody) -> Void) {
        change(&bodies[body])
    }
}
