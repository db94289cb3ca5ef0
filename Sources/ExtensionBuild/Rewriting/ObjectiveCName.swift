// SPDX-License-Identifier: Apache-2.0

/// The names by which Objective-C knows functions and properties of Swift, by the rule of Swift's compiler.
///
/// Source: the names that `swiftc -frontend -dump-ast -enable-objc-interop` shows for attributes `@objc`.
enum ObjectiveCName {
    /// The name of a function: the base name with the first label, then one piece a label; "_" is no label.
    ///
    /// "With" stands before a first label that begins with no preposition, unless the base name ends with one.
    static func ofFunction(_ base: String, labels: [String]) -> String {
        guard let first = labels.first else { return base }
        var pieces = labels.map { $0 == "_" ? "" : $0 }
        pieces[0] = base
        if first != "_" {
            let isJoined = isPreposition(firstWord(of: first)) || isPreposition(lastWord(of: base))
            pieces[0] += (isJoined ? "" : "With") + capitalized(first)
        }
        return pieces.map { $0 + ":" }.joined()
    }

    /// The name of the function that sets a property.
    static func ofSetter(_ property: String) -> String {
        "set\(capitalized(property)):"
    }

    /// The name of the function that sets a property of Apple's: "setHidden:" for `isHidden`.
    static func ofAppleSetter(_ property: String) -> String {
        let rest = property.dropFirst(2)
        guard property.hasPrefix("is"), let first = rest.utf8.first,
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        else { return ofSetter(property) }
        return ofSetter(String(rest))
    }

    /// The number of arguments that a function of that name takes.
    static func argumentCount(of name: String) -> Int {
        name.utf8.count { $0 == UInt8(ascii: ":") }
    }

    /// True for a name or pieces, each with a colon.
    static func isValid(_ name: String) -> Bool {
        let pieces = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = pieces.last, pieces.count == 1 || last.isEmpty, !name.isEmpty else { return false }
        return pieces.allSatisfy { $0.utf8.allSatisfy(SwiftTokens.isPartOfName) }
    }

    /// ASCII letters alone have a capital form here.
    private static func capitalized(_ word: String) -> String {
        guard let first = word.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return word }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// The list of Swift's compiler.
    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given", "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to",
        "until", "using", "via", "when", "with", "within",
    ]

    private static func isPreposition(_ word: String) -> Bool {
        prepositions.contains(word.lowercased())
    }
}
