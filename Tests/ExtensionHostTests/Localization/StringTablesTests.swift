// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Testing

@testable import ExtensionBuild
@testable import ExtensionHost

/// The tables of texts that are read, in which language, and the errors for files that are none.
struct StringTablesTests {
    @discardableResult
    private func withFolder<Result>(_ files: [String: Data], _ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tables-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in files {
            let file = folder.appendingPathComponent(name)
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try data.write(to: file)
        }
        return try body(folder.path)
    }

    private func texts(
        _ files: [String: String],
        preferred: String? = nil,
        region: String? = nil
    ) throws -> [String: String] {
        try withFolder(files.mapValues { Data($0.utf8) }) { folder in
            try StringTables(folder: folder).texts(preferred: preferred, region: region)
        }
    }

    // MARK: Language

    @Test(
        arguments: [
            (["pt-BR"], ["pt-BR", "pt"]), (["PT_br"], ["pt-BR", "pt"]), (["pt-PT"], ["pt"]), (["de"], ["de"]),
            (["zh-Hant-TW"], ["zh-Hant"]), (["de", "pt-BR", "Base"], ["de", "pt-BR", "pt", "Base"]),
            (["ja", "Base"], ["Base"]), (["de", "de-CH", "de"], ["de"]), (["en_GB"], ["en_GB"]),
            // None that is wanted: the first by name.
            (["ja"], ["Base"]), ([], ["Base"]), ([""], ["Base"]),
        ] as [([String], [String])]
    )
    func `languages are wanted in order, each with its shorter forms`(wanted: [String], order: [String]) {
        let languages = ["pt-BR", "de", "zh-Hant", "pt", "Base", "en_GB"]
        #expect(StringTables.order(of: languages, wanted: wanted) == order)
    }

    @Test func `tables of no language come last, but before a foreign one`() {
        #expect(StringTables.order(of: ["fr", "", "de"], wanted: ["de"]) == ["de", ""])
        #expect(StringTables.order(of: ["fr", "", "de"], wanted: ["en"]) == [""])
        #expect(StringTables.order(of: [], wanted: ["en"]) == [])
    }

    private static let languages = [
        "de.lproj/Localizable.strings": #""A" = "A de"; "B" = "B de";"#,
        "en.lproj/Localizable.strings": #""A" = "A en"; "C" = "C en";"#,
        "fr.lproj/Localizable.strings": #""A" = "A fr"; "E" = "E fr";"#,
        "Base.lproj/Localizable.strings": #""A" = "A Base"; "D" = "D Base";"#,
        "ja.lproj/InfoPlist.strings": #""A" = "A ja";"#,
    ]

    @Test func `a key has its text of the first language that has one`() throws {
        let texts = try texts(Self.languages, preferred: "de-CH", region: "en")
        #expect(texts == ["A": "A de", "B": "B de", "C": "C en", "D": "D Base"])
    }

    @Test func `the folder's own region comes before the other`() throws {
        let info = "<plist version=\"1.0\"><dict><key>CFBundleDevelopmentRegion</key><string>fr</string></dict></plist>"
        let files = Self.languages.merging(["Info.plist": info]) { $1 }
        #expect(try texts(files, region: "en") == ["A": "A fr", "E": "E fr", "C": "C en", "D": "D Base"])
        #expect(try texts(files, preferred: "ja", region: "en")["A"] == "A fr")
    }

    @Test func `a table of a language that does not serve is not read`() throws {
        let files = ["en.lproj/Localizable.strings": "A = b;", "de.lproj/Localizable.strings": "no table"]
        #expect(try texts(files, region: "en") == ["A": "b"])
    }

