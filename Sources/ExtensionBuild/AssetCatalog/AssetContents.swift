// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// The file `Contents.json` of an asset.
struct AssetContents {
    /// The variants of an image or colour that an asset may have.
    static let variantLimit = 200

    let object: JSONObject

    /// Reads a folder's file; nil, and a warning, when it is not there or no JSON object.
    init?(_ folder: String, _ troubles: inout InterfaceTroubles) {
        do {
            object = try Self.object(in: folder)
        } catch {
            troubles.warn(nil, "the asset is left out: \(error.message)")
            return nil
        }
    }

    /// True for a folder whose name is part of the names of all assets in it.
    static func providesNamespace(_ folder: String) -> Bool {
        (try? object(in: folder))?["properties"]?.object?["provides-namespace"]?.bool == true
    }

    private static func object(in folder: String) throws(CommandError) -> JSONObject {
        let path = "\(folder)/Contents.json"
        let bytes = Array(
            try BundleFile.contents(of: path, below: folder, atMost: AssetCatalog.contentsByteCountLimit)
        )
        do {
            guard let object = try JSON(parsing: bytes.span).object else { throw JSONError.notAnObject }
            return object
        } catch {
            throw CommandError("\(path): \(error)", hint: "open the catalogue in Xcode and save it again")
        }
    }

    /// A variant of an image or colour that suits a notification's view.
    struct Variant {
        let entry: JSONObject
        let isDark: Bool
        /// The conditions for which nothing here asks, such as "right-to-left"; empty for a variant that always fits.
        let conditions: [String]
        /// The place in the order of choice: the variant with the lowest number counts.
        fileprivate let rank: Int
    }

    /// The entries of a list that suit an iPhone held upright, the first choice of each kind first.
    ///
    /// Entries for other devices and other classes of size are left out without a word, as on such an iPhone.
    func variants(_ list: String, _ troubles: inout InterfaceTroubles) -> [Variant] {
        let entries = object[list]?.array ?? []
        if entries.count > Self.variantLimit {
            troubles.warn(nil, "only the first \(Self.variantLimit) variants are read")
        }
        let found = entries.prefix(Self.variantLimit).compactMap { $0.object.flatMap(Self.variant) }
        return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
    }

    /// Conditions of which there is one value here, and the variant for another counts only where no other is.
    private static let usual: [(key: String, values: Set<String>)] = [
        ("language-direction", ["left-to-right"]), ("display-gamut", ["sRGB"]), ("locale", []), ("memory", []),
        ("graphics-feature-set", []),
    ]

    private static func variant(_ entry: JSONObject) -> Variant? {
        func text(_ key: String) -> String? { entry[key]?.string }
        guard ["universal", "iphone"].contains(text("idiom") ?? "universal"), entry["subtype"] == nil,
            entry["screen-width"] == nil, ["compact", nil].contains(text("width-class")),
            ["regular", nil].contains(text("height-class"))
        else { return nil }
        var isDark = false
        var conditions: [String] = []
        for appearance in entry["appearances"]?.array ?? [] {
            let (kind, value) = (appearance.object?["appearance"]?.string, appearance.object?["value"]?.string)
            switch (kind, value) {
            case ("luminosity", "dark"): isDark = true
            case ("luminosity", "light"): break
            default: conditions.append("\(value ?? "another") \(kind ?? "appearance")")
            }
        }
        // A contrast or tint that nobody asks for replaces nothing, and fits nowhere.
        var rank = conditions.isEmpty ? 0 : 1_000
        for (key, values) in usual {
            guard let value = text(key), !values.contains(value) else { continue }
            conditions.append(key == "locale" ? "the language \(value)" : value)
            rank += 100
        }
        // A variant that names the iPhone or its classes of size goes before one for every device, and one that names
        // a usual value before one that names none.
        rank -= [text("idiom") == "iphone", text("width-class") != nil, text("height-class") != nil].count { $0 }
        rank -= usual.count { key, values in text(key).map(values.contains) == true }
        return Variant(entry: entry, isDark: isDark, conditions: conditions, rank: rank)
    }

    /// Adds a warning about variants that are left out for what they are made for.
    static func warn(_ conditions: [String], of what: String, _ troubles: inout InterfaceTroubles) {
        var known: Set<String> = []
        let names = conditions.filter { known.insert($0).inserted }
        guard !names.isEmpty else { return }
        let list = names.prefix(8).joined(separator: ", ")
        troubles.warn(nil, "\(what) has variants for \(list): these are left out, and the general one is shown")
    }
}
