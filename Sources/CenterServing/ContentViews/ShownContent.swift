// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import NotificationPayload

/// The notifications of a centre as views of content extensions get them: as they were delivered.
struct ShownContent {
    /// A notification in the list, and whose it is.
    struct Found {
        let key: InstallationKey
        let date: WallTime
        let content: NotificationContent

        /// Source: PROTOCOL.md, "Link": `notification` of viewOpen.
        var json: JSONObject {
            [
                "identifier": .string(content.identifier), "date": .string(NotificationView.text(of: date)),
                "payload": .object(content.payload),
            ]
        }
    }

    private let store: CenterStore

    init(_ center: Center) {
        store = center.store
    }

    /// Returns a notification; `nil` means that it is not in the list, or that the disk has damaged it.
    func find(_ number: Int64, of owner: OwnerName) throws(DatabaseFailure) -> Found? {
        guard let kept = try store.notifications([number], of: owner).first,
            let topic = try store.topics(of: owner)[kept.head.installation],
            let key = InstallationKey(owner: owner, app: topic), let content = kept.content
        else { return nil }
        return Found(key: key, date: kept.head.date, content: content)
    }
}
