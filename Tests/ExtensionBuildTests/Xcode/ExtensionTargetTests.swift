// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProjectFixtures
import Testing

@testable import ExtensionBuild

/// The target that is meant, with its files and settings.
@Suite struct ExtensionTargetTests {
    /// A project of the old kind with an app and extensions, each of which has a file, a list and localized texts.
    private func project(
        _ names: [String: String] = ["Service": "com.apple.usernotifications.service"]
    ) throws -> ProjectFixture {
        let fixture = try ProjectFixture()
        fixture.target("Chat", type: "com.apple.product-type.application")
        for (name, point) in names.sorted(by: { $0.key < $1.key }) {
            try fixture.write(ProjectFixture.information(point), "\(name)/Info.plist")
            try fixture.write(ProjectFixture.service(), "\(name)/NotificationService.swift")
            try fixture.write("\"a\" = \"b\";", "\(name)/en.lproj/Localizable.strings")
            let source = fixture.file("NotificationService.swift")
            let texts = fixture.add(
                "PBXVariantGroup",
                "Localizable.strings",
                [
                    ("children", .texts([fixture.file("en.lproj/Localizable.strings")])),
                    ("name", "Localizable.strings"), ("sourceTree", "<group>"),
                ]
            )
            _ = fixture.group(name, [source, texts, fixture.file("Info.plist")])
            fixture.target(
                name,
                phases: [
                    fixture.phase("PBXSourcesBuildPhase", [source]), fixture.phase("PBXResourcesBuildPhase", [texts]),
                ],
                [("INFOPLIST_FILE", .text("\(name)/Info.plist")), ("PRODUCT_NAME", "$(TARGET_NAME)")]
            )
        }
        return fixture
    }

    private func members(_ target: ExtensionTarget) throws -> [String] {
        let folder = target.project.folder.path + "/"
        return try ProjectMembers(of: target.target, in: target.project, target.tree).files
            .map { String($0.url.path.dropFirst(folder.count)) }.sorted()
    }

    @Test("the one notification extension is found, with its files and settings")
    func one() throws {
        let fixture = try project([
            "Service": "com.apple.usernotifications.service", "Widget": "com.apple.widgetkit-extension",
        ])
        try fixture.save()
        let target = try ExtensionTargets(in: fixture.project).one(TargetWish())
        #expect(target.name == "Service")
        #expect(target.point == .service)
        #expect(target.settings["PRODUCT_MODULE_NAME"] == "Service")
        #expect(target.settings["SWIFT_VERSION"] == "5.0")
        #expect(target.informationPath == fixture.folder.appendingPathComponent("Service/Info.plist").path)
        #expect(try members(target) == ["Service/NotificationService.swift", "Service/en.lproj/Localizable.strings"])
    }

    @Test("of an extension for phones and one for the desktop it is that for phones, whose point may be a setting's")
    func desktop() throws {
        let fixture = try project(["Service": "$(POINT).service"])
        try fixture.write(ProjectFixture.information(), "Desktop/Info.plist")
        fixture.target("Desktop", [("INFOPLIST_FILE", "Desktop/Info.plist"), ("SDKROOT", "macosx")])
        fixture.settings.append(("POINT", "com.apple.usernotifications"))
        try fixture.save()
        let targets = try ExtensionTargets(in: fixture.project)
        #expect(try targets.one(TargetWish()).name == "Service")
        #expect(try targets.one(TargetWish(target: "Desktop")).name == "Desktop")
    }

