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

    /// Throws when the folder cannot be read, or has too many entries.
    package init(folder: String) throws(CommandError) {
        path = folder
        try read(folder, namespace: "", depth: 1)
        dropDoubles()
    }

    private mutating func read(_ folder: String, namespace: String, depth: Int) throws(CommandError) {
        guard depth <= Self.depthLimit else {
            throw CommandError("\(folder): folders of an asset catalogue are nested deeper than \(Self.depthLimit)")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CommandError("\"\(folder)\" is no folder that can be read")
        }
        for name in names.sorted() where !name.hasPrefix(".") && name != "Contents.json" {
            entryCount += 1
            guard entryCount <= Self.entryLimit else {
                throw CommandError("\(path): an asset catalogue of more than \(Self.entryLimit) files and folders")
            }
            let place = "\(folder)/\(name)"
            var trouble = InterfaceTroubles(path: place)
            defer { if !trouble.all.isEmpty { troubles.append(trouble) } }
            guard FileFacts(at: place, followsLinks: false)?.kind == .folder else {
                trouble.warn(nil, "the file belongs to no asset and is left out")
                continue
            }
            let dot = name.lastIndex(of: ".")
            let stem = namespace + String(dot.map { name[..<$0] } ?? name[...])
            switch dot.map({ name[name.index(after: $0)...] }) {
            case nil:
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
            case let kind?: trouble.warn(nil, "an asset of the kind \"\(kind)\" is not known here and is left out")
            }
        }
    }

    /// Keeps the first of two assets of one name, and of two images whose files would have one name.
    private mutating func dropDoubles() {
        var names: Set<String> = []
        var targets: Set<String> = []
        var trouble = InterfaceTroubles(path: path)
        images = images.filter { image in
            let own = image.files.map(\.target)
            guard names.insert(image.name).inserted, targets.isDisjoint(with: own) else {
                trouble.warn(nil, "there are two images \"\(image.name)\", the second is left out")
                return false
            }
            targets.formUnion(own)
            return true
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
