// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import NotificationScene
import Observation
import SceneModel
import Testing

/// Events that reach a scene in the life of its view, and requests that it makes.
@MainActor
@Suite struct SceneLifeTests {
    private struct Asking: NotificationScene {
        @State var count = 0

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Column {
                Text("\(content.title) \(count)").alignment(.trailing)
                Button("Launch") { view.performDefaultAction() }
                Button("Dismiss") { view.dismiss() }
                Button("Title") {
                    view.title = "A title"
                    view.notificationActions = [UNNotificationAction(identifier: "like", title: "Like")]
                }
                Button("Later") { Task { count += 1 } }
                Button("Moved") {
                    view.animate(seconds: 99)
                    count += 1
                }
            }
        }

        func didReceive(
            _ response: UNNotificationResponse,
            _ view: ViewContext
        ) async -> UNNotificationContentExtensionResponseOption {
            if let text = response as? UNTextInputNotificationResponse {
                view.title = text.userText
                return .dismiss
            }
            return response.actionIdentifier == "like" ? .doNotDismiss : .dismissAndForwardAction
        }
    }

    private func press(_ title: String, _ bench: SceneBench<Asking>) throws -> SceneUpdate? {
        let node = bench.tree.inOrder.first { node in
            if case .button(let button) = node.kind { button.title == title } else { false }
        }
        return bench.take(.node(try #require(node).id, .tap(at: nil)))
    }

    @Test func `a button launches the app or closes the view`() throws {
        let bench = SceneBench(Asking())
        #expect(try press("Launch", bench) == SceneUpdate(acknowledged: 1, calls: [.defaultAction]))
        #expect(try press("Dismiss", bench) == SceneUpdate(acknowledged: 2, calls: [.dismiss]))
    }

    @Test func `title and buttons are said once`() throws {
        let bench = SceneBench(Asking())
        let update = try #require(try press("Title", bench))
        #expect(update.title == "A title")
        #expect(update.body["actions"] == [["identifier": "like", "title": "Like", "options": []]])
        #expect(bench.take(.media(.play)) == SceneUpdate(acknowledged: 2))
        #expect(bench.tree.title == "A title")
    }

    @Test func `what changes between two events is said by itself`() async throws {
        let bench = SceneBench(Asking())
        #expect(try press("Later", bench) == SceneUpdate(acknowledged: 1))
        await bench.until(3)
        #expect(bench.updates[2].acknowledged == nil)
        #expect(bench.texts.first == "Alice 1")
    }

    @Test func `a motion goes with the next drawing`() throws {
        let bench = SceneBench(Asking())
        let update = try #require(try press("Moved", bench))
        #expect(update.motion == SceneMotion(seconds: 10))
        #expect(update.set.count == 1)
        #expect(try press("Dismiss", bench)?.motion == nil)
    }

    @Test(arguments: [
        ("like", nil as String?, SceneCall.ResponseOption.doNotDismiss), ("other", nil, .dismissAndForwardAction),
        ("reply", "Yes", .dismiss),
    ])
    func `the scene decides on a response`(
        action: String,
        text: String?,
        option: SceneCall.ResponseOption
    ) async throws {
        let bench = SceneBench(Asking())
        let taken = bench.take(.response(ViewResponse(number: 7, action: action, text: text)))
        #expect(taken == SceneUpdate(acknowledged: 1))
        await bench.until(3)
        #expect(bench.updates[2].calls == [.option(option, response: 7)])
        #expect(bench.updates[2].title == text)
    }

    @Test func `a newer notification is drawn in the nodes of the former one`() throws {
        let bench = SceneBench(Asking())
        let update = try #require(bench.take(["aps": ["alert": ["title": "Bob"]]]))
        #expect(update.set.map(\.id) == [2])
        #expect(bench.texts.first == "Bob 0")
    }

    private func text(_ bench: SceneBench<Asking>) throws -> SceneText? {
        guard case .text(let text) = try bench.node(.text).kind else { return nil }
        return text
    }

    @Test func `another place changes fonts and sides`() throws {
        let bench = SceneBench(Asking())
        let before = try #require(try text(bench))
        #expect(before.font == nil)
        #expect(before.alignment == .right)
        bench.take(.environment(ViewEnvironment(textSize: 2, direction: .rightToLeft)))
        let after = try #require(try text(bench))
        #expect(after.font == SceneFont(size: 34))
        #expect(after.alignment == .left)
    }

    @Observable fileprivate final class Model {
        var text = "first"
        var unread = 0
    }

    private struct Observing: NotificationScene {
        let model: Model

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent { Text(model.text) }
    }

    @Test func `a property of an observed object is drawn when it changes, if the body has read it`() async throws {
        let model = Model()
        let bench = SceneBench(Observing(model: model))
        model.unread = 3
        #expect(bench.take(.media(.play)) == SceneUpdate(acknowledged: 1))
        model.text = "second"
        await bench.until(3)
        #expect(bench.texts == ["second"])
        model.text = "third"
        model.text = "fourth"
        await bench.until(4)
        #expect(bench.texts == ["fourth"])
    }
}
