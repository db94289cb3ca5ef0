// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// An extension with all that Xcode's library writes into a storyboard and a xib, built by the real program.
@Suite(.timeLimit(.minutes(15)))
struct LibraryBuildTests {
    private static let library = Programs.root + "/Tests/Interfaces/Library"

    @Test func `every element of the library compiles without a word, and is opened`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = folder.path + "/Library.appex"
            let built = try await CommandResult.run(Programs.extensionHost, ["build", Self.library, "-o", bundle])
            #expect(built.status == 0)
            #expect(built.errors == "extension-host: made \(bundle)\n")
            let payload = #"{"aps":{"alert":{"title":"Alice"},"category":"library"}}"#
            let shown = try await CommandResult.run(Programs.extensionHost, ["view", bundle, "-"], input: payload)
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("First | <Second> | 3 | star"), "\(shown.output)")
        }
    }

    @Test(arguments: [
        ("keyPath=\"count\"", "keyPath=\"depth\"", "value of type 'Badge' has no member 'depth'"),
        ("type=\"string\" keyPath=\"note\" value", "type=\"string\" keyPath=\"text\" value", ""),
    ])
    func `a runtime attribute is set by the compiler, or is an error at its line`(
        old: String,
        new: String,
        message: String
    ) async throws {
        try await TemporaryFolder.with { folder in
            let sources = folder.path + "/Library"
            try FileManager.default.copyItem(atPath: Self.library, toPath: sources)
            let path = sources + "/Base.lproj/MainInterface.storyboard"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let changed = text.replacing(old, with: new)
            try changed.write(toFile: path, atomically: false, encoding: .utf8)
            let line = changed.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(new) }
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["build", sources, "-o", folder.path + "/Library.appex"]
            )
            #expect(result.status == (message.isEmpty ? 0 : 1), "\(result.errors)")
            guard !message.isEmpty else { return }
            let index = try #require(line)
            let place = "\(path):\(index + 1):"
            #expect(
                result.errors.split(separator: "\n").contains {
                    $0.hasPrefix(place) && $0.hasSuffix("error: \(message)")
                },
                "\(result.errors)"
            )
            #expect(result.errors.contains("hint: a line of a storyboard or xib names"))
        }
    }
}
