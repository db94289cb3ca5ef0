// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The folder of an extension's target, as Xcode makes it, and what is done with it.
struct Project {
    let folder: TemporaryFolder

    var sources: String { folder.path + "/NotificationService" }
    var bundle: String { folder.path + "/NotificationService.appex" }

    /// The folder with the template's Info.plist, which says no identifier.
    static func with<Result>(
        _ files: [String: String],
        information: String = template,
        _ body: (Project) async throws -> Result
    ) async throws -> Result {
        try #require(
            FileManager.default.fileExists(atPath: Programs.folder + "/extension-sdk"),
            "scripts/extension-sdk has not run"
        )
        return try await TemporaryFolder.with { folder in
            let project = Project(folder: folder)
            for (name, text) in files.merging(["Info.plist": information], uniquingKeysWith: { own, _ in own }) {
                let file = URL(fileURLWithPath: project.sources).appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            return try await body(project)
        }
    }

    func build(_ options: [String] = [], identifier: String? = "com.example.chat.service") async throws -> CommandResult
    {
        var arguments = ["build", sources, "-o", bundle] + options
        if let identifier { arguments += ["--identifier", identifier] }
        return try await CommandResult.run(Programs.extensionHost, arguments)
    }

    /// The record that the built bundle gives for a push.
    func run(_ push: String = push, _ options: [String] = []) async throws -> Record {
        let file = try folder.write(push, to: "push.json")
        defer { try? FileManager.default.removeItem(atPath: file) }
        return Record(object: try await HostRun(bundle, file, options).record)
    }

    static let template = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        	<key>NSExtension</key>
        	<dict>
        		<key>NSExtensionPointIdentifier</key>
        		<string>com.apple.usernotifications.service</string>
        		<key>NSExtensionPrincipalClass</key>
        		<string>$(PRODUCT_MODULE_NAME).NotificationService</string>
        	</dict>
        </dict>
        </plist>

        """

    static let push = #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"mutable-content":1}}"#

    /// A service whose `didReceive` is this code, with `content` to change and `contentHandler` to call.
    static func service(_ body: String, imports: String = "") -> String {
        """
        import UserNotifications
        \(imports)

        class NotificationService: UNNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                let content = request.content.mutableCopy() as! UNMutableNotificationContent
                \(body)
                contentHandler(content)
            }
        }
        """
    }
}
