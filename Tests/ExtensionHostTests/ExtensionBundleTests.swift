// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionHost

/// Which bundles are taken, and what is said about the others.
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
            #expect(bundle.networkHosts == ["media.example.com"])
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
