// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// Values of outside files as pieces of Swift source, none of which can become code.
enum SwiftText {
    /// A string literal: quotes, backslashes and line ends are escaped, and all that a reader would not see.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                literal.unicodeScalars.append("\\")
                literal.unicodeScalars.append(scalar)
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.isHidden || isMark(scalar): literal += scalar.spelledOut
            case _: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// A mark joins the sign before it, which may be the literal's own quote.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .privateUse, .unassigned: true
        default: false
        }
    }

    /// A number as `Double` reads it, without words such as "nan"; finite.
    static func number(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.count <= 64, text.utf8.allSatisfy({ isNumeral($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    private static func isNumeral(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    /// A literal with at most six digits behind the point, and none where the number is whole.
    static func literal(_ number: Double) -> String {
        let rounded = abs(number) < 1e9 ? (number * 1e6).rounded() / 1e6 : number
        if rounded == 0 { return "0" }
        let text = "\(rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The words that cannot be names without quotes.
    private static let reserved: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// True for a name of ASCII letters, digits and underscores that the compiler takes as a name.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.count <= 200 && text != "_" && text.utf8.allSatisfy(isNameByte) && !reserved.contains(text)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The name of a type for a file: "Main-2.storyboard" becomes `Main_2_storyboard`.
    static func typeName(ofFile path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let plain = nameBytes(of: name)
        let first = plain.utf8.first ?? UInt8(ascii: "0")
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) ? "_" + plain : plain
    }

    /// The first 120 bytes of a text, each as a letter, digit or underscore.
    static func nameBytes(of text: String) -> String {
        String(decoding: text.utf8.prefix(120).map { isNameByte($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// True for a selector's name: parts of names, each with a colon, or one without.
    static func isSelector(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 400 && text.utf8.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: ":") }
    }
}
