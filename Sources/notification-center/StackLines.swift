// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload

/// A stack as a terminal shows it: its leading notification, and what lies behind it.
struct StackLines {
    private let stack: JSONObject

    init(_ stack: JSONObject) {
        self.stack = stack
    }

    var lines: [String] {
        guard let leading = stack["leading"]?.object else { return [] }
        let first = NotificationLine(leading).text
        guard let summary = stack["summary"]?.string else { return [first] }
        return [first, "        \(Terminal.visible(summary))"]
    }
}

/// A notification as one line: id, time, app, title, subtitle and body.
struct NotificationLine {
    private let notification: JSONObject

    init(_ notification: JSONObject) {
        self.notification = notification
    }

    var text: String {
        let id = notification["id"]?.string ?? ""
        let alert = notification["payload"]?.object?["aps"]?.object?["alert"]
        let texts =
            alert?.string.map { [$0] }
            ?? ["title", "subtitle", "body"].compactMap { alert?.object?[$0]?.string }.filter { !$0.isEmpty }
        let app = notification["app"]?.string ?? ""
        let text = "\(time)  \(app)  \(texts.joined(separator: " — "))"
        return "\(Terminal.visible(id))\t\(Terminal.visible(text))"
    }

    /// Date and time in the reader's zone, to the minute.
    private var time: String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (notification["date"]?.string).flatMap({ try? style.parse($0) }) else { return "" }
        let local = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
            .year().month().day().time(includingFractionalSeconds: false)
        return String(date.formatted(local).prefix(16))
    }
}

/// An event as a terminal shows it; `nil` means that there is nothing for people in it.
struct EventLine {
    private let name: String
    private let data: JSONObject

    init(_ name: String, _ data: JSONObject) {
        self.name = name
        self.data = data
    }

    var line: String? {
        switch name {
        case "delivered": return NotificationLine(data).text
        case "removed":
            let ids = data["ids"]?.array?.compactMap(\.string).joined(separator: ", ") ?? ""
            return Terminal.visible("removed \(ids) by \(data["by"]?.string ?? "")")
        case "missed":
            let apps = data["apps"]?.array?.compactMap(\.string).joined(separator: ", ") ?? ""
            return Terminal.visible("\(data["count"]?.integer ?? 0) came during Do Not Disturb: \(apps)")
        case "summary": return "the summary: \(data["count"]?.integer ?? 0) notifications"
        case "app":
            let state = data["removed"] == true ? "removed" : data["status"]?.string ?? ""
            return Terminal.visible("\(data["app"]?.string ?? ""): \(state)")
        case "reset": return "too much happened: list anew"
        default: return nil
        }
    }
}
