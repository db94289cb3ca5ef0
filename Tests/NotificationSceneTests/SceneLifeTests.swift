// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import NotificationScene
import Observation
import SceneModel
import Testing

/// Events that reach a scene in the life of its view, and requests that it makes.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct SceneLifeTests {
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
        try await bench.until(3)
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
        try await bench.until(3)
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
        @ObservationIgnored var drawings = 0
    }

    private struct Observing: NotificationScene {
        let model: Model

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            model.drawings += 1
            return Text(model.text)
        }
    }

    @Test func `a property of an observed object is drawn when it changes, if the body has read it`() async throws {
        let model = Model()
        let bench = SceneBench(Observing(model: model))
        model.unread = 3
        await bench.settle()
        #expect(bench.take(.media(.play)) == SceneUpdate(acknowledged: 1))
        #expect(model.drawings == 1)
        model.text = "second"
        try await bench.until(3)
        #expect(bench.texts == ["second"])
        model.text = "third"
        model.text = "fourth"
        try await bench.until(4)
        #expect(bench.texts == ["fourth"])
        #expect(model.drawings == 3)
    }

    private struct Careless: NotificationScene {
        let model: Model
        @State var count = 0

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            model.drawings += 1
            count += 1
            return Text("\(count)")
        }
    }

    @Test func `a body that changes what it reads is not drawn without end`() async throws {
        let model = Model()
        let bench = SceneBench(Careless(model: model))
        #expect(bench.texts == ["1"])
        bench.take(["aps": [:]])
        for _ in 1...3 { await bench.settle() }
        #expect(model.drawings == 2)
    }

    private struct Answering: NotificationScene {
        let held: AsyncStream<Void>

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent { Text(content.title) }

        func didReceive(
            _ response: UNNotificationResponse,
            _ view: ViewContext
        ) async -> UNNotificationContentExtensionResponseOption {
            for await _ in held { break }
            return .doNotDismiss
        }
    }

    @Test func `twenty answers at once have a word each, sixteen in one update`() async throws {
        let (held, release) = AsyncStream<Void>.makeStream()
        let bench = SceneBench(Answering(held: held))
        for number in 1...20 { bench.take(.response(ViewResponse(number: UInt64(number), action: "a"))) }
        bench.take(["aps": ["alert": ["title": "Bob"]]])
        #expect(bench.texts == ["Bob"])
        release.finish()
        while bench.updates.reduce(0, { $0 + $1.calls.count }) < 20 { try await bench.until(bench.updates.count + 1) }
        #expect(bench.updates.allSatisfy { $0.calls.count <= 16 })
        #expect(Set(bench.updates.flatMap(\.calls).map(\.name)) == ["doNotDismiss"])
    }

    private struct Opening: NotificationScene {
        @State var isOpened = false

        func didOpen(_ view: ViewContext) {
            isOpened = true
            view.title = view.notification.request.content.title
        }

        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent { Text("\(isOpened)") }
    }

    @Test func `what is set when the view opens is in the first update`() async {
        let bench = SceneBench(Opening())
        await bench.settle()
        #expect(bench.updates.map(\.title) == ["Alice"])
        #expect(bench.texts == ["true"])
    }

    private struct Naming: NotificationScene {
        func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
            Button("Name") {
                view.title = String(repeating: "long\n", count: 9_000)
                view.notificationActions = ["", "good", String(repeating: "i", count: 300)].map { identifier in
                    UNNotificationAction(identifier: identifier, title: String(repeating: "t", count: 9_000))
                }
            }
            Button("Many") {
                view.notificationActions = (1...12).map { number in
                    UNTextInputNotificationAction(
                        identifier: "\(number)",
                        title: "Reply",
                        options: [],
                        textInputButtonTitle: "Send",
                        textInputPlaceholder: String(repeating: "p", count: 200)
                    )
                }
            }
        }
    }

    @Test func `a title and buttons that no host takes are cut or left out`() throws {
        let bench = SceneBench(Naming())
        let named = try #require(bench.take(.node(try bench.node(.button).id, .tap(at: nil))))
        #expect(named.title?.count == 80)
        #expect(named.body["actions"]?.array?.map { $0.object?["identifier"] } == ["good"])
        let many = try #require(bench.take(.node(try bench.node(.button, 1).id, .tap(at: nil))))
        #expect(many.body["actions"]?.array?.count == 10)
    }
}
