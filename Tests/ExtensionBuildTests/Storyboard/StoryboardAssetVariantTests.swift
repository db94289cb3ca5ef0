// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// The variants of an asset, of which one is right for a notification's view, and names that clash.
@Suite final class StoryboardAssetVariantTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("variants-\(UUID().uuidString)")
    private var catalog: String { folder.appendingPathComponent("Assets.xcassets").path }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func write(_ text: String, _ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func writeImage(_ name: String, files: [(file: String, keys: String)]) throws {
        let entries = files.map { "{\"filename\":\"\($0.file).png\",\"idiom\":\"universal\"\($0.keys)}" }
        try write("{\"images\":[\(entries.joined(separator: ","))]}", "\(name).imageset/Contents.json")
        for file in files { try write("png", "\(name).imageset/\(file.file).png") }
    }

    private static let dark = ",\"appearances\":[{\"appearance\":\"luminosity\",\"value\":\"dark\"}]"

    @Test(
        "a variant for another language, direction, gamut or machine does not take the place of the general one",
        arguments: [
            (",\"language-direction\":\"right-to-left\"", "right-to-left"),
            (",\"locale\":\"de\"", "the language de"), (",\"display-gamut\":\"display-P3\"", "display-P3"),
            (",\"memory\":\"4GB\"", "4GB"), (",\"graphics-feature-set\":\"metal3v1\"", "metal3v1"),
            (",\"appearances\":[{\"appearance\":\"contrast\",\"value\":\"high\"}]", "high contrast"),
        ]
    )
    func conditions(keys: String, name: String) throws {
        let scale = ",\"scale\":\"2x\""
        for order in [["other", "own"], ["own", "other"]] {
            try writeImage(
                "Assets.xcassets/logo",
                files: order.map { ($0, $0 == "own" ? scale : scale + keys) } + [("night", scale + Self.dark)]
            )
            let result = try AssetCatalog(folders: [catalog])
            #expect(
                result.files == [
                    .init(source: "\(catalog)/logo.imageset/own.png", target: "logo@2x.png"),
                    .init(source: "\(catalog)/logo.imageset/night.png", target: "logo~dark@2x.png"),
                ]
            )
            #expect(
                result.allTroubles.map(\.message) == [
                    "the image \"logo\" has variants for \(name): these are left out, and the general one is shown"
                ]
            )
        }
        // Alone it is better than nothing.
        try writeImage("Assets.xcassets/logo", files: [("other", scale + keys)])
        let alone = try AssetCatalog(folders: [catalog])
        #expect(alone.files.map(\.target) == ["logo@2x.png"])
        #expect(alone.allTroubles == [])
    }

    @Test(
        "what is made for an iPhone held upright counts before what is made for all",
        arguments: [
            ",\"idiom\":\"iphone\"", ",\"width-class\":\"compact\"", ",\"height-class\":\"regular\"",
            ",\"display-gamut\":\"sRGB\"", ",\"language-direction\":\"left-to-right\"",
        ]
    )
    func exact(keys: String) throws {
        let entry = keys.contains("idiom") ? String(keys.dropFirst()) : "\"idiom\":\"universal\"\(keys)"
        try write(
            "{\"images\":[{\"filename\":\"a.png\",\"idiom\":\"universal\"},{\"filename\":\"b.png\",\(entry)}]}",
            "Assets.xcassets/logo.imageset/Contents.json"
        )
        for name in ["a", "b"] { try write("png", "Assets.xcassets/logo.imageset/\(name).png") }
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.files.map(\.source) == ["\(catalog)/logo.imageset/b.png"])
        #expect(result.allTroubles == [])
    }

    @Test("variants for other devices and classes of size are no choice")
    func otherDevices() throws {
        try writeImage(
            "Assets.xcassets/logo",
            files: [
                ("own", ""), ("wide", ",\"width-class\":\"regular\""), ("low", ",\"height-class\":\"compact\""),
                ("tall", ",\"subtype\":\"retina4\""), ("small", ",\"screen-width\":\"<=145\""),
            ]
        )
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.files.map(\.source) == ["\(catalog)/logo.imageset/own.png"])
        #expect(result.allTroubles == [])
    }

    @Test(
        "a colour's parts are read in Xcode's forms",
        arguments: [
            ("\"red\":\"1\",\"green\":\"0\",\"blue\":\"1\",\"alpha\":\"1\"", "red: 1, green: 0, blue: 1, alpha: 1"),
            (
                "\"red\":\"255\",\"green\":\"1\",\"blue\":\"0\",\"alpha\":\"1.000\"",
                "red: 1, green: 0.003922, blue: 0, alpha: 1"
            ),
            (
                "\"red\":\"0xFF\",\"green\":\"0x01\",\"blue\":\"0X80\",\"alpha\":\"0.500\"",
                "red: 1, green: 0.003922, blue: 0.501961, alpha: 0.5"
            ),
            ("\"red\":1,\"green\":0.5,\"blue\":0,\"alpha\":1", "red: 1, green: 0.5, blue: 0, alpha: 1"),
        ]
    )
    func parts(components: String, swift: String) throws {
        try write(
            "{\"colors\":[{\"color\":{\"color-space\":\"srgb\",\"components\":{\(components)}}}]}",
            "Assets.xcassets/C.colorset/Contents.json"
        )
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.swift.contains("AssetTable.add(color: \"C\", UIColor(\(swift)))"), "\(result.swift)")
    }

    @Test(
        "a colour is converted from its space",
        arguments: [
            ("extended-linear-srgb", "UIColor(red: 0.735357, green: 0, blue: 1, alpha: 1)"),
            ("extended-srgb", "UIColor(red: 0.5, green: 0, blue: 1, alpha: 1)"),
            ("display-p3", "UIColor(displayP3Red: 0.5, green: 0, blue: 1, alpha: 1)"),
        ]
    )
    func spaces(space: String, swift: String) throws {
        let parts = "\"red\":\"0.500\",\"green\":\"0.000\",\"blue\":\"1.000\",\"alpha\":\"1.000\""
        try write(
            """
            {"colors":[{"display-gamut":"display-P3","color":{"components":{"white":"0.1","alpha":"1.0"}}},
            {"color":{"platform":"osx","reference":"systemBlueColor"}},
            {"color":{"color-space":"\(space)","components":{\(parts)}}}]}
            """,
            "Assets.xcassets/C.colorset/Contents.json"
        )
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.swift.contains("AssetTable.add(color: \"C\", \(swift))"), "\(result.swift)")
        #expect(
            result.allTroubles.map(\.message) == [
                "the colour \"C\" has variants for display-P3: these are left out, and the general one is shown"
            ]
        )
    }

    @Test("a folder with a dot in its name is a group, with a name of its own where it says so")
    func dottedGroups() throws {
        try write("{\"properties\":{\"provides-namespace\":true}}", "Assets.xcassets/Icons.v2/Contents.json")
        try writeImage("Assets.xcassets/Icons.v2/star", files: [("a", "")])
        try writeImage("Assets.xcassets/com.example.set/com.example.logo", files: [("a", "")])
        let result = try AssetCatalog(folders: [catalog])
        #expect(result.imageNames == ["Icons.v2/star", "com.example.logo"])
        #expect(result.allTroubles == [])
    }

    @Test("a picture gets another name in the bundle where a file or another picture has its own")
    func namesInBundle() throws {
        try write("{\"properties\":{\"provides-namespace\":true}}", "Assets.xcassets/A/Contents.json")
        try writeImage("Assets.xcassets/A/star", files: [("a", "")])
        try writeImage("Assets.xcassets/A_star", files: [("b", "")])
        try writeImage("Assets.xcassets/logo", files: [("c", "")])
        let result = try AssetCatalog(folders: [catalog], taken: ["logo.png"])
        #expect(result.files.map(\.target) == ["A_star.png", "asset2-A_star.png", "asset2-logo.png"])
        #expect(
            result.swift.contains("AssetTable.add(image: \"logo\", AssetTable.Image(files: [1: \"asset2-logo.png\"]")
        )
        #expect(result.allTroubles == [])
    }

    @Test("two catalogues of an extension are one")
    func merging() throws {
        for place in ["Assets.xcassets", "More/Assets.xcassets"] {
            try writeImage("\(place)/logo", files: [("a", "")])
            try writeImage("\(place)/\(place.hasPrefix("More") ? "moon" : "sun")", files: [("a", "")])
        }
        let other = folder.appendingPathComponent("More/Assets.xcassets").path
        let result = try AssetCatalog(folders: [catalog, other])
        #expect(result.imageNames == ["logo", "moon", "sun"])
        #expect(result.files.map(\.source).first == "\(catalog)/logo.imageset/a.png")
        #expect(
            result.allTroubles.map(\.message) == ["there are two images \"logo\", the second is left out"]
        )
        #expect(result.typeName == "Assets_xcassets")
    }
}