    @Test(
        arguments: [
            (nil, nil), ("en", nil), ("en-GB", nil), ("ja", nil), ("de", "de"), ("de-CH", "de"),
        ] as [(String?, String?)]
    )
    func `an extension that speaks another language is told of`(language: String?, pushed: String?) throws {
        var files = Self.languages
        files["Info.plist"] = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.chat.service</string>
            <key>CFBundleExecutable</key><string>Chat</string><key>CFBundleDevelopmentRegion</key><string>en</string>
            <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
            <string>com.apple.usernotifications.service</string></dict></dict></plist>
            """
        files["Chat"] = ""
        try withFolder(files.mapValues { Data($0.utf8) }) { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/Chat")
            var app = HostConfiguration.App(topic: "com.example.chat")
            app.bundle = try ExtensionBundle(path: folder)
            app.language = language
            let warning = pushed.map {
                "the extension of \"com.example.chat\" looks up its own texts in \"en\", the language it was built "
                    + "for, not in \"\($0)\": \"build --language \($0)\" changes that"
            }
            #expect(app.languageWarning == warning)
        }
    }

    // MARK: Files

    @Test func `texts come in each form that projects have`() throws {
        let plural = """
            <plist version="1.0"><dict><key>N</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@!</string>
            <key>n</key><dict><key>one</key><string>einer</string><key>other</key><string>viele</string></dict>
            </dict></dict></plist>
            """
        let catalog = """
            {"sourceLanguage":"en","version":"1.0","strings":{"Hello":{"localizations":{"de":{"stringUnit":{
            "state":"translated","value":"Hallo"}}}},"Bye":{}}}
            """
        let files = [
            "de.lproj/Localizable.stringsdict": plural, "de.lproj/Localizable.strings": "A = de;",
            "Localizable.xcstrings": catalog, "Localizable.strings": "Z = last;",
        ]
        #expect(
            try texts(files, preferred: "de", region: "en") == [
                "N": "viele!", "A": "de", "Hello": "Hallo", "Bye": "Bye", "Z": "last",
            ]
        )
    }

    @Test(
        arguments: [
            ("utf-8", Data("/* note */\n\"A\" = \"\\\"ü\\\"\\n\"; // end\n".utf8)),
            ("a byte order mark", Data([0xEF, 0xBB, 0xBF]) + Data("\"A\" = \"\\\"ü\\\"\\n\";".utf8)),
            ("utf-16", "\"A\" = \"\\\"ü\\\"\\n\";".data(using: .utf16) ?? Data()),
            (
                "XML",
                Data("<plist version=\"1.0\"><dict><key>A</key><string>\"ü\"\n</string></dict></plist>".utf8)
            ),
        ]
    )
    func `a table is text or a property list`(form: String, data: Data) throws {
        try withFolder(["en.lproj/Localizable.strings": data]) { folder in
            let texts = try StringTables(folder: folder).texts(preferred: nil, region: "en")
            #expect(texts == ["A": "\"ü\"\n"])
        }
    }

    @Test(arguments: ["", "/* nothing yet */\n"])
    func `a table may be empty`(text: String) throws {
        #expect(try texts(["en.lproj/Localizable.strings": text]) == [:])
    }

    // MARK: Errors

    private static let advice = "an entry is \"KEY\" = \"TEXT\";"
    private static let lint = "plutil -lint finds the place on a Mac"
    private static let form =
        "XML in UTF-8 is read, as Xcode and \"plutil -convert xml1\" write it, and the binary form"

    @Test(arguments: [
        // Where the ";" belongs, not where something else stands.
        ("\"A\" = \"a\";\n\"B\" = \"b\"\n\n\"C\" = \"c\";", ":2: not a table of texts: \";\" is missing", advice),
        ("A\r\nB", ":1: not a table of texts: \";\" is missing", advice),
        ("A = a;\r\n\r\nB = b;\rC =", ":4: not a table of texts: a text is missing", advice),
        ("\"A\" = \"a\";\n\n\"B\" = \"b;\n\n", ":3: not a table of texts: the text has no end", advice),
        ("A = \"a\\", ":1: not a table of texts: the text has no end", advice),
        ("A = a;\n/* one\ntwo", ":2: not a table of texts: the comment has no end", advice),
        ("\n\n\n???", ":4: not a table of texts: neither a key nor a text begins so", advice),
        ("A = (b, c);", ":1: not a table of texts: neither a key nor a text begins so", advice),
        (
            "\nA = \"\\U12\";",
            ":2: not a table of texts: \"\\U\" has four digits, \"\\\" three below 200", advice
        ),
        (
            "<plist version=\"1.0\">\n<dict>\n<kex>A</kex></dict></plist>",
            ":3: not a table of texts: <key> is missing before <kex>", form
        ),
        ("<plist version=\"1.0\"><array/></plist>", ": not a table of texts", lint),
    ])
    func `a table that is none is named with its line`(text: String, message: String, hint: String) throws {
        try withFolder(["en.lproj/Localizable.strings": Data(text.utf8)]) { folder in
            #expect(throws: CommandError("\(folder)/en.lproj/Localizable.strings" + message, hint: hint)) {
                try StringTables(folder: folder).texts(preferred: nil, region: nil)
            }
        }
    }

    @Test func `a table in another encoding is refused`() throws {
        try withFolder(["en.lproj/Localizable.strings": Data([0x41, 0x3D, 0xFC, 0x3B])]) { folder in
            #expect(
                throws: CommandError(
                    "\(folder)/en.lproj/Localizable.strings: not a table of texts: neither UTF-8 nor UTF-16",
                    hint: "save it again as UTF-8: iconv -f ENCODING -t UTF-8"
                )
            ) { try StringTables(folder: folder).texts(preferred: nil, region: nil) }
        }
    }

    @Test func `a table is a file of bounded size`() throws {
        try withFolder(["en.lproj/x": Data()]) { folder in
            let file = folder + "/en.lproj/Localizable.strings"
            #expect(mkfifo(file, 0o600) == 0)
            #expect(throws: CommandError("\"\(file)\" is no regular file")) {
                try StringTables(folder: folder).texts(preferred: nil, region: nil)
            }
            #expect(unlink(file) == 0)
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            #expect(truncate(file, (16 << 20) + 1) == 0)
            #expect(throws: CommandError("\(file): 16777217 bytes, at most 16777216 are possible")) {
                try StringTables(folder: folder).texts(preferred: nil, region: nil)
            }
        }
    }

    @Test func `a folder without texts is refused where one was named`() throws {
        try withFolder([:]) { folder in
            var app = HostConfiguration.App(topic: "com.example.chat")
            #expect(
                throws: CommandError(
                    "\"\(folder)\" has no LANGUAGE.lproj/Localizable.strings",
                    hint: "name the app's bundle, or the folder of its texts"
                )
            ) { try app.readTexts(of: folder) }
            #expect(
                throws: CommandError(
                    "\"\(folder)/none\" is no folder that can be read",
                    hint: "it holds LANGUAGE.lproj/Localizable.strings"
                )
            ) { try app.readTexts(of: folder + "/none") }
            try app.readTexts(of: nil)
            #expect(app.texts == LocalizedTexts())
        }
    }

    // MARK: Links

    @Test(arguments: ["en.lproj", "en.lproj/Localizable.strings", "Localizable.strings", "Localizable.xcstrings"])
    func `a link in the place of texts is refused by name, and not followed`(_ place: String) throws {
        let texts = Data("\"KEY\" = \"secret\";".utf8)
        try withFolder(["outside/Localizable.strings": texts, "Chat.appex/de.lproj/none": Data()]) { folder in
            let (bundle, link) = (folder + "/Chat.appex", folder + "/Chat.appex/" + place)
            let target = folder + "/outside" + (place.hasSuffix(".lproj") ? "" : "/Localizable.strings")
            try FileManager.default.createDirectory(
                atPath: (link as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let file = place.hasSuffix(".lproj") ? link + "/Localizable.strings" : link
            #expect(
                throws: CommandError(
                    "\"\(file)\" is a link, or lies behind one",
                    hint: "put a copy of the file into the bundle"
                )
            ) { try StringTables(folder: bundle).texts(preferred: "en", region: nil) }
        }
    }

    @Test func `a pipe in the place of texts is refused, and nobody waits for its other end`() throws {
        try withFolder(["de.lproj/none": Data()]) { folder in
            let file = folder + "/de.lproj/Localizable.strings"
            try #require(mkfifo(file, 0o600) == 0)
            #expect(throws: CommandError("\"\(file)\" is no regular file")) {
                try StringTables(folder: folder).texts(preferred: "de", region: nil)
            }
        }
    }
}
