// SPDX-License-Identifier: Apache-2.0

/// The languages of an extension's interface files and their tables, and the source that chooses among them.
///
/// A view is in the language of its environment where the extension has that language, or else in the development
/// language: one for the whole view, as iOS chooses one for a bundle. A text that the language's table has not stays as
/// the storyboard has it.
/// Source: Apple, "Localizing your app", "Choosing localizations".
package struct InterfaceLanguages: Equatable, Sendable {
    /// The name of the enumeration in the source.
    static let typeName = "InterfaceLanguages"
    /// The languages that are compared with the view's.
    static let limit = 200

    /// The languages in the order of their names, as their folders `LANGUAGE.lproj` are called; without Base.
    package let all: [String]
    package let development: String

    package init(_ languages: some Sequence<String>, development: String) {
        all = Array(Set(languages).subtracting(["Base"]).sorted().prefix(Self.limit))
        self.development = development
    }

    /// The expression that makes the controller or the objects of the file that is in the view's language.
    ///
    /// `files` are the names of enumerations by language, nil being Base; `call` makes of a name what it calls.
    static func choice(of files: [(language: String?, typeName: String)], _ call: (String) -> String) -> String {
        guard let other = files.first(where: { $0.language == nil }) ?? files.first else { return "nil" }
        return files.reversed().reduce(call(other.typeName)) { rest, file in
            guard let language = file.language, file.typeName != other.typeName else { return rest }
            return "\(typeName).current == \(SwiftText.literal(language)) ? \(call(file.typeName)) : \(rest)"
        }
    }

    /// The enumeration with the language of the view and the texts of the bundle's tables.
    var swift: String {
        """

        @MainActor enum InterfaceLanguages {
            private static let all: [String] = [\(all.map(SwiftText.literal).joined(separator: ", "))]
            private static var tables: [String: [String: String]] = [:]

            static var current: String { match(NibFiles.language) ?? \(SwiftText.literal(development)) }

            static func text(_ key: String, table: String, value: String) -> String {
                let path = "\\(Bundle.main.bundlePath)/\\(current).lproj/\\(table).strings"
                let texts = tables[path] ?? read(path)
                tables[path] = texts
                return texts[key].flatMap { $0 == key ? nil : $0 } ?? value
            }

            private static func read(_ path: String) -> [String: String] {
                let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
                let values = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                return values as? [String: String] ?? [:]
            }

            private static func match(_ language: String) -> String? {
                let whole = Locale.Language(identifier: language).maximalIdentifier
                for wanted in forms(language) + forms(whole) {
                    if let found = all.first(where: { forms($0).first == wanted }) { return found }
                }
                return all.first { script($0) == script(language) }
            }

            private static func script(_ language: String) -> String {
                forms(Locale.Language(identifier: language).maximalIdentifier).suffix(2).first ?? ""
            }

            private static func forms(_ language: String) -> [String] {
                let plain = language.lowercased().replacingOccurrences(of: "_", with: "-")
                let parts = plain.split(separator: "-")
                return parts.indices.reversed().map { parts[...$0].joined(separator: "-") }
            }
        }

        """
    }
}
