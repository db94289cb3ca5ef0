// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotifications

/// A request that nobody sent goes the way of all others, up to the extension and back without it.
///
/// The cost of the first use of code (symbols bound, pages copied, tables built) is then paid before `ready`, where a
/// spare process has time, and not by a notification.
enum Rehearsal {
    /// True when the way is open; it does no I/O and leaves nothing behind.
    @discardableResult
    static func run() -> Bool {
        guard var worker = RequestRoundTrip(), let packet = RequestRoundTrip.packet(id: 1, payload: payload) else {
            return false
        }
        let answer = worker.answer(to: packet) { content in
            content.title += content.subtitle
            content.threadIdentifier = content.userInfo["room"] as? String ?? ""
        }
        return answer != nil
    }

    private static var payload: Payload {
        Payload([
            "aps": [
                "alert": ["title": "Title", "subtitle": "Subtitle", "body": "Body"], "badge": 1, "sound": "default",
                "mutable-content": 1, "thread-id": "thread", "category": "category",
            ],
            "room": "room", "numbers": [1, 2.5, true, nil],
        ])
    }
}
