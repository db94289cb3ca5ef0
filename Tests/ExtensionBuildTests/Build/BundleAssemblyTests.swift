// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Files that a bundle gets, of a project that a stranger may have made.
@Suite struct BundleAssemblyTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nestbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test(arguments: ["../../out", "a/b", "", ".", "..", "de\u{0}"])
    func `a language that is no name of a folder is refused, and nothing is written`(language: String) throws {
        try withFolder { folder in
            let catalog = [
                "sourceLanguage": "en", "version": "1.0",
                "strings": ["k": ["localizations": [language: ["stringUnit": ["state": "translated", "value": "v"]]]]],
            ]
            let file = folder.appending(path: "Localizable.xcstrings")
            try JSONSerialization.data(withJSONObject: catalog).write(to: file)
            let table = try #require(StringTableFile(file))
            let assembly = try BundleAssembly(at: folder.appending(path: "X.appex"))
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let error = #expect(throws: CommandError.self) {
                try assembly.add(tables: [table], developmentLanguage: "en") { _, _ in }
            }
            #expect(error?.message.contains("is no name of a language, so its texts have no folder") == true)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
        }
    }

    @Test func `a property list of another service is a resource, and a linked catalogue is left out`() throws {
        try withFolder { folder in
            let plist = try PropertyListSerialization.data(fromPropertyList: ["A": "b"], format: .xml, options: 0)
            let files = ["Info.plist", "GoogleService-Info.plist"].map { folder.appending(path: $0) }
            for file in files { try plist.write(to: file) }
            try Data("class A {}".utf8).write(to: folder.appending(path: "A.swift"))
            let catalog = folder.appending(path: "Real.xcassets")
            try FileManager.default.createDirectory(at: catalog, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "Linked.xcassets"),
                withDestinationURL: catalog
            )
            let sources = try ExtensionSources([folder.path])
            let names = { (paths: [String]) in paths.map { URL(fileURLWithPath: $0).lastPathComponent } }
            #expect(names(sources.informationFiles) == ["Info.plist"])
            #expect(names(sources.resources) == ["GoogleService-Info.plist"])
            #expect(names(sources.catalogs) == ["Real.xcassets"])
        }
    }
}
