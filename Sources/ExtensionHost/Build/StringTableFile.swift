// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of localized texts as a project has it.
struct StringTableFile {
    enum Format: String {
        case strings, stringsdict, xcstrings
    }

    let path: String
    let format: Format
    /// "Localizable" of `Localizable.strings`.
    let table: String
    /// Of the folder `LANGUAGE.lproj` it stands in.
    let language: String?

    init?(_ file: URL) {
        guard let format = Format(rawValue: file.pathExtension) else { return nil }
        self.format = format
        path = file.path
        table = file.deletingPathExtension().lastPathComponent
        let folder = file.deletingLastPathComponent()
        language = folder.pathExtension == "lproj" ? folder.deletingPathExtension().lastPathComponent : nil
    }

    /// Texts by language and key.
    ///
    /// A text with plural forms is its form "other"; `plural` hears of each such key.
    func texts(
        developmentLanguage: String,
        plural: (String) -> Void
    ) throws(CommandError) -> [String: [String: String]] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\"\(path)\" is not readable")
        }
        switch format {
        case .strings:
            guard let texts = propertyList(data) as? [String: String] else { throw malformed("a table of texts") }
            return [language ?? developmentLanguage: texts]
        case .stringsdict:
            guard let entries = propertyList(data) as? [String: [String: Any]] else {
                throw malformed("a table of texts with plural forms")
            }
            var texts: [String: String] = [:]
            for (key, entry) in entries {
                guard let text = Self.other(of: entry) else {
                    throw CommandError("\(path): \"\(key)\" has no form \"other\"")
                }
                plural(key)
                texts[key] = text
            }
            return [language ?? developmentLanguage: texts]
        case .xcstrings:
            guard let catalog = try? JSONDecoder().decode(StringCatalog.self, from: data) else {
                throw malformed("a string catalog")
            }
            return catalog.texts(plural: plural)
        }
    }

    private func propertyList(_ data: Data) -> Any? {
        try? PropertyListSerialization.propertyList(from: data, format: nil)
    }

    private func malformed(_ what: String) -> CommandError {
        CommandError("\(path): not \(what)", hint: "plutil -lint finds the place on a Mac")
    }

    /// The format string with each of its variables replaced by that variable's form "other".
    private static func other(of entry: [String: Any]) -> String? {
        guard var text = entry["NSStringLocalizedFormatKey"] as? String else { return nil }
        for (name, value) in entry {
            guard let forms = value as? [String: Any] else { continue }
            guard let other = forms["other"] as? String else { return nil }
            text = text.replacingOccurrences(of: "%#@\(name)@", with: other)
        }
        return text
    }
}

/// Xcode's string catalog, as far as texts go.
///
/// Source: Apple, "Localizing and varying text with a string catalog".
private struct StringCatalog: Decodable {
    struct Entry: Decodable {
        let localizations: [String: Localization]?
    }

    struct Localization: Decodable {
        struct Unit: Decodable {
            let value: String
        }

        let stringUnit: Unit?
        let variations: [String: [String: Localization]]?

        /// The text, or of plural and device variations the one that always fits.
        func text(onVariation: () -> Void) -> String? {
            if let stringUnit { return stringUnit.value }
            onVariation()
            return variations?.values.lazy.compactMap { $0["other"]?.text(onVariation: {}) }.first
        }
    }

    let sourceLanguage: String
    let strings: [String: Entry]

    func texts(plural: (String) -> Void) -> [String: [String: String]] {
        var result: [String: [String: String]] = [:]
        for (key, entry) in strings {
            // A key without a text of its own is its text in the source language.
            result[sourceLanguage, default: [:]][key] = key
            for (language, localization) in entry.localizations ?? [:] {
                if let text = localization.text(onVariation: { plural(key) }) {
                    result[language, default: [:]][key] = text
                }
            }
        }
        return result
    }
}
