// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The popups of a desktop whose session is locked.
struct PopupLockTests {
    /// A desk whose apps hide previews or not, with a notification of each of some threads on the screen.
    private func desk(_ ids: ClosedRange<Int64>, previews: String = "whenAuthenticated") -> Desk {
        var desk = Desk()
        desk.front = Told.front([], position: .max, previews: previews)
        desk.lockFront = desk.front
        for id in ids { desk.deliver(Told.notification(id, ["thread": .string("\(id)")])) }
        return desk
    }

    @Test func `what comes while it is locked has the words of a lock view, and the summary counts`() {
        var desk = desk(1...1)
        desk.lockFront["stacks"] = [Told.hiddenStack(3, count: 2, title: "Alice"), Told.hiddenStack(4, count: 1)]
        #expect(desk.board.take(isLocked: true, at: desk.now) == [.close(1)])
        desk.deliver(Told.notification(3, ["thread": "alice"]), Told.notification(4, ["thread": "bob"]))
        #expect(desk.popups.map(\.summary) == ["Title 1", "Chat", "Alice", "Chat"])
        #expect(desk.popups.map(\.body) == ["", "Notification", "2 messages", "1 messages"])
    }

    @Test func `an app whose previews are always shown keeps its words`() {
        var desk = desk(1...1, previews: "always")
        #expect(desk.board.take(isLocked: true, at: desk.now) == [])
        desk.deliver(Told.notification(2))
        #expect(desk.popups.map(\.summary) == ["Title 1", "Title 2"])
    }

    @Test func `an app of which the centre has told nothing is hidden`() {
        var desk = Desk()
        desk.front = [:]
        desk.lockFront = [:]
        _ = desk.board.take(isLocked: true, at: desk.now)
        _ = desk.board.take(delivered: Told.notification(1), at: desk.now)
        guard case .tell = desk.board.step(at: desk.now), case .loadFront(true) = desk.board.step(at: desk.now) else {
            Issue.record("the front is to be loaded as for a lock view")
            return
        }
        desk.board.takeNoFront()
        desk.run()
        #expect(desk.popups.map(\.summary) == [Told.app])
        #expect(desk.popups.map(\.body) == ["Notification"])
    }

    @Test func `a lock takes the words from the screen in silence, and an unlock brings them back`() {
        var desk = desk(1...2)
        #expect(desk.board.take(isLocked: true, at: desk.now) == [.close(1), .close(2)])
        desk.run()
        #expect(desk.popups.dropFirst(2).map(\.summary) == ["Chat", "Chat"])
        #expect(desk.popups.dropFirst(2).map(\.replaces) == [0, 0])
        #expect(desk.popups.dropFirst(2).allSatisfy { $0.hints["suppress-sound"] == .flag(true) })
        #expect(desk.board.take(isLocked: true, at: desk.now) == [])
        #expect(desk.board.take(isLocked: false, at: desk.now) == [])
        desk.run()
        #expect(desk.popups.dropFirst(4).map(\.summary) == ["Title 1", "Title 2"])
        #expect(desk.popups.dropFirst(4).map(\.replaces) == [3, 4])
    }

    @Test func `a popup that is not fresh any more is closed by a lock, and stays hidden by an unlock`() {
        var stale = desk(1...1)
        stale.now = .seconds(31)
        #expect(stale.board.take(isLocked: true, at: stale.now) == [.close(1)])
        stale.run()
        #expect(stale.popups.map(\.summary) == ["Title 1"])
        var hidden = desk(1...1)
        _ = hidden.board.take(isLocked: true, at: hidden.now)
        hidden.run()
        hidden.now = .seconds(31)
        #expect(hidden.board.take(isLocked: false, at: hidden.now) == [])
        hidden.run()
        #expect(hidden.popups.map(\.summary) == ["Title 1", "Chat"])
    }

    @Test func `a lock closes all at once, though the daemon has no call left for those that come again`() {
        var desk = desk(1...8)
        let orders = desk.board.take(isLocked: true, at: desk.now)
        #expect(orders == (1...8).map { .close($0) })
        desk.run()
        #expect(desk.popups.count == 8)
        desk.now = .seconds(2)
        desk.run()
        #expect(desk.popups.dropFirst(8).map(\.summary) == Array(repeating: "Chat", count: 8))
    }

    @Test func `a popup that the daemon has not confirmed is closed once it has, and comes hidden`() {
        var desk = desk(1...1)
        _ = desk.board.take(delivered: Told.notification(2), at: desk.now)
        desk.board.take(front: desk.front, isForLock: false, at: desk.now)
        guard case .show(let popup, _, let ticket) = desk.board.step(at: desk.now) else {
            Issue.record("the popup is to be shown")
            return
        }
        #expect(popup.summary == "Title 2" && desk.board.stands(ticket))
        _ = desk.board.take(isLocked: true, at: desk.now)
        #expect(!desk.board.stands(ticket))
        #expect(desk.board.take(shown: ticket, as: 7) == [.close(7)])
        desk.run()
        #expect(desk.popups.dropFirst().map(\.summary) == ["Chat", "Chat"])
    }

    @Test func `a front that was asked for before the lock says nothing for it`() {
        var desk = desk(1...1)
        _ = desk.board.take(delivered: Told.notification(2), at: desk.now)
        #expect(desk.board.step(at: desk.now) == .loadFront(isForLock: false))
        _ = desk.board.take(isLocked: true, at: desk.now)
        desk.board.take(front: desk.front, isForLock: false, at: desk.now)
        #expect(desk.board.step(at: desk.now) == .loadFront(isForLock: true))
    }

    // MARK: Pictures

    private static let picture: JSON = ["mediaType": "image/png", "size": 70, "href": "/elsewhere"]

    @Test(
        arguments: [
            ([["mediaType": "audio/wav", "size": 70], picture], "/v1/notifications/2/attachments/1"),
            ([["mediaType": "image/svg+xml", "size": 70]], nil),
            ([["mediaType": "image/png", "size": 2_097_153]], nil),
            ([["mediaType": "image/png", "size": 70, "thumbnail": ["hidden": true]]], nil),
            ([["refused": "type"], "text"], nil),
        ] as [([JSON], String?)]
    )
    func `a popup has the first picture that may be shown`(files: [JSON], target: String?) {
        var desk = desk(1...1)
        desk.deliver(Told.notification(2, ["attachments": .array(files)]))
        #expect(desk.pictures.map { $0?.target } == [nil, target])
    }

    @Test func `a picture is hidden with the words`() {
        var desk = desk(1...1)
        _ = desk.board.take(isLocked: true, at: desk.now)
        desk.deliver(Told.notification(2, ["attachments": [Self.picture]]))
        #expect(desk.pictures == [nil, nil, nil])
        var open = self.desk(1...1, previews: "always")
        _ = open.board.take(isLocked: true, at: open.now)
        open.deliver(Told.notification(2, ["attachments": [Self.picture]]))
        #expect(open.pictures.map { $0 != nil } == [false, true])
    }
}
