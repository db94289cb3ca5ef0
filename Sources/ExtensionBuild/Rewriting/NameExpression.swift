// SPDX-License-Identifier: Apache-2.0

/// An expression `#selector(…)` or `#keyPath(…)`.
struct NameExpression {
    enum Kind {
        case selector, keyPath
    }

    let kind: Kind
    /// From the sign `#` to the closing parenthesis.
    let tokens: Range<Int>
    /// The innermost type around it, of the file's bodies.
    let body: Int?
    /// The condition of the `#if` around it.
    let condition: String

    /// The tokens between the parentheses.
    var argument: Range<Int> { (tokens.lowerBound + 3)..<(tokens.upperBound - 1) }
}

/// The function or property that a `#selector` names.
struct SelectorTarget: Equatable {
    enum Form: Equatable {
        /// A function; the labels are nil when none are written.
        case function(labels: [String]?)
        case getter, setter
    }

    /// The owner of the member.
    enum Base: Equatable {
        /// The type around, or one around that.
        case enclosing
        case type(String)
        /// An object whose type no reader of declarations knows.
        case object
    }

    var form: Form
    var base: Base
    /// The member, without backticks.
    var name: String
    /// The member as written.
    var writtenName: String
    /// The types of the parameters, where `as` tells overloads apart.
    var parameterTypes: [String]?
}

extension SelectorTarget {
    /// Reads the argument of a `#selector`; nil when it is not of a known form.
    init?(_ range: Range<Int>, of tokens: SwiftTokens) {
        var range = range
        var form = Form.function(labels: nil)
        if let word = tokens.word(at: range.lowerBound), ["getter", "setter"].contains(word),
            range.count > 2, tokens.isSign(":", at: range.lowerBound + 1)
        {
            form = word == "getter" ? .getter : .setter
            range = (range.lowerBound + 2)..<range.upperBound
        }
        range = Self.withoutParentheses(range, of: tokens)
        var types: [[String]] = []
        if let place = Self.placeOfAs(range, of: tokens) {
            guard let parsed = Self.parameterTypes((place + 1)..<range.upperBound, of: tokens) else { return nil }
            types = parsed
            range = Self.withoutParentheses(range.lowerBound..<place, of: tokens)
        }
        if range.count > 1, tokens.isSign(")", at: range.upperBound - 1) {
            guard form == .function(labels: nil), let open = tokens.partner(of: range.upperBound - 1),
                open > range.lowerBound,
                let labels = Self.labels((open + 1)..<(range.upperBound - 1), of: tokens)
            else { return nil }
            form = .function(labels: labels)
            range = range.lowerBound..<open
        }
        guard let last = range.last, let name = tokens.name(at: last) else { return nil }
        self.form = form
        self.name = name
        writtenName = tokens.text(of: last)
        if range.count == 1 {
            base = .enclosing
        } else {
            guard range.count > 2, tokens.isSign(".", at: last - 1) else { return nil }
            base = Self.base(range.lowerBound..<(last - 1), of: tokens)
        }
        // A function of a type takes the object before its parameters.
        if case .type = base, types.count > 1 { types.removeFirst() }
        parameterTypes = types.first
    }

    private static func withoutParentheses(_ range: Range<Int>, of tokens: SwiftTokens) -> Range<Int> {
        var range = range
        while range.count > 2, tokens.isSign("(", at: range.lowerBound),
            tokens.partner(of: range.lowerBound) == range.upperBound - 1
        {
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        return range
    }

    private static func placeOfAs(_ range: Range<Int>, of tokens: SwiftTokens) -> Int? {
        var place = range.lowerBound
        while place < range.upperBound {
            if tokens.word(at: place) == "as", !tokens.isSign(".", at: place - 1) { return place }
            place = max(place, tokens.partner(of: place) ?? place) + 1
        }
        return nil
    }

    /// The labels of "(_:with:)"; nil where anything else stands, and for none: Swift has no such form.
    private static func labels(_ range: Range<Int>, of tokens: SwiftTokens) -> [String]? {
        guard !range.isEmpty, range.count.isMultiple(of: 2) else { return nil }
        var labels: [String] = []
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let label = tokens.name(at: place), tokens.isSign(":", at: place + 1) else { return nil }
            labels.append(label)
        }
        return labels
    }

    private static func base(_ range: Range<Int>, of tokens: SwiftTokens) -> Base {
        let text = range.map(tokens.text(of:)).joined()
        if ["self", "super", "Self", "self!", "self?", "type(of:self)"].contains(text) { return .enclosing }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isType = parts.allSatisfy { part in
            part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        // By Swift's convention types alone begin with a capital.
        return isType && parts.last?.first?.isUppercase == true ? .type(text) : .object
    }

    /// The types in each pair of parentheses of a function's type: two pairs in "(View) -> (Button) -> Void".
    private static func parameterTypes(_ range: Range<Int>, of tokens: SwiftTokens) -> [[String]]? {
        var lists: [[String]] = []
        var place = range.lowerBound
        while tokens.isSign("@", at: place) { place += 2 }
        while tokens.isSign("(", at: place), let close = tokens.partner(of: place), close < range.upperBound,
            tokens.areSigns("-", ">", at: close + 1)
        {
            var (types, text) = ([String](), "")
            var inner = place + 1
            while inner < close {
                let end = min(close, (tokens.partner(of: inner).map { max($0, inner) } ?? inner) + 1)
                if tokens.isSign(",", at: inner) {
                    types.append(text)
                    text = ""
                } else {
                    text += (inner..<end).map(tokens.text(of:)).joined()
                }
                inner = end
            }
            lists.append(types + (text.isEmpty ? [] : [text]))
            place = close + 3
        }
        return lists.isEmpty ? nil : lists
    }
}
