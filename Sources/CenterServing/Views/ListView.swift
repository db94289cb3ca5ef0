// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import NotificationPayload
import UserNotificationCenter

/// The way in which notifications of one owner are shown: what their installations are called, and what they offer.
///
/// Read once for a list, an event or a page, so that all of it is of one moment.
struct ListView {
    private let apps: [Int64: (topic: String, categories: CategorySet)]
    private let nameOfTopic: (String) -> String

    init(of owner: OwnerName, in center: Center) throws(DatabaseFailure) {
        var apps: [Int64: (topic: String, categories: CategorySet)] = [:]
        for installation in try center.store.installations(of: owner) {
            apps[installation.number] = (installation.key.app, try center.categories(of: installation.key))
        }
        self.apps = apps
        nameOfTopic = center.name(of:)
    }

    func json(of notification: KeptNotification) -> JSONObject {
        let app = apps[notification.head.installation]
        return NotificationView(
            notification: notification,
            app: app?.topic ?? "",
            categories: app?.categories ?? CategorySet()
        ).json
    }

    /// The name of an app for people.
    func name(_ topic: String) -> String { nameOfTopic(topic) }
}
