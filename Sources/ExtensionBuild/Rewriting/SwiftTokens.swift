// SPDX-License-Identifier: Apache-2.0

/// One word or one sign of Swift source.
struct SwiftToken {
    enum Kind: UInt8 {
        /// A name, a keyword or a number.
        case word
        /// A name in backticks, which no keyword is.
        case quotedWord
        /// One byte that is part of no word.
        case sign
        /// A regular expression between slashes.
        case expression
    }

    let start: Int32
    let byteCount: Int32
    let kind: Kind

    var range: Range<Int> { Int(start)..<Int(start + byteCount) }
}

/// The words and signs of a Swift source that are neither comment nor text, and which bracket closes which.
///
/// Code inside an interpolation counts as code. One pass makes it, so the time grows with the source and no faster.
struct SwiftTokens {
    /// The words and signs that one source may have.
    static let limit = 1 << 22
    /// The bytes that one word may have; names are written out more often than they are declared.
    static let wordLimit = 1 << 10

    let bytes: [UInt8]
    private(set) var tokens: [SwiftToken] = []
    /// True when each bracket has a partner and the source ends neither in a comment nor in text.
    private(set) var isBalanced = true
    /// True when the source has more words and signs than `limit`, or a word longer than `wordLimit`; what follows is
    /// missing.
    private(set) var isTooLong = false

    /// The place of the bracket that belongs to each; -1 for other tokens and for a bracket without one.
    private var partners: [Int32] = []
    private var lineStarts: [Int32] = [0]
    private var expressions = RegularExpressions()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // The sign at the end is found as code unless a comment or a text is open.
        var scanner = SwiftScanner(bytes + Array("\n;".utf8))
        // The mark of an order of bytes, which some editors write first.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.skip(to: 3) }
        var end = 0
        while let position = scanner.nextCode() {
            end = self.end(ofTokenAt: position, in: scanner.bytes)
            scanner.skip(to: end)
            isTooLong = tokens.count > Self.limit || tokens.last.map(Self.isTooLong) == true
            guard !isTooLong else { break }
        }
        isBalanced = !isTooLong && end == bytes.count + 2 && tokens.last?.range.upperBound == end
        if tokens.last.map({ Int($0.start) >= bytes.count }) == true { tokens.removeLast() }
        matchBrackets()
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            lineStarts.append(Int32(truncatingIfNeeded: place + 1))
        }
    }

    var count: Int { tokens.count }

    /// The place of the bracket that closes the one at `index`, or opens it.
    func partner(of index: Int) -> Int? {
        guard partners.indices.contains(index), partners[index] >= 0 else { return nil }
        return Int(partners[index])
    }

    /// True when the token is that sign.
    func isSign(_ sign: Unicode.Scalar, at index: Int) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .sign else { return false }
        return bytes[Int(tokens[index].start)] == UInt8(ascii: sign)
    }

    /// True when the two signs stand side by side, as those of an arrow do.
    func areSigns(_ first: Unicode.Scalar, _ second: Unicode.Scalar, at index: Int) -> Bool {
        isSign(first, at: index) && isSign(second, at: index + 1) && isAdjacent(index)
    }

    /// True when nothing stands between the token and the one behind it.
    func isAdjacent(_ index: Int) -> Bool {
        guard tokens.indices.contains(index + 1) else { return false }
        return tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
    }

    /// The keyword or name at that place; nil for a sign and for a name in backticks.
    func word(at index: Int) -> String? {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return nil }
        return text(of: index)
    }

    /// The name at that place without backticks; nil for a sign and for a number.
    func name(at index: Int) -> String? {
        guard tokens.indices.contains(index) else { return nil }
        switch tokens[index].kind {
        case .sign, .expression: return nil
        case .quotedWord: return String(text(of: index).dropFirst().dropLast())
        case .word:
            let first = bytes[Int(tokens[index].start)]
            return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) ? nil : text(of: index)
        }
    }

    private static func isTooLong(_ token: SwiftToken) -> Bool {
        token.byteCount > wordLimit && (token.kind == .word || token.kind == .quotedWord)
    }

    /// The token as it is written.
    func text(of index: Int) -> String {
        String(decoding: bytes[tokens[index].range], as: UTF8.self)
    }

    /// The tokens as they are written, with what stands between them.
    func text(of range: Range<Int>) -> String {
        range.isEmpty ? "" : String(decoding: bytes[byteRange(of: range)], as: UTF8.self)
    }

    /// The bytes from the first of the tokens to the end of the last.
    func byteRange(of range: Range<Int>) -> Range<Int> {
        tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    }

    /// The line of a token, counted from 1.
    func line(of index: Int) -> Int {
        lineNumber(of: Int(tokens[index].start))
    }

    /// The column of a token in bytes, counted from 1, as the compiler counts.
    func column(of index: Int) -> Int {
        Int(tokens[index].start) - Int(lineStarts[line(of: index) - 1]) + 1
    }

    private func lineNumber(of byte: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= byte { low = middle } else { high = middle }
        }
        return low + 1
    }
}

