// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Asset catalogues: files to copy, the table of colours, and what is left out.
@Suite final class StoryboardAssetCatalogTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-\(UUID().uuidString)")
    private var catalog: String { folder.appendingPathComponent("Assets.xcassets").path }

    init() throws {
        try FileManager.default.createDirectory(atPath: catalog, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func write(_ text: String, _ name: String) throws {
        let file = URL(fileURLWithPath: "\(catalog)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test("an image set becomes files by scale and appearance")
    func images() throws {
        try write(
            """
            {"images":[{"filename":"a.png","idiom":"universal","scale":"1x"},
            {"filename":"b.png","idiom":"universal","scale":"2x"},{"idiom":"universal","scale":"3x"},
            {"filename":"phone.png","idiom":"iphone","scale":"2x"},{"filename":"c.png","idiom":"ipad","scale":"3x"},
            {"appearances":[{"appearance":"luminosity","value":"dark"}],"filename":"d.png","idiom":"universal",
            "scale":"2x"}],"info":{"author":"xcode","version":1},
            "properties":{"template-rendering-intent":"template"}}
            """,
            "logo.imageset/Contents.json"
        )
        for name in ["a", "b", "c", "d", "phone"] { try write("png", "logo.imageset/\(name).png") }
        try write("{\"info\":{\"author\":\"xcode\",\"version\":1}}", "Contents.json")
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.allTroubles == [])
        #expect(
            result.files == [
                .init(source: "\(catalog)/logo.imageset/a.png", target: "logo.png"),
                .init(source: "\(catalog)/logo.imageset/phone.png", target: "logo@2x.png"),
                .init(source: "\(catalog)/logo.imageset/d.png", target: "logo~dark@2x.png"),
            ]
        )
        #expect(result.imageNames == ["logo"])
        #expect(
            result.swift == """
                import Foundation
                import UIKit

                enum Assets_xcassets {
                    static func register() {
                        AssetTable.add(image: "logo", AssetTable.Image(files: [1: "logo.png", 2: "logo@2x.png"], \
                darkFiles: [2: "logo~dark@2x.png"], isTemplate: true))
                    }
                }

                """
        )
    }

    @Test("folders are part of names where they say so")
    func namespaces() throws {
        let contents = "{\"images\":[{\"filename\":\"a.jpg\",\"idiom\":\"universal\"}]}"
        try write("{\"properties\":{\"provides-namespace\":true}}", "Icons/Contents.json")
        for place in ["Icons", "Other"] {
            try write(contents, "\(place)/star.imageset/Contents.json")
            try write("jpg", "\(place)/star.imageset/a.jpg")
        }
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.imageNames == ["Icons/star", "star"])
        #expect(result.files.map(\.target) == ["Icons_star.jpg", "star.jpg"])
    }

    @Test(
        "a colour set becomes a colour, or a pair of light and dark",
        arguments: [
            (
                "\"color-space\":\"srgb\",\"components\":{\"red\":\"0.500\",\"green\":\"0x80\",\"blue\":\"255\","
                    + "\"alpha\":\"1.000\"}", "UIColor(red: 0.5, green: 0.501961, blue: 1, alpha: 1)"
            ),
            (
                "\"color-space\":\"display-p3\",\"components\":{\"red\":\"1.000\",\"green\":\"0.000\","
                    + "\"blue\":\"0.000\",\"alpha\":\"0.5\"}",
                "UIColor(displayP3Red: 1, green: 0, blue: 0, alpha: 0.5)"
            ),
            (
                "\"color-space\":\"gray-gamma-22\",\"components\":{\"white\":\"0.250\",\"alpha\":\"1.000\"}",
                "UIColor(white: 0.25, alpha: 1)"
            ),
            ("\"platform\":\"ios\",\"reference\":\"systemIndigoColor\"", "UIColor.systemIndigo"),
        ]
    )
    func colors(color: String, swift: String) throws {
        try write(
            """
            {"colors":[{"idiom":"universal","color":{\(color)}},{"idiom":"universal",
            "appearances":[{"appearance":"luminosity","value":"dark"}],
            "color":{"components":{"white":"1.0","alpha":"1.0"}}}]}
            """,
            "Accent.colorset/Contents.json"
        )
        try write("{\"colors\":[{\"idiom\":\"universal\",\"color\":{\(color)}}]}", "Plain.colorset/Contents.json")
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.allTroubles == [])
        #expect(
            result.swift.contains(
                """
                        AssetTable.add(color: "Accent", UIColor { $0.userInterfaceStyle == .dark ? UIColor(white: 1, \
                alpha: 1) : \(swift) })
                        AssetTable.add(color: "Plain", \(swift))
                """
            )
        )
    }

    @Test("what cannot be used is a warning with its folder, and is left out")
    func warnings() throws {
        try write("{\"images\":[]}", "empty.imageset/Contents.json")
        try write("[]", "list.imageset/Contents.json")
        try write(
            "{\"images\":[{\"filename\":\"a.pdf\"},{\"filename\":\"../a.png\"},{\"filename\":\"no.png\"}]}",
            "bad.imageset/Contents.json"
        )
        try write("{\"colors\":[{\"color\":{\"reference\":\"oddColor\"}}]}", "odd.colorset/Contents.json")
        try write("{}", "data.dataset/Contents.json")
        try write("{}", "AppIcon.appiconset/Contents.json")
        try write("x", "stray.txt")
        let result = try AssetCatalog(folders: [catalog])
        #expect(
            result.allTroubles.map { $0.description.replacing(self.catalog, with: "A") } == [
                "A/bad.imageset: warning: \"a.pdf\" is left out: PNG, JPEG, GIF and WebP are shown",
                "A/bad.imageset: warning: \"../a.png\" is left out: PNG, JPEG, GIF and WebP are shown",
                "A/bad.imageset: warning: \"no.png\" is left out: there is no such file, or it is a link",
                "A/bad.imageset: warning: the image \"bad\" has no file that can be shown",
                "A/data.dataset: warning: an asset of the kind \"dataset\" is not known here and is left out",
                "A/empty.imageset: warning: the image \"empty\" has no file that can be shown",
                "A/list.imageset: warning: the asset is left out: A/list.imageset/Contents.json: not a JSON object",
                "A/odd.colorset: warning: a variant of the colour \"odd\" cannot be read and is left out",
                "A/odd.colorset: warning: the colour \"odd\" has no variant that can be read, and is left out",
                "A/stray.txt: warning: the file belongs to no asset and is left out",
            ]
        )
        #expect(result.files == [])
    }

    @Test("a link in a catalogue is not followed")
    func links() throws {
        try write("{\"images\":[{\"filename\":\"a.png\"}]}", "logo.imageset/Contents.json")
        try FileManager.default.createSymbolicLink(
            atPath: "\(catalog)/logo.imageset/a.png",
            withDestinationPath: "/etc/hostname"
        )
        try FileManager.default.createSymbolicLink(atPath: "\(catalog)/out.imageset", withDestinationPath: "/etc")
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.files == [])
        #expect(
            result.allTroubles.map(\.message) == [
                "\"a.png\" is left out: there is no such file, or it is a link",
                "the image \"logo\" has no file that can be shown",
                "the file belongs to no asset and is left out",
            ]
        )
    }

    @Test("two images of one name are one")
    func doubles() throws {
        for place in ["A", "B"] {
            try write("{\"images\":[{\"filename\":\"a.png\"}]}", "\(place)/logo.imageset/Contents.json")
            try write("png", "\(place)/logo.imageset/a.png")
            try write(
                "{\"colors\":[{\"color\":{\"components\":{\"white\":\"1.0\"}}}]}",
                "\(place)/Ink.colorset/Contents.json"
            )
        }
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.files.map(\.source) == ["\(catalog)/A/logo.imageset/a.png"])
        #expect(
            result.allTroubles.map(\.message) == [
                "there are two images \"logo\", the second is left out",
                "there are two colours \"Ink\", the second is left out",
            ]
        )
    }

    @Test("depth, size and number have bounds")
    func bounds() throws {
        let deep = (0..<AssetCatalog.depthLimit).map { "f\($0)" }.joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "\(catalog)/\(deep)", withIntermediateDirectories: true)
        let tooDeep = "\(catalog)/\(deep): folders of an asset catalogue are nested deeper than 8"
        #expect(throws: CommandError(tooDeep, hint: "move the assets into a folder further up")) {
            try AssetCatalog(folders: [self.catalog])
        }
        try FileManager.default.removeItem(atPath: "\(catalog)/f0")
        try write("{\"images\":[{\"filename\":\"a.png\"}]}", "logo.imageset/Contents.json")
        try write(
            String(repeating: " ", count: AssetCatalog.imageByteCountLimit + 1),
            "logo.imageset/a.png"
        )
        #expect(
            try AssetCatalog(folders: [catalog]).allTroubles.first?.message
                == "\"a.png\" is left out: 10000001 bytes, at most 10000000 are shown"
        )
        try write(
            "{\"images\":[\(Array(repeating: "{}", count: 201).joined(separator: ","))]}",
            "many.imageset/Contents.json"
        )
        try write(String(repeating: " ", count: AssetCatalog.contentsByteCountLimit + 1), "wide.imageset/Contents.json")
        #expect(
            try AssetCatalog(folders: [catalog]).allTroubles.suffix(3).map(\.message) == [
                "only the first 200 variants are read", "the image \"many\" has no file that can be shown",
                "the asset is left out: \(catalog)/wide.imageset/Contents.json: 1048577 bytes, at most 1048576 are "
                    + "possible",
            ]
        )
        for number in 0..<AssetCatalog.entryLimit { try write("", "f\(number).txt") }
        let many = "\(catalog): an asset catalogue of more than 5000 files and folders"
        #expect(throws: CommandError(many, hint: "leave out assets that the extension does not show")) {
            try AssetCatalog(folders: [self.catalog])
        }
        let none = "the asset catalogue \"\(catalog)/none\" is no folder that can be read"
        #expect(throws: CommandError(none, hint: "name the folder X.xcassets, and look at its permissions")) {
            try AssetCatalog(folders: ["\(self.catalog)/none"])
        }
    }
}
