// SPDX-License-Identifier: Apache-2.0

/// A module that a source file names, by an `import` or in a condition that asks for it.
struct ImportedModule: Equatable {
    /// Without submodules: "os" of `import os.log`.
    let name: String
    /// "FILE:LINE".
    let place: String

    /// The imports of a file but those between `#if` and `#endif`: no condition can take them away.
    static func all(in source: [UInt8], path file: String) -> [ImportedModule] {
        var found: [ImportedModule] = []
        var conditions = 0
        for (number, line) in codeLines(of: source).enumerated() {
            if let directive = line.split(whereSeparator: \.isWhitespace).first {
                if directive == "#if" { conditions += 1 }
                if directive == "#endif" { conditions -= 1 }
            }
            guard conditions == 0 else { continue }
            found += imported(by: line).map { ImportedModule(name: $0, place: "\(file):\(number + 1)") }
        }
        return found
    }

    /// The modules whose presence can change what a file compiles to: each import, also where a condition may take it
    /// away, and each `canImport`.
    static func mentioned(in source: [UInt8], path file: String) -> [ImportedModule] {
        codeLines(of: source).enumerated().flatMap { number, line in
            let asked = line.matches(of: /canImport\s*\(\s*(\w+)/).map { String($0.1) }
            return (imported(by: line) + asked)
                .map { ImportedModule(name: $0, place: "\(file):\(number + 1)") }
        }
    }

    private static func imported(by line: String) -> [String] {
        line.split(separator: ";").compactMap { statement in
            var words = statement.split(whereSeparator: \.isWhitespace)
                .drop { $0.hasPrefix("@") || accessLevels.contains(String($0)) }
            guard words.popFirst() == "import" else { return nil }
            let name = words.first { !kinds.contains(String($0)) }?.split(separator: ".").first
            return name.map { String($0.filter { $0 != "`" }) }
        }
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    /// The word behind `import` where one declaration is imported: `import struct Module.Name`.
    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    /// The file's lines without comments and text.
    private static func codeLines(of source: [UInt8]) -> [String] {
        var code = source.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        var scanner = SwiftScanner(source)
        while let position = scanner.nextCode() { code[position] = source[position] }
        return String(decoding: code, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}
