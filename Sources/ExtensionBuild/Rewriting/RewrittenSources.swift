// SPDX-License-Identifier: Apache-2.0

/// The sources of an extension as the compiler gets them: without what only a compiler with Objective-C takes.
///
/// Attributes become blanks, `#selector` and `#keyPath` become values, and behind its last line each file tells the
/// runtime the names of its classes' functions and outlets. Nothing moves to another line; on its line, text behind an
/// expression that became longer moves to the right.
struct RewrittenSources {
    /// The new text, by the paths of the originals.
    private(set) var texts: [String: [UInt8]] = [:]
    /// The functions that the program has to call before it makes the first object, in the order of the files.
    private(set) var registrations: [String] = []
    /// The classes of all files, in the order of files and lines.
    let classes: [ClassDeclaration]
    /// Declarations that give the sources classes of the SDK by the names of Foundation's, which work otherwise.
    let replacements: [String]
    /// Paths whose declarations could not be read to the end: the names of their functions are unknown.
    private(set) var unread: [String] = []

    /// Rewrites the sources, each by the path of its file.
    init(_ sources: [String: [UInt8]]) {
        let read = sources.sorted { $0.key < $1.key }.map { path, source in
            ReadSource(path: path, reader: DeclarationReader(SwiftTokens(source)))
        }
        let index = SourceIndex(read)
        let resolver = SelectorResolver(index)
        classes = ClassDeclaration.all(in: index, named: resolver.named)
        replacements = Self.replaced.filter { !index.types.contains($0) }.map {
            "public typealias \($0) = FoundationCompatibility._\($0)"
        }
        let optional = OptionalRequirements(index)
        for (file, source) in index.sources.enumerated() {
            let table = NamesTable(resolver, optional, file: file)
            var text = RewrittenText(source, names: resolver.names[file], index: index, table: table)
            if !source.reader.isUnderstood {
                unread.append(source.path)
            } else if !table.lines.isEmpty {
                registrations.append(NamesTable.function(ofFile: file))
                text.append(table)
            }
            texts[source.path] = text.bytes
        }
    }

    /// The classes of Foundation in whose places the SDK has others.
    private static let replaced = ["NumberFormatter"]

    /// The class that Objective-C knows by that name, or that has it in Swift.
    func className(for name: String) -> String {
        classes.last { $0.objectiveCName == name }?.name ?? name
    }
}

/// One source with its replacements.
private struct RewrittenText {
    private(set) var bytes: [UInt8] = []

    private struct Replacement {
        let range: Range<Int>
        let bytes: [UInt8]
    }

    init(_ source: ReadSource, names: [Int: String], index: SourceIndex, table: NamesTable) {
        let original = source.tokens.bytes
        var replacements = source.reader.attributes.map { range in
            Replacement(range: range, bytes: Self.blanks(original[range]))
        }
        for expression in source.reader.expressions {
            let range = source.tokens.byteRange(of: expression.tokens)
            let text: String
            switch expression.kind {
            case .selector:
                text = "Selector(" + SwiftLiteral.text(names[expression.tokens.lowerBound] ?? "")
            case .keyPath:
                text = "(" + SwiftLiteral.text(KeyPathName.of(expression, in: source, index: index))
            }
            replacements.append(Replacement(range: range, bytes: Self.fitted(text, into: original[range])))
        }
        for word in table.openedWords {
            let range = source.tokens.byteRange(of: word..<(word + 1))
            replacements.append(Replacement(range: range, bytes: Array("fileprivate".utf8)))
        }
        for words in source.reader.closedWords {
            let range = source.tokens.byteRange(of: words)
            let isOfReader = words.count == 1
            replacements.append(
                Replacement(range: range, bytes: isOfReader ? Array("internal".utf8) : Self.blanks(original[range]))
            )
        }
        replacements += Self.protocols(source)
        var place = 0
        // Of two that begin at one place the longer one comes first; what begins inside one before it is left out.
        let order = replacements.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        for replacement in order
        where replacement.range.lowerBound >= place {
            bytes += original[place..<replacement.range.lowerBound] + replacement.bytes
            place = replacement.range.upperBound
        }
        bytes += original[place...]
    }

    /// Makes protocols for Objective-C those of classes, and takes the requirements out that a class may leave out.
    private static func protocols(_ source: ReadSource) -> [Replacement] {
        var replacements: [Replacement] = []
        for body in source.reader.bodies where body.isObjectiveCProtocol {
            let end = source.tokens.byteRange(of: body.endOfHead..<(body.endOfHead + 1)).upperBound
            if !body.inherited.contains("AnyObject") {
                let text = body.inherited.isEmpty ? ": AnyObject" : ", AnyObject"
                replacements.append(Replacement(range: end..<end, bytes: Array(text.utf8)))
            }
            for requirement in body.optionalRequirements {
                // A sign ";" that nothing stands before is no Swift.
                let end = requirement.tokens.upperBound
                let isSeparated = source.tokens.isSign(";", at: end)
                let tokens = requirement.tokens.lowerBound..<(isSeparated ? end + 1 : end)
                let range = source.tokens.byteRange(of: tokens)
                replacements.append(Replacement(range: range, bytes: blanks(source.tokens.bytes[range])))
            }
        }
        return replacements
    }

    mutating func append(_ table: NamesTable) {
        for line in [""] + table.lines { bytes += Array(line.utf8) + [UInt8(ascii: "\n")] }
    }

    private static func blanks(_ source: ArraySlice<UInt8>) -> [UInt8] {
        source.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? $0 : UInt8(ascii: " ") }
    }

    /// The text and a closing parenthesis, with blanks before it, so that it ends where the source does.
    private static func fitted(_ text: String, into source: ArraySlice<UInt8>) -> [UInt8] {
        let line = source.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let text = Array(text.utf8)
        var fitted = text + blanks(line.dropFirst(text.count)) + blanks(source[line.endIndex...])
        // One more blank stands where the parenthesis belongs.
        if fitted.count > text.count { fitted.removeLast() }
        return fitted + [UInt8(ascii: ")")]
    }
}
