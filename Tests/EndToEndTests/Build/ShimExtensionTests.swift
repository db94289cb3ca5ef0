// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// An unmodified extension that imports what Apple's platforms have, built and run in the sandbox.
@Suite(.timeLimit(.minutes(5)))
struct ShimExtensionTests {
    private static let imports = """
        import CommonCrypto
        import CryptoKit
        import Intents
        import MobileCoreServices
        import Security
        import UIKit
        import UniformTypeIdentifiers
        import WidgetKit
        import os.lock
        import os.log

        let logger = Logger(subsystem: "com.example.chat", category: "service")
        """

    private static let body = """
        logger.info("MARKED-PUBLIC \\(content.userInfo.count) \\(content.title, privacy: .public) \\(content.body)")
        os_log("%{public}@ and %@", log: OSLog(subsystem: "a", category: "b"), type: .error, "MARKED-OPEN", content.body)
        let group = "group.com.example.chat"
        let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        let defaults = UserDefaults(suiteName: group)
        let count = (defaults?.integer(forKey: "count") ?? 0) + 1
        defaults?.set(count, forKey: "count")
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "chat",
            kSecAttrAccount as String: "me",
        ]
        var item: CFTypeRef?
        let wanted: [String: Any] = [kSecReturnData as String: kCFBooleanTrue!]
        SecItemCopyMatching(query.merging(wanted) { $1 } as CFDictionary, &item)
        let old = (item as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "none"
        SecItemDelete(query as CFDictionary)
        let secret: [String: Any] = [kSecValueData as String: Data("secret \\(count)".utf8)]
        let added = SecItemAdd(query.merging(secret) { $1 } as CFDictionary, nil)
        var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        _ = Data("abc".utf8).withUnsafeBytes { CC_SHA256($0.baseAddress, CC_LONG($0.count), &digest) }
        let isEqual = Data(digest) == Data(CryptoKit.SHA256.hash(data: Data("abc".utf8)))
        let type = UTType(filenameExtension: "jpg")?.identifier == kUTTypeJPEG as String
        WidgetCenter.shared.reloadAllTimelines()
        content.body = "\\(count) \\(container?.lastPathComponent ?? "none") \\(old) \\(added) \\(isEqual) \\(type)"
            + " \\(UIImage(data: Data()) == nil)"
        let sender = INPerson(
            personHandle: INPersonHandle(value: "alice", type: .unknown), nameComponents: nil, displayName: "Alice Ames",
            image: nil, contactIdentifier: nil, customIdentifier: nil
        )
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: content.body,
            speakableGroupName: INSpeakableString(spokenPhrase: "Hikers"), conversationIdentifier: "room",
            serviceName: nil, sender: sender, attachments: nil
        )
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate { _ in contentHandler((try? content.updating(from: intent)) ?? content) }
        return
        """

    private static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>com.apple.security.application-groups</key><array><string>group.com.example.chat</string></array>
        </dict></plist>
        """

    @Test(arguments: ["5", "6"])
    func `log, group, keychain, intent and digest work in the sandbox`(mode: String) async throws {
        let files = [
            "NotificationService.swift": Project.service(Self.body, imports: Self.imports)
                .replacing("                contentHandler(content)\n", with: ""),
            "Service.entitlements": Self.entitlements,
        ]
        try await Project.with(files) { project in
            let built = try await project.build(["--swift-version", mode])
            #expect(built.status == 0, "\(built.errors)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: project.folder.path)
            let push = try project.folder.write(Project.push, to: "push.json")
            let command = ["run", project.bundle, push, "--times", "2", "--log-level", "trace"]
            let result = try await CommandResult.run(Programs.extensionHost, command)
            let payloads = try result.output.split(separator: "\n").map { line in
                try JSONObject(parsing: Array(line.utf8).span)["payload"]?.object?["aps"]?.object
            }
            try #require(payloads.count == 2, "\(result.errors)")
            let alerts = payloads.map { $0?["alert"]?.object }
            #expect(alerts[0]?["body"] == "1 group.com.example.chat none 0 true true true")
            #expect(alerts[1]?["body"] == "2 group.com.example.chat secret 1 0 true true true")
            #expect(alerts[1]?["title"] == "Alice Ames")
            #expect(alerts[1]?["subtitle"] == "Hikers")
            #expect(payloads[1]?["thread-id"] == "room")
            #expect(result.errors.contains("[com.example.chat:service] MARKED-PUBLIC 1 Alice <private>"))
            #expect(result.errors.contains("[a:b] MARKED-OPEN and <private>"))
            #expect(result.errors.contains("widgets told to reload: there are no widgets here"))
            #expect(!result.errors.contains("secret 1"))
        }
    }
}
