// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import Locking
import NotificationPayload
import SceneModel
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

/// The process of a view between its host and its scene.
struct ViewSessionTests {
    /// A view that notes what it hears, and draws as many texts as the payload says.
    private final class RecordingView: ViewWork {
        let heard = Locked<[String]>([])
        private let say = Locked<(@Sendable (SceneUpdate) -> Void)?>(nil)

        func open(
            _ notification: UNNotification,
            in environment: ViewEnvironment,
            say: @escaping @Sendable (SceneUpdate) -> Void
        ) {
            self.say.withLock { $0 = say }
            let content = notification.request.content
            note("\(content.title) \(notification.date.timeIntervalSince1970) \(environment.width)")
            for file in content.attachments { note("file \(file.identifier)") }
            let count = content.userInfo["count"] as? Int ?? 0
            let text = String(repeating: "x", count: 5_000)
            let nodes = (0..<count).map { place in
                SceneNode(id: UInt32(place) + 2, up: 1, .text(SceneText([SceneText.Run(text)])))
            }
            say(SceneUpdate(set: [SceneNode(id: 1, up: 0, .column(SceneFlow()))] + nodes))
        }

        func end(_ end: @escaping @Sendable () -> Void) {
            note("end")
            end()
        }

        func take(_ event: ViewEvent, numbered seq: UInt64) {
            if case .media(let press) = event { note(press.rawValue) }
            say.withLock { $0 }?(SceneUpdate(acknowledged: seq))
        }

        func take(_ notification: UNNotification, numbered seq: UInt64) {
            note(notification.request.content.title)
            say.withLock { $0 }?(SceneUpdate(acknowledged: seq))
        }

        private func note(_ text: String) { heard.withLock { $0.append(text) } }
    }

    private func shown(_ title: String, count: Int = 0, files: [ScratchAttachment] = []) -> ShownNotification {
        ShownNotification(
            identifier: "a",
            date: "2026-11-21T03:00:00.500Z",
            payload: Payload(["aps": ["alert": ["title": .string(title)]], "count": .integer(Int64(count))]),
            attachments: files
        )
    }

    private func update(_ host: FakeHost) throws -> SceneUpdate? {
        guard case .viewScene(id: 1, let update) = try host.receive() else { return nil }
        return update
    }

    @Test func `it is opened, hears of events and of a newer notification, and ends when it is told to`() throws {
        let host = try FakeHost()
        let view = RecordingView()
        let session = host.serve(.view(view))
        try host.greet(ahead: 0)
        try host.send(.view(id: 1, ViewOpening(notification: shown("Alice"), environment: ViewEnvironment())))
        #expect(try update(host)?.set.count == 1)
        try host.send(.viewEvent(id: 1, seq: 3, .event(.media(.play))))
        #expect(try update(host) == SceneUpdate(acknowledged: 3))
        try host.send(.viewEvent(id: 1, seq: 4, .notification(shown("Bob"))))
        #expect(try update(host) == SceneUpdate(acknowledged: 4))
        try host.send(.shutdown)
        #expect(try host.waitForExit() == 0)
        #expect(view.heard.withLock { $0 } == ["Alice 1795230000.5 360.0", "play", "Bob", "end"])
        withExtendedLifetime(session) {}
    }

    @Test func `a scene that does not fit one packet comes in pieces`() throws {
        let host = try FakeHost()
        let session = host.serve(.view(RecordingView()))
        try host.greet(ahead: 0)
        let opening = ViewOpening(notification: shown("Alice", count: 13), environment: ViewEnvironment())
        try host.send(.view(id: 1, opening))
        var assembly = SceneAssembly()
        let first = try assembly.take(try #require(try update(host)))
        #expect(first == nil)
        let whole = try assembly.take(try #require(try update(host)))
        #expect(whole?.set.count == 14)
        withExtendedLifetime(session) {}
    }

    @Test func `its files are those of the scratch folder, and one that is not there is left out`() throws {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("view-\(UUID().uuidString)")
        let tmp = scratch.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: tmp, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        try Data("picture".utf8).write(to: tmp.appendingPathComponent("a.png"))
        let files = ["a", "b"].map { ScratchAttachment(identifier: $0, path: "tmp/\($0).png", type: "public.png") }
        let host = try FakeHost()
        let view = RecordingView()
        let session = host.serve(.view(view))
        try host.greet(scratch: scratch.path, ahead: 0)
        let opening = ViewOpening(notification: shown("Alice", files: files), environment: ViewEnvironment())
        try host.send(.view(id: 1, opening))
        let notice = "attachment \"b\" of the request is not there: left out"
        #expect(try host.receive() == .log(.init(level: .notice, message: notice)))
        #expect(try update(host) != nil)
        #expect(view.heard.withLock { $0 }.last == "file a")
        withExtendedLifetime(session) {}
    }

    @Test func `a notification for a service is a violation that ends it`() throws {
        let host = try FakeHost()
        let session = host.serve(.view(RecordingView()))
        try host.greet(ahead: 0)
        try host.request(1)
        #expect(try host.waitForExit() == 1)
        withExtendedLifetime(session) {}
    }
}
