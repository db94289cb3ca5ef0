// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A view in Swift from its sources to its end: `extension-host build`, `extension-host view`, and over the API.
@Suite(.timeLimit(.minutes(10)))
struct SceneExtensionTests {
    private static let example = Programs.root + "/.build/appex/PhotoScene.appex"
    private static let payload = #"{"aps":{"alert":{"title":"Alice","body":"A photo"},"category":"photo"}}"#

    private func view(_ bundle: String, _ options: [String]) async throws -> CommandResult {
        try await CommandResult.run(Programs.extensionHost, ["view", bundle, "-"] + options, input: Self.payload)
    }

    @Test(arguments: ["A", "B", "C"])
    func `the example is shown and worked in each profile`(profile: String) async throws {
        let steps = [
            "--set", "slider=0.342", "--expect", "Picture.a=0.342", "--respond", "like", "--expect",
            "call=doNotDismiss", "--tap", "Launch app", "--expect", "call=defaultAction", "--expect", "ended=dismissed",
        ]
        let result = try await view(Self.example, ["--profile", profile] + steps)
        #expect(result.status == 0, "\(result.errors)")
        let scene = [
            "  Alice", "  A photo", "  (picture: Picture)", "  [1] Opacity [########] 1",
            "  [2] Launch app  [3] Dismiss  [4] Remove",
        ]
        #expect(Array(result.lines.prefix(5)) == scene)
        #expect(result.lines.suffix(3) == ["  You like it.", "calls: doNotDismiss, defaultAction", "ended: dismissed"])
    }

    // MARK: Sources that are wrong

    private static let information = Project.template.replacing(
        "usernotifications.service",
        with: "usernotifications.content-extension"
    ).replacing(
        "</string>\n\t</dict>",
        with: """
            </string>
            		<key>NSExtensionAttributes</key>
            		<dict>
            			<key>UNNotificationExtensionCategory</key>
            			<string>photo</string>
            			<key>UNNotificationExtensionInitialContentSizeRatio</key>
            			<real>1</real>
            			<key>UNNotificationExtensionUserInteractionEnabled</key>
            			<true/>
            		</dict>
            	</dict>
            """
    )

    private func source(_ body: String) -> [String: String] {
        [
            "View.swift": """
            import NotificationScene

            struct NotificationService: NotificationScene {
                @State var count = 1

                func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
                    \(body)
                }
            }
            """
        ]
    }

    @Test func `a scene beyond a limit ends its process with a reason`() async throws {
        let source = source("Column { for _ in 0..<count { Spacer() }; Button(\"More\") { count = 600 } }")
        try await Project.with(source, information: Self.information) { project in
            let built = try await project.build()
            #expect(built.status == 0, "\(built.errors)")
            let result = try await view(project.bundle, ["--tap", "More", "--expect", "ended=gone"])
            #expect(result.status == 0, "\(result.lines)")
            let reason = "the scene breaks a limit of PROTOCOL.md, \"Scenes\": 602 nodes, at most 512 are allowed"
            #expect(result.errors.contains(reason))
        }
    }

    @Test func `a view that traps is one that has crashed`() async throws {
        try await Project.with(source("Button(\"Trap\") { fatalError() }"), information: Self.information) { project in
            #expect(try await project.build().status == 0)
            let result = try await view(project.bundle, ["--tap", "Trap", "--expect", "ended=crashed"])
            #expect(result.status == 0, "\(result.lines) \(result.errors)")
        }
    }

    @Test func `a class that is neither a scene nor a controller is refused, with a way out`() async throws {
        let source = """
            import UserNotificationsUI

            class NotificationService: NSObject {}
            """
        try await Project.with(["View.swift": source], information: Self.information) { project in
            let built = try await project.build()
            #expect(built.status == 1)
            #expect(built.errors.contains("Info.plist:"))
            #expect(
                built.errors.hasSuffix(
                    """
                    extension-host: hint: NSExtensionPrincipalClass names "NotificationService": a type of the sources, \
                    not private, with an init(): a UIViewController that conforms to UNNotificationContentExtension, or a \
                    type that conforms to NotificationScene

                    """
                )
            )
        }
    }

    @Test func `a storyboard that is not there is named before anything is compiled`() async throws {
        let information = Self.information.replacing("NSExtensionPrincipalClass", with: "NSExtensionMainStoryboard")
        try await Project.with(source("Spacer()"), information: information) { project in
            let built = try await project.build()
            #expect(built.status == 1)
            #expect(
                built.errors.replacing(project.sources, with: "SOURCES") == """
                    extension-host: error: SOURCES/Info.plist:10: NSExtensionMainStoryboard is \
                    "NotificationService.NotificationService", and there is no \
                    NotificationService.NotificationService.storyboard with the sources
                    extension-host: hint: name its file or its folder beside the sources

                    """
            )
        }
    }
}
