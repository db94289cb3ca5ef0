// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Foundation
import NotificationPayload

/// The width, the colours and the discretion of a terminal.
struct TerminalStyle: Equatable {
    /// The width, 20 at least.
    var columns: Int
    var hasColours: Bool
    /// No text of a notification is shown: only whose it is.
    var hidesPreviews = false
    /// True for a terminal that may know links.
    var hasLinks = false
    var zone = TimeZone.current
    /// The page of the centre, to which links lead; `nil` means that it has none, or that the terminal has no links.
    var page: CenterPage?

    func bold(_ text: String) -> String { hasColours ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    func dim(_ text: String) -> String { hasColours ? "\u{1b}[2m\(text)\u{1b}[0m" : text }

    /// A text that leads to the page of an app, which is the only address that a link has.
    ///
    /// Source: "Hyperlinks in terminal emulators", OSC 8.
    func link(_ text: String, of topic: String) -> String {
        page.map { "\u{1b}]8;;\($0.address(of: topic))\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\" } ?? text
    }
}

/// A notification as a block of lines: whose it is, its texts, its files, and the numbers of its actions.
struct NotificationBlock {
    /// Lines of a body that are shown; `show` has the rest.
    private static let bodyLines = 6
    private static let indent = "       "

    private let notification: JSONObject
    private let app: String
    private let style: TerminalStyle

    /// Takes a notification as the API shows it, and what its app is called.
    init(_ notification: JSONObject, name: String, style: TerminalStyle) {
        self.notification = notification
        self.style = style
        app = name
    }

    var id: String { notification["id"]?.string ?? "" }

    var lines: [String] {
        let room = style.columns - Self.indent.count
        let texts = body.flatMap { DisplayText.wrapped($0, to: room) }
        var shown = Array(texts.prefix(Self.bodyLines))
        if texts.count > Self.bodyLines, let last = shown.popLast() {
            shown.append(DisplayText.clipped(last + " …", to: room))
        }
        let files = self.files.map { DisplayText.clipped($0, to: room) }
        let actions = DisplayText.clipped(self.actions, to: room)
        return [header] + (shown + files).map { Self.indent + $0 }
            + (actions.isEmpty ? [] : [Self.indent + style.dim(actions)])
    }

    /// Time, app and title on the left; id and seal on the right, if there is room for them.
    private var header: String {
        let time = DisplayText.line(self.time)
        let right = (seal.isEmpty ? "" : seal + "  ") + DisplayText.line(id)
        let room = style.columns - DisplayText.columns(of: right) - 2
        let name = [DisplayText.line(app), title.map(DisplayText.line) ?? ""].filter { !$0.isEmpty }.joined(
            separator: " · "
        )
        let left = DisplayText.clipped(name, to: max(8, room - DisplayText.columns(of: time) - 2))
        let gap = room - DisplayText.columns(of: time) - 2 - DisplayText.columns(of: left) + 2
        let linked = style.link(style.dim(right), of: notification["app"]?.string ?? "")
        return style.dim(time) + "  " + style.bold(left) + String(repeating: " ", count: max(2, gap)) + linked
    }

    private var alert: JSON? { notification["payload"]?.object?["aps"]?.object?["alert"] }

    private var title: String? {
        guard style.hidesPreviews || notification["hidden"] != nil else { return alert?.object?["title"]?.string }
        return style.hidesPreviews ? nil : notification["hidden"]?.object?["title"]?.string
    }

    private var body: [String] {
        if style.hidesPreviews { return [] }
        if let hidden = notification["hidden"]?.object {
            return [hidden["subtitle"]?.string, hidden["placeholder"]?.string].compactMap(\.self)
                .flatMap(DisplayText.lines)
        }
        let texts = alert?.string.map { [$0] } ?? ["subtitle", "body"].compactMap { alert?.object?[$0]?.string }
        return texts.flatMap(DisplayText.lines)
    }

    /// Files by name and size; those that the centre did not take, by the reason.
    private var files: [String] {
        guard !style.hidesPreviews else { return [] }
        return (notification["attachments"]?.array ?? []).compactMap(\.object).map { file in
            let name = DisplayText.line(file["identifier"]?.string ?? "")
            guard let size = file["size"]?.integer else {
                return "[\(name): refused, \(DisplayText.line(file["refused"]?.string ?? ""))]"
            }
            return "[\(name) \(Self.text(ofSize: size))]"
        }
    }

    private static func text(ofSize size: Int64) -> String {
        switch size {
        case ..<1_000: "\(size) B"
        case ..<1_000_000: "\(size / 1_000) KB"
        default: "\(size / 1_000_000) MB"
        }
    }

    /// "1 Reply…  2 Archive": the numbers that answer it; "…" asks for a text.
    private var actions: String {
        NotificationAction.all(of: notification).enumerated().map { place, action in
            "\(place + 1) \(DisplayText.line(action.title))\(action.asksForText ? "…" : "")"
        }.joined(separator: "  ")
    }

    private var seal: String {
        // An app may write what it likes into a request of its own; the host writes this into what it delivers.
        guard notification["remote"]?.bool == true,
            let encryption = notification["payload"]?.object?["encryption"]?.object
        else { return "" }
        let sender = encryption["authenticated"]?.bool == true ? encryption["sender"]?.string : nil
        return "⌁ sealed" + (sender.map { ", sender \(DisplayText.clipped(DisplayText.line($0), to: 12))" } ?? "")
    }

    /// Hours and minutes of the reader's zone, with the date in front of them if it is not today's.
    private var time: String {
        let parse = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (notification["date"]?.string).flatMap({ try? parse.parse($0) }) else { return "--:--" }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = style.zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let clock = String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
        guard !calendar.isDateInToday(date) else { return clock }
        return String(format: "%04d-%02d-%02d ", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0) + clock
    }
}

/// An action of a notification's category, as far as a terminal offers it.
struct NotificationAction: Equatable {
    let identifier: String
    let title: String
    let asksForText: Bool

    /// Nine at most: the keys from 1 to 9 name them.
    static func all(of notification: JSONObject) -> [NotificationAction] {
        (notification["actions"]?.array ?? []).prefix(9).compactMap(\.object).compactMap { action in
            guard let identifier = action["identifier"]?.string else { return nil }
            return NotificationAction(
                identifier: identifier,
                title: action["title"]?.string ?? identifier,
                asksForText: action["text"] != nil
            )
        }
    }
}
