// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Storyboards and xibs in several languages, by tables of texts or whole.
@Suite final class StoryboardLanguageTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lproj-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func write(_ text: String, _ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The sources that a build makes of the folder, by their names.
    private func sources(main: String? = "Main") throws -> [String: String] {
        try write("class Card {}", "Card.swift")
        let files = try ExtensionSources([folder.path])
        let made = try InterfaceSources(files, classes: [], main: main, language: "en")
        return Dictionary(
            uniqueKeysWithValues: made.texts.map {
                (String($0.key.dropFirst(folder.path.count + 1)), String(decoding: $0.value, as: UTF8.self))
            }
        )
    }

    private static let label = StoryboardText.storyboard(views: "<label text=\"Hello\" id=\"a\"/>")

    @Test("a storyboard of Base with tables looks its texts up in the view's language")
    func tables() throws {
        try write(Self.label, "Base.lproj/Main.storyboard")
        try write("\"a.text\" = \"Hallo\";", "de.lproj/Main.strings")
        try write("\"a.text\" = \"Bonjour\";", "fr.lproj/Main.strings")
        try write("\"x\" = \"y\";", "it.lproj/Localizable.strings")
        let made = try sources()
        let names = ["Base.lproj/InterfaceFiles of the build.swift", "Base.lproj/Main.storyboard.swift"]
        #expect(made.keys.sorted() == names)
        let text = "view.text = InterfaceLanguages.text(\"a.text\", table: \"Main\", value: \"Hello\")"
        #expect(made[names[1]]?.contains(text) == true)
        let registration = try #require(made[names[0]])
        #expect(
            registration.contains(
                "NibFiles.add(storyboard: \"Main\", initial: { Main_storyboard.makeInitialViewController() })"
            )
        )
        #expect(registration.contains("private static let all: [String] = [\"de\", \"en\", \"fr\", \"it\"]"))
        #expect(registration.contains("match(NibFiles.language) ?? \"en\""))
    }

    @Test("a storyboard that is localized whole is chosen by the view's language")
    func wholeFiles() throws {
        try write(Self.label, "Base.lproj/Main.storyboard")
        try write(Self.label.replacing("Hello", with: "Hallo"), "de.lproj/Main.storyboard")
        try write(Self.label.replacing("Hello", with: "Olá"), "pt-BR.lproj/Main.storyboard")
        try write("\"a.text\" = \"Ciao\";", "it.lproj/Main.strings")
        let made = try sources()
        #expect(
            made.keys.sorted() == [
                "Base.lproj/InterfaceFiles of the build.swift", "Base.lproj/Main.storyboard.swift",
                "de.lproj/Main.storyboard 2.swift", "pt-BR.lproj/Main.storyboard 3.swift",
            ]
        )
        #expect(
            made["Base.lproj/InterfaceFiles of the build.swift"]?.contains(
                "NibFiles.add(storyboard: \"Main\", initial: { InterfaceLanguages.current == \"de\" ? "
                    + "Main_storyboard_de.makeInitialViewController() : InterfaceLanguages.current == \"pt-BR\" ? "
                    + "Main_storyboard_pt_BR.makeInitialViewController() : "
                    + "Main_storyboard.makeInitialViewController() })"
            ) == true
        )
        // A file in a language has its own texts.
        #expect(made["de.lproj/Main.storyboard 2.swift"]?.contains("view.text = \"Hallo\"") == true)
    }

    @Test("a xib in one language alone needs no choice")
    func oneLanguage() throws {
        try write(StoryboardText.xib(objects: "<view id=\"v\"/>"), "de.lproj/Card.xib")
        let made = try sources(main: nil)
        #expect(
            made["de.lproj/InterfaceFiles of the build.swift"]?.contains(
                "NibFiles.add(nib: \"Card\", objects: { Card_xib_de.makeObjects(owner: $0) })"
            ) == true
        )
    }

    @Test("a file without texts in other languages has its texts in the source")
    func noLanguages() throws {
        try write(Self.label, "Base.lproj/Main.storyboard")
        let made = try sources()
        #expect(made["Base.lproj/Main.storyboard.swift"]?.contains("view.text = \"Hello\"") == true)
        #expect(made["Base.lproj/InterfaceFiles of the build.swift"]?.contains("InterfaceLanguages") == false)
    }

    @Test("a source of the author's keeps its name")
    func names() throws {
        try write(Self.label, "Main.storyboard")
        try write("enum Other {}", "Main.storyboard.swift")
        try write("enum More {}", "More/InterfaceFiles of the build.swift")
        let made = try sources()
        #expect(made.keys.sorted() == ["InterfaceFiles of the build 2.swift", "Main.storyboard 2.swift"])
    }
}
