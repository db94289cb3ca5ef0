// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// The projects that `extension-host build` refuses, each with its error and hint.
@Suite(.timeLimit(.minutes(10)))
struct BuildRefusalTests {
    private static let source = ["NotificationService.swift": Project.service("")]

    private func expectRefusal(
        _ project: Project,
        _ options: [String] = [],
        identifier: String? = "com.example.chat.service",
        error: String,
        hint: String
    ) async throws {
        let result = try await project.build(options, identifier: identifier)
        #expect(result.status == 1)
        let text = "extension-host: error: \(error)\nextension-host: hint: \(hint)\n"
        #expect(result.errors == text.replacing("SOURCES", with: project.sources))
        #expect(!FileManager.default.fileExists(atPath: project.bundle))
    }

    @Test func `a bundle takes the place of nothing that no build has made`() async throws {
        try await Project.with(Self.source) { project in
            let files = FileManager.default
            let notes = project.folder.path + "/notes"
            try files.createDirectory(atPath: notes, withIntermediateDirectories: false)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: notes + "/notes.txt"))
            let makers: [(String) throws -> Void] = [
                { try files.copyItem(atPath: notes, toPath: $0) },
                { try files.copyItem(atPath: notes + "/notes.txt", toPath: $0) },
                { try files.createSymbolicLink(atPath: $0, withDestinationPath: notes) },
            ]
            for make in makers {
                try make(project.bundle)
                let before = try files.attributesOfItem(atPath: project.bundle)
                let result = try await project.build()
                #expect(result.status == 1)
                #expect(
                    result.errors == """
                        extension-host: error: "\(project.bundle)" is no bundle that a build has made, and is left as it is
                        extension-host: hint: name another place with --output, or remove what stands there

                        """
                )
                let after = try files.attributesOfItem(atPath: project.bundle)
                #expect(before[.systemFileNumber] as? UInt64 == after[.systemFileNumber] as? UInt64)
                #expect(files.contents(atPath: notes + "/notes.txt") == Data("mine".utf8))
                try files.removeItem(atPath: project.bundle)
            }
        }
    }

    @Test func `a bundle takes no place of what it is made of`() async throws {
        try await Project.with(Self.source) { project in
            let own = project.folder.path + "/Own.appex"
            try FileManager.default.moveItem(atPath: project.sources, toPath: own)
            let result = try await CommandResult.run(Programs.extensionHost, ["build", own, "-o", own])
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: "\(own)" cannot be replaced by the bundle: "\(own)", of which it is made, lies there
                    extension-host: hint: name another place with --output

                    """
            )
            let left = try FileManager.default.contentsOfDirectory(atPath: own).sorted()
            #expect(left == ["Info.plist", "NotificationService.swift"])
        }
    }

    @Test func `an identifier that nobody says`() async throws {
        try await Project.with(Self.source) { project in
            try await expectRefusal(
                project,
                identifier: nil,
                error: "SOURCES/Info.plist: CFBundleIdentifier is missing",
                hint: "say it with --identifier, the app's and one component more: com.example.chat.service"
            )
        }
    }

    @Test func `an identifier that belongs to no app`() async throws {
        try await Project.with(Self.source) { project in
            try await expectRefusal(
                project,
                identifier: "chat",
                error: "--identifier \"chat\" belongs to no app",
                hint: "an extension's identifier is its app's and one component more: com.example.chat.service"
            )
        }
    }

    @Test(arguments: [
        (
            "$(PRODUCT_MODULE_NAME)", "$(APP)", "SOURCES/Info.plist:10: nothing says what $(APP) is",
            "say it with --setting APP=VALUE"
        ),
        (
            "$(PRODUCT_MODULE_NAME)", "a.b",
            "SOURCES/Info.plist:10: NSExtensionPrincipalClass is \"a.b.NotificationService\", no name of a class",
            "it names the type: $(PRODUCT_MODULE_NAME).NotificationService"
        ),
        (
            "usernotifications.service", "widget-extension",
            "SOURCES/Info.plist:8: NSExtensionPointIdentifier is neither \"com.apple.usernotifications.service\" nor "
                + "\"com.apple.usernotifications.content-extension\"",
            "other kinds of extensions do not run here"
        ),
        (
            "<key>NSExtension</key>", "<key>Extension</key>",
            "SOURCES/Info.plist: NSExtension is missing: this is no extension's Info.plist",
            "Xcode makes one with the target \"Notification Service Extension\""
        ),
        (
            "</plist>", "", "SOURCES/Info.plist:14: not a property list: it is cut off",
            "XML in UTF-8 is read, as Xcode and \"plutil -convert xml1\" write it, and the binary form"
        ),
    ])
    func `an Info.plist that is not an extension's`(old: String, new: String, error: String, hint: String) async throws
    {
        let information = Project.template.replacing(old, with: new)
        try await Project.with(Self.source, information: information) { project in
            try await expectRefusal(project, error: error, hint: hint)
        }
    }

    @Test func `a class of another module than the one that was said`() async throws {
        let information = Project.template.replacing("$(PRODUCT_MODULE_NAME)", with: "Other")
        try await Project.with(Self.source, information: information) { project in
            try await expectRefusal(
                project,
                ["--module", "Chat"],
                error: "SOURCES/Info.plist:10: NSExtensionPrincipalClass is \"Other.NotificationService\", "
                    + "not a class of the module \"Chat\"",
                hint: "write $(PRODUCT_MODULE_NAME).NotificationService, or leave out --module"
            )
        }
    }

    @Test func `a main of its own`() async throws {
        try await Project.with(Self.source.merging(["main.swift": "print(1)"]) { $1 }) { project in
            try await expectRefusal(
                project,
                error: "\"SOURCES/main.swift\" cannot be part of an extension",
                hint: "its start is generated from NSExtensionPrincipalClass; leave the file out"
            )
        }
    }

    @Test func `a folder without Swift`() async throws {
        try await Project.with(["Service.m": "int a;"]) { project in
            try await expectRefusal(
                project,
                error: "no Swift source in \"SOURCES\"",
                hint: "name the extension's files or their folder"
            )
        }
    }

    @Test func `an SDK that is not there`() async throws {
        try await Project.with(Self.source) { project in
            try await expectRefusal(
                project,
                ["--sdk", "SDK"],
                error: "\"SDK\" is no extension SDK",
                hint: "scripts/extension-sdk of the project makes it; --sdk names another place"
            )
        }
    }

    @Test func `two Info.plists`() async throws {
        try await Project.with(Self.source.merging(["Other/Info.plist": Project.template]) { $1 }) { project in
            try await expectRefusal(
                project,
                error: "there are 2 Info.plist with the sources",
                hint: "say which with --info"
            )
        }
    }
}
