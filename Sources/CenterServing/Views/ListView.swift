// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NotificationPayload
import UserNotificationCenter

/// The way in which notifications of one owner are shown: what their installations are called, and what they offer.
///
/// Read once for a list, an event or a page, so that all of it is of one moment.
struct ListView {
    private let apps: OwnerLooks.Looks
    let center: Center
    private let owner: OwnerName
    /// The language of the texts in the place of hidden previews; `nil` hides none.
    private let hiding: SummaryLanguage?

    init(of owner: OwnerName, in center: Center, hiding: SummaryLanguage?) throws(DatabaseFailure) {
        apps = try center.looks.looks(of: owner) { () throws(DatabaseFailure) in
            var looks: OwnerLooks.Looks = [:]
            for installation in try center.store.installations(of: owner) {
                let settings = AppPermission(stored: installation.permission).settings
                looks[installation.number] = AppLook(
                    topic: installation.key.app,
                    categories: try center.categories(of: installation.key).registered,
                    grouping: settings.grouping,
                    hidesPreviews: settings.previews != .always
                )
            }
            return looks
        }
        self.hiding = hiding
        self.center = center
        self.owner = owner
    }

    func json(of notification: KeptNotification) -> JSONObject {
        let app = apps[notification.head.installation] ?? AppLook()
        return NotificationView(
            notification: notification,
            app: app.topic,
            stack: notification.head.entry.key(app.grouping).identifier { center.store.stackHash($0) },
            categories: app.categories,
            contentExtension: InstallationKey(owner: owner, app: app.topic).flatMap { center.app($0).content },
            files: center.appFiles,
            hiding: app.hidesPreviews ? hiding : nil
        ).json
    }
}

extension Installation {
    /// True if a lock view shows a text in the place of what the app's notifications say.
    var hidesPreviews: Bool { AppPermission(stored: permission).settings.previews != .always }
}

extension Head {
    /// The notification as a board of stacks has it.
    fileprivate var entry: StackEntry {
        StackEntry(
            number: number,
            installation: Int32(clamping: installation),
            thread: thread,
            count: presentation.count,
            isHeld: presentation.flags.contains(.held)
        )
    }
}
