// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Texts that a push names by key, from a bundle of two languages to the record.
@Suite(.timeLimit(.minutes(10)))
struct LocalizationTests {
    private static let push = """
        {"aps":{"alert":{"title-loc-key":"CANARY_TITLE","subtitle-loc-key":"SUBTITLE","subtitle-loc-args":["canary-room"],
        "loc-key":"BODY","loc-args":["canary-name","7"]},"mutable-content":1}}
        """

    private func withBundle<Result>(
        _ body: (_ folder: TemporaryFolder, _ bundle: String) async throws -> Result
    ) async throws -> Result {
        try Programs.makeExampleKeysPrivate()
        return try await TemporaryFolder.with { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let tables = [
                "en": #""SUBTITLE" = "In %@"; "BODY" = "%@ sent %2$@ canary-files"; "CANARY_TITLE" = "New";"#,
                "de": #""BODY" = "%2$@ canary-files von %1$@"; "CANARY_TITLE" = "Neu";"#,
            ]
            for (language, table) in tables {
                try FileManager.default.createDirectory(
                    atPath: bundle + "/\(language).lproj",
                    withIntermediateDirectories: false
                )
                try table.write(
                    toFile: bundle + "/\(language).lproj/Localizable.strings",
                    atomically: true,
                    encoding: .utf8
                )
            }
            let plist = try String(contentsOfFile: bundle + "/Info.plist", encoding: .utf8)
            let region = "<dict><key>CFBundleDevelopmentRegion</key><string>en</string>"
            let start = try #require(plist.range(of: "<dict>"))
            try plist.replacingCharacters(in: start, with: region)
                .write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
            return try await body(folder, bundle)
        }
    }

    /// Returns the title, subtitle and body that the user sees; "handled" is the extension's own title.
    private static func shown(_ record: Record) -> [String?] {
        ["title", "subtitle", "body"].map { record.alert?[$0]?.string }
    }

    @Test(arguments: [
        ([], ["In canary-room", "canary-name sent 7 canary-files"]),
        (["--language", "de-AT"], ["In canary-room", "7 canary-files von canary-name"]),
    ])
    func `an extension sees texts of its bundle in the language of the run`(
        options: [String],
        texts: [String]
    ) async throws {
        try await withBundle { folder, bundle in
            let file = try folder.write(Self.push, to: "push.apns")
            let key = ["--seal-with", Programs.root + "/keys-example/recipient.key"]
            for arguments in [options, options + key] {
                let run = try await HostRun(bundle, file, arguments)
                let record = Record(object: run.record)
                #expect(record.outcome == "modified")
                #expect(Self.shown(record) == ["handled"] + texts)
                #expect(record.alert?["loc-key"] == "BODY")
                #expect(!run.errors.lowercased().contains("canary"), "\(run.errors)")
                #expect(run.errors.contains("looks up its own texts in \"en\"") == !options.isEmpty)
            }
        }
    }

    @Test func `a host delivers texts of the app's language, with an extension and without`() async throws {
        try await withBundle { folder, bundle in
            let app = ["extension: \(bundle)", "language: de"]
            try await RunningHost.with(folder, app: app) { host in
                let modified = try #require(try await host.deliver(Self.push))
                #expect(Self.shown(modified) == ["handled", "In canary-room", "7 canary-files von canary-name"])
                let immutable = Self.push.replacing(",\"mutable-content\":1", with: "")
                let original = try #require(try await host.deliver(immutable))
                #expect(original.reason == "notMutable")
                #expect(Self.shown(original) == ["Neu", "In canary-room", "7 canary-files von canary-name"])
                #expect(!host.everythingNoted.lowercased().contains("canary"))
            }
        }
    }

    /// Every control character and the ends of what UTF-16 can say, by their escapes in a table.
    @Test func `texts of a table with U+0000 and other extreme characters reach the record`() async throws {
        let values = Array(0...0x1F) + [0x7F, 0x80, 0x9F, 0xAD, 0x200D, 0x2028, 0x202E, 0xD800, 0xFDD0, 0xFFFE, 0xFFFF]
        try await withBundle { folder, bundle in
            let entries = values.map { value in
                let digits = String(value, radix: 16)
                return "\"K\(value)\" = \"a\\U" + String(repeating: "0", count: 4 - digits.count) + digits + "b\";"
            }
            try entries.joined(separator: "\n").write(
                toFile: bundle + "/en.lproj/Localizable.strings",
                atomically: true,
                encoding: .utf8
            )
            let files = try values.map { value in
                let push = #"{"aps":{"alert":{"loc-key":"K\#(value)"},"mutable-content":1}}"#
                return try folder.write(push, to: "\(value).apns")
            }
            let run = try await HostRun(bundle, files[0], Array(files.dropFirst()))
            let records = run.records.map(Record.init(object:))
            #expect(records.count == values.count)
            for (value, record) in zip(values, records) {
                let middle = value == 0 ? "" : Unicode.Scalar(UInt32(value)).map { String($0) } ?? "\u{FFFD}"
                #expect(record.outcome == "modified", "U+\(String(value, radix: 16)): \(record.reason ?? "")")
                #expect(record.alert?["body"]?.string == "a\(middle)b", "U+\(String(value, radix: 16))")
            }
        }
    }
}
