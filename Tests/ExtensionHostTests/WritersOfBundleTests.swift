// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionHost

/// Who else may change a bundle, by every file and folder that decides what runs.
struct WritersOfBundleTests {
    /// `BASE/apps/Chat.appex` with a program, Info.plist and a table of texts, which nobody but the owner may write.
    private func withBundle(_ body: (_ base: String) throws -> Void) throws {
        let base = NSTemporaryDirectory() + "writers-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: base) }
        try FileManager.default.createDirectory(
            atPath: base + "/apps/Chat.appex/en.lproj",
            withIntermediateDirectories: true
        )
        for folder in ["", "/apps", "/apps/Chat.appex", "/apps/Chat.appex/en.lproj"] {
            try change(base + folder, to: 0o755)
        }
        for name in ["Chat", "Info.plist", "en.lproj/Localizable.strings"] {
            _ = FileManager.default.createFile(atPath: "\(base)/apps/Chat.appex/\(name)", contents: Data())
            try change("\(base)/apps/Chat.appex/\(name)", to: 0o755)
        }
        try body(base)
    }

    private func change(_ path: String, to mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func writers(isPrivate: Bool = false, user: UInt32 = geteuid()) -> WritersOfBundle {
        WritersOfBundle(user: user, namespace: UserNamespace(map: "0 0 4294967295")) { _, _ in isPrivate }
    }

    private static let places = [
        "/apps", "/apps/Chat.appex", "/apps/Chat.appex/Chat", "/apps/Chat.appex/Info.plist",
        "/apps/Chat.appex/en.lproj", "/apps/Chat.appex/en.lproj/Localizable.strings",
    ]

    @Test(arguments: places, [(0o777, "anyone"), (0o757, "anyone"), (0o775, "its group")])
    func `a bundle that others may write is refused, and the place is named`(
        _ place: String,
        _ mode: (Int, String)
    ) throws {
        try withBundle { base in
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == nil)
            try change(base + place, to: mode.0)
            let told = CommandError(
                "\"\(base)\(place)\" can be written by \(mode.1)",
                hint: "chmod go-w \(base)\(place)"
            )
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == told)
        }
    }

    @Test(arguments: places)
    func `a group that is the owner's alone may write`(_ place: String) throws {
        try withBundle { base in
            try change(base + place, to: 0o775)
            #expect(writers(isPrivate: true).refusal(of: base + "/apps/Chat.appex") == nil)
            try change(base + place, to: 0o777)
            #expect(writers(isPrivate: true).refusal(of: base + "/apps/Chat.appex") != nil)
        }
    }

    @Test func `below a sticky folder a bundle is its owner's, and in a bundle that helps nothing`() throws {
        try withBundle { base in
            try change(base + "/apps", to: 0o1777)
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == nil)
            try change(base + "/apps/Chat.appex", to: 0o1777)
            #expect(writers().refusal(of: base + "/apps/Chat.appex") != nil)
        }
    }

    @Test func `the folder of a link to a bundle counts as well as the bundle's own`() throws {
        try withBundle { base in
            try FileManager.default.createDirectory(atPath: base + "/links", withIntermediateDirectories: false)
            let link = base + "/links/Chat.appex"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: base + "/apps/Chat.appex")
            #expect(writers().refusal(of: link) == nil)
            try change(base + "/links", to: 0o777)
            #expect(writers().refusal(of: link)?.message == "\"\(base)/links\" can be written by anyone")
            try change(base + "/links", to: 0o755)
            try change(base + "/apps", to: 0o777)
            #expect(writers().refusal(of: link)?.message == "\"\(base)/apps\" can be written by anyone")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away takes root"), arguments: places)
    func `a bundle of another user is refused, and the place is named`(_ place: String) throws {
        try withBundle { base in
            try #require(lchown(base + place, 4711, 0) == 0)
            let refusal = writers().refusal(of: base + "/apps/Chat.appex")
            #expect(refusal?.message == "\"\(base)\(place)\" belongs to user 4711, who may change the bundle")
            // The host's own user may.
            #expect(writers(user: 4711).refusal(of: base + "/apps/Chat.appex") == nil)
            // In a namespace that has no root, what is nobody's may be root's.
            let plain = WritersOfBundle(user: 0, namespace: UserNamespace(map: "0 1000 1")) { _, _ in false }
            #expect(plain.refusal(of: base + "/apps/Chat.appex") == nil)
        }
    }

    @Test func `host.yaml names a bundle that others may write in its error`() throws {
        try withBundle { base in
            let bundle = base + "/apps/Chat.appex"
            let plist = """
                <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
                <key>CFBundleIdentifier</key><string>com.example.chat.service</string>
                <key>CFBundleExecutable</key><string>Chat</string>
                <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
                <string>com.apple.usernotifications.service</string></dict></dict></plist>
                """
            try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
            let yaml = "listen: { apns: { port: 0, plaintext: true } }\napps: [{ topic: com.example.chat, "
            let file = base + "/host.yaml"
            try (yaml + "extension: apps/Chat.appex }]").write(toFile: file, atomically: false, encoding: .utf8)
            _ = try HostConfiguration(file: file)
            try change(bundle, to: 0o777)
            #expect(
                throws: CommandError(
                    "\(file):2: extension of app \"com.example.chat\" is not usable: "
                        + "\"\(bundle)\" can be written by anyone",
                    hint: "chmod go-w \(bundle)"
                )
            ) { try HostConfiguration(file: file) }
        }
    }
}
