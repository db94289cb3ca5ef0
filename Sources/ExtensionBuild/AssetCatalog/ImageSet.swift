// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload

/// An image of a catalogue, by scale and appearance.
struct ImageSet {
    /// The name for `UIImage(named:)`; with folders where these are part of names: "Icons/star".
    let name: String
    private(set) var light: [Int: AssetCatalog.File] = [:]
    private(set) var dark: [Int: AssetCatalog.File] = [:]
    private let isTemplate: Bool

    private static let scales = ["1x": 1, "2x": 2, "3x": 3]

    /// A variant that cannot be used is named in a warning and left out.
    init(name: String, folder: String, _ contents: AssetContents, _ troubles: inout InterfaceTroubles) {
        self.name = name
        isTemplate = contents.object["properties"]?.object?["template-rendering-intent"]?.string == "template"
        var leftOut: [String] = []
        for variant in contents.variants("images", &troubles) {
            // Places that nobody has filled are entries without a file.
            guard let file = variant.entry["filename"]?.string, !file.isEmpty else { continue }
            // An image without a scale is of one size for all.
            guard let scale = Self.scales[variant.entry["scale"]?.string ?? "1x"] else { continue }
            guard (variant.isDark ? dark : light)[scale] == nil else {
                leftOut += variant.conditions
                continue
            }
            guard let type = Self.type(of: file, in: folder, &troubles) else { continue }
            let ending = (variant.isDark ? "~dark" : "") + (scale == 1 ? "" : "@\(scale)x")
            let target = "\(name.replacing("/", with: "_"))\(ending).\(type)"
            let copy = AssetCatalog.File(source: "\(folder)/\(file)", target: target)
            if variant.isDark { dark[scale] = copy } else { light[scale] = copy }
        }
        AssetContents.warn(leftOut, of: "the image \"\(name)\"", &troubles)
        if light.isEmpty, dark.isEmpty { troubles.warn(nil, "the image \"\(name)\" has no file that can be shown") }
    }

    /// Gives files other names in the bundle where others have these names already.
    mutating func rename(avoiding taken: inout Set<String>) {
        func renamed(_ file: AssetCatalog.File) -> AssetCatalog.File {
            var target = file.target
            var number = 1
            while !taken.insert(target).inserted {
                number += 1
                target = "asset\(number)-\(file.target)"
            }
            return AssetCatalog.File(source: file.source, target: target)
        }
        for scale in light.keys.sorted() { light[scale] = light[scale].map(renamed) }
        for scale in dark.keys.sorted() { dark[scale] = dark[scale].map(renamed) }
    }

    /// The ending of a file that can be shown; nil, and a warning, for others.
    private static func type(of file: String, in folder: String, _ troubles: inout InterfaceTroubles) -> String? {
        guard !file.contains("/"), let type = file.lastIndex(of: ".").map({ file[file.index(after: $0)...] }),
            ["png", "jpg", "jpeg", "gif", "webp"].contains(type.lowercased())
        else {
            troubles.warn(nil, "\"\(file)\" is left out: PNG, JPEG, GIF and WebP are shown")
            return nil
        }
        guard let facts = FileFacts(at: "\(folder)/\(file)", followsLinks: false), facts.kind == .regular else {
            troubles.warn(nil, "\"\(file)\" is left out: there is no such file, or it is a link")
            return nil
        }
        guard facts.byteCount <= AssetCatalog.imageByteCountLimit else {
            troubles.warn(
                nil,
                "\"\(file)\" is left out: \(facts.byteCount) bytes, at most \(AssetCatalog.imageByteCountLimit) "
                    + "are shown"
            )
            return nil
        }
        return type.lowercased()
    }

    /// The files to copy, in the order of appearance and scale.
    var files: [AssetCatalog.File] {
        [light, dark].flatMap { files in files.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// The statement that makes the image known.
    var registration: String {
        let table = { (files: [Int: AssetCatalog.File]) in
            files.isEmpty
                ? "[:]"
                : "["
                    + files.sorted { $0.key < $1.key }.map { "\($0.key): \(SwiftText.literal($0.value.target))" }
                    .joined(separator: ", ") + "]"
        }
        return "AssetTable.add(image: \(SwiftText.literal(name)), AssetTable.Image(files: \(table(light)), "
            + "darkFiles: \(table(dark)), isTemplate: \(isTemplate)))"
    }
}
