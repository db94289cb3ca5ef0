// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// The tables `Localizable` of a bundle, or of a project's folder.
///
/// Source: docs/localization.md, "Localized pushes"; Apple, "Placing content in a bundle".
package struct StringTables {
    private static let table = "Localizable"

    /// By language, as the folders `LANGUAGE.lproj` are called.
    private var files: [String: [StringTableFile]] = [:]
    /// The files of no language, which are good for each.
    private var unlocalized: [StringTableFile] = []
    /// The language that Info.plist beside the files names.
    private let developmentRegion: String?

    package var isEmpty: Bool { files.isEmpty && unlocalized.isEmpty }

    package init(folder: String) throws(CommandError) {
        let place = URL(fileURLWithPath: folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) else {
            throw CommandError(
                "\"\(folder)\" is no folder that can be read",
                hint: "it holds LANGUAGE.lproj/Localizable.strings"
            )
        }
        for name in names.sorted() where name.hasSuffix(".lproj") {
            let tables = Self.tables(in: place.appendingPathComponent(name), of: place)
            if !tables.isEmpty { files[String(name.dropLast(".lproj".count))] = tables }
        }
        unlocalized = Self.tables(in: place, of: place)
        developmentRegion = try Self.developmentRegion(of: place)
    }

    /// The files that are there by their names; a link counts, so that the link is refused by name when it is read.
    private static func tables(in folder: URL, of bundle: URL) -> [StringTableFile] {
        // What stands later replaces what stands before.
        [StringTableFile.Format.stringsdict, .xcstrings, .strings]
            .map { folder.appendingPathComponent("\(table).\($0.rawValue)") }
            .filter { FileFacts(at: $0.path, followsLinks: false) != nil }
            .compactMap { StringTableFile($0, ofBundle: bundle.path) }
    }

    private static func developmentRegion(of folder: URL) throws(CommandError) -> String? {
        let file = folder.appendingPathComponent("Info.plist").path
        guard FileFacts(at: file, followsLinks: false) != nil else { return nil }
        return (try BundleFile.propertyList(at: file) as? [String: Any])?["CFBundleDevelopmentRegion"] as? String
    }

    /// The text of each key, in the first of these languages that has one.
    ///
    /// In order: what is `preferred` and its shorter forms (`pt-BR`, `pt`), the same of the development region that
    /// Info.plist names, of `region`, Base, and tables of no language. Where none of these exists it is the language
    /// that comes first by name.
    package func texts(preferred: String?, region: String?) throws(CommandError) -> [String: String] {
        var tables: [String: [String: String]] = [:]
        for file in unlocalized {
            for (language, texts) in try file.texts(developmentLanguage: Self.none, plural: { _ in }) {
                tables[language, default: [:]].merge(texts) { $1 }
            }
        }
        let wanted = [preferred, developmentRegion, region, "Base"].compactMap(\.self)
        let languages = Self.order(of: Set(tables.keys).union(files.keys), wanted: wanted)
        var result: [String: String] = [:]
        for language in languages {
            var texts = tables[language] ?? [:]
            for file in files[language] ?? [] {
                texts.merge(try file.texts(developmentLanguage: language, plural: { _ in })[language] ?? [:]) { $1 }
            }
            result.merge(texts) { first, _ in first }
        }
        return result
    }

    /// The language that `texts` begins with; nil without any.
    package func language(preferred: String?, region: String?) -> String? {
        Self.order(of: files.keys, wanted: [preferred, developmentRegion, region].compactMap(\.self)).first
    }

    /// No language has this name.
    private static let none = ""

    /// The languages that serve, each once, the best first.
    static func order(of languages: some Sequence<String>, wanted: [String]) -> [String] {
        let byForm = Dictionary(languages.sorted().map { (form($0), $0) }) { first, _ in first }
        var order: [String] = []
        for name in wanted.flatMap(shorterForms) + [none] {
            guard let language = byForm[name], !order.contains(language) else { continue }
            order.append(language)
        }
        return order.isEmpty ? Array(byForm.values.sorted().prefix(1)) : order
    }

    /// `zh-Hant-TW`, `zh-Hant` and `zh` of the first.
    private static func shorterForms(of language: String) -> [String] {
        let parts = form(language).split(separator: "-")
        return (0..<parts.count).map { parts.dropLast($0).joined(separator: "-") }
    }

    private static func form(_ language: String) -> String {
        language.lowercased().replacing("_", with: "-")
    }
}
