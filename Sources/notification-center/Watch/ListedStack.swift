// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

/// A stack of a front page, found by a notification in it: no event has the ids of stacks.
struct ListedStack {
    /// Stacks of the front page that is looked through.
    static let limit = 200

    let id: String

    /// Finds the stack by the grouping of the app; `nil` means that the page has it not.
    init?(of notification: JSONObject, in front: JSONObject) {
        let topic = notification["app"]
        let app = front["apps"]?.array?.compactMap(\.object).first { $0["app"] == topic }
        let word = app?["settings"]?.object?["grouping"]?.string
        let grouping = word.flatMap(StackGrouping.init) ?? .automatic
        let stack = (front["stacks"]?.array ?? []).compactMap(\.object).first { stack in
            guard let leading = stack["leading"]?.object, leading["app"] == topic else { return false }
            return switch grouping {
            case .automatic: leading["thread"] == notification["thread"]
            case .byApp: true
            case .off: leading["id"] == notification["id"]
            }
        }
        guard let id = stack?["id"]?.string, id.utf8.allSatisfy({ (0x30...0x7A).contains($0) }) else { return nil }
        self.id = id
    }
}
