// SPDX-License-Identifier: Apache-2.0

import ContentExtensionTesting
import Foundation
import Testing
import UIKit
import UserNotificationsUI

/// A controller in this process, as the tests of its own project show it.
@Suite(.timeLimit(.minutes(5)))
struct ContentExtensionTesterTests {
    private static let alice = #"{"aps":{"alert":{"title":"Alice","body":"A photo"}}}"#

    private typealias Act = @MainActor @Sendable (LikeController) -> Void

    /// A tester of a controller with those buttons.
    private func tester(_ buttons: (String, Act)...) -> ContentExtensionTester {
        ContentExtensionTester(LikeController(buttons.map { ($0.0, $0.1) }))
    }

    private func show(_ buttons: (String, Act)...) async throws -> ShownView {
        try await ContentExtensionTester(LikeController(buttons.map { ($0.0, $0.1) })).show(Self.alice)
    }

    @Test func `a controller is shown, worked and closed`() async throws {
        let view = try await show(("Launch app", { $0.extensionContext?.performNotificationDefaultAction() }))
        #expect(
            view.lines == [
                "Alice", "[1] Opacity [--------] 0", "[2] off", "[3] Small | Large", "[4] Launch app",
            ]
        )
        #expect(view.height == 180)
        #expect(view.find("heart")?.frame == CGRect(x: 0, y: 30, width: 200, height: 30))
        try await view.set("Opacity", 0.75)
        #expect(view.find("heart")?.opacity == 0.75)
        try await view.set("switch", true)
        #expect(view.find("switch")?.isOn == true)
        try await view.set("segments", "Large")
        #expect(view.find("segments")?.text == "Large")
        try await view.tap("Launch app")
        #expect(view.calls == ["defaultAction"])
        #expect(view.ended == "dismissed")
        await #expect(throws: ViewProblem("the view ended as dismissed before tap \"Launch app\"", hint: nil)) {
            try await view.tap("Launch app")
        }
    }

    @Test func `animations end when the test's time has come to their end`() async throws {
        let tester = tester(("Like", { $0.fadeIn() }))
        let view = try await tester.show(Self.alice)
        try await view.tap("Like")
        #expect(view.find("heart")?.opacity == 1)
        #expect(view.find("text")?.text == "Alice")
        try await tester.advance(by: .milliseconds(299))
        #expect(view.find("text")?.text == "Alice")
        try await tester.advance(by: .milliseconds(1))
        #expect(view.find("text")?.text == "liked")
        await #expect(throws: ViewProblem("time does not go back by -1.0 seconds", hint: nil)) {
            try await tester.advance(by: .seconds(-1))
        }
    }

    @Test func `an animation that comes by the main queue has the test's time as well`() async throws {
        let tester = tester(("Like", { controller in DispatchQueue.main.async { controller.fadeIn() } }))
        let view = try await tester.show(Self.alice)
        try await view.tap("Like")
        #expect(view.find("heart")?.opacity == 1)
        try await tester.advance(by: .milliseconds(300))
        #expect(view.find("text")?.text == "liked")
    }

    @Test func `what goes by the main queue twice is seen with the step that led to it`() async throws {
        let view = try await show(
            (
                "Load",
                { controller in
                    DispatchQueue.main.async { DispatchQueue.main.async { controller.caption.text = "loaded" } }
                }
            )
        )
        try await view.tap("Load")
        #expect(view.find("text")?.text == "loaded")
    }

    @Test func `one animation behind another begins at the end of the first`() async throws {
        let tester = tester(
            (
                "Like",
                { controller in
                    UIView.animate(withDuration: 1) {
                        controller.heart.alpha = 0.5
                    } completion: { _ in
                        controller.caption.text = "\(CACurrentMediaTime())"
                        controller.fadeIn()
                    }
                }
            )
        )
        let view = try await tester.show(Self.alice)
        try await view.tap("Like")
        try await tester.advance(by: .milliseconds(1100))
        #expect(view.find("text")?.text == "1.0")
        #expect(view.find("heart")?.opacity == 1)
        try await tester.advance(by: .milliseconds(200))
        #expect(view.find("text")?.text == "liked")
    }

    @Test func `what comes from elsewhere is waited for`() async throws {
        let (texts, send) = AsyncStream.makeStream(of: String.self)
        let view = try await ContentExtensionTester(LikeController(texts: texts)).show(Self.alice)
        send.yield("loaded")
        try await view.until { $0.find("text")?.text == "loaded" }
        #expect(view.find("loaded")?.kind == "text")
        send.finish()
    }

    @Test func `a newer notification goes to the same controller`() async throws {
        let view = try await show()
        try await view.set("Opacity", 0.5)
        try await view.show(#"{"aps":{"alert":{"title":"Bob","body":"b"}}}"#)
        #expect(view.find("text")?.text == "Bob")
        #expect(view.find("heart")?.opacity == 0.5)
    }

    @Test func `the default action follows an act of a person within five seconds alone`() async throws {
        let tester = tester(
            (
                "Launch later",
                { controller in
                    UIView.animate(withDuration: 5.5) {
                        controller.heart.alpha = 1
                    } completion: { _ in
                        controller.extensionContext?.performNotificationDefaultAction()
                    }
                }
            )
        )
        let view = try await tester.show(Self.alice)
        try await view.tap("Launch later")
        try await tester.advance(by: .seconds(6))
        #expect(view.calls.isEmpty)
        #expect(view.ended == nil)
    }

    @Test func `a response is decided on at once, later, or by the host after five seconds`() async throws {
        let controller: @MainActor @Sendable () -> LikeController = {
            let controller = LikeController()
            controller.decide = { controller, response, completion in
                switch response.actionIdentifier {
                case "like": completion(.doNotDismiss)
                case "later":
                    UIView.animate(withDuration: 1) {
                        controller.heart.alpha = 1
                    } completion: { _ in
                        completion(.dismiss)
                    }
                default: controller.caption.text = (response as? UNTextInputNotificationResponse)?.userText
                }
            }
            return controller
        }
        let tester = ContentExtensionTester(controller())
        let view = try await tester.show(Self.alice)
        try await view.respond("like")
        #expect(view.calls == ["doNotDismiss"])
        try await view.respond("later")
        #expect(view.calls == ["doNotDismiss"])
        try await tester.advance(by: .seconds(1))
        #expect(view.calls == ["doNotDismiss", "dismiss"])
        #expect(view.ended == "dismissed")
        let silent = try await tester.show(Self.alice)
        try await silent.respond("reply", text: "Hi")
        #expect(silent.find("text")?.text == "Hi")
        try await tester.advance(by: .milliseconds(4999))
        #expect(silent.ended == nil)
        try await tester.advance(by: .milliseconds(1))
        #expect(silent.calls == ["dismissAndForwardAction"])
        #expect(silent.ended == "dismissed")
    }

    @Test func `the button that plays is there when the controller says so`() async throws {
        let make: @MainActor @Sendable () -> LikeController = {
            let controller = LikeController()
            controller.mediaPlayPauseButtonType = .overlay
            return controller
        }
        let view = try await ContentExtensionTester(make()).show(Self.alice)
        try await view.play()
        try await view.pause()
        #expect(view.calls == ["mediaStarted", "mediaPaused"])
        await view.close()
        let other = try await show()
        await #expect(
            throws: ViewProblem("the view has no button that plays", hint: "mediaPlayPauseButtonType says that it has")
        ) {
            try await other.play()
        }
    }

    @Test func `a step that the scene does not offer is a problem`() async throws {
        let view = try await show(("Off", { $0.opacity.isEnabled = false }))
        await #expect(
            throws: ViewProblem(
                "the scene has no control \"Fly\"",
                hint: "controls are called by their label, title or number, as the scene shows them"
            )
        ) {
            try await view.tap("Fly")
        }
        let refused = ViewProblem("the scene does not take set Opacity: the control cannot have that value", hint: nil)
        await #expect(throws: refused) { try await view.set("Opacity", 7) }
        await #expect(throws: PayloadProblem.self) { try await view.show("[]") }
        try await view.tap("Off")
        #expect(view.find("Opacity")?.isEnabled == false)
        await #expect(throws: ViewProblem.self) { try await view.set("Opacity", 0.5) }
    }

    @Test func `the scene is the same text each time, and another one in another place`() async throws {
        var scenes: [String] = []
        for place in [ViewPlace(), ViewPlace(), ViewPlace(width: 300, isDark: true)] {
            let view = try await ContentExtensionTester(LikeController(), in: place).show(Self.alice)
            scenes.append(view.scene)
            await view.close()
        }
        #expect(scenes[0] == scenes[1])
        #expect(scenes[0] != scenes[2])
        #expect(scenes[0].hasPrefix("{\"size\":[360,150],\n\"set\":[\n{\"id\":1,"))
        #expect(scenes[2].hasPrefix("{\"size\":[300,150],\n"))
    }

    @Test func `one view is open at a time, for which other tests wait and the same one does not`() async throws {
        let view = try await show()
        await #expect(
            throws: ViewProblem(
                "the test has a view open already, and a process shows one at a time",
                hint: "close() it before the next one is shown"
            )
        ) {
            _ = try await show()
        }
        let other = Task { try await show().lines.first }
        let cancelled = Task { try await show().lines.first }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(view.ended == nil)
        await view.close()
        #expect(view.ended == "closed")
        #expect(try await other.value == "Alice")
    }

    @Test func `a controller hears that its view is closed`() async throws {
        let controller = await LikeController()
        let view = try await ContentExtensionTester(controller).show(Self.alice)
        #expect(await controller.life == ["didAppear", "receive"])
        await view.close()
        #expect(await controller.life == ["didAppear", "receive", "didDisappear"])
    }

    @Test func `a controller that asks for its end before it is shown has ended, and one that is closed is let go`()
        async throws
    {
        let made = Made()
        let tester = ContentExtensionTester(made.controller())
        let view = try await tester.show(Self.alice)
        #expect(await made.last != nil)
        await view.close()
        #expect(await made.last == nil)
        await made.endNext()
        let ending = try await tester.show(Self.alice)
        #expect(ending.ended == "dismissed")
        #expect(ending.calls == ["dismiss"])
        #expect(ending.lines.first == "Alice")
    }
}

/// Makes controllers, and remembers the last one without keeping it.
@MainActor private final class Made {
    private(set) weak var last: LikeController?
    private var isEnding = false

    nonisolated init() {}

    /// The next controllers dismiss their views when they get their notifications.
    func endNext() { isEnding = true }

    func controller() -> LikeController {
        let controller = LikeController()
        controller.endsAtOnce = isEnding
        last = controller
        return controller
    }
}