    @Test("of two notification extensions one is to be named, and an app has none")
    func several() throws {
        let fixture = try project([
            "Content": "com.apple.usernotifications.content-extension",
            "Service": "com.apple.usernotifications.service",
        ])
        try fixture.save()
        let path = fixture.project.path
        let targets = try ExtensionTargets(in: fixture.project)
        #expect(
            throws: CommandError(
                "\(path) has 2 notification extensions: Content (content), Service (service)",
                hint: "name one with --target"
            )
        ) { try targets.one(TargetWish()) }
        #expect(try targets.one(TargetWish(target: "Content")).point == .content)
        #expect(
            throws: CommandError(
                "\(path) has no target \"Chatt\"",
                hint: "its targets are Chat, Content, Service"
            )
        ) { try targets.one(TargetWish(target: "Chatt")) }
        let error = #expect(throws: CommandError.self) { try targets.one(TargetWish(target: "Chat")) }
        #expect(
            error?.message.hasSuffix("the target \"Chat\" is no extension: com.apple.product-type.application") == true
        )
        #expect(error?.message.hasPrefix("\(path)/project.pbxproj:") == true)
        #expect(
            throws: CommandError(
                "\(path) has no configuration \"Beta\"",
                hint: "name one with --configuration: Debug, Release"
            )
        ) { try ExtensionTargets(in: fixture.project).one(TargetWish(target: "Content", configuration: "Beta")) }
    }

    @Test("an extension of another kind, and a project without any, are named")
    func others() throws {
        let fixture = try project(["Widget": "com.apple.widgetkit-extension"])
        try fixture.save()
        let targets = try ExtensionTargets(in: fixture.project)
        let points = "com.apple.usernotifications.service"
        #expect(
            throws: CommandError(
                "\(fixture.project.path) has no target of a notification extension: its targets are Chat (application), "
                    + "Widget (com.apple.widgetkit-extension)",
                hint: "the Info.plist of one says \(points) or com.apple.usernotifications.content-extension"
            )
        ) { try targets.one(TargetWish()) }
        #expect(
            throws: CommandError(
                "\(fixture.folder.path)/Widget/Info.plist: the target \"Widget\" is an extension of another kind, "
                    + "\"com.apple.widgetkit-extension\"",
                hint: "notification extensions run here: \(points) and com.apple.usernotifications.content-extension"
            )
        ) { try targets.one(TargetWish(target: "Widget")) }
    }

    @Test("a folder that Xcode 16 keeps in step gives its files but for exceptions, and another target's gives those")
    func folders() throws {
        let fixture = try ProjectFixture()
        for path in [
            "A.swift", "Deep/B.swift", "Info.plist", "Left.swift", ".hidden.swift", "Assets.xcassets/Contents.json",
        ] {
            try fixture.write("{}", "Service/\(path)")
        }
        try fixture.write(ProjectFixture.information(), "Service/Info.plist")
        for path in ["App.swift", "Shared/Model.swift", "Shared/More/Key.swift", "de.lproj/T.strings"] {
            try fixture.write("{}", "Chat/\(path)")
        }
        let service = fixture.target(
            "Service",
            [("INFOPLIST_FILE", "Service/Info.plist"), ("GENERATE_INFOPLIST_FILE", "YES")]
        )
        func folder(_ path: String, _ exceptions: [String]) -> String {
            let set = fixture.add(
                "PBXFileSystemSynchronizedBuildFileExceptionSet",
                "",
                [("membershipExceptions", .texts(exceptions)), ("target", .text(service))]
            )
            return fixture.add(
                "PBXFileSystemSynchronizedRootGroup",
                path,
                [("exceptions", .texts([set])), ("path", .text(path)), ("sourceTree", "<group>")]
            )
        }
        let own = folder("Service", ["Info.plist", "Left.swift"])
        let shared = folder("Chat", ["Shared", "/Localized/T.strings"])
        fixture.change(service, "fileSystemSynchronizedGroups", .texts([own]))
        fixture.addTop(own)
        fixture.addTop(shared)
        try fixture.save()
        let target = try ExtensionTargets(in: fixture.project).one(TargetWish())
        #expect(
            try members(target) == [
                "Chat/Shared/Model.swift", "Chat/Shared/More/Key.swift", "Chat/de.lproj/T.strings", "Service/A.swift",
                "Service/Assets.xcassets", "Service/Deep/B.swift",
            ]
        )
    }

    @Test("settings come from files, the project and the target in their order, in the configuration that is meant")
    func settings() throws {
        let fixture = try project()
        try fixture.write(
            "#include \"Shared.xcconfig\"\nBUNDLE = com.example.chat\nLEVEL = file\n",
            "Config/Project.xcconfig"
        )
        try fixture.write("TEAM = shared\n", "Config/Shared.xcconfig")
        try fixture.write("LEVEL = $(inherited) target-file\n", "Config/Service.xcconfig")
        let files = [fixture.file("Project.xcconfig"), fixture.file("Service.xcconfig")]
        _ = fixture.group("Config", files)
        fixture.configurationFile = files[0]
        fixture.settings.append(("LEVEL", "$(inherited) project"))
        try fixture.write(ProjectFixture.information(), "Other/Info.plist")
        fixture.target(
            "Other",
            [
                ("INFOPLIST_FILE", "Other/Info.plist"),
                ("PRODUCT_BUNDLE_IDENTIFIER", "$(BUNDLE).$(PRODUCT_NAME:lower)"),
                ("LEVEL", "$(inherited) target"),
                ("SWIFT_ACTIVE_COMPILATION_CONDITIONS", ["$(inherited)", "A B", "C"]),
            ],
            release: [("MODE", "release")],
            file: files[1]
        )
        try fixture.save()
        let targets = try ExtensionTargets(in: fixture.project)
        let other = try targets.one(TargetWish(target: "Other"))
        #expect(other.settings["LEVEL"] == "file project target-file target")
        #expect(other.settings["PRODUCT_BUNDLE_IDENTIFIER"] == "com.example.chat.other")
        #expect(other.settings["TEAM"] == "shared")
        #expect(other.settings["MODE"] == "release")
        #expect(other.settings.list("SWIFT_ACTIVE_COMPILATION_CONDITIONS") == ["A B", "C"])
        #expect(other.settings.warnings.isEmpty)
        let debug = try targets.one(TargetWish(target: "Other", configuration: "Debug", overrides: ["TEAM": "own"]))
        #expect(debug.settings["MODE"] == nil)
        #expect(debug.settings["TEAM"] == "own")
    }

    @Test("a file of the target that is missing is named with its line")
    func missing() throws {
        let fixture = try project()
        try fixture.save()
        try FileManager.default.removeItem(
            at: fixture.folder.appendingPathComponent("Service/NotificationService.swift")
        )
        let target = try ExtensionTargets(in: fixture.project).one(TargetWish())
        let text = try String(contentsOf: fixture.project.appendingPathComponent("project.pbxproj"), encoding: .utf8)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains("/* NotificationService.swift */ = {") }.map { $0 + 1 }
        #expect(
            throws: CommandError(
                "\(fixture.project.path)/project.pbxproj:\(line ?? 0): \"\(fixture.folder.path)/Service/"
                    + "NotificationService.swift\", a file of the target, does not exist",
                hint: "add the file, or take it out of the target in Xcode"
            )
        ) { try members(target) }
    }

    @Test("a folder is its target of the project above, and as it is where that cannot be read and nobody has named it")
    func above() throws {
        let fixture = try project()
        try fixture.save()
        let folder = fixture.folder.appendingPathComponent("Service").path
        #expect(try ProjectSearch.target(for: [folder], TargetWish())?.name == "Service")
        #expect(try ProjectSearch.target(for: [fixture.folder.path], TargetWish())?.name == "Service")
        #expect(try ProjectSearch.target(for: [folder + "/en.lproj"], TargetWish())?.name == nil)
        try fixture.write("{", "Chat.xcodeproj/project.pbxproj")
        #expect(try ProjectSearch.target(for: [folder], TargetWish())?.name == nil)
        #expect(throws: CommandError.self) { try ProjectSearch.target(for: [folder], TargetWish(target: "Service")) }
        #expect(throws: CommandError.self) { try ProjectSearch.target(for: [fixture.project.path], TargetWish()) }
    }

    @Test("a pipe in the place of a file is refused, and nobody waits for its writer")
    func pipe() throws {
        let fixture = try project()
        try fixture.save()
        let file = fixture.folder.appendingPathComponent("Service/en.lproj/Localizable.strings")
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        let target = try ExtensionTargets(in: fixture.project).one(TargetWish())
        let members = try ProjectMembers(of: target.target, in: target.project, target.tree)
        let error = #expect(throws: CommandError.self) {
            try ExtensionSources(ofTarget: members.files, target.name, place: target.target.place)
        }
        #expect(error?.message.hasSuffix("\"\(file.path)\" is neither a regular file nor a folder") == true)
    }

    @Test("a workspace has its projects' targets, and a scheme those that it builds and those that these need")
    func workspace() throws {
        let fixture = try project()
        let app = fixture.target("App", type: "com.apple.product-type.application")
        let service = fixture.target("Second", [("INFOPLIST_FILE", "Service/Info.plist")])
        fixture.change(
            app,
            "dependencies",
            .texts([fixture.add("PBXTargetDependency", "", [("target", .text(service))])])
        )
        try fixture.save()
        try fixture.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <Workspace version = "1.0">
               <Group location = "group:Apps" name = "Apps"><FileRef location = "group:../Chat.xcodeproj"></FileRef></Group>
               <FileRef location = "group:None.xcodeproj"></FileRef>
            </Workspace>
            """,
            "Chat.xcworkspace/contents.xcworkspacedata"
        )
        try FileManager.default.createDirectory(
            at: fixture.folder.appendingPathComponent("Apps"),
            withIntermediateDirectories: true
        )
        try fixture.write(
            """
            <Scheme><BuildAction><BuildActionEntries><BuildActionEntry>
            <BuildableReference BlueprintIdentifier = "\(app)" BlueprintName = "App"></BuildableReference>
            </BuildActionEntry></BuildActionEntries></BuildAction></Scheme>
            """,
            "Chat.xcodeproj/xcshareddata/xcschemes/App.xcscheme"
        )
        let workspace = fixture.folder.appendingPathComponent("Chat.xcworkspace")
        let targets = try ExtensionTargets(in: workspace)
        #expect(try targets.one(TargetWish(scheme: "App")).name == "Second")
        #expect(
            throws: CommandError("\(workspace.path) has no scheme \"Ap\"", hint: "its schemes are App")
        ) { try targets.one(TargetWish(scheme: "Ap")) }
    }
}
