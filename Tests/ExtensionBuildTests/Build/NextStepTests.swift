// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Errors of a build, each with the next step.
@Suite final class NextStepTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("steps-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func plist(_ body: String) throws -> PropertyListFile {
        let file = folder.appendingPathComponent("App.entitlements")
        try Data("<plist version=\"1.0\">\n\(body)</plist>".utf8).write(to: file)
        let settings = BuildSettings(product: "A", module: "A", identifier: nil, language: "en", overrides: [:])
        return try PropertyListFile(path: file.path, settings: settings)
    }

    @Test("a source and a resource that are not there")
    func missing() throws {
        let path = folder.path + "/none"
        let hint = "paths count from the folder in which the command runs: \(FileManager.default.currentDirectoryPath)"
        #expect(throws: CommandError("the source \"\(path)\" does not exist", hint: hint)) {
            try ExtensionSources([path])
        }
        try Data("class A {}".utf8).write(to: folder.appendingPathComponent("A.swift"))
        var sources = try ExtensionSources([folder.path])
        #expect(throws: CommandError("the resource \"\(path)\" does not exist", hint: hint)) {
            try sources.addResources([path])
        }
        #expect(
            throws: CommandError(
                "the resource \"/dev/null\" is neither a regular file nor a folder",
                hint: "name a copy of it, or the file that it leads to"
            )
        ) { try sources.addResources(["/dev/null"]) }
    }

    @Test(
        "entitlements of another kind",
        arguments: [
            (
                "<dict>\n<key>com.apple.developer.usernotifications.filtering</key>\n<string>yes</string></dict>",
                ":4: com.apple.developer.usernotifications.filtering is neither true nor false",
                "write <true/> or <false/>"
            ),
            (
                "<dict>\n<key>com.apple.security.application-groups</key>\n<string>group.a</string></dict>",
                ":4: com.apple.security.application-groups is no list of texts",
                "write the groups in an <array>, each as <string>group.com.example.chat</string>"
            ),
            ("<array/>", ": a property list that is no dictionary", "its outermost value is <dict>"),
        ]
    )
    func entitlements(body: String, message: String, hint: String) throws {
        let path = folder.path + "/App.entitlements"
        #expect(throws: CommandError(path + message, hint: hint)) { try Entitlements(self.plist(body)) }
    }

    @Test("a table of plural forms without the general one")
    func plurals() throws {
        let file = folder.appendingPathComponent("Localizable.stringsdict")
        let body = """
            <plist version="1.0"><dict><key>n</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@a@</string>
            <key>a</key><dict><key>one</key><string>one</string></dict></dict></dict></plist>
            """
        try Data(body.utf8).write(to: file)
        let table = try #require(StringTableFile(file))
        let error = CommandError(
            "\(file.path): \"n\" has no form \"other\", the one that every language has",
            hint: "add <key>other</key> with its text to each variable of \"n\""
        )
        #expect(throws: error) { try table.texts(developmentLanguage: "en") { _ in } }
    }
}
