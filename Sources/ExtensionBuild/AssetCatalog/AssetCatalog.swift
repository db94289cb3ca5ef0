// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// An asset catalogue of an iOS project: `Assets.xcassets` with its images and colours.
///
/// Image sets become files of the bundle and colour sets a table in Swift. Other kinds of assets are named in a warning
/// and left out, but for an app's icon, which an extension never shows.
/// Source: Apple, "Asset Catalog Format Reference".
package struct AssetCatalog {
    /// A file that the bundle gets.
    package struct File: Equatable, Sendable {
        /// The path of the file in the catalogue.
        package let source: String
        /// The name of the file in the bundle: "logo@2x.png".
        package let target: String
    }

    /// Folders and files that a catalogue may have.
    static let entryLimit = 5_000
    /// Folders that may lie in each other, the catalogue itself being 1.
    static let depthLimit = 8
    /// The bytes that a `Contents.json` may have.
    static let contentsByteCountLimit = 1 << 20
    /// The bytes that a file of an image may have: a view shows no larger one.
    static let imageByteCountLimit = 10_000_000

    /// The folder of the first catalogue.
    package let path: String
    /// The images, in the order of their places.
    private(set) var images: [ImageSet] = []
    /// The colours, in the order of their places.
    private(set) var colors: [ColorSet] = []
    private var troubles: [InterfaceTroubles] = []
    private var entryCount = 0

    /// The name of the enumeration in the source: `Assets_xcassets`.
    package var typeName: String { SwiftText.typeName(ofFile: path) }
    /// The files to copy into the bundle, each name once.
    package var files: [File] { images.flatMap(\.files) }
    /// The names for `InterfaceOptions.images`.
    package var imageNames: Set<String> { Set(images.map(\.name)) }
    /// The warnings about the catalogue's folders.
    package var allTroubles: [InterfaceTrouble] { troubles.flatMap(\.all) }

    /// Reads one catalogue, or several as one, as Xcode does with those of one target.
    ///
    /// Files have no name in the bundle that is among `taken`, those of other resources.
    /// - Throws: `CommandError` when a folder cannot be read, or when there are too many entries.
    package init(folders: [String], taken: Set<String> = []) throws(CommandError) {
        path = folders.first ?? ""
        for folder in folders { try read(folder, namespace: "", depth: 1) }
        dropDoubles()
        var taken = taken
        for place in images.indices { images[place].rename(avoiding: &taken) }
    }

    private mutating func read(_ folder: String, namespace: String, depth: Int) throws(CommandError) {
        guard depth <= Self.depthLimit else {
            throw CommandError(
                "\(folder): folders of an asset catalogue are nested deeper than \(Self.depthLimit)",
                hint: "move the assets into a folder further up"
            )
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CommandError(
                "the asset catalogue \"\(folder)\" is no folder that can be read",
                hint: "name the folder X.xcassets, and look at its permissions"
            )
        }
        for name in names.sorted() where !name.hasPrefix(".") && name != "Contents.json" {
            entryCount += 1
            guard entryCount <= Self.entryLimit else {
                throw CommandError(
                    "\(path): an asset catalogue of more than \(Self.entryLimit) files and folders",
                    hint: "leave out assets that the extension does not show"
                )
            }
            let place = "\(folder)/\(name)"
            var trouble = InterfaceTroubles(path: place)
            defer { if !trouble.all.isEmpty { troubles.append(trouble) } }
            guard FileFacts(at: place, followsLinks: false)?.kind == .folder else {
                trouble.warn(nil, "the file belongs to no asset and is left out")
                continue
            }
            let dot = name.lastIndex(of: ".")
            let kind = dot.map { String(name[name.index(after: $0)...]) }
            let stem = namespace + String(dot.map { name[..<$0] } ?? name[...])
            switch kind {
            case let kind where !Self.kinds.contains(kind ?? ""):
                let hasNamespace = AssetContents.providesNamespace(place)
                try read(place, namespace: hasNamespace ? "\(namespace)\(name)/" : namespace, depth: depth + 1)
            case "imageset":
                guard let contents = AssetContents(place, &trouble) else { continue }
                images.append(ImageSet(name: stem, folder: place, contents, &trouble))
            case "colorset":
                guard let contents = AssetContents(place, &trouble),
                    let color = ColorSet(name: stem, contents, &trouble)
                else { continue }
                colors.append(color)
            case "appiconset"?: break
            case let kind: trouble.warn(nil, "an asset of the kind \"\(kind ?? "")\" is not known here and is left out")
            }
        }
    }

    /// The endings of folders that are assets; any other folder is a group, also one with a dot in its name.
    private static let kinds: Set<String> = [
        "appiconset", "arimageset", "arobject", "arresourcegroup", "brandassets", "colorset", "complicationset",
        "cubetextureset", "dataset", "gcdashboardimage", "gcleaderboard", "gcleaderboardset", "iconset", "imageset",
        "imagestack", "imagestacklayer", "launchimage", "mipmapset", "solidimagestack", "solidimagestacklayer",
        "spriteatlas", "sticker", "stickerpack", "stickersequence", "stickersiconset", "symbolset", "textureset",
    ]

    /// Keeps the first of two assets of one name.
    private mutating func dropDoubles() {
        var names: Set<String> = []
        var trouble = InterfaceTroubles(path: path)
        images = images.filter { image in
            if names.insert(image.name).inserted { return true }
            trouble.warn(nil, "there are two images \"\(image.name)\", the second is left out")
            return false
        }
        names = []
        colors = colors.filter { color in
            if names.insert(color.name).inserted { return true }
            trouble.warn(nil, "there are two colours \"\(color.name)\", the second is left out")
            return false
        }
        if !trouble.all.isEmpty { troubles.append(trouble) }
    }

    /// The source that makes the assets known to UIKit by name.
    package var swift: String {
        let calls = (images.map(\.registration) + colors.map(\.registration)).map { "        \($0)\n" }.joined()
        return """
            import Foundation
            import UIKit

            enum \(typeName) {
                static func register() {
            \(calls)    }
            }

            """
    }
}
