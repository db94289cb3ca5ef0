// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The expansion of texts with variables, as Xcode does it: `$(NAME)`, `${NAME}`, a name in a name, and operations
/// behind it.
///
/// Source: Apple, "Build settings reference" and "Xcode Help, Configuration settings file format".
enum SettingText {
    /// The greatest depth of names in names.
    private static let depthLimit = 16
    /// The signs that a variable may have; a longer one is text.
    private static let lengthLimit = 512

    /// Returns the text with its variables replaced.
    ///
    /// `value` is the value of a name, `nil` for one that has none; `missing` stands in the place of a variable without
    /// a value, and of one with an operation that is not known.
    static func expand<Failure: Error>(
        _ text: String,
        depth: Int = 0,
        value: (String) throws(Failure) -> String?,
        missing: (String) throws(Failure) -> String
    ) throws(Failure) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            guard let end = end(of: rest), depth < depthLimit else {
                result.append("$")
                rest = rest.dropFirst()
                continue
            }
            let inner = try expand(String(rest[..<end].dropFirst(2)), depth: depth + 1, value: value, missing: missing)
            let parts = inner.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if let known = operated(try value(parts[0]), parts.dropFirst()) {
                result += known
            } else {
                result += try missing(inner)
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// The place of the bracket that ends a variable, at which the text begins.
    private static func end(of text: Substring) -> Substring.Index? {
        var open: [Character] = []
        var former: Character?
        for index in text.prefix(lengthLimit).indices {
            let sign = text[index]
            if former == "$", sign == "(" || sign == "{" {
                open.append(sign == "(" ? ")" : "}")
            } else if sign == open.last {
                open.removeLast()
                if open.isEmpty { return index }
            } else if open.isEmpty, former != nil {
                return nil
            }
            former = sign
        }
        return nil
    }

    /// Returns the value behind its operations; `nil` without a value, and for an operation that is not known.
    private static func operated(_ value: String?, _ operations: ArraySlice<String>) -> String? {
        var value = value
        for operation in operations {
            if operation.hasPrefix("default=") {
                if value?.isEmpty ?? true { value = String(operation.dropFirst("default=".count)) }
                continue
            }
            guard let text = value, let change = change(operation) else { return nil }
            value = change(text)
        }
        return value
    }

    private static func change(_ operation: String) -> ((String) -> String)? {
        let url = { (text: String) in URL(fileURLWithPath: text) }
        switch operation {
        case "rfc1034identifier":
            return { String($0.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }) }
        case "c99extidentifier", "identifier": return c99Identifier
        case "lower": return { $0.lowercased() }
        case "upper": return { $0.uppercased() }
        case "quote": return { $0 }
        case "base": return { url($0).deletingPathExtension().lastPathComponent }
        case "file": return { url($0).lastPathComponent }
        case "dir": return { url($0).deletingLastPathComponent().path }
        case "suffix": return { url($0).pathExtension.isEmpty ? "" : "." + url($0).pathExtension }
        case "standardizepath": return { url($0).standardizedFileURL.path }
        default: return nil
        }
    }

    /// A name that Swift takes for a module.
    static func c99Identifier(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber == true ? "_" + name : name
    }
}
