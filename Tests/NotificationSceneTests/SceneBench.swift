// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import SceneModel
import Testing
import ViewSession

@testable import NotificationScene

/// A session of a scene in this process, and the scene as a host would have it.
@MainActor final class SceneBench<Scene: NotificationScene> {
    private(set) var updates: [SceneUpdate] = []
    private(set) var tree = SceneTree()
    private var assembly = SceneAssembly()
    private(set) var faults: [SceneFault] = []
    private var session: ViewSession<SceneView<Scene>>?
    private var lastEvent: UInt64 = 0

    init(
        _ scene: Scene,
        payload: JSONObject = ["aps": ["alert": ["title": "Alice", "body": "A photo"]]],
        scratch: String? = nil
    ) {
        let (notification, environment) = (Self.notification(payload), ViewEnvironment())
        session = ViewSession(
            notification,
            environment,
            say: { [weak self] update in self?.hear(update) },
            fail: { [weak self] fault in self?.faults.append(fault) }
        ) { requests in
            SceneView({ scene }, notification, environment, scratch: scratch, requests)
        }
    }

    static func notification(_ payload: JSONObject) -> UNNotification {
        let request = UNNotificationRequest(
            identifier: "a",
            content: UNNotificationContent(payload: Payload(payload), attachments: []),
            trigger: nil
        )
        return UNNotification(request: request, date: Date(timeIntervalSince1970: 0))
    }

    /// Takes an update as a host does: in packets, strictly, and into the scene.
    private func hear(_ update: SceneUpdate) {
        do {
            for piece in update.pieces(ofAtMost: 65_527) {
                let bytes = piece.body.serialized
                #expect(bytes.count <= 65_527)
                let read = try SceneUpdate(JSONObject(parsing: bytes.span, depthLimit: 32))
                guard let whole = try assembly.take(read) else { continue }
                #expect(whole == update)
                try tree.apply(whole)
            }
        } catch { Issue.record("a host would refuse the update: \(error)") }
        updates.append(update)
    }

    /// Hands an event on, and returns the update that acknowledges it.
    @discardableResult
    func take(_ event: ViewEvent) -> SceneUpdate? {
        lastEvent += 1
        session?.take(event, numbered: lastEvent)
        return updates.last.flatMap { $0.acknowledged == lastEvent ? $0 : nil }
    }

    /// Shows a newer notification, and returns the update that acknowledges it.
    @discardableResult
    func take(_ payload: JSONObject) -> SceneUpdate? {
        lastEvent += 1
        session?.take(Self.notification(payload), numbered: lastEvent)
        return updates.last.flatMap { $0.acknowledged == lastEvent ? $0 : nil }
    }

    /// Waits until so many updates were said, or the test's time is over.
    ///
    /// All scenes of a run share the main thread, so that a turn may come late.
    func until(_ count: Int) async throws {
        while updates.count < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Lets the main queue come to what was ordered so far.
    func settle() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    /// A node of a kind, counted from 0 as they are drawn.
    func node(_ kind: SceneKind.Name, _ place: Int = 0) throws -> SceneNode {
        let found = tree.inOrder.filter { $0.kind.name == kind }
        return try #require(found.indices.contains(place) ? found[place] : nil)
    }

    /// The texts of the scene, as they are drawn.
    var texts: [String] { tree.inOrder.flatMap(\.kind.texts) }
}
