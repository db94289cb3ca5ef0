// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import NotificationPayload

/// The notifications that a watching person has on the screen, and the lines that an event adds to it.
///
/// The lines are added below; `WatchScreen` knows which of those above can be shown in grey.
struct WatchView {
    /// Notifications that keys can reach; the oldest are forgotten first.
    private static let bound = 1_000

    private(set) var style: TerminalStyle
    let filter: WatchFilter
    private var names: [String: String] = [:]
    /// The notifications that are on the screen and open, by their ids, the oldest first.
    private var shown: [(id: String, notification: JSONObject)] = []
    /// The place in `shown` that keys act on; `nil` means the newest.
    private var place: Int?

    init(style: TerminalStyle, filter: WatchFilter) {
        self.style = style
        self.filter = filter
    }

    /// Learns where the page of the centre is.
    mutating func learn(_ page: CenterPage) { style.page = page }

    /// Forgets the notifications that keys can reach.
    mutating func clear() {
        shown = []
        place = nil
    }

    /// Learns what apps are called.
    mutating func learn(_ apps: JSON?) {
        for app in apps?.array ?? [] {
            guard let topic = app.object?["app"]?.string else { continue }
            names[topic] = app.object?["name"]?.string
        }
    }

    /// The notification that keys act on.
    var current: JSONObject? {
        place.flatMap { shown.indices.contains($0) ? shown[$0].notification : nil } ?? shown.last?.notification
    }

    /// The id of the newest notification that is open here.
    var newest: String? { shown.last?.id }

    /// Moves what keys act on; returns the line that names it.
    mutating func move(by step: Int) -> [String] {
        guard !shown.isEmpty else { return [note("nothing is open here")] }
        let place = min(max((self.place ?? shown.count - 1) + step, 0), shown.count - 1)
        self.place = place == shown.count - 1 ? nil : place
        let arrow = "→ "
        guard let line = block(shown[place].notification, indentedBy: arrow.count).lines.first else { return [] }
        return [arrow + line]
    }

    /// A line of the watch itself.
    func note(_ text: String) -> String { style.dim(DisplayText.clipped(DisplayText.line(text), to: style.columns)) }

    /// The block of a notification, with the line of its stack if there is more in it.
    mutating func lines(of notification: JSONObject, summary: String? = nil) -> [String] {
        guard filter.takes(notification), let id = notification["id"]?.string else { return [] }
        shown.append((id, notification))
        if shown.count > Self.bound {
            shown.removeFirst()
            place = place.flatMap { $0 > 0 ? $0 - 1 : nil }
        }
        return block(notification).lines + (style.hidesPreviews ? [] : summary.map { [note("       " + $0)] } ?? [])
    }

    /// The lines of a notification's block without colours and links.
    func plainLines(of notification: JSONObject) -> [String] {
        var view = self
        (view.style.hasColours, view.style.page) = (false, nil)
        return view.block(notification).lines
    }

    /// The lines for an event of the centre; none if there is nothing for people in it.
    ///
    /// `greyed` are the ids of those that are gone and shown so already.
    mutating func lines(of name: String, _ data: JSONObject, greyed: Set<String> = []) -> [String] {
        switch name {
        case "delivered":
            if let former = data["replaces"]?.string { _ = forget(former) }
            return lines(of: data)
        case "removed": return removed(data, greyed)
        case "app":
            if data["removed"] == true, let topic = data["app"]?.string {
                return [note("\(names.removeValue(forKey: topic) ?? topic) was removed")]
            }
            learn([.object(data)])
            guard data["question"] != nil, let topic = data["app"]?.string else { return [] }
            return [note("\(names[topic] ?? topic) asks to notify: notification-center authorize \(topic)")]
        case "missed":
            let apps = (data["apps"]?.array ?? []).compactMap(\.string).map { names[$0] ?? $0 }.joined(separator: ", ")
            return [note("\(data["count"]?.integer ?? 0) came during Do Not Disturb: \(apps)")]
        case "summary": return [note("the summary: \(data["count"]?.integer ?? 0) notifications")]
        default: return []
        }
    }

    private mutating func removed(_ data: JSONObject, _ greyed: Set<String>) -> [String] {
        let cause: String
        switch data["by"]?.string {
        case "user": cause = "dismissed"
        case "response": cause = "answered"
        case "app": cause = "taken back by its app"
        // Its next version stands below, or it is too old to be missed.
        default: cause = ""
        }
        return (data["ids"]?.array ?? []).compactMap(\.string).compactMap { id in
            guard let former = forget(id), !cause.isEmpty, !greyed.contains(id) else { return nil }
            let topic = former["app"]?.string ?? ""
            return note("       \(id) \(names[topic] ?? topic): \(cause)")
        }
    }

    private mutating func forget(_ id: String) -> JSONObject? {
        guard let index = shown.lastIndex(where: { $0.id == id }) else { return nil }
        if let place, index < place { self.place = place - 1 } else if index == place { place = nil }
        return shown.remove(at: index).notification
    }

    private func block(_ notification: JSONObject, indentedBy columns: Int = 0) -> NotificationBlock {
        let topic = notification["app"]?.string ?? ""
        var style = style
        style.columns -= columns
        return NotificationBlock(notification, name: names[topic] ?? topic, style: style)
    }
}
