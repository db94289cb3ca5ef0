// SPDX-License-Identifier: Apache-2.0

/// A text of a strings table with places for arguments.
///
/// Only `%@`, `%1$@` and the like, and `%%` mean something. Foundation's formats are no choice: the arguments are a
/// sender's, and `%d` beside a text would print memory addresses.
/// Source: Apple, "Generating a remote notification", keys `loc-key` and `loc-args`.
package enum LocalizedFormat {
    /// Puts the arguments in their places, as the text they are: nothing inside them is a place.
    ///
    /// A place without an argument becomes empty; whatever else follows a percent sign stands as it is.
    package static func text(_ format: String, arguments: [String]) -> String {
        var (text, rest) = ([UInt8](), format.utf8[...])
        var used = 0
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let place = Place(reading: &rest) else {
                text.append(byte)
                continue
            }
            switch place {
            case .percent:
                text.append(UInt8(ascii: "%"))
            case .next:
                if used < arguments.count { text += arguments[used].utf8 }
                used += 1
            case .number(let number):
                if number <= arguments.count { text += arguments[number - 1].utf8 }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private enum Place {
        case percent
        case next
        /// From 1.
        case number(Int)

        /// Reads what follows a percent sign; leaves it where it is no place.
        init?(reading rest: inout Substring.UTF8View) {
            if rest.first == UInt8(ascii: "%") {
                self = .percent
                rest = rest.dropFirst()
                return
            }
            if rest.first == UInt8(ascii: "@") {
                self = .next
                rest = rest.dropFirst()
                return
            }
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let end = rest.dropFirst(digits.count)
            guard let number = Int(Substring(digits)), number > 0, end.starts(with: "$@".utf8) else { return nil }
            self = .number(number)
            rest = end.dropFirst(2)
        }
    }
}
