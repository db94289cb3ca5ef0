// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The part of the API with which a person goes from an app's switches to the settings in the app itself.
struct OwnSettingsAPI {
    let api: CenterAPI

    /// Has the app show its settings: one that listens at once, one that is started when it comes.
    func open(_ topic: String, _ object: JSONObject) async throws(APIError) -> APIAnswer {
        let (key, center) = (try api.key(topic), api.center)
        let permission = try api.read { store throws(DatabaseFailure) in
            try store.installation(key) == nil && !center.knows(key) ? nil : try center.permission(of: key)
        }
        guard let permission else { throw .notFound }
        guard permission.offersOwnSettings else { throw .noSettings }
        let notification = try origin(object["notification"], of: key)
        if center.appNews.openSettings(notification, of: key) { return APIAnswer(.ok, [:]) }
        switch AppLaunch(toFront: true, of: key, content: nil, in: center) {
        case .started:
            center.appNews.keepWish(notification, for: key, at: center.clock.boot())
            return APIAnswer(.ok, [:])
        case .presenter(_, let url?): return APIAnswer(.ok, ["launch": ["url": .string(url)]])
        // It listens for responses alone, or has just gone; or a page, which starts no program, has no address of it.
        case .connected, .waits, .presenter: throw .notRunning
        }
    }

    /// The notification from which the person came; `nil` means that it was none.
    private func origin(_ value: JSON?, of key: InstallationKey) throws(APIError) -> ToldNotification? {
        guard let value else { return nil }
        guard let number = value.string.flatMap({ Int64(decimal: $0) }), number > 0 else {
            throw .badParameter("\"notification\" must be the number of a notification, as a text")
        }
        let kept = try api.read { store throws(DatabaseFailure) in
            try store.notifications([number], of: api.owner).first
        }
        let topics = try api.read { store throws(DatabaseFailure) in try store.topics(of: api.owner) }
        guard let kept, topics[kept.head.installation] == key.app else { throw try api.absence(of: number) }
        return kept.content.map { content in
            ToldNotification(
                number: number,
                date: Moment(milliseconds: kept.head.date),
                request: StoredRequest(content, of: api.center.store)
            )
        }
    }
}
