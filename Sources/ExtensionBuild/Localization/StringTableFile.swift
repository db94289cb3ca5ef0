// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// A file of localized texts as a project has it.
struct StringTableFile {
    enum Format: String {
        case strings, stringsdict, xcstrings
    }

    let path: String
    let format: Format
    /// "Localizable" of `Localizable.strings`.
    let table: String
    /// The language of the folder `LANGUAGE.lproj` that holds the file.
    let language: String?
    /// The bundle that the file is one of; nil for a project's own file.
    ///
    /// A bundle's file is read below the bundle's folder and through no link.
    private let bundle: String?

    init?(_ file: URL, ofBundle bundle: String? = nil) {
        self.bundle = bundle
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
        let data = try contents()
        switch format {
        case .strings:
            return [language ?? developmentLanguage: try texts(data)]
        case .stringsdict:
            let what = "a table of texts with plural forms"
            guard let entries = try propertyList(data, what) as? [String: [String: Any]] else { throw malformed(what) }
            var texts: [String: String] = [:]
            for (key, entry) in entries {
                guard let text = Self.other(of: entry) else {
                    throw CommandError(
                        "\(path): \"\(key)\" has no form \"other\", the one that every language has",
                        hint: "add <key>other</key> with its text to each variable of \"\(key)\""
                    )
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

    private func contents() throws(CommandError) -> Data {
        try BundleFile.contents(of: path, below: bundle, atMost: BundleFile.tableByteCountLimit)
    }

    private func texts(_ data: Data) throws(CommandError) -> [String: String] {
        let what = "a table of texts"
        guard !data.starts(with: Data("bplist".utf8)) else { return try texts(inPropertyList: data, what) }
        let isUTF16 = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        guard let text = String(data: data, encoding: isUTF16 ? .utf16 : .utf8) else {
            throw CommandError(
                "\(path): not \(what): neither UTF-8 nor UTF-16",
                hint: "save it again as UTF-8: iconv -f ENCODING -t UTF-8"
            )
        }
        guard text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) != "<" else {
            return try texts(inPropertyList: data, what)
        }
        do {
            return try StringTableReader.texts(of: text)
        } catch {
            throw CommandError(
                "\(path):\(error.line): not \(what): \(error.reason)",
                hint: "an entry is \"KEY\" = \"TEXT\";"
            )
        }
    }

    private func texts(inPropertyList data: Data, _ what: String) throws(CommandError) -> [String: String] {
        guard let texts = try propertyList(data, what) as? [String: String] else { throw malformed(what) }
        return texts
    }

    private func propertyList(_ data: Data, _ what: String) throws(CommandError) -> Any {
        do {
            return try PropertyList.value(of: data)
        } catch {
            throw error.commandError(in: path, what: what)
        }
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
