// SPDX-License-Identifier: Apache-2.0

/// A module that a source file names, by an `import` or in a condition that asks for it.
struct ImportedModule: Equatable {
    /// Without submodules: "os" of `import os.log`.
    let name: String
    /// "FILE:LINE".
    let place: String

    /// The file of the place.
    var file: String { String(place[..<(place.lastIndex(of: ":") ?? place.endIndex)]) }

    /// The imports of a file but those between `#if` and `#endif`: no condition can take them away.
    static func all(in source: [UInt8], path file: String) -> [ImportedModule] {
        let tokens = SwiftTokens(source)
        var found: [ImportedModule] = []
        var conditions = 0
        for index in 0..<tokens.count {
            if tokens.isSign("#", at: index - 1), tokens.isAdjacent(index - 1) {
                if tokens.word(at: index) == "if" { conditions += 1 }
                if tokens.word(at: index) == "endif" { conditions -= 1 }
            }
            guard conditions == 0, let module = imported(at: index, in: tokens, path: file) else { continue }
            found.append(module)
        }
        return found
    }

    /// The modules whose presence can change what a file compiles to: each import, also where a condition may take it
    /// away, and each `canImport`.
    static func mentioned(in source: [UInt8], path file: String) -> [ImportedModule] {
        let tokens = SwiftTokens(source)
        return (0..<tokens.count).compactMap { index in
            if tokens.word(at: index) == "canImport", tokens.isSign("(", at: index + 1),
                let name = tokens.name(at: index + 2)
            {
                return ImportedModule(name: name, place: "\(file):\(tokens.line(of: index))")
            }
            return imported(at: index, in: tokens, path: file)
        }
    }

    /// The module of the `import` at that place, if it is one.
    private static func imported(at index: Int, in tokens: SwiftTokens, path file: String) -> ImportedModule? {
        guard tokens.word(at: index) == "import", isStart(index, in: tokens) else { return nil }
        // The words of a kind are keywords, so that no module has their names.
        let name = tokens.word(at: index + 1).map(kinds.contains) == true ? index + 2 : index + 1
        return tokens.name(at: name).map { ImportedModule(name: $0, place: "\(file):\(tokens.line(of: index))") }
    }

    /// True where a statement begins, with attributes and words for access before it or not.
    private static func isStart(_ index: Int, in tokens: SwiftTokens) -> Bool {
        var place = index
        while place > 0, tokens.line(of: place - 1) == tokens.line(of: index) {
            if tokens.isSign(";", at: place - 1) { return true }
            if tokens.word(at: place - 1).map(accessLevels.contains) == true {
                place -= 1
            } else if let open = openingOfAttribute(before: place, in: tokens) {
                place = open
            } else {
                return false
            }
        }
        return true
    }

    /// The place of the sign `@` of the attribute that ends before `place`.
    private static func openingOfAttribute(before place: Int, in tokens: SwiftTokens) -> Int? {
        let isCall = tokens.isSign(")", at: place - 1)
        guard let name = isCall ? tokens.partner(of: place - 1).map({ $0 - 1 }) : place - 1 else { return nil }
        return tokens.isSign("@", at: name - 1) && tokens.name(at: name) != nil ? name - 1 : nil
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    /// The word behind `import` where one declaration is imported: `import struct Module.Name`.
    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
}
