// SPDX-License-Identifier: Apache-2.0

/// Modules whose declarations a source of iOS has without importing them.
enum ImpliedModules {
    /// A module that is seen where one of the words stands in a source.
    private struct Rule {
        let module: String
        let words: Set<String>

        /// Looks at words, so that neither comments nor texts count; a source that declares one of them means its own.
        func applies(to source: [UInt8]) -> Bool {
            guard words.contains(where: { source.contains($0.utf8) }) else { return false }
            let tokens = SwiftTokens(source)
            let places = (0..<tokens.count).filter { index in tokens.word(at: index).map(words.contains) == true }
            return !places.isEmpty
                && !places.contains { tokens.word(at: $0 - 1).map(ImpliedModules.declarations.contains) == true }
        }
    }

    /// The rules beside that of Security, which headers of Foundation import on iOS.
    ///
    /// UIKit imports UserNotifications there, and XMLParser is part of Foundation. FoundationXML needs a library of its
    /// own, so that it is linked where the class is used.
    private static let rules = [
        Rule(module: "UserNotifications", words: ["UIKit"]),
        Rule(module: "FoundationXML", words: ["XMLParser", "XMLParserDelegate"]),
    ]

    private static let declarations: Set<String> = [
        "class", "struct", "enum", "actor", "protocol", "typealias", "case",
    ]

    /// The names of those of a module's sources, which are compiled together.
    static func names(in sources: some Collection<[UInt8]>) -> [String] {
        ["Security"] + rules.filter { rule in sources.contains { rule.applies(to: $0) } }.map(\.module)
    }
}
