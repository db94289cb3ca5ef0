// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A content extension as an iOS project has it, built and worked by the real programs.
@Suite(.timeLimit(.minutes(15)))
struct ControllerExtensionTests {
    private static let example = Programs.root + "/Examples/SliderContentExtension"
    private static let payload = #"{"aps":{"alert":{"title":"Alice"},"category":"album"}}"#

    /// Builds the example, with its files changed, and gives the bundle.
    private func withBundle(
        changing change: (TemporaryFolder) throws -> Void = { _ in },
        _ body: (CommandResult, String, TemporaryFolder) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let sources = folder.path + "/Slider"
            try FileManager.default.copyItem(atPath: Self.example, toPath: sources)
            try change(folder)
            let bundle = folder.path + "/Slider.appex"
            let built = try await CommandResult.run(Programs.extensionHost, ["build", sources, "-o", bundle])
            try await body(built, bundle, folder)
        }
    }

    private func view(_ bundle: String, _ steps: [String]) async throws -> CommandResult {
        try await CommandResult.run(Programs.extensionHost, ["view", bundle, "-"] + steps, input: Self.payload)
    }

    @Test func `the view of an Xcode project is built unmodified, and works`() async throws {
        try await withBundle { built, bundle, _ in
            try #require(built.status == 0, "\(built.errors)")
            #expect(!built.errors.contains("warning:"), "\(built.errors)")
            let moved = try await view(
                bundle,
                ["--set", "slider=0.342", "--expect", "image.a=0.342", "--expect", "slider.value=0.342"]
            )
            #expect(moved.status == 0, "\(moved.output) \(moved.errors)")
            for (title, call) in [("Launch", "defaultAction"), ("Dismiss", "dismiss"), ("Remove", "dismiss")] {
                let result = try await view(bundle, ["--tap", title, "--expect", "call=\(call)"])
                #expect(result.status == 0, "\(title): \(result.output) \(result.errors)")
            }
            let liked = try await view(bundle, ["--respond", "like", "--expect", "call=doNotDismiss"])
            #expect(liked.status == 0, "\(liked.output) \(liked.errors)")
            #expect(liked.output.contains("You like it."))
        }
    }

    @Test func `an outlet that the class has not is an error at the storyboard's line`() async throws {
        try await withBundle { folder in
            let path = folder.path + "/Slider/NotificationViewController.swift"
            let source = try String(contentsOfFile: path, encoding: .utf8)
            try source.replacing("weak var logo: UIImageView!", with: "weak var picture: UIImageView!")
                .replacing("logo.", with: "picture.")
                .write(toFile: path, atomically: false, encoding: .utf8)
        } _: { built, _, folder in
            #expect(built.status == 1)
            let place = folder.path + "/Slider/Base.lproj/MainInterface.storyboard:"
            let error = built.errors.split(separator: "\n").first { $0.contains(" error: ") }
            #expect(error?.hasPrefix(place) == true, "\(built.errors)")
            #expect(error?.contains("\"logo\"") == true, "\(built.errors)")
        }
    }
}
