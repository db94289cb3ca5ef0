// SPDX-License-Identifier: Apache-2.0

/// An `import` of a source file, where no condition can take it away.
struct ImportedModule: Equatable {
    /// Without submodules: "os" of `import os.log`.
    let name: String
    /// "FILE:LINE".
    let place: String

    /// All of a file but those between `#if` and `#endif`.
    static func all(in source: [UInt8], path file: String) -> [ImportedModule] {
        var found: [ImportedModule] = []
        var conditions = 0
        for (number, line) in codeLines(of: source).enumerated() {
            var words = line.split { $0.isWhitespace || $0 == ";" }[...]
            if words.first == "#if" { conditions += 1 }
            if words.first == "#endif" { conditions -= 1 }
            words = words.drop { $0.hasPrefix("@") || accessLevels.contains(String($0)) }
            guard conditions == 0, words.popFirst() == "import" else { continue }
            guard let name = words.first(where: { !kinds.contains(String($0)) })?.split(separator: ".").first else {
                continue
            }
            found.append(ImportedModule(name: String(name), place: "\(file):\(number + 1)"))
        }
        return found
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    /// As in `import struct Module.Name`.
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
