// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The notifications that a watching person wants to see.
struct WatchFilter: Equatable {
    /// An app's topic.
    var app: String?
    var thread: String?

    func takes(_ notification: JSONObject) -> Bool {
        (app == nil || notification["app"]?.string == app)
            && (thread == nil || notification["thread"]?.string == thread)
    }
}

extension WatchFilter {
    /// True for an event that is shown where each is a line: what is no notification is shown as well.
    func takes(_ name: String, _ data: JSONObject) -> Bool {
        name != "delivered" || takes(data)
    }
}
