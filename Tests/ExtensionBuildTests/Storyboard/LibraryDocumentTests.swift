// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// A storyboard and a xib with all that Xcode's library writes for the classes of UIKit here.
@Suite struct LibraryDocumentTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Interfaces/Library").path

    private func output(_ name: String) throws -> Storyboard.Output {
        let path = "\(Self.folder)/\(name)"
        let sources = try ExtensionSources([Self.folder])
        var texts: [String: [UInt8]] = [:]
        for path in sources.swift { texts[path] = Array(try BundleFile.contents(of: path, atMost: 1 << 20)) }
        let classes = RewrittenSources(texts).classes.map(InterfaceClass.init)
        let catalog = try AssetCatalog(folders: sources.catalogs)
        #expect(catalog.allTroubles == [])
        let document = try Storyboard(path: path, contents: BundleFile.contents(of: path, atMost: 1 << 20))
        return document.swift(classes: classes, options: InterfaceOptions(images: catalog.imageNames))
    }

    @Test(
        "every element and attribute of the library becomes Swift, and nothing is left out",
        arguments: ["Base.lproj/MainInterface.storyboard", "Card.xib"]
    )
    func troubles(name: String) throws {
        let output = try output(name)
        #expect(output.troubles.map(\.description) == [])
    }

    @Test("a value of a class of size that holds goes before the element's own")
    func variations() throws {
        let lines = try output("Base.lproj/MainInterface.storyboard").source.split(separator: "\n")
            .map { $0.drop { $0 == " " } }
        let plain = try #require(lines.firstIndex(of: "let view1 = NibCoder.view(UIView.self) { view in"))
        #expect(lines[plain...].first { $0.hasPrefix("view.alpha") } == "view.alpha = 0.75")
        #expect(lines[plain...].first { $0.hasPrefix("view.isHidden") } == "view.isHidden = true")
        #expect(
            lines[plain...].first { $0.hasPrefix("view.backgroundColor") }
                == "view.backgroundColor = UIColor.systemGray6"
        )
        let label = try #require(lines.firstIndex(of: "let label1 = NibCoder.view(UILabel.self) { view in"))
        #expect(lines[label...].first { $0.hasPrefix("view.font") } == "view.font = UIFont.systemFont(ofSize: 19)")
        let constraint = try #require(
            lines.first { $0.contains("attribute: .centerX") && $0.hasSuffix("constant: 2)") }
        )
        #expect(constraint.contains("item: label1"))
    }

    @Test("a keyboard's guide is a line at the lower edge, and the file's tint that of the view")
    func keyboardAndTint() throws {
        let lines = try output("Base.lproj/MainInterface.storyboard").source.split(separator: "\n")
            .map { String($0.drop { $0 == " " }) }
        let start = try #require(lines.firstIndex(of: "let keyboardGuide1 = UILayoutGuide()"))
        #expect(
            Array(lines[(start + 1)...].prefix(7)) == [
                "view2.addLayoutGuide(keyboardGuide1)", "NSLayoutConstraint.activate([",
                "keyboardGuide1.leadingAnchor.constraint(equalTo: view2.leadingAnchor),",
                "keyboardGuide1.trailingAnchor.constraint(equalTo: view2.trailingAnchor),",
                "keyboardGuide1.bottomAnchor.constraint(equalTo: view2.bottomAnchor),",
                "keyboardGuide1.heightAnchor.constraint(equalToConstant: 0),", "])",
            ]
        )
        let end = try #require(lines.firstIndex { $0.hasPrefix("owner.view = ") })
        let root = lines[end].dropFirst("owner.view = ".count)
        #expect(
            Array(lines[(end - 2)..<end]) == [
                "\(root).overrideUserInterfaceStyle = .dark",
                "\(root).tintColor = UIColor(red: 0, green: 0.478431, blue: 1, alpha: 1)",
            ]
        )
    }
}
