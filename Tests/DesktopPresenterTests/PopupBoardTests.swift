// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The popups of a desktop: what the centre and the daemon say, and what becomes of it.
struct PopupBoardTests {
    // MARK: Which notifications have a popup

    @Test func `a notification that has come is a popup, and the surface says that it shows banners`() {
        var desk = Desk()
        desk.front = Told.front([], position: 1)
        desk.deliver(Told.notification(1))
        #expect(desk.popups.map(\.summary) == ["Title 1"])
        #expect(desk.popups.map(\.appName) == ["Chat"])
        #expect(desk.states.map(\.showsBanners) == [true])
        #expect(desk.states.map(\.playsSounds) == [false])
    }

    @Test func `while a page has the focus the banner is the page's`() {
        var desk = Desk(surfaces: Told.surfaces(Told.focusedPage))
        desk.deliver(Told.notification(1))
        #expect(desk.popups == [])
        desk.board.take(surfaces: Told.surfaces())
        desk.deliver(Told.notification(2))
        #expect(desk.popups.map(\.summary) == ["Title 2"])
    }

    @Test(
        arguments: [
            ["level": "passive"], ["present": ["banner": false, "until": "2026-11-21T03:00:30.000Z"]],
            ["present": ["banner": true, "until": "2026-11-21T02:59:59.999Z"]], ["present": ["banner": true]],
        ] as [[String: JSON]]
    )
    func `what is passive, has no banner or is not fresh has no popup`(members: [String: JSON]) {
        var desk = Desk()
        desk.deliver(Told.notification(1, members))
        #expect(desk.popups == [])
    }

    @Test func `freshness is judged by the centre's clock`() {
        var desk = Desk()
        desk.now = .seconds(31)
        desk.deliver(Told.notification(1))
        #expect(desk.popups == [])
        desk.board.take(hello: Told.hello, at: desk.now)
        desk.board.take(surfaces: Told.surfaces())
        desk.deliver(Told.notification(2))
        #expect(desk.popups.map(\.summary) == ["Title 2"])
    }

    @Test func `the sound is the desktop's where its daemon plays sounds, and nobody's else`() {
        let present: JSON = ["banner": true, "sound": ["critical": false], "until": "2026-11-21T03:00:30.000Z"]
        let cases: [([String], Popup.Hint?)] = [(["sound"], .text("message-new-instant")), ([], nil)]
        for (capabilities, hint) in cases {
            var desk = Desk(capabilities: Set(capabilities))
            desk.deliver(Told.notification(1, ["present": present]))
            #expect(desk.popups.map { $0.hints["sound-name"] } == [hint])
            #expect(desk.states.map(\.playsSounds) == [hint != nil])
        }
    }

    // MARK: One popup for a stack

    @Test func `a stack has one popup, with the newest text and the centre's summary`() {
        var desk = Desk()
        desk.deliver(Told.notification(1, ["thread": "alice"]), Told.notification(2, ["thread": "bob"]))
        let newest = Told.notification(3, ["thread": "alice"])
        desk.front = Told.front([(newest, "1 more notification")], position: 3)
        desk.deliver(newest)
        #expect(desk.popups.map(\.summary) == ["Title 1", "Title 2", "Title 3"])
        #expect(desk.popups.map(\.replaces) == [0, 0, 1])
        #expect(desk.popups.map(\.body) == ["", "", "1 more notification"])
    }

    @Test(arguments: [("automatic", [0, 1, 0]), ("byApp", [0, 1, 1]), ("off", [0, 0, 0])] as [(String, [UInt32])])
    func `stacks are those of the app's grouping`(grouping: String, replaces: [UInt32]) {
        var desk = Desk()
        desk.front = Told.front([], position: .max, grouping: grouping)
        desk.board.take(front: desk.front, isForLock: false, at: .zero)
        for (id, thread) in [(1, "alice"), (2, "alice"), (3, "bob")] {
            desk.deliver(Told.notification(Int64(id), ["thread": .string(thread)]))
        }
        #expect(desk.popups.map(\.replaces) == replaces)
    }

    @Test func `an update takes the place of the former one, and closes it where its stack is another`() {
        var desk = Desk()
        desk.deliver(Told.notification(1, ["thread": "alice"]))
        let same = desk.deliver(Told.notification(2, ["thread": "alice", "replaces": "1"]))
        #expect(same == [])
        #expect(desk.popups.map(\.replaces) == [0, 1])
        let other = desk.deliver(Told.notification(3, ["thread": "bob", "replaces": "2"]))
        #expect(other == [.close(1)])
        let quiet = desk.deliver(Told.notification(4, ["thread": "bob", "replaces": "3", "level": "passive"]))
        #expect(quiet == [.close(2)])
    }