extension SwiftTokens {
    /// Takes the token that begins at `position`, if one does; returns the place behind it.
    private mutating func end(ofTokenAt position: Int, in source: [UInt8]) -> Int {
        let byte = source[position]
        if Self.isPartOfName(byte) {
            let end = source[position...].firstIndex { !Self.isPartOfName($0) } ?? source.count
            add(position..<end, .word)
            return end
        }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0, 0x0B, 0x0C:
            return position + 1
        case UInt8(ascii: "`"):
            let line = source[(position + 1)...].prefix { $0 != byte && $0 != UInt8(ascii: "\n") }
            guard !line.isEmpty, source[line.endIndex] == byte else { break }
            add(position..<(line.endIndex + 1), .quotedWord)
            return line.endIndex + 1
        case UInt8(ascii: "#"):
            // A run of them is looked at once: the scanner would count the rest at each.
            let run = source[position...].prefix { $0 == byte }
            guard run.count > 1 || source[run.endIndex] == UInt8(ascii: "/") else { break }
            guard let end = expressions.end(of: run.endIndex, pounds: run.count, in: source) else {
                return run.endIndex
            }
            add(position..<end, .expression)
            return end
        case UInt8(ascii: "/"):
            guard mayBeginValue(before: position, in: source),
                let end = expressions.end(of: position, pounds: 0, in: source)
            else { break }
            add(position..<end, .expression)
            return end
        default: break
        }
        add(position..<(position + 1), .sign)
        return position + 1
    }

    static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }

    private mutating func add(_ range: Range<Int>, _ kind: SwiftToken.Kind) {
        tokens.append(
            SwiftToken(
                start: Int32(truncatingIfNeeded: range.lowerBound),
                byteCount: Int32(truncatingIfNeeded: range.count),
                kind: kind
            )
        )
    }

    private mutating func matchBrackets() {
        partners = [Int32](repeating: -1, count: tokens.count)
        var open: [Int32] = []
        for index in tokens.indices where tokens[index].kind == .sign {
            let opening: UInt8
            switch bytes[Int(tokens[index].start)] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(Int32(truncatingIfNeeded: index))
                continue
            case UInt8(ascii: ")"): opening = UInt8(ascii: "(")
            case UInt8(ascii: "]"): opening = UInt8(ascii: "[")
            case UInt8(ascii: "}"): opening = UInt8(ascii: "{")
            default: continue
            }
            guard let last = open.popLast(), bytes[Int(tokens[Int(last)].start)] == opening else {
                isBalanced = false
                continue
            }
            partners[index] = last
            partners[Int(last)] = Int32(truncatingIfNeeded: index)
        }
        if !open.isEmpty { isBalanced = false }
    }
}

extension SwiftTokens {
    /// True where the sign behind `position` is no operator between two values.
    private func mayBeginValue(before position: Int, in source: [UInt8]) -> Bool {
        // An operator that begins a line has a blank behind it.
        if Self.beginsLine(position, in: source) { return true }
        // A text in between is a value.
        let gap = source[(tokens.last?.range.upperBound ?? 0)..<position]
        guard !gap.contains(UInt8(ascii: "\"")) else { return false }
        guard let last = tokens.last else { return true }
        guard last.kind != .sign else {
            return "(,=:[{;&|+-*%~^?!<>".utf8.contains(source[Int(last.start)])
                && !endsValue(last, before: position, in: source)
        }
        let words = [
            "return", "in", "case", "if", "where", "try", "await", "throw", "else", "guard", "while", "switch", "do",
        ]
        return last.kind == .word && words.contains(text(of: tokens.count - 1))
    }

    private static func beginsLine(_ position: Int, in source: [UInt8]) -> Bool {
        var place = position
        while place > 0, source[place - 1] == UInt8(ascii: " ") || source[place - 1] == UInt8(ascii: "\t") {
            place -= 1
        }
        return place == 0 || source[place - 1] == UInt8(ascii: "\n") || source[place - 1] == UInt8(ascii: "\r")
    }

    /// True for a mark of an optional or the end of type parameters, which stands behind its value without a blank.
    private func endsValue(_ sign: SwiftToken, before position: Int, in source: [UInt8]) -> Bool {
        guard "?!>".utf8.contains(source[Int(sign.start)]), let before = tokens.dropLast().last,
            source[before.range] != Array("try".utf8)[...]
        else { return false }
        return before.range.upperBound == sign.range.lowerBound && before.kind != .sign
            || before.range.upperBound == sign.range.lowerBound && ")]}?!>".utf8.contains(source[Int(before.start)])
    }
}
