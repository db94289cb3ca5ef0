// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

@testable import DesktopPresenter

/// The words of a centre, as its API has them.
enum Told {
    static let app = "com.example.chat"

    static func notification(_ id: Int64, _ members: [String: JSON] = [:]) -> JSONObject {
        var object: JSONObject = [
            "id": .string("\(id)"), "app": .string(app), "date": "2026-11-21T03:00:00.000Z", "level": "active",
            "present": ["banner": true, "list": true, "sound": false, "until": "2026-11-21T03:00:30.000Z"],
            "payload": ["aps": ["alert": ["title": .string("Title \(id)")]]],
        ]
        for (name, value) in members { object[name] = value }
        return object
    }

    /// The first event of a stream, at the moment at which notifications are delivered.
    static let hello: JSONObject = ["time": "2026-11-21T03:00:00.000Z", "surface": "9f3c"]

    /// The surfaces of an owner; the last one is the reader's.
    static func surfaces(_ others: JSON...) -> JSONObject {
        let own: JSON = [
            "kind": "desktop", "local": true, "visible": false, "focused": false, "banners": false, "sound": false,
        ]
        return ["surfaces": .array(others + [own]), "own": .integer(Int64(others.count))]
    }

    static let focusedPage: JSON = [
        "kind": "page", "local": true, "visible": true, "focused": true, "banners": true, "sound": true,
    ]

    /// A front page whose stacks have these leading notifications and summaries.
    static func front(
        _ stacks: [(JSONObject, String?)],
        position: Int64,
        grouping: String = "automatic",
        previews: String = "whenAuthenticated"
    ) -> JSONObject {
        let settings: JSON = ["grouping": .string(grouping), "previews": .string(previews)]
        return [
            "position": .string("\(position)"), "time": "2026-11-21T03:00:00.000Z",
            "apps": [["app": .string(app), "name": "Chat", "settings": settings]],
            "stacks": .array(
                stacks.map { leading, summary in
                    var stack: JSONObject = ["leading": .object(leading)]
                    stack["summary"] = summary.map(JSON.string)
                    return .object(stack)
                }
            ),
        ]
    }
}

extension Told {
    /// A stack of a front page for a lock view, whose app hides previews.
    static func hiddenStack(_ id: Int64, count: Int, title: String? = nil) -> JSON {
        var hidden: JSONObject = ["placeholder": "Message"]
        hidden["title"] = title.map(JSON.string)
        let leading: JSONObject = ["id": .string("\(id)"), "app": .string(app), "hidden": .object(hidden)]
        return [
            "leading": .object(leading), "count": .integer(Int64(count)),
            "hidden": ["placeholder": .string("\(count) messages")],
        ]
    }
}

extension SinceNotice {
    /// The notice of a desktop that opens addresses and whose clock is that of UTC.
    static var told: SinceNotice {
        SinceNotice(command: "notification-center list", opensAddresses: true) { _ in 0 }
    }
}

extension UnseenList {
    /// The notifications with these numbers, each a minute after the one before it, of three apps in turn.
    init(_ ids: ClosedRange<Int64>, from date: String = "2026-11-21T02:") {
        self.init()
        let items = ids.reversed().map { id -> JSON in
            let minute = "\(id % 60)"
            let text = date + (minute.count == 1 ? "0" : "") + minute + ":00.000Z"
            return ["id": .string("\(id)"), "app": .string("app-\(id % 3)"), "date": .string(text)]
        }
        _ = take(page: ["items": .array(items), "next": .null])
    }
}

/// A board and what surrounds it: a centre that answers at once, and a daemon that gives rising ids.
struct Desk {
    var board: PopupBoard
    var now = Duration.zero
    private(set) var popups: [Popup] = []
    private(set) var states: [Presenter.State] = []
    /// The pictures of the popups, one for each.
    private(set) var pictures: [PopupPicture?] = []
    /// The sounds of the popups that the desktop is to play, one for each.
    private(set) var sounds: [PopupSound?] = []
    private var lastID: UInt32 = 0
    /// The front page that the centre answers with.
    var front = Told.front([], position: .max)
    /// The same as a lock view is told it.
    var lockFront = Told.front([], position: .max)
    /// The notifications that the centre says are not seen, and the address of its page.
    var unseen = UnseenList()
    var page: String?
    /// The answer of a centre that tells of no notifications; `nil` means that it tells of those.
    var answer: UnseenAnswer?
    /// The times that the centre was asked for what is not seen.
    private(set) var loadCount = 0

    init(
        capabilities: Set<String> = ["actions", "body"],
        name: String = "fake",
        surfaces: JSONObject = Told.surfaces(),
        board: PopupBoard = PopupBoard(language: .english, since: .told)
    ) {
        self.board = board
        self.board.take(daemon: DaemonFacts(name: name, capabilities: capabilities))
        self.board.take(hello: Told.hello, at: now)
        self.board.take(surfaces: surfaces)
    }

    /// Does what comes next until the board rests; returns until when.
    @discardableResult
    mutating func run() -> Duration? {
        while true {
            switch board.step(at: now) {
            case .tell(_, let state): states.append(state)
            case .loadFront(let isForLock):
                board.take(front: isForLock ? lockFront : front, isForLock: isForLock, at: now)
            case .loadUnseen:
                loadCount += 1
                board.take(unseen: answer ?? .list(unseen, page: page), at: now)
            case .show(let popup, let files, let ticket):
                pictures.append(files.picture)
                sounds.append(files.sound)
                popups.append(popup)
                if popup.replaces == 0 { lastID += 1 }
                _ = board.take(shown: ticket, as: popup.replaces == 0 ? lastID : popup.replaces)
            case .rest(let end): return end
            }
        }
    }

    /// Delivers a notification whose popup the daemon is asked for, and has not answered.
    mutating func ask(for notification: JSONObject) throws -> (popup: Popup, ticket: Int) {
        _ = board.take(delivered: notification, at: now)
        board.take(front: front, isForLock: false, at: now)
        guard case .show(let popup, _, let ticket) = board.step(at: now) else { throw NothingShown() }
        return (popup, ticket)
    }

    private struct NothingShown: Error {}

    /// Delivers notifications, and shows what there is to show.
    @discardableResult
    mutating func deliver(_ notifications: JSONObject...) -> [PopupBoard.Order] {
        let orders = notifications.flatMap { board.take(delivered: $0, at: now) }
        run()
        return orders
    }
}
