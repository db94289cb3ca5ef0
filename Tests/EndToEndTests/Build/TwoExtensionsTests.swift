// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import ProjectFixtures
import Testing

/// An app with a service extension and a content extension, as its project has both.
@Suite(.timeLimit(.minutes(15)))
struct TwoExtensionsTests {
    private static let slider = Programs.root + "/Examples/SliderContentExtension"

    /// Adds the example of a content extension: a storyboard of the base language, a controller and a picture.
    private func addContent(to fixture: ProjectFixture) throws {
        try FileManager.default.copyItem(atPath: Self.slider, toPath: fixture.folder.path + "/Slider")
        let controller = fixture.file("NotificationViewController.swift")
        let logo = fixture.file("logo.png")
        let base = fixture.add(
            "PBXFileReference",
            "Base",
            [("name", "Base"), ("path", "Base.lproj/MainInterface.storyboard"), ("sourceTree", "<group>")]
        )
        let storyboard = fixture.add(
            "PBXVariantGroup",
            "MainInterface.storyboard",
            [("children", .texts([base])), ("name", "MainInterface.storyboard"), ("sourceTree", "<group>")]
        )
        _ = fixture.group("Slider", [controller, logo, storyboard])
        fixture.target(
            "Slider",
            phases: [
                fixture.phase("PBXSourcesBuildPhase", [controller]),
                fixture.phase("PBXResourcesBuildPhase", [storyboard, logo]),
            ],
            [
                ("INFOPLIST_FILE", "Slider/Info.plist"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.slider"),
                ("PRODUCT_NAME", "$(TARGET_NAME)"),
            ]
        )
    }

    private func addService(to fixture: ProjectFixture) throws {
        try fixture.write(ProjectFixture.information(), "Service/Info.plist")
        try fixture.write(ProjectFixture.service(), "Service/NotificationService.swift")
        let service = fixture.file("NotificationService.swift")
        _ = fixture.group("Service", [service])
        fixture.target(
            "Service",
            phases: [fixture.phase("PBXSourcesBuildPhase", [service])],
            [
                ("GENERATE_INFOPLIST_FILE", "YES"), ("INFOPLIST_FILE", "Service/Info.plist"),
                ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.service"), ("PRODUCT_NAME", "$(TARGET_NAME)"),
            ]
        )
    }

    @Test func `each is built by its name or by its folder, and works`() async throws {
        let fixture = try ProjectFixture()
        fixture.target("Chat", type: "com.apple.product-type.application")
        try addService(to: fixture)
        try addContent(to: fixture)
        try fixture.save()
        let folder = fixture.folder.path
        func build(_ what: String, _ options: String...) async throws -> CommandResult {
            try await CommandResult.run(
                Programs.extensionHost,
                ["build", what, "-o", folder + "/Made.appex"] + options
            )
        }
        let made = "extension-host: made \(folder)/Made.appex\n"
        let service = try await build(fixture.project.path, "--target", "Service")
        #expect(service.errors == made)
        try fixture.write(#"{"aps":{"alert":{"title":"Alice"},"category":"album","mutable-content":1}}"#, "push.json")
        let record = Record(object: try await HostRun(folder + "/Made.appex", folder + "/push.json", []).record)
        #expect(record.alert?["title"] == "Alice [here]")

        let content = try await build(folder + "/Slider")
        let note = "extension-host: \"\(folder)/Slider\" is built as the target Slider of \(fixture.project.path)\n"
        #expect(content.errors == note + made)
        let moved = try await CommandResult.run(
            Programs.extensionHost,
            [
                "view", folder + "/Made.appex", folder + "/push.json", "--set", "slider=0.342", "--expect",
                "slider.value=0.342",
            ]
        )
        #expect(moved.status == 0, "\(moved.output) \(moved.errors)")
    }
}
