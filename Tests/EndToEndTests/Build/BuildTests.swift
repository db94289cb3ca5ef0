// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// `extension-host build`: from the files of an iOS project to a bundle that runs.
@Suite(.timeLimit(.minutes(5)))
struct BuildTests {
    @Test func `Xcode's template builds and runs, and a second build is none`() async throws {
        try await Project.with(["NotificationService.swift": Self.xcodeTemplate]) { project in
            let first = try await project.build()
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.errors == "extension-host: made \(project.bundle)\n")
            let record = try await project.run()
            #expect(record.outcome == "modified")
            #expect(record.alert?["title"] == "Alice [modified]")

            let again = try await project.build()
            #expect(again.errors == "extension-host: \(project.bundle) is up to date\n")
            let changed = Self.xcodeTemplate.replacing("[modified]", with: "[changed]")
            try changed.write(toFile: project.sources + "/NotificationService.swift", atomically: true, encoding: .utf8)
            #expect(try await project.build().errors == "extension-host: made \(project.bundle)\n")
            #expect(try await project.run().alert?["title"] == "Alice [changed]")
        }
    }

    @Test func `beside Swift's libraries, the ones for the network come only with code that uses them`() async throws {
        let session = Self.xcodeTemplate.replacing(
            "self.contentHandler = contentHandler",
            with: "self.contentHandler = contentHandler; URLSession.shared.getAllTasks { _ in }"
        )
        for (source, isUsed) in [(Self.xcodeTemplate, false), (session, true)] {
            try await Project.with(["NotificationService.swift": source]) { project in
                let built = try await project.build(["--no-static"])
                #expect(built.status == 0, "\(built.errors)")
                let executable = try Data(contentsOf: URL(fileURLWithPath: project.bundle + "/NotificationService"))
                #expect(executable.range(of: Data("libFoundation.so".utf8)) != nil)
                #expect((executable.range(of: Data("libFoundationNetworking.so".utf8)) != nil) == isUsed)
                let record = try await project.run()
                #expect(record.alert?["title"] == "Alice [modified]")
            }
        }
    }

    @Test func `types and modules of an app may have the names of ours`() async throws {
        let types = "struct Keychain { static let name = \"type\" }\nenum HostLog { case line }\nclass Locking {}\n"
        let body = "content.title = Keychain.name + \" \\(HostLog.line) \\(type(of: Locking()))\""
        try await Project.with(["NotificationService.swift": Project.service(body), "Types.swift": types]) { project in
            let built = try await project.build()
            #expect(built.errors == "extension-host: made \(project.bundle)\n")
            #expect(try await project.run().alert?["title"] == "type line Locking")
        }
        let source = Project.service("content.title = Store.name", imports: "import Keychain")
        try await Project.with(["NotificationService.swift": source]) { project in
            let folder = project.folder.path + "/Modules/Keychain"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = "public enum Store { public static let name = \"module\" }\n"
            try store.write(toFile: folder + "/Store.swift", atomically: true, encoding: .utf8)
            let built = try await project.build(["--module", "Keychain=\(folder)"])
            #expect(built.errors == "extension-host: made \(project.bundle)\n")
            #expect(try await project.run().alert?["title"] == "module")
        }
    }

    @Test func `what is for Objective-C alone is no obstacle`() async throws {
        let source = """
            import UserNotifications

            @objc(NotificationService)
            @objcMembers final class Service: UNNotificationServiceExtension {
                @objc dynamic var suffix = "@objc"

                override func didReceive(
                    _ request: UNNotificationRequest,
                    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
                ) {
                    let content = request.content.mutableCopy() as! UNMutableNotificationContent
                    content.title += suffix
                    contentHandler(content)
                }
            }
            """
        try await Project.with(["Service.swift": source]) { project in
            let built = try await project.build()
            #expect(built.status == 0, "\(built.errors)")
            #expect(try await project.run().alert?["title"] == "Alice@objc")
            let file = try String(contentsOfFile: project.sources + "/Service.swift", encoding: .utf8)
            #expect(file == source)
        }
    }

    @Test func `resources, texts and entitlements become part of the bundle`() async throws {
        let body = """
            let note = Bundle.main.url(forResource: "note", withExtension: "txt").flatMap { try? String(contentsOf: $0) }
            content.title = NSLocalizedString("greeting", comment: "")
            content.subtitle = NSLocalizedString("count", tableName: "Plurals", comment: "")
            content.body = note ?? "none"
            """
        let files = [
            "NotificationService.swift": Project.service(body), "note.txt": "from a file",
            "en.lproj/Localizable.strings": "\"greeting\" = \"Hello\";",
            "de.lproj/Localizable.strings": "\"greeting\" = \"Hallo\";",
            "Plurals.xcstrings": """
            {"sourceLanguage":"en","version":"1.0","strings":{"count":{"localizations":{"de":{"variations":{"plural":{
            "one":{"stringUnit":{"state":"translated","value":"einer"}},
            "other":{"stringUnit":{"state":"translated","value":"viele"}}}}}}}}}
            """,
            "Service.entitlements": """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>com.apple.developer.usernotifications.filtering</key><true/>
            <key>com.apple.security.application-groups</key><array><string>group.com.example.chat</string></array>
            </dict></plist>
            """,
        ]
        try await Project.with(files) { project in
            let built = try await project.build(["--language", "de"])
            #expect(built.status == 0, "\(built.errors)")
            #expect(built.errors.contains("Plurals.xcstrings: \"count\" has plural forms"))
            let alert = try #require(try await project.run().alert)
            #expect(alert == ["title": "Hallo", "subtitle": "viele", "body": "from a file"])
            let data = try #require(FileManager.default.contents(atPath: project.bundle + "/Info.plist"))
            let plist = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            let service = plist?["NSExtension"] as? [String: Any]
            let attributes = service?["NSExtensionAttributes"] as? [String: Any]
            #expect(attributes?["NotificationFiltering"] as? Bool == true)
            #expect(attributes?["AppGroups"] as? [String] == ["group.com.example.chat"])
        }
    }

    @Test func `the compiler points at the original file, and nothing is left behind`() async throws {
        try await Project.with(["NotificationService.swift": Project.service("content.titel = \"\"")]) { project in
            let result = try await project.build()
            #expect(result.status == 1)
            let place = project.sources + "/NotificationService.swift:10:17: error: "
            #expect(
                result.errors.contains(place + "value of type 'UNMutableNotificationContent' has no member 'titel'")
            )
            #expect(result.errors.contains("extension-host: error: the extension was not built"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: project.folder.path) == ["NotificationService"])
        }
    }

    @Test func `a bundle that was there stays when the next build fails`() async throws {
        try await Project.with(["NotificationService.swift": Project.service("content.title = \"1\"")]) { project in
            #expect(try await project.build().status == 0)
            let file = project.sources + "/NotificationService.swift"
            try Project.service("nothing()").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await project.build().status == 1)
            #expect(try await project.run().alert?["title"] == "1")
        }
    }

    @Test func `every import without a shim is named with its place and what to do`() async throws {
        let source = Project.service("", imports: "import FirebaseMessaging\nimport Combine")
        try await Project.with(["NotificationService.swift": source]) { project in
            let result = try await project.build()
            let file = project.sources + "/NotificationService.swift"
            #expect(result.status == 1)
            #expect(result.errors.contains("\(file):2:8: error: no such module 'FirebaseMessaging'"))
            #expect(result.errors.contains("hint: \(file):2: FirebaseMessaging is no module of Apple's"))
            #expect(result.errors.contains("hint: \(file):3: Combine is Apple's and has no shim here"))
        }
    }

    @Test(arguments: [
        ("class Other: UNNotificationServiceExtension {}", "cannot call value of non-function type"),
        (
            "class NotificationService {}",
            "cannot convert value of type 'NotificationService' to expected argument type 'UNNotificationServiceExtension'"
        ),
    ])
    func `a principal class that is none is shown where Info.plist names it`(source: String, error: String) async throws
    {
        try await Project.with(["A.swift": "import UserNotifications\n" + source]) { project in
            let result = try await project.build()
            #expect(result.status == 1)
            #expect(result.errors.contains("\(project.sources)/Info.plist:10:33: error: \(error)"))
            #expect(result.errors.contains("hint: NSExtensionPrincipalClass names \"NotificationService\""))
        }
    }

    static let xcodeTemplate = """
        import UserNotifications

        class NotificationService: UNNotificationServiceExtension {

            var contentHandler: ((UNNotificationContent) -> Void)?
            var bestAttemptContent: UNMutableNotificationContent?

            override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
                self.contentHandler = contentHandler
                bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

                if let bestAttemptContent = bestAttemptContent {
                    bestAttemptContent.title = "\\(bestAttemptContent.title) [modified]"
                    contentHandler(bestAttemptContent)
                }
            }

            override func serviceExtensionTimeWillExpire() {
                if let contentHandler = contentHandler, let bestAttemptContent =  bestAttemptContent {
                    contentHandler(bestAttemptContent)
                }
            }

        }
        """
}