    @Test func `a thousand notifications in a second, of five stacks, are twelve calls, and the newest are shown`() {
        var desk = Desk()
        for place in 0..<1_000 {
            desk.now = .milliseconds(place)
            desk.deliver(Told.notification(Int64(place), ["thread": .string("\(place % 5)")]))
        }
        #expect(desk.popups.count <= 12)
        #expect(desk.popups.count >= 8)
        while let end = desk.run(), end < .seconds(10) { desk.now = end }
        let last = Set(desk.popups.suffix(5).map(\.summary))
        #expect(last == Set((995..<1_000).map { "Title \($0)" }))
        #expect(Set(desk.popups.map(\.replaces)).count == 6)
    }

    // MARK: What a signal means

    private static let archive: JSON = [["identifier": "archive", "title": "Archive", "options": []]]

    @Test func `a chosen action answers and closes, and a later signal of the popup is nothing`() {
        var desk = Desk()
        desk.deliver(Told.notification(1, ["actions": Self.archive]))
        let chosen = desk.board.take(chosen: "action-0", of: 1)
        #expect(chosen == [.close(1), .respond(id: 1, action: "archive", text: nil)])
        let closed = desk.board.take(closed: 1, reason: 2)
        #expect(closed == [])
        let again = desk.board.take(chosen: "action-0", of: 1)
        #expect(again == [])
    }

    @Test func `a click opens, a text replies, and a key that no popup has is nothing`() {
        let reply: JSON = [["identifier": "reply", "title": "Reply", "text": ["button": "Send", "placeholder": ""]]]
        var desk = Desk(capabilities: ["actions", "inline-reply"])
        desk.deliver(Told.notification(1, ["thread": "a"]), Told.notification(2, ["thread": "b", "actions": reply]))
        let unknown = desk.board.take(chosen: "action-7", of: 2)
        #expect(unknown == [])
        let stranger = desk.board.take(chosen: "default", of: 9)
        #expect(stranger == [])
        let open = desk.board.take(chosen: "default", of: 1)
        #expect(open == [.close(1), .respond(id: 1, action: "default", text: nil)])
        let text = desk.board.take(reply: "At one 🕐", of: 2)
        #expect(text == [.close(2), .respond(id: 2, action: "reply", text: "At one 🕐")])
    }

    @Test(
        arguments: [
            (1, "fake", .automatic, false), (2, "fake", .automatic, true), (3, "fake", .automatic, false),
            (4, "fake", .automatic, false), (2, "dunst", .automatic, false), (2, "dunst", .remove, true),
            (2, "fake", .keep, false),
        ] as [(UInt32, String, DaemonFacts.Dismissal, Bool)]
    )
    func `only a person who closes a popup dismisses, and with dunst none does`(
        reason: UInt32,
        name: String,
        dismissal: DaemonFacts.Dismissal,
        isDismissed: Bool
    ) {
        var desk = Desk(name: name)
        desk.board = PopupBoard(language: .english, since: .told, dismissal: dismissal)
        desk.board.take(daemon: DaemonFacts(name: name))
        desk.board.take(hello: Told.hello, at: .zero)
        desk.board.take(surfaces: Told.surfaces())
        desk.deliver(Told.notification(1))
        let first = desk.board.take(closed: 1, reason: reason)
        #expect(first == (isDismissed ? [.dismiss(1)] : []))
        let second = desk.board.take(closed: 1, reason: 2)
        #expect(second == [], "the first time counts")
    }

    @Test func `a signal that comes before the answer to a replacement is of what was shown before`() throws {
        var desk = Desk()
        desk.deliver(Told.notification(1))
        let (popup, ticket) = try desk.ask(for: Told.notification(2))
        #expect(popup.replaces == 1)
        let closed = desk.board.take(closed: 1, reason: 2)
        #expect(closed == [.dismiss(1)])
        _ = desk.board.take(shown: ticket, as: 2)
        let chosen = desk.board.take(chosen: "default", of: 2)
        #expect(chosen == [.close(2), .respond(id: 2, action: "default", text: nil)])
    }

