// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
private import Foundation
import NIOHTTP1
import NotificationPayload

/// A search for a text in what an owner has in the list: a scan that ends with a full page, or with its time.
///
/// Capital letters and accents make no difference. A page may have fewer items than asked for, also none, and still a
/// next one.
struct SearchAPI {
    let api: CenterAPI

    /// Rows that are read in one piece: between two, other requests have their turn.
    private static let piece = 100
    /// The time in which one request scans.
    private static let patience = Duration.milliseconds(200)
    /// Characters of a text.
    private static let lengths = 1...200

    func answer(to asked: PageQuery, text: String) async throws(APIError) -> APIAnswer {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Self.lengths.contains(text.count) else {
            throw .badParameter("\"text\" must have 1 to \(Self.lengths.upperBound) characters")
        }
        let sought = Self.folded(text)
        let view = try api.list()
        let end = api.center.clock.measure() + Self.patience
        var items: [JSON] = []
        var query = asked
        query.limit = Self.piece
        while true {
            let before = query
            guard let page = try api.read({ store throws(DatabaseFailure) in try store.page(before, of: api.owner) })
            else { throw .notFound }
            let fitting = page.items.filter { Self.has(sought, in: $0) }
            let found = fitting.prefix(asked.limit - items.count)
            items += found.map { .object(view.json(of: $0)) }
            // The scan goes on behind the last one that was told of.
            let next = found.count < fitting.count ? found.last?.head.number : page.next
            guard let next, items.count < asked.limit, api.center.clock.measure() < end else {
                return APIAnswer(
                    .ok,
                    [
                        "items": .array(items), "next": next.map { .string("\($0)") } ?? .null,
                        "position": .string("\(page.position)"),
                    ]
                )
            }
            query.before = next
            await Task.yield()
        }
    }

    /// Tells whether title, subtitle or body have a folded text.
    private static func has(_ sought: String, in notification: KeptNotification) -> Bool {
        let alert = notification.content?.payload["aps"]?.object?["alert"]
        let texts = [alert?.string] + ["title", "subtitle", "body"].map { alert?.object?[$0]?.string }
        return texts.contains { $0.map { folded($0).contains(sought) } ?? false }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
