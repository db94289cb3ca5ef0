// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Locking

/// The language of whom this process shows something to, and the texts of bundles in it.
///
/// Process-wide, because a process shows one view alone, and Foundation's functions for texts name no view either. In a
/// service extension no language is set: its texts are those of the language that `extension-host build` chose.
package enum PersonLanguage {
    private struct State {
        var language: String?
        /// The texts of tables, by the paths of their files; empty for a file that is none.
        var tables: [String: [String: String]] = [:]
    }

    /// The tables that are kept; beyond them all are read anew.
    private static let mostTables = 64
    /// The size of a table beyond which it is not read, as where a host reads one.
    private static let mostBytes = 16 << 20

    private static let state = Locked(State())

    /// Takes the language of texts from now on, "de" or "pt-BR".
    package static func set(_ language: String) { state.withLock { $0.language = language } }

    /// Returns the text of a key in a table of a bundle in the language that was set; without one, Foundation's.
    static func text(_ key: String, value: String?, table: String?, in bundle: Bundle) -> String {
        guard let language = state.withLock({ $0.language }) else {
            return bundle.localizedString(forKey: key, value: value, table: table)
        }
        return text(key, value: value, table: table, in: bundle, language: language)
    }

    /// Returns the text of a key in a table of a bundle; the value, or the key, where there is none.
    ///
    /// The table is that of the language, of its shorter forms, of the bundle's development region, of `Base`, or
    /// outside of a language, the first of them that has the key.
    package static func text(
        _ key: String,
        value: String?,
        table: String?,
        in bundle: Bundle,
        language: String
    ) -> String {
        let table = table.flatMap { $0.isEmpty ? nil : $0 } ?? "Localizable"
        for folder in folders(language, bundle) {
            if let text = texts(bundle.bundlePath + folder + "/\(table).strings")[key] { return text }
        }
        return value.flatMap { $0.isEmpty ? nil : $0 } ?? key
    }

    /// The folders of a bundle in which its texts are looked for, each after a slash.
    private static func folders(_ language: String, _ bundle: Bundle) -> [String] {
        let region = bundle.object(forInfoDictionaryKey: "CFBundleDevelopmentRegion") as? String
        let languages = forms(of: language) + (region.map(forms) ?? []) + ["Base"]
        return languages.map { "/\($0).lproj" } + [""]
    }

    /// A language and its shorter forms: "zh-Hant-TW", "zh-Hant", "zh".
    private static func forms(of language: String) -> [String] {
        let parts = language.split { $0 == "-" || $0 == "_" }
        let isName = parts.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        guard isName, parts.count <= 4 else { return [] }
        return parts.indices.reversed().map { parts[...$0].joined(separator: "-") }
    }

    private static func texts(_ path: String) -> [String: String] {
        if let known = state.withLock({ $0.tables[path] }) { return known }
        let read = read(path)
        state.withLock { state in
            if state.tables.count >= mostTables { state.tables = [:] }
            state.tables[path] = read
        }
        return read
    }

    private static func read(_ path: String) -> [String: String] {
        // The size of a link would be that of its own name.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        guard let size, size <= mostBytes, let data = FileManager.default.contents(atPath: path) else { return [:] }
        return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: String] ?? [:]
    }
}
