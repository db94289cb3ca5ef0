// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import Testing

/// Texts of a bundle in the language of whom a view is shown to.
@Suite final class PersonLanguageTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try table(["hello": "Hello", "bye": "Bye"], "en.lproj/Localizable.strings")
        try table(["hello": "Hallo"], "de.lproj/Localizable.strings")
        try table(["hello": "Oi"], "pt-BR.lproj/Localizable.strings")
        try table(["hello": "Olá", "bye": "Adeus"], "pt.lproj/Localizable.strings")
        try table(["odd": "Base"], "Base.lproj/Localizable.strings")
        try table(["bye": "Servus"], "de.lproj/Other.strings")
        try table(["CFBundleDevelopmentRegion": "en"], "Info.plist")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func table(_ entries: [String: String], _ path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0).write(to: file)
    }

    private func text(_ key: String, _ language: String, table: String? = nil, value: String? = nil) throws -> String {
        let bundle = try #require(Bundle(path: folder.path))
        return PersonLanguage.text(key, value: value, table: table, in: bundle, language: language)
    }

    @Test("the language decides, then its shorter forms, the development region, and Base")
    func order() throws {
        #expect(try text("hello", "de") == "Hallo")
        #expect(try text("hello", "de_AT") == "Hallo")
        #expect(try text("hello", "pt-BR") == "Oi")
        #expect(try text("bye", "pt-BR") == "Adeus")
        #expect(try text("bye", "de") == "Bye")
        #expect(try text("hello", "fr") == "Hello")
        #expect(try text("odd", "fr") == "Base")
    }

    @Test("a key without a text is its value or itself, and a table may have another name")
    func absent() throws {
        #expect(try text("none", "de") == "none")
        #expect(try text("none", "de", value: "otherwise") == "otherwise")
        #expect(try text("none", "de", value: "") == "none")
        #expect(try text("bye", "de", table: "Other") == "Servus")
        #expect(try text("hello", "de", table: "") == "Hallo")
        #expect(try text("hello", "de", table: "Missing") == "hello")
    }

    @Test("a language that could name another folder is none", arguments: ["../../etc", "", "-", "a-b-c-d-e", "ö"])
    func hostile(_ language: String) throws {
        #expect(try text("hello", language) == "Hello")
    }

    @Test("a table larger than 16 MB is not read, and a link to one neither")
    func large() throws {
        let text = Data("{\"hello\"=\"Hallo\";}".utf8)
        try text.write(to: folder.appending(path: "small"))
        try (text + Data(repeating: UInt8(ascii: " "), count: 16 << 20)).write(to: folder.appending(path: "large"))
        for name in ["small", "large"] {
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "de.lproj/\(name).strings"),
                withDestinationURL: folder.appending(path: name)
            )
        }
        #expect(try self.text("hello", "de", table: "small") == "Hallo")
        #expect(try self.text("hello", "de", table: "large") == "hello")
    }

    @Test("a file that is no table, and one that is replaced by a folder, have no texts")
    func broken() throws {
        try Data("<plist>".utf8).write(to: folder.appending(path: "de.lproj/Broken.strings"))
        try FileManager.default.createDirectory(
            at: folder.appending(path: "de.lproj/Folder.strings"),
            withIntermediateDirectories: false
        )
        #expect(try text("hello", "de", table: "Broken") == "hello")
        #expect(try text("hello", "de", table: "Folder") == "hello")
    }
}
