// SPDX-License-Identifier: Apache-2.0

/// Text as Swift source writes it.
enum SwiftLiteral {
    /// A label as a call writes it.
    static func label(_ label: String) -> String {
        ["inout", "var", "let"].contains(label) ? "`\(label)`" : label
    }

    /// The text between quotes, on one line.
    static func text(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case "\0"..." ", "\u{7F}": literal += scalar == " " ? " " : "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
