// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UserNotifications

@testable import NotificationServiceTesting

/// The real host runs the bundle that these tests describe.
@Suite(.timeLimit(.minutes(5)))
struct BundleTestTests {
    private static let programs: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().path
    }()

    private func withBundle(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "bundle-\(UUID().uuidString)"
        let bundle = folder + "/Misbehaving.appex"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = bundle + "/MisbehavingExtension"
        try FileManager.default.copyItem(atPath: Self.programs + "/MisbehavingExtension", toPath: program)
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.chat.service</string>
            <key>CFBundleExecutable</key><string>MisbehavingExtension</string>
            <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
            <string>com.apple.usernotifications.service</string></dict></dict></plist>
            """
        try plist.write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
        try await body(bundle)
    }

    private var host: String { Self.programs + "/extension-host" }

    @Test(
        arguments: [
            ("", ServiceResult.Outcome.modified, nil, "handled"),
            (#","behave":"trap""#, .original, "crashed", "given"),
            (#","behave":"exit""#, .original, "exitedEarly", "given"),
        ] as [(String, ServiceResult.Outcome, String?, String)]
    )
    func `a bundle's outcome`(
        behavior: String,
        outcome: ServiceResult.Outcome,
        reason: String?,
        title: String
    ) async throws {
        try await withBundle { bundle in
            let push = #"{"aps":{"alert":{"title":"given","body":"text"},"mutable-content":1}\#(behavior)}"#
            let result = try await BundleTest(bundle, host: host).run(push)
            #expect(result.outcome == outcome)
            #expect(result.reason == reason)
            #expect(result.content.title == title)
        }
    }

    @Test(
        arguments: [
            (["--format", "human"], "--format", "take the record from the result that it returns"),
            (["--times=2"], "--times", "call it as often as is wanted"),
            (["--expect", "crashed"], "--expect", "expect it of the result that it returns"),
            (["--junit", "r.xml"], "--junit", "take the report of the test run, or call extension-host run"),
            (["--watch", "Sources"], "--watch", "build the bundle before the test, or call extension-host run"),
        ]
    )
    func `an option whose part a test has is refused`(options: [String], name: String, advice: String) async {
        let test = BundleTest("nothing.appex", host: "no-such-program", options: options)
        await #expect(
            throws: BundleProblem(description: "\(name) is no option of run(_:), which has its part; \(advice)")
        ) {
            try await test.run("{}")
        }
    }

    @Test func `a host that ends before it has read the push is a problem, and not the end of the test`() async {
        await #expect(throws: BundleProblem(description: "/bin/true ended without a record")) {
            try await BundleTest("nothing.appex", host: "/bin/true").run(String(repeating: "x", count: 1_000_000))
        }
    }

    @Test func `what the host refuses is said`() async throws {
        await #expect {
            try await BundleTest("nothing.appex", host: host).run("{}")
        } throws: { error in
            (error as? BundleProblem)?.description.hasPrefix("extension-host: error: ") == true
        }
    }
}
