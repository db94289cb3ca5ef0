// SPDX-License-Identifier: Apache-2.0

/// The build settings of a target: levels, of which a higher one counts and can take in what lies below it.
///
/// From below: what Xcode sets itself, the project's configuration file, the project, the target's configuration file,
/// the target. `$(inherited)`, and a setting's own name in its value, is the value of the levels below.
struct SettingLevels {
    /// The bytes that the value of a setting may have.
    private static let byteCountLimit = 64 << 10
    /// The settings that may stand in one another.
    private static let depthLimit = 256

    private var levels: [[String: String]]

    /// Levels, the lowest first.
    init(_ levels: [[String: String]]) {
        self.levels = levels
    }

    /// The values of all settings.
    ///
    /// A variable without a value is empty, as in Xcode, and so is one that leads back to itself. Throws for a value
    /// that is too long.
    func values() throws(CommandError) -> [String: String] {
        var evaluation = Evaluation(levels: levels)
        for name in Set(levels.flatMap(\.keys)).sorted() { _ = try evaluation.value(of: name) }
        return evaluation.known
    }

    private struct Evaluation {
        let levels: [[String: String]]
        var known: [String: String] = [:]
        private var underWay: Set<String> = []

        init(levels: [[String: String]]) {
            self.levels = levels
        }

        mutating func value(of name: String) throws(CommandError) -> String? {
            if let value = known[name] { return value }
            guard underWay.insert(name).inserted else { return "" }
            guard underWay.count <= depthLimit else {
                throw CommandError(
                    "the build setting \(name) stands behind more than \(depthLimit) others",
                    hint: "look for settings that name each other in a row"
                )
            }
            defer { underWay.remove(name) }
            let value = try self.value(of: name, below: levels.count)
            known[name] = value
            return value
        }

        private mutating func value(of name: String, below bound: Int) throws(CommandError) -> String? {
            guard let level = levels[..<bound].lastIndex(where: { $0[name] != nil }), let text = levels[level][name]
            else {
                return nil
            }
            guard text.utf8.count <= byteCountLimit else { throw Self.tooLong(name, text) }
            let value = try SettingText.expand(text) { other throws(CommandError) in
                other == "inherited" || other == name
                    ? try self.value(of: name, below: level) : try self.value(of: other)
            } missing: { _ throws(CommandError) in
                ""
            }
            guard value.utf8.count <= byteCountLimit else { throw Self.tooLong(name, value) }
            return value
        }

        private static func tooLong(_ name: String, _ value: String) -> CommandError {
            CommandError(
                "the build setting \(name) has \(value.utf8.count) bytes, at most \(byteCountLimit) are possible",
                hint: "look for settings that name each other more than once"
            )
        }
    }
}
