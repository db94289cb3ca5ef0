// SPDX-License-Identifier: Apache-2.0

/// The part of a source between `#if` and `#endif` that is being read.
struct ConditionalBlock {
    /// The condition around the block.
    let outer: String
    /// The conditions of the branches so far.
    var branches: [String]
    /// The condition of everything in the branch that is being read, those of the blocks around included.
    var condition: String
}

extension DeclarationReader {
    /// The bytes that one condition may have; a longer one counts as never fulfilled.
    private static let conditionLimit = 1000
    private static let branchLimit = 64

    /// Reads a directive whose word is the next token, to the end of its line.
    mutating func readDirective(_ word: String) {
        let line = tokens.line(of: index)
        let start = index + 1
        index = start
        // `#else` and `#endif` may share their line with code.
        if word == "if" || word == "elseif" {
            while index < tokens.count, tokens.line(of: index) == line { index += 1 }
        }
        let text = Self.fitting(tokens.text(of: start..<index))
        switch word {
        case "if":
            let block = ConditionalBlock(outer: condition, branches: [text], condition: Self.joined(condition, text))
            conditions.append(block)
        case "endif": _ = conditions.popLast()
        default:
            guard var block = conditions.popLast() else { return }
            let own: String
            if block.branches.count < Self.branchLimit {
                let others = block.branches.map { "!(\($0))" } + (word == "elseif" ? ["(\(text))"] : [])
                own = others.joined(separator: " && ")
                if word == "elseif" { block.branches.append(text) }
            } else {
                own = "false"
            }
            block.condition = Self.joined(block.outer, own)
            conditions.append(block)
        }
    }

    private static func fitting(_ condition: String) -> String {
        condition.utf8.count > conditionLimit || condition.utf8.contains(UInt8(ascii: "\n")) ? "false" : condition
    }

    private static func joined(_ outer: String, _ inner: String) -> String {
        if outer.isEmpty { return inner }
        return fitting("(\(outer)) && (\(inner))")
    }
}
