// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The settings of a file `.xcconfig`, with those of the files that it includes.
///
/// Source: Apple, "Adding a build configuration file to your project".
struct ConfigurationFile {
    /// The bytes that a file may have, and the files that one may include in all.
    private static let byteCountLimit = 1 << 20
    private static let fileCountLimit = 256

    /// Assignments in their order, each `NAME` or `NAME[sdk=iphoneos*]` and its value.
    private(set) var assignments: [(name: String, value: String)] = []
    /// The lines that mean nothing, each with its place and the reason.
    private(set) var warnings: [String] = []
    private var readCount = 0

    init(at url: URL) throws(CommandError) {
        try read(url, within: [])
    }

    private mutating func read(_ url: URL, within outer: [String]) throws(CommandError) {
        let path = url.standardizedFileURL.path
        readCount += 1
        guard !outer.contains(path), readCount <= Self.fileCountLimit else {
            throw CommandError(
                "\(outer.last ?? path): \"\(path)\" includes itself, or more than \(Self.fileCountLimit) files",
                hint: "take the #include out that closes the circle"
            )
        }
        let data = try BundleFile.contents(of: path, atMost: Self.byteCountLimit)
        let lines = String(decoding: data, as: UTF8.self).split(omittingEmptySubsequences: false) { $0.isNewline }
        for (number, line) in lines.enumerated() {
            // Two slashes begin a comment wherever they stand, also in an address.
            let text = (line.range(of: "//").map { line[..<$0.lowerBound] } ?? line).trimmingCharacters(
                in: .whitespaces
            )
            guard !text.isEmpty else { continue }
            if text.hasPrefix("#include") {
                try include(text.dropFirst("#include".count), in: url, line: number + 1, within: outer + [path])
            } else if !take(text) {
                warnings.append("\(path):\(number + 1): neither NAME = VALUE nor #include \"FILE\", and left out")
            }
        }
    }

    private mutating func include(
        _ rest: Substring,
        in url: URL,
        line: Int,
        within outer: [String]
    ) throws(CommandError) {
        let isOptional = rest.hasPrefix("?")
        let parts = rest.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            warnings.append(
                "\(url.standardizedFileURL.path):\(line): #include names no file in quotes, and is left out"
            )
            return
        }
        let file = URL(fileURLWithPath: String(parts[1]), relativeTo: url.deletingLastPathComponent())
        guard FileManager.default.fileExists(atPath: file.path) else {
            if !isOptional {
                warnings.append(
                    "\(url.standardizedFileURL.path):\(line): \"\(parts[1])\" does not exist, and its settings are missing"
                )
            }
            return
        }
        try read(file, within: outer)
    }

    /// Takes an assignment; false if the line is none.
    private mutating func take(_ line: String) -> Bool {
        // Conditions have "=" as well: sdk=iphoneos*.
        var depth = 0
        for index in line.indices {
            switch line[index] {
            case "[": depth += 1
            case "]": depth -= 1
            case "=" where depth == 0:
                let name = line[..<index].trimmingCharacters(in: .whitespaces)
                guard let first = name.first, first.isLetter || first == "_" else { return false }
                var value = line[line.index(after: index)...].trimmingCharacters(in: .whitespaces)
                if value.hasSuffix(";") { value.removeLast() }
                assignments.append((name, value))
                return true
            default: break
            }
        }
        return false
    }
}

/// The conditions of settings, as `NAME[sdk=iphoneos*][arch=arm64]`, for a build for a phone.
struct SettingConditions {
    /// The values with which conditions are compared.
    private let values: [String: String]

    /// The conditions of a build in a configuration, such as `Release`.
    init(configuration: String) {
        values = ["sdk": "iphoneos", "arch": "arm64", "config": configuration, "variant": "normal"]
    }

    /// Returns the settings that hold: of several for one name that with the most conditions, and of these the last.
    func level(_ assignments: [(name: String, value: String)]) -> [String: String] {
        var best: [String: (count: Int, value: String)] = [:]
        for (text, value) in assignments {
            let parts = text.split(separator: "[")
            let conditions = parts.dropFirst()
            guard let name = parts.first.map(String.init), conditions.allSatisfy(holds),
                best[name].map({ $0.count <= conditions.count }) ?? true
            else { continue }
            best[name] = (conditions.count, value)
        }
        return best.mapValues(\.value)
    }

    /// True if a condition such as `sdk=iphoneos*]` holds.
    private func holds(_ condition: Substring) -> Bool {
        // Several conditions may stand in one pair of brackets.
        condition.prefix { $0 != "]" }.split(separator: ",").allSatisfy { part in
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let value = values[String(sides[0])] else { return false }
            return fnmatch(String(sides[1]), value, 0) == 0
        }
    }
}
