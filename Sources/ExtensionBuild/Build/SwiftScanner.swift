// SPDX-License-Identifier: Apache-2.0

/// Walks over Swift source and tells code from comments and text.
///
/// The scanner knows nested comments, raw and multi-line string literals and interpolations. `SwiftTokens`, its one
/// caller, jumps over regular expressions.
struct SwiftScanner {
    private enum Context {
        /// Code inside an interpolation: how many parentheses are open.
        case interpolation(parentheses: Int)
        case string(pounds: Int, isMultiline: Bool)
    }

    let bytes: [UInt8]
    private(set) var position = 0
    private var contexts: [Context] = []
    /// The end of a run of `#` that begins no text.
    private var endOfRun = 0
    private var quotes = QuotesOfLine()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The position of the next byte that is code, or nil at the end.
    mutating func nextCode() -> Int? {
        while position < bytes.count {
            if case .string(let pounds, let isMultiline)? = contexts.last {
                skipText(pounds: pounds, isMultiline: isMultiline)
            } else if starts(with: "//") {
                position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if starts(with: "/*") {
                skipComment()
            } else if !beginString() {
                let found = position
                countParentheses()
                position += 1
                return found
            }
        }
        return nil
    }

    /// Goes on behind `end`, all before which is code.
    mutating func skip(to end: Int) {
        position = max(position, end)
    }

    private func starts(with text: StaticString, at offset: Int? = nil) -> Bool {
        text.withUTF8Buffer { bytes[(offset ?? position)...].starts(with: $0) }
    }

    private func count(of byte: UInt8, from start: Int) -> Int {
        bytes[start...].prefix { $0 == byte }.count
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                position += 2
            } else if starts(with: "*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func beginString() -> Bool {
        // A run that begins no text is counted once, not at each of its signs.
        guard position >= endOfRun else { return false }
        let pounds = count(of: UInt8(ascii: "#"), from: position)
        let quote = position + pounds
        guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") else {
            endOfRun = quote
            return false
        }
        var isMultiline = starts(with: "\"\"\"", at: quote)
        // A raw text may end on its line: `#"""#` is one quote.
        if isMultiline, pounds > 0, quotes.has(pounds: pounds, from: quote + 1, in: bytes) { isMultiline = false }
        contexts.append(.string(pounds: pounds, isMultiline: isMultiline))
        position = quote + (isMultiline ? 3 : 1)
        return true
    }

    private mutating func skipText(pounds: Int, isMultiline: Bool) {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\"), count(of: UInt8(ascii: "#"), from: position + 1) >= pounds {
                position += 1 + pounds
                if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
                    contexts.append(.interpolation(parentheses: 0))
                    return
                }
                position += 1
            } else if byte == UInt8(ascii: "\""), isEnd(pounds: pounds, isMultiline: isMultiline) {
                contexts.removeLast()
                position += (isMultiline ? 3 : 1) + pounds
                return
            } else if byte == UInt8(ascii: "\n"), !isMultiline {
                contexts.removeLast()
                return
            } else {
                position += 1
            }
        }
    }

    private func isEnd(pounds: Int, isMultiline: Bool) -> Bool {
        guard !isMultiline || starts(with: "\"\"\"") else { return false }
        let end = position + (isMultiline ? 3 : 1)
        return count(of: UInt8(ascii: "#"), from: min(end, bytes.count)) >= pounds
    }

    private mutating func countParentheses() {
        guard case .interpolation(let open)? = contexts.last else { return }
        switch bytes[position] {
        case UInt8(ascii: "("): contexts[contexts.count - 1] = .interpolation(parentheses: open + 1)
        case UInt8(ascii: ")"):
            if open == 1 {
                contexts.removeLast()
            } else {
                contexts[contexts.count - 1] = .interpolation(parentheses: open - 1)
            }
        default: break
        }
    }
}

/// The quotes of one line of source, each with the signs `#` behind it.
///
/// Each byte is looked at once, however often the line is asked about, as long as the questions go from left to right.
private struct QuotesOfLine {
    private var line = 0..<0
    /// The place of the line's last quote that has so many signs or more behind it, by their count.
    private var last: [Int] = []

    /// True when a quote at `start` or behind it on the same line has at least that many signs behind it.
    mutating func has(pounds: Int, from start: Int, in bytes: [UInt8]) -> Bool {
        if !line.contains(start) { read(from: start, in: bytes) }
        return pounds < last.count && last[pounds] >= start
    }

    private mutating func read(from start: Int, in bytes: [UInt8]) {
        last = []
        var place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
            let quote = place
            place += 1
            guard bytes[quote] == UInt8(ascii: "\"") else { continue }
            while place < bytes.count, bytes[place] == UInt8(ascii: "#") { place += 1 }
            let pounds = place - quote - 1
            for count in 0...pounds {
                if count < last.count { last[count] = quote } else { last.append(quote) }
            }
        }
        line = start..<place
    }
}
