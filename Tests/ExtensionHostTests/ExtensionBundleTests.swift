// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Testing

@testable import ExtensionHost

/// The bundles that the host takes, and its errors for the others.
struct ExtensionBundleTests {
    private func withBundle<Result>(
        identifier: String = "com.example.chat.service",
        point: String = "com.apple.usernotifications.service",
        executable: String = "Chat",
        permissions: Int = 0o755,
        attributes: String = "",
        _ body: (String) throws -> Result
    ) throws -> Result {
        let folder = NSTemporaryDirectory() + "bundle-\(UUID().uuidString).appex"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>\(executable)</string>
            <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\(point)</string>
            <key>NSExtensionAttributes</key><dict>\(attributes)</dict></dict></dict></plist>
            """
        try plist.write(toFile: folder + "/Info.plist", atomically: true, encoding: .utf8)
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder + "/Chat"))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder + "/Chat")
        return try body(folder)
    }

    @Test func `a bundle tells its app, executable and attributes`() throws {
        let attributes = """
            <key>NotificationFiltering</key><true/><key>MaxConcurrentRequests</key><integer>4</integer>
            <key>NetworkHosts</key><array><string>media.example.com</string></array>
            """
        try withBundle(attributes: attributes) { path in
            let bundle = try ExtensionBundle(path: path, app: "com.example.chat")
            #expect(bundle.app == "com.example.chat")
            #expect(bundle.executable == "Chat")
            #expect(bundle.filtersNotifications)
            #expect(bundle.maxConcurrentRequests == 4)
            #expect(bundle.networkHosts == [try NetworkHost(parsing: "media.example.com")])
        }
    }

    @Test func `sealed files come before an extension whose bundle says so, and else after it`() throws {
        try withBundle { path in
            let bundle = try ExtensionBundle(path: path, app: "com.example.chat")
            #expect(!bundle.seesSealedFiles)
        }
        try withBundle(attributes: "<key>SealedAttachments</key><string>before</string>") { path in
            let bundle = try ExtensionBundle(path: path, app: "com.example.chat")
            #expect(bundle.seesSealedFiles)
        }
    }

    @Test(arguments: [
        ("<string>Before</string>", "SealedAttachments is \"Before\""),
        ("<string></string>", "SealedAttachments is \"\""),
        ("<string>after</string>", "SealedAttachments is \"after\""),
        ("<true/>", "SealedAttachments is no text"),
        ("<array><string>before</string></array>", "SealedAttachments is no text"),
    ])
    func `another wish for sealed files is refused by name`(value: String, reason: String) throws {
        try withBundle(attributes: "<key>SealedAttachments</key>" + value) { path in
            let error = try #require(throws: CommandError.self) {
                try ExtensionBundle(path: path, app: "com.example.chat")
            }
            #expect(error.message == "\(path)/Info.plist: \(reason)")
        }
    }

    @Test(arguments: ["com.example.chat", "com.example.mail.service", "com.example.chat.a.b", "com.example.chat."])
    func `an identifier that is not the app's and one component more is refused`(identifier: String) throws {
        try withBundle(identifier: identifier) { path in
            let error = try #require(throws: CommandError.self) {
                try ExtensionBundle(path: path, app: "com.example.chat")
            }
            #expect(
                error.message
                    == "\(path)/Info.plist: CFBundleIdentifier \"\(identifier)\" does not belong to the app \"com.example.chat\""
            )
        }
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("media.example.com/films", "it has a path; a host is granted whole"),
        ("*.com", "the wildcard is too wide: two labels must follow"),
    ])
    func `a network host that is none is named with its file, key and reason`(entry: String, reason: String) throws {
        let attributes = "<key>NetworkHosts</key><array><string>a.example.com</string><string>\(entry)</string></array>"
        try withBundle(attributes: attributes) { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(error.message == "\(path)/Info.plist: NetworkHosts holds \"\(entry)\": \(reason)")
            #expect(error.hint == "write media.example.com, name:8443, *.example.com or http://name:8080")
        }
    }

    @Test(arguments: [
        ("<string>media.example.com</string>", "NetworkHosts is no list of texts"),
        ("<array><integer>1</integer></array>", "NetworkHosts is no list of texts"),
        (
            "<array>\(String(repeating: "<string>a.example.com</string>", count: 65))</array>",
            "NetworkHosts has 65 entries, at most 64 are possible"
        ),
    ])
    func `network hosts that are no list of few texts are refused`(value: String, reason: String) throws {
        try withBundle(attributes: "<key>NetworkHosts</key>" + value) { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(error.message == "\(path)/Info.plist: \(reason)")
        }
    }

    @Test(arguments: ["", "com.example.chat", "group.", "group.a/../b", "group.a b"])
    func `an app group that cannot be one is named with its file`(name: String) throws {
        let attributes =
            "<key>AppGroups</key><array><string>group.com.example.chat_1</string><string>\(name)</string></array>"
        try withBundle(attributes: attributes) { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(error.message == "\(path)/Info.plist: AppGroups holds \"\(name)\", which cannot be a group")
        }
        try withBundle(attributes: "<key>AppGroups</key><string>group.com.example.chat</string>") { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(error.message == "\(path)/Info.plist: AppGroups is no list of texts")
        }
    }

    @Test func `another extension point is refused`() throws {
        try withBundle(point: "com.apple.widget-extension") { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(error.message == "\(path)/Info.plist: NSExtensionPointIdentifier is \"com.apple.widget-extension\"")
        }
    }

    @Test func `an executable outside the bundle is refused`() throws {
        try withBundle(executable: "../Chat") { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(
                error.message == "\(path)/Info.plist: CFBundleExecutable \"../Chat\" must be a name without a folder"
            )
        }
    }

    @Test(arguments: [(0o644, "is not executable"), (0o757, "can be written by anyone")])
    func `permissions that are wrong are named with their repair`(permissions: Int, message: String) throws {
        try withBundle(permissions: permissions) { path in
            let error = try #require(throws: CommandError.self) { try ExtensionBundle(path: path) }
            #expect(error == CommandError("\"\(path)/Chat\" \(message)", hint: "chmod 755 \(path)/Chat"))
        }
    }
}
