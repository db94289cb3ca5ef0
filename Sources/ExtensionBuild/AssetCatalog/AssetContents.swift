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
            throw CommandError("\(path): \(error)")
        }
    }

    /// The entries of a list that suit an iPhone, with the appearance for which each is.
    ///
    /// Entries for other devices, other contrasts and other classes of size are left out.
    func variants(_ list: String, _ troubles: inout InterfaceTroubles) -> [(entry: JSONObject, isDark: Bool)] {
        let entries = object[list]?.array ?? []
        if entries.count > Self.variantLimit {
            troubles.warn(nil, "only the first \(Self.variantLimit) variants are read")
        }
        return entries.prefix(Self.variantLimit).compactMap { entry in
            guard let entry = entry.object, ["universal", "iphone"].contains(entry["idiom"]?.string ?? "universal"),
                entry["width-class"] == nil, entry["height-class"] == nil, entry["subtype"] == nil
            else { return nil }
            var isDark = false
            for appearance in entry["appearances"]?.array ?? [] {
                switch (appearance.object?["appearance"]?.string, appearance.object?["value"]?.string) {
                case ("luminosity", "dark"): isDark = true
                case ("luminosity", "light"): break
                default: return nil
                }
            }
            return (entry, isDark)
        }
    }
}
