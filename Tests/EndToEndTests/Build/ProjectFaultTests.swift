// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import ProjectFixtures
import Testing

/// Projects with one fault each, as people have them: what the program says of it, with the place and the next step.
@Suite(.timeLimit(.minutes(15)))
struct ProjectFaultTests {
    /// A project with one target, and what `build` said of it, with `P` for its folder.
    private final class Faulty {
        let fixture: ProjectFixture
        private(set) var files: [String] = []
        private(set) var resources: [String] = []

        init() throws {
            fixture = try ProjectFixture()
        }

        /// Adds a target whose sources are in a folder of its name.
        func target(
            _ name: String = "Service",
            information: String? = ProjectFixture.information(),
            source: String = ProjectFixture.service(),
            files: [String] = [],
            resources: [String] = [],
            settings: [(String, ProjectValue)] = []
        ) throws {
            if let information { try fixture.write(information, "\(name)/Info.plist") }
            try fixture.write(source, "\(name)/NotificationService.swift")
            let sources = (["NotificationService.swift"] + files).map { fixture.file($0) }
            let others = resources.map { fixture.file($0) }
            _ = fixture.group(name, sources + others)
            let own: [(String, ProjectValue)] = [
                ("GENERATE_INFOPLIST_FILE", "YES"), ("INFOPLIST_FILE", .text("\(name)/Info.plist")),
                ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.service"), ("PRODUCT_NAME", "$(TARGET_NAME)"),
            ]
            let phases = [
                fixture.phase("PBXSourcesBuildPhase", sources), fixture.phase("PBXResourcesBuildPhase", others),
            ]
            fixture.target(name, phases: phases, own + settings)
        }

        /// Builds it; what is said of a bundle that was made is taken away.
        func build(_ options: String...) async throws -> (status: Int32, said: String) {
            try fixture.save()
            let folder = fixture.folder.path
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["build", fixture.project.path, "-o", folder + "/Made.appex"] + options
            )
            let said = result.errors.replacing(folder, with: "P")
            return (result.status, said.replacing("extension-host: made P/Made.appex\n", with: ""))
        }

        /// The title of a push that the made bundle has changed.
        func title() async throws -> JSON? {
            try fixture.write(#"{"aps":{"alert":{"title":"Alice"},"mutable-content":1}}"#, "push.json")
            let folder = fixture.folder.path
            return Record(object: try await HostRun(folder + "/Made.appex", folder + "/push.json", []).record)
                .alert?["title"]
        }
    }

