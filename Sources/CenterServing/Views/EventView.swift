// SPDX-License-Identifier: Apache-2.0

import CenterStore
import NotificationPayload

/// A change as an event of the stream: `id`, `event` and `data`.
///
/// Source: HTML Standard, "Server-sent events"; docs/notification-center.md, "Events".
struct EventView {
    let change: OwnerChange
    let list: ListView

    var text: String {
        switch change.thing {
        case .delivered(let notification, let former):
            var object = list.json(of: notification)
            object["replaces"] = former.map { .string("\($0)") }
            return event("delivered", object)
        case .removed(let number, let cause):
            return event("removed", ["ids": [.string("\(number)")], "by": .string(cause.word)])
        case .installation(let installation):
            return event("app", AppView(installation, in: list.center).json)
        case .uninstalled(let topic): return event("app", ["app": .string(topic), "removed": true])
        case .owner(let owner):
            var object = OwnerWishes(stored: owner.preferences).json
            object["seen"] = .string("\(owner.seen)")
            return event("owner", object)
        }
    }

    private func event(_ name: String, _ data: JSONObject) -> String {
        "id: \(change.number)\n" + Self.text(name, data)
    }

    /// An event without a number.
    static func text(_ name: String, _ data: JSONObject) -> String {
        // JSON has no line ends of its own, so the data is one line.
        "event: \(name)\ndata: \(String(decoding: data.serialized, as: UTF8.self))\n\n"
    }

    /// Tells a watcher that what it knows is too old to be brought up to date.
    static let reset = "event: reset\ndata: {}\n\n"
    /// Tells a watcher that something of the history was deleted for good.
    static let history = text("history", [:])
    /// Keeps the connection of a watcher open on the way.
    static let comment = ":\n\n"
}

extension RemovalCause {
    /// The word of the API.
    fileprivate var word: String {
        switch self {
        case .user: "user"
        case .app: "app"
        case .response: "response"
        case .retention: "retention"
        case .update: "update"
        // A tombstone of an app is no removal of a notification.
        case .uninstalled: "app"
        }
    }
}
