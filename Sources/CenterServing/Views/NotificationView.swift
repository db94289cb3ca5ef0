// SPDX-License-Identifier: Apache-2.0

import CenterStore
import NotificationPayload
import UserNotificationCenter

import struct CenterProtocol.Moment

/// A notification as the API shows it.
///
/// Source: docs/notification-center.md, "A notification".
struct NotificationView {
    let notification: StoredNotification
    /// The app's topic.
    let app: String
    /// The app's categories, which name the actions that a person may choose.
    let categories: CategorySet

    var json: JSONObject {
        let head = notification.head
        var object: JSONObject = [
            "id": .string("\(head.number)"), "app": .string(app), "date": .string(Self.text(of: head.date)),
            "remote": .bool(head.presentation.flags.contains(.remote)),
            "level": .string(Self.level(head.presentation.level)),
            "present": .object(present),
        ]
        // What the disk has of it is damaged: the row is there, and can be removed.
        guard let content = notification.content else { return object }
        object["identifier"] = .string(content.identifier)
        object["thread"] = content.thread.map(JSON.string)
        object["payload"] = .object(content.payload)
        let actions = content.category.flatMap { categories[$0]?.actions } ?? []
        if !actions.isEmpty { object["actions"] = .array(actions.map(\.json)) }
        if !content.attachments.isEmpty { object["attachments"] = .array(content.attachments) }
        return object
    }

    private var present: JSONObject {
        let presentation = notification.head.presentation
        var object: JSONObject = [
            "banner": .bool(presentation.flags.contains(.banner)), "list": .bool(presentation.flags.contains(.list)),
            "lock": .bool(presentation.flags.contains(.lock)), "sound": .bool(presentation.flags.contains(.sound)),
        ]
        object["until"] = presentation.until.map { .string(Self.text(of: $0)) }
        return object
    }

    /// ISO 8601 in UTC with milliseconds.
    static func text(of time: WallTime) -> String { Moment(milliseconds: time).text }

    private static func level(_ stored: Int) -> String {
        InterruptionLevel(rawValue: stored)?.word ?? InterruptionLevel.active.word
    }
}