    @Test func `a file of the target that is not there`() async throws {
        let project = try Faulty()
        try project.target(files: ["Gone.swift"])
        let (status, said) = try await project.build()
        #expect(status == 1)
        #expect(
            said == """
                extension-host: error: P/Chat.xcodeproj/project.pbxproj:14: "P/Service/Gone.swift", a file of the \
                target, does not exist
                extension-host: hint: add the file, or take it out of the target in Xcode

                """
        )
    }

    @Test func `an Info.plist that is not there`() async throws {
        let project = try Faulty()
        try project.target(information: nil)
        let (status, said) = try await project.build()
        #expect(status == 1)
        #expect(
            said == """
                extension-host: error: P/Chat.xcodeproj has no target of a notification extension: its targets are \
                Service (P/Service/Info.plist does not exist)
                extension-host: hint: the Info.plist of one says com.apple.usernotifications.service or \
                com.apple.usernotifications.content-extension

                """
        )
    }

    @Test func `a variable that no setting has`() async throws {
        let project = try Faulty()
        let host = "\t<key>Host</key>\n\t<string>https://$(API_HOST)/$(API_HOST)</string>\n"
        try project.target(information: ProjectFixture.information(more: host))
        let (status, said) = try await project.build()
        #expect(status == 0)
        #expect(
            said == """
                extension-host: warning: P/Service/Info.plist: $(API_HOST) is no build setting of the target Service, \
                and nothing stands in its place; say it with --setting API_HOST=VALUE

                """
        )
    }

    @Test func `a bridging header with Objective-C`() async throws {
        let project = try Faulty()
        try project.fixture.write("#include <stdint.h>\n\n#import \"Legacy.h\"\n", "Service/Bridging.h")
        try project.fixture.write("@interface Legacy : NSObject\n@end\n", "Service/Legacy.h")
        try project.target(settings: [("SWIFT_OBJC_BRIDGING_HEADER", "Service/Bridging.h")])
        let (status, said) = try await project.build()
        #expect(status == 0)
        #expect(
            said == """
                extension-host: warning: P/Service/Bridging.h:3: "Legacy.h" is left out: only Swift is compiled; write \
                in Swift what the extension needs of it, or put that into #if canImport(ObjectiveC)

                """
        )
    }

    @Test func `two targets`() async throws {
        let project = try Faulty()
        try project.target()
        try project.target(
            "Content",
            information: ProjectFixture.information("com.apple.usernotifications.content-extension")
        )
        let (status, said) = try await project.build()
        #expect(status == 1)
        #expect(
            said == """
                extension-host: error: P/Chat.xcodeproj has 2 notification extensions: Service (service), Content \
                (content)
                extension-host: hint: name one with --target

                """
        )
        // Both are in one app, and each is built by its name.
        let named = try await project.build("--target", "Service")
        #expect(named.said == "")
        #expect(try await project.title() == "Alice [here]")
    }

    @Test func `another extension point`() async throws {
        let project = try Faulty()
        try project.target("Widget", information: ProjectFixture.information("com.apple.widgetkit-extension"))
        let (status, said) = try await project.build()
        #expect(status == 1)
        #expect(
            said == """
                extension-host: error: P/Chat.xcodeproj has no target of a notification extension: its targets are \
                Widget (com.apple.widgetkit-extension)
                extension-host: hint: the Info.plist of one says com.apple.usernotifications.service or \
                com.apple.usernotifications.content-extension

                """
        )
        let named = try await project.build("--target", "Widget")
        #expect(named.status == 1)
        #expect(
            named.said == """
                extension-host: error: P/Widget/Info.plist: the target "Widget" is an extension of another kind, \
                "com.apple.widgetkit-extension"
                extension-host: hint: notification extensions run here: com.apple.usernotifications.service and \
                com.apple.usernotifications.content-extension

                """
        )
    }

    @Test func `a pod without a checkout`() async throws {
        let project = try Faulty()
        try project.fixture.write("target 'Service' do\n  pod 'Firebase/Messaging'\nend\n", "Podfile")
        try project.target(source: "import FirebaseMessaging\n" + ProjectFixture.service())
        let (status, said) = try await project.build()
        #expect(status == 1)
        #expect(said.hasPrefix("P/Service/NotificationService.swift:1:8: error: no such module 'FirebaseMessaging'\n"))
        #expect(
            said.hasSuffix(
                """
                extension-host: error: the extension was not built, see the compiler's errors above
                extension-host: hint: P/Service/NotificationService.swift:1: P/Podfile:2 names the pod \
                Firebase/Messaging, and P/Pods has no checkout of it: run pod install where CocoaPods is, and add its \
                sources in Swift with --module FirebaseMessaging=FOLDER

                """
            ),
            "\(said)"
        )
    }

    @Test func `sources of Swift 4`() async throws {
        let project = try Faulty()
        project.fixture.settings = [("SWIFT_VERSION", "4.0")]
        // Strings were collections by another name then, and a closure's one parameter could be a tuple in parts.
        let text = "String(request.identifier.characters.count > 0 ? \" four\".characters.dropFirst(0) : \"\")"
        try project.target(source: ProjectFixture.service(text))
        let (status, said) = try await project.build()
        #expect(status == 0, "\(said)")
        let warning =
            "P/Service/NotificationService.swift:9:52: warning: 'characters' is deprecated: Please use String directly"
        #expect(said.contains(warning), "\(said)")
        #expect(try await project.title() == "Alice four")
    }

    @Test func `a storyboard where none belongs`() async throws {
        let project = try Faulty()
        try project.fixture.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0"><scenes/></document>

            """,
            "Service/MainInterface.storyboard"
        )
        try project.target(resources: ["MainInterface.storyboard"])
        let (status, said) = try await project.build()
        #expect(status == 0)
        #expect(
            said == """
                P/Service/MainInterface.storyboard:2: warning: no view controller is the initial one, and nothing else \
                begins with this storyboard: it is left out

                """
        )
    }

    @Test func `no scheme`() async throws {
        let project = try Faulty()
        try project.target()
        let (status, said) = try await project.build("--scheme", "Chat")
        #expect(status == 1)
        #expect(
            said == """
                extension-host: error: P/Chat.xcodeproj has no scheme "Chat"
                extension-host: hint: no scheme is shared; name a target with --target

                """
        )
    }
}
