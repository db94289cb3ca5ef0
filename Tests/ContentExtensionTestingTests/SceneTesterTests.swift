// SPDX-License-Identifier: Apache-2.0

import ContentExtensionTesting
import NotificationScene
import Testing
import UserNotificationsUI

/// A scene that fades a picture, as the second door has it.
private struct Fading: NotificationScene {
    @State var opacity = 1.0

    func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
        Column {
            Text(content.title).opacity(opacity)
            Slider(value: $opacity).label("Opacity")
            Button("Dismiss") { view.dismiss() }
        }
    }
}

/// A scene of so many texts.
private struct Texts: NotificationScene {
    @State var count: Double

    func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
        Column {
            Slider(value: $count, in: 0...1000)
            for _ in 0..<Int(count) { Text("x") }
        }
    }
}

/// A scene in this process, as the tests of its own project show it.
@Suite(.timeLimit(.minutes(5)))
struct SceneTesterTests {
    @Test func `a scene is shown and worked`() async throws {
        let tester = ContentExtensionTester(Fading())
        let view = try await tester.show(#"{"aps":{"alert":{"title":"Alice","body":"A photo"}}}"#)
        #expect(view.lines == ["Alice", "[1] Opacity [########] 1", "[2] Dismiss"])
        #expect(view.height == nil)
        try await view.set("Opacity", 0.25)
        #expect(view.find("Alice")?.opacity == 0.25)
        try await view.tap("Dismiss")
        #expect(view.ended == "dismissed")
        let anew = try await tester.show(#"{"aps":{"alert":{"title":"Bob","body":"b"}}}"#)
        #expect(anew.find("Bob")?.opacity == 1)
    }

    @Test func `a scene beyond the host's limits has ended`() async throws {
        let tester = ContentExtensionTester(Texts(count: 200))
        let view = try await tester.show(#"{"aps":{"alert":"Hi"}}"#)
        #expect(view.nodes.count == 202)
        try await view.set("slider", 600)
        #expect(view.ended == "protocolViolation")
        try await tester.advance(by: .seconds(1))
        #expect(view.nodes.count == 202)
    }
}
