// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import SceneModel
import Testing
import UIKit
import UserNotificationsUI
import ViewSession

@testable import ContentExtensionWorker

/// A session of a controller in this process, and the scene as a host would have it.
@MainActor final class ControllerBench {
    typealias Controller = UIViewController & UNNotificationContentExtension

    private(set) var updates: [SceneUpdate] = []
    private(set) var tree = SceneTree()
    private(set) var faults: [SceneFault] = []
    private var session: ViewSession<ControllerContent>?
    private var lastEvent: UInt64 = 0

    init(
        ratio: Double = 1,
        scratch: String? = nil,
        environment: ViewEnvironment = ViewEnvironment(),
        clock: some Clock<Duration> = ContinuousClock(),
        _ makeController: @escaping @MainActor () -> any Controller
    ) {
        let notification = Self.notification(["aps": ["alert": ["title": "Alice", "body": "A photo"]]])
        session = ViewSession(
            notification,
            environment,
            clock: clock,
            say: { [weak self] update in self?.hear(update) },
            fail: { [weak self] fault in self?.faults.append(fault) }
        ) { requests in
            ControllerContent(makeController, notification, environment, scratch: scratch, ratio: ratio, requests)
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

    /// Takes an update as a host does: strictly, and into the scene.
    private func hear(_ update: SceneUpdate) {
        do {
            let bytes = update.body.serialized
            try tree.apply(try SceneUpdate(JSONObject(parsing: bytes.span, depthLimit: 32)))
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
    func show(title: String) -> SceneUpdate? {
        lastEvent += 1
        session?.take(Self.notification(["aps": ["alert": ["title": .string(title)]]]), numbered: lastEvent)
        return updates.last.flatMap { $0.acknowledged == lastEvent ? $0 : nil }
    }

    func close() { session?.close() }

    /// Waits until so many updates were said, or the test's time is over.
    func until(_ count: Int) async throws {
        while updates.count < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// A node of a kind, counted from 0 as they are drawn.
    func node(_ kind: SceneKind.Name, _ place: Int = 0) throws -> SceneNode {
        let found = tree.inOrder.filter { $0.kind.name == kind }
        return try #require(found.indices.contains(place) ? found[place] : nil)
    }

    /// The texts of the scene, as they are drawn.
    var texts: [String] { tree.inOrder.flatMap(\.kind.texts) }
}
