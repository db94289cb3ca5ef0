// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

import struct CenterProtocol.Moment

/// The notifications that a person has not seen, as far as one popup tells of them: whose they are, and since when.
package struct UnseenList: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let app: String
        /// Milliseconds since 1970.
        let date: Int64?
    }

    /// Notifications that are counted.
    private static let limit = 1_000
    /// Notifications of one page.
    package static let pageLimit = 100

    private var entries: [Int64: Entry] = [:]
    private var pageCount = 0
    /// True if there are more than are counted.
    private(set) var isCut = false

    package init() {}

    /// Takes a page of the centre's list, the newest first; returns the number to read on before, or `nil` at its end.
    package mutating func take(page: JSONObject) -> Int64? {
        for item in (page["items"]?.array ?? []).prefix(Self.pageLimit).compactMap(\.object) {
            guard let id = item["id"]?.string.flatMap({ Int64($0) }), let app = item["app"]?.string else { continue }
            entries[id] = Entry(app: app, date: item["date"]?.string.flatMap { Moment($0)?.milliseconds })
        }
        guard let next = page["next"]?.string.flatMap({ Int64($0) }) else { return nil }
        pageCount += 1
        guard pageCount < Self.limit / Self.pageLimit else {
            isCut = true
            return nil
        }
        return next
    }

    /// Takes out what is seen or gone.
    mutating func remove(_ isGone: (Int64) -> Bool) { entries = entries.filter { !isGone($0.key) } }

    var count: Int { entries.count }
    var appCount: Int { Set(entries.values.map(\.app)).count }
    /// The moment of the oldest one, in milliseconds since 1970.
    var since: Int64? { entries.values.compactMap(\.date).min() }
}