    @Test func `what goes while a newer one takes the place of its popup takes that one with it no more`() throws {
        for end in ["shown", "shown elsewhere", "refused"] {
            var desk = Desk()
            desk.deliver(Told.notification(1))
            let (_, ticket) = try desk.ask(for: Told.notification(2))
            let removed = desk.board.take(removed: [1])
            #expect(removed == [])
            switch end {
            case "shown":
                let orders = desk.board.take(shown: ticket, as: 1)
                #expect(orders == [])
                #expect(desk.board.daemonIDs == [1])
            case "shown elsewhere":
                let orders = desk.board.take(shown: ticket, as: 2)
                #expect(orders == [.close(1)])
                #expect(desk.board.daemonIDs == [2])
            default:
                let orders = desk.board.take(refused: ticket)
                #expect(orders == [.close(1)])
            }
        }
    }

    // MARK: What happens elsewhere

    @Test func `a popup is closed when its notification is removed or seen elsewhere, also before it is answered for`()
        throws
    {
        var desk = Desk()
        desk.deliver(Told.notification(1, ["thread": "a"]), Told.notification(2, ["thread": "b"]))
        let removed = desk.board.take(removed: [1, 7])
        #expect(removed == [.close(1)])
        let seen = desk.board.take(seen: 2)
        #expect(seen == [.close(2)])
        let (_, ticket) = try desk.ask(for: Told.notification(3))
        let early = desk.board.take(removed: [3])
        #expect(early == [])
        let late = desk.board.take(shown: ticket, as: 9)
        #expect(late == [.close(9)])
    }

    @Test func `after a reset nothing is on the screen`() {
        var desk = Desk()
        desk.deliver(Told.notification(1, ["thread": "a"]), Told.notification(2, ["thread": "b"]))
        let orders = desk.board.takeReset()
        #expect(orders == [.close(1), .close(2)])
        #expect(desk.board.daemonIDs == [])
    }

    // MARK: Daemons

    @Test func `a new daemon shows again what is fresh, in silence and under new ids, by its own capabilities`() {
        var desk = Desk(capabilities: ["body", "sound"])
        let present: JSON = ["banner": true, "sound": ["critical": false], "until": "2026-11-21T03:01:30.000Z"]
        let body: JSON = ["aps": ["alert": ["title": "Alice", "body": "a < b"]]]
        desk.deliver(Told.notification(1, ["thread": "a"]))
        desk.deliver(Told.notification(2, ["thread": "b", "present": present, "payload": body]))
        desk.now = .seconds(40)
        desk.board.takeDaemonGone()
        desk.run()
        #expect(desk.popups.count == 2)
        #expect(desk.states.last?.showsBanners == false)
        desk.board.take(daemon: DaemonFacts(capabilities: ["body", "body-markup"]))
        let end = desk.run()
        if let end { desk.now = end }
        desk.run()
        #expect(desk.popups.dropFirst(2).map(\.body) == ["a &lt; b"])
        #expect(desk.popups.last?.replaces == 0)
        #expect(desk.popups.last?.hints["suppress-sound"] == .flag(true))
        #expect(desk.states.last?.showsBanners == true)
    }

    @Test func `without a daemon nothing waits for one`() {
        var desk = Desk()
        desk.board.takeDaemonGone()
        desk.deliver(Told.notification(1))
        desk.board.take(daemon: DaemonFacts())
        desk.run()
        #expect(desk.popups == [])
    }

    @Test func `a state that the centre did not take is told again after a pause`() {
        var desk = Desk()
        let first = desk.run()
        #expect(first == nil)
        desk.board.takeUntold()
        let end = desk.run()
        #expect(end == .milliseconds(550))
        desk.now = .milliseconds(550)
        desk.run()
        #expect(desk.states.count == 2)
    }

    @Test func `a daemon that does not answer gets sixteen calls, and is given up after ten seconds`() {
        var desk = Desk()
        for id in 1...40 {
            let until: JSON = ["banner": true, "until": "2026-11-21T03:10:00.000Z"]
            _ = desk.board.take(
                delivered: Told.notification(Int64(id), ["thread": .string("\(id)"), "present": until]),
                at: .zero
            )
        }
        desk.board.take(front: desk.front, isForLock: false, at: .zero)
        var tickets: [Int] = []
        var now = Duration.zero
        while now < .seconds(9) {
            if case .show(_, _, let ticket) = desk.board.step(at: now) {
                tickets.append(ticket)
            } else {
                now += .milliseconds(50)
            }
        }
        #expect(tickets.count == 16)
        now = .seconds(11)
        guard case .show = desk.board.step(at: now) else {
            Issue.record("nothing is shown")
            return
        }
        let late = desk.board.take(shown: tickets[0], as: 1)
        #expect(late == [.close(1)])
    }
}
