// SPDX-License-Identifier: Apache-2.0

/// The reader of visual formats.
///
/// | rule | form |
/// |---|---|
/// | format | (`H:` or `V:`)? (`\|` connection)? view (connection view)* (connection `\|`)? |
/// | view | `[` name (`(` predicates `)`)? `]` |
/// | connection | nothing, `-`, `-` number or name `-`, `-(` predicates `)-` |
/// | predicates | predicate (`,` predicate)* |
/// | predicate | (`==`, `<=` or `>=`)? (number or name) (`@` (number or name))? |
///
/// Names are those of C. A number has digits, perhaps a point, and inside of parentheses perhaps a sign. White space
/// stands between any two of these. Formats are read in one go, so that their length is bound by nothing else.
struct VisualFormatParser {
    private let format: String
    private let characters: [Character]
    private var place = 0

    init(_ format: String) {
        self.format = format
        characters = Array(format)
    }

    /// Reads the whole format.
    mutating func parse() throws(VisualFormatError) -> VisualFormat {
        var result = VisualFormat()
        result.axis = try axis()
        if let edge = takePlace(of: "|") {
            result.leadingPlace = edge
            result.leading = try connection()
        }
        result.boxes.append(try box())
        while !isAtEnd {
            let connection = try connection()
            if let edge = takePlace(of: "|") {
                result.trailingPlace = edge
                result.trailing = connection
                guard isAtEnd else { throw fault("nothing stands behind the edge \"|\"") }
                return result
            }
            result.connections.append(connection)
            result.boxes.append(try box())
        }
        return result
    }

    // MARK: Parts

    private mutating func axis() throws(VisualFormatError) -> NSLayoutConstraint.Axis {
        guard let letter = peek, letter == "H" || letter == "V" else { return .horizontal }
        place += 1
        try expect(":", behind: "the letter of the direction")
        return letter == "V" ? .vertical : .horizontal
    }

    private mutating func box() throws(VisualFormatError) -> VisualFormat.Box {
        guard take("[") else { throw fault("a view in brackets is expected") }
        skipSpace()
        let start = place
        guard let name = name() else { throw fault("the name of a view is expected") }
        let predicates = take("(") ? try predicates() : []
        try expect("]", behind: "a view")
        return VisualFormat.Box(name: name, predicates: predicates, place: start)
    }

    private mutating func connection() throws(VisualFormatError) -> VisualFormat.Connection {
        guard take("-") else { return .none }
        if take("(") {
            let predicates = try predicates()
            try expect("-", behind: "a distance")
            return .predicates(predicates)
        }
        guard let next = peek, next != "[", next != "|" else { return .standard }
        let start = place
        guard let amount = try amount(isSigned: false) else { throw fault("a distance, a view or an edge is expected") }
        try expect("-", behind: "a distance")
        return .predicates([VisualFormat.Predicate(amount: amount, place: start, priorityPlace: place)])
    }

    /// Reads conditions up to the parenthesis that ends them.
    private mutating func predicates() throws(VisualFormatError) -> [VisualFormat.Predicate] {
        var predicates: [VisualFormat.Predicate] = []
        repeat { predicates.append(try predicate()) } while take(",")
        try expect(")", behind: "a condition")
        return predicates
    }

    private mutating func predicate() throws(VisualFormatError) -> VisualFormat.Predicate {
        let relation = try relation()
        skipSpace()
        let start = place
        guard let amount = try amount(isSigned: true) else { throw fault("a number or a name is expected") }
        guard take("@") else {
            return VisualFormat.Predicate(relation: relation, amount: amount, place: start, priorityPlace: place)
        }
        skipSpace()
        let priorityPlace = place
        guard let priority = try self.amount(isSigned: false) else { throw fault("a priority is expected") }
        return VisualFormat.Predicate(
            relation: relation,
            amount: amount,
            priority: priority,
            place: start,
            priorityPlace: priorityPlace
        )
    }

    private mutating func relation() throws(VisualFormatError) -> NSLayoutConstraint.Relation {
        let relations: [(Character, NSLayoutConstraint.Relation)] = [
            ("=", .equal), ("<", .lessThanOrEqual), (">", .greaterThanOrEqual),
        ]
        for (sign, relation) in relations where take(sign) {
            guard place < characters.count, characters[place] == "=" else {
                throw fault("\"=\" is expected behind \"\(sign)\"")
            }
            place += 1
            return relation
        }
        return .equal
    }

    // MARK: Words and numbers

    private mutating func amount(isSigned: Bool) throws(VisualFormatError) -> VisualFormat.Amount? {
        skipSpace()
        if let name = name() { return .name(name) }
        let start = place
        if isSigned, place < characters.count, characters[place] == "-" || characters[place] == "+" { place += 1 }
        let digits = place
        while place < characters.count, characters[place].isDigit || characters[place] == "." { place += 1 }
        guard place > digits else {
            place = start
            return nil
        }
        guard let number = Double(String(characters[start..<place])), number.isFinite else {
            throw VisualFormatError(format: format, place: start, reason: "a number is expected")
        }
        return .number(number)
    }

    private mutating func name() -> String? {
        guard place < characters.count, characters[place].isLetterOfName else { return nil }
        let start = place
        while place < characters.count, characters[place].isLetterOfName || characters[place].isDigit { place += 1 }
        return String(characters[start..<place])
    }

    // MARK: Characters

    private mutating func skipSpace() {
        while place < characters.count, characters[place].isWhitespace { place += 1 }
    }

    private var peek: Character? {
        mutating get {
            skipSpace()
            return place < characters.count ? characters[place] : nil
        }
    }

    private var isAtEnd: Bool { mutating get { peek == nil } }

    private mutating func take(_ character: Character) -> Bool {
        guard peek == character else { return false }
        place += 1
        return true
    }

    private mutating func takePlace(of character: Character) -> Int? { take(character) ? place - 1 : nil }

    private mutating func expect(_ character: Character, behind what: String) throws(VisualFormatError) {
        guard take(character) else { throw fault("\"\(character)\" is expected behind \(what)") }
    }

    private func fault(_ reason: String) -> VisualFormatError {
        VisualFormatError(format: format, place: place, reason: reason)
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isNumber }
    fileprivate var isLetterOfName: Bool { self == "_" || self == "$" || isLetter }
}
