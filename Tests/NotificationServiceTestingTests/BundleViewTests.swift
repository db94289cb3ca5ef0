// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import NotificationServiceTesting

/// The real host opens the view in Python, as the tests of its author have it.
@Suite(.timeLimit(.minutes(5)))
struct BundleViewTests {
    private static let programs: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().path
    }()
    private static let example = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../Examples/python-view").standardizedFileURL.path
    private static let alice = #"{"aps":{"alert":{"title":"Alice","body":"A photo"},"category":"photo"}}"#

    /// Opens the example's view, with its source changed.
    private func withView(
        _ replacements: (String, String)...,
        body: (ShownView) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "view-\(UUID().uuidString)"
        let bundle = folder + "/Photo.appex"
        let files = FileManager.default
        try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try files.copyItem(atPath: Self.example + "/Info.plist", toPath: bundle + "/Info.plist")
        var source = try String(contentsOfFile: Self.example + "/view.py", encoding: .utf8)
        for (text, other) in replacements {
            #expect(source.contains(text))
            source = source.replacingOccurrences(of: text, with: other)
        }
        try source.write(toFile: bundle + "/view.py", atomically: true, encoding: .utf8)
        for path in [folder, bundle, bundle + "/view.py"] {
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let view = try await BundleTest(
            bundle,
            host: Self.programs + "/extension-host",
            options: ["--interpreter", "/usr/bin/python3"]
        ).show(Self.alice)
        try await body(view)
        await view.close()
    }

    @Test func `a view is worked step by step`() async throws {
        try await withView { view in
            #expect(view.lines == ["Alice", "(picture: Picture)", "[1] Opacity [########] 1", Self.buttons])
            #expect(view.find("Picture")?.opacity == 1)
            #expect(view.find("Picture")?.frame == CGRect(x: 0, y: 0, width: 200, height: 200))
            try await view.set("Opacity", 0.342)
            #expect(view.find("Picture")?.opacity == 0.342)
            #expect(view.find("slider")?.value == 0.342)
            try await view.respond("like")
            #expect(view.calls == ["doNotDismiss"])
            #expect(view.ended == nil)
            try await view.tap("Launch app")
            #expect(view.calls == ["doNotDismiss", "defaultAction"])
            #expect(view.ended == "dismissed")
        }
    }

    private static let buttons = "[2] Launch app  [3] Dismiss  [4] Remove"

    @Test func `a newer notification is shown by the same view`() async throws {
        try await withView { view in
            try await view.set("Opacity", 0.5)
            try await view.show(#"{"aps":{"alert":{"title":"Bob","body":"Another"}}}"#)
            #expect(view.find("text")?.text == "Bob")
            #expect(view.find("Picture")?.opacity == 0.5)
            #expect(
                view.nodes.map(\.kind) == ["column", "text", "image", "slider", "row", "button", "button", "button"]
            )
        }
    }

    @Test func `the scene is one text, a node a line`() async throws {
        try await withView { view in
            #expect(
                view.scene == #"""
                    {"set":[
                    {"id":1,"k":"column","up":0,"c":[8,2,3,4],"gap":8,"pad":16},
                    {"id":8,"k":"text","up":1,"text":"Alice"},
                    {"id":2,"k":"image","up":1,"f":[0,0,200,200],"label":"Picture","src":1,"symbol":"photo","fit":"contain"},
                    {"id":3,"k":"slider","up":1,"label":"Opacity","value":1},
                    {"id":4,"k":"row","up":1,"gap":8},
                    {"id":5,"k":"button","up":4,"title":"Launch app"},
                    {"id":6,"k":"button","up":4,"title":"Dismiss"},
                    {"id":7,"k":"button","up":4,"title":"Remove"}
                    ]}

                    """#
            )
            #expect(view.find("Dismiss")?.description == #"{"id":6,"k":"button","up":4,"title":"Dismiss"}"#)
        }
    }

    @Test func `a step that is not possible is a problem, and the view goes on`() async throws {
        try await withView { view in
            await #expect(throws: Self.noControl("Fly")) { try await view.tap("Fly") }
            await #expect(
                throws: ViewProblem(
                    "the scene does not take set slider: the control cannot have that value",
                    hint: "it has 0 to 1"
                )
            ) {
                try await view.set("slider", 7)
            }
            await #expect(throws: PayloadProblem.self) { try await view.show("[]") }
            try await view.set("slider", 0.25)
            #expect(view.find("Picture")?.opacity == 0.25)
        }
    }

    private static func noControl(_ name: String) -> ViewProblem {
        ViewProblem(
            "the scene has no control \"\(name)\"",
            hint: "controls are called by their label, title or number, as the scene shows them"
        )
    }

    @Test func `what comes without a step is waited for`() async throws {
        let event = "send(self.host, VIEW_SCENE, number, update)"
        let later = event + #"; send(self.host, VIEW_SCENE, number, {"set": [scene("later")[-1]]})"#
        try await withView((event, later)) { view in
            try await view.set("slider", 0.5)
            try await view.until { $0.find("text")?.text == "later" }
            #expect(view.find("later")?.kind == "text")
        }
    }

    @Test func `who waits for what never comes hears of the end, or is cancelled`() async throws {
        try await withView { view in
            let waiting = Task { try await view.until { _ in false } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            try await view.tap("Dismiss")
            await #expect(throws: ViewProblem("the view ended as dismissed before it was as expected", hint: nil)) {
                try await view.until { _ in false }
            }
            await #expect(throws: ViewProblem("the view ended as dismissed before tap \"Dismiss\"", hint: nil)) {
                try await view.tap("Dismiss")
            }
        }
    }

    @Test func `a view that crashes has no scene, and says how it ended`() async throws {
        try await withView(("view.opened(number, body)", "os.abort()")) { view in
            #expect(view.ended == "crashed")
            #expect(view.nodes.isEmpty)
        }
    }

    @Test func `a view that is closed takes no step`() async throws {
        try await withView { view in
            await view.close()
            await #expect(throws: ViewProblem("extension-host has ended", hint: nil)) { try await view.tap("Dismiss") }
            #expect(view.lines.first == "Alice")
        }
    }

    @Test(
        arguments: [
            (["--tap", "Like"], "--tap", "call tap(_:) on the view that it returns"),
            (["--dark", "--tap=Like"], "--tap", "call tap(_:) on the view that it returns"),
            (["--set", "slider=1"], "--set", "call set(_:_:) on the view that it returns"),
            (["--respond", "like"], "--respond", "call respond(_:text:) on the view that it returns"),
            (["--steps", "s.json"], "--steps", "call the functions of the view that it returns"),
            (["--expect", "call=dismiss"], "--expect", "expect it of the view that it returns"),
            (["--scene", "s.json"], "--scene", "take it from the scene of the view that it returns"),
            (["--format", "human"], "--format", "take what is seen from the view that it returns"),
            (["--junit", "r.xml"], "--junit", "take the report of the test run, or call extension-host view"),
            (["--watch", "Sources"], "--watch", "build the bundle before the test, or call extension-host view"),
        ]
    )
    func `an option whose part a test has is refused`(options: [String], name: String, advice: String) async {
        let test = BundleTest("nothing.appex", host: "no-such-program", options: options)
        await #expect(
            throws: BundleProblem(description: "\(name) is no option of show(_:), which has its part; \(advice)")
        ) {
            try await test.show(Self.alice)
        }
    }

    @Test func `a view whose opening is cancelled is closed`() async throws {
        let folder = NSTemporaryDirectory() + "host-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = folder + "/said"
        try #require(mkfifo(pipe, 0o600) == 0)
        let said = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(said) }
        // A host that never shows a scene, and ends with its input as the real one does.
        let host = folder + "/host"
        try "#!/bin/sh\necho begun > \(pipe)\ncat > /dev/null\necho over > \(pipe)\n"
            .write(toFile: host, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: host)
        let opening = Task { try await BundleTest("nothing.appex", host: host).show(Self.alice) }
        let begun = await Self.line(from: said)
        #expect(begun == "begun\n")
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        let over = await Self.line(from: said)
        #expect(over == "over\n")
    }

    /// Returns what can be read next; nothing after a minute.
    private static func line(from descriptor: Int32) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                var buffer = [UInt8](repeating: 0, count: 100)
                let count = poll(&ready, 1, 60_000) == 1 ? read(descriptor, &buffer, buffer.count) : 0
                continuation.resume(returning: String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
            }
        }
    }

    @Test func `what the host refuses is said`() async throws {
        let host = Self.programs + "/extension-host"
        await #expect {
            try await BundleTest("nothing.appex", host: host).show(Self.alice)
        } throws: { error in
            (error as? BundleProblem)?.description.hasPrefix("extension-host: error: ") == true
        }
        await #expect {
            try await BundleTest("nothing.appex", host: "no-such-program").show(Self.alice)
        } throws: { error in
            (error as? BundleProblem)?.description.contains("no-such-program") == true
        }
        await #expect(throws: PayloadProblem.self) { try await BundleTest("nothing.appex", host: host).show("{") }
    }
}
