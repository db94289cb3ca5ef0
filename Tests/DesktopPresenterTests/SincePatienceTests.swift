// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The popup of what was missed, where the centre or the daemon does not answer at once, or Do Not Disturb is on.
struct SincePatienceTests {
    private static let summary = "5 notifications since 02:01, from 3 apps"

    private func owner(_ wish: JSONObject, until end: JSON? = nil) -> JSONObject {
        var owner: JSONObject = ["doNotDisturb": .object(wish), "zone": "UTC"]
        owner["quietUntil"] = end
        return owner
    }

    /// A desk whose centre was asked once, at 03:00, and gave this answer.
    private func desk(_ answer: UnseenAnswer) -> Desk {
        var desk = Desk()
        desk.board.take(start: 3)
        (desk.unseen, desk.answer) = (UnseenList(1...5), answer)
        return desk
    }

    // MARK: The centre

    @Test func `a centre that gave no answer is asked again after five seconds, until it answers`() {
        var desk = desk(.failed)
        #expect(desk.run() == .seconds(5))
        desk.now = .milliseconds(4_999)
        #expect(desk.run() == .seconds(5))
        #expect(desk.loadCount == 1)
        desk.now = .seconds(5)
        #expect(desk.run() == .seconds(10))
        #expect(desk.loadCount == 2)
        desk.answer = nil
        desk.now = .seconds(10)
        #expect(desk.run() == nil)
        // What came after the start has popups of its own.
        #expect(desk.popups.map(\.summary) == ["3 notifications since 02:01, from 3 apps"])
        #expect(desk.loadCount == 3)
    }

    @Test func `a return while the centre is asked has it asked again at once, whatever it answers`() {
        for answer in [UnseenAnswer.failed, .quiet(OwnerQuiet(owner: [:]))] {
            var desk = Desk()
            guard case .tell = desk.board.step(at: desk.now), desk.board.step(at: desk.now) == .loadUnseen else {
                Issue.record("what is not seen is to be loaded")
                return
            }
            desk.board.takeReturn()
            desk.board.take(unseen: answer, at: desk.now)
            #expect(desk.board.step(at: desk.now) == .loadUnseen)
        }
    }

    // MARK: Do Not Disturb

    @Test(
        arguments: [
            ("2026-11-21T03:10:00.000Z", 631), ("2026-11-21T02:59:00.000Z", 31), ("2026-11-21T03:14:45.000Z", 900),
            ("9999-11-21T03:00:00.000Z", 900), ("2026-11-21T03:05:00.000Z", 331), ("tonight", 900), (nil, 900),
        ] as [(JSON?, Int)]
    )
    func `while Do Not Disturb is on, the centre is asked again when it has ended, and each quarter of an hour`(
        end: JSON?,
        seconds: Int
    ) {
        let night: JSONObject = ["mode": "daily", "from": "22:00", "to": "07:00"]
        var desk = desk(.quiet(OwnerQuiet(owner: owner(night, until: end))))
        #expect(desk.run() == .seconds(seconds))
        #expect(desk.popups == [] && desk.loadCount == 1)
        desk.answer = nil
        desk.now = .seconds(seconds)
        #expect(desk.run() == nil)
        #expect(desk.loadCount == 2)
        #expect(desk.popups.map(\.summary) == [Self.summary], "what came meanwhile is counted too")
    }

    @Test func `another wish of the owner has the centre asked a second later, and the same one does not`() {
        let night: JSONObject = ["mode": "daily", "from": "22:00", "to": "07:00"]
        var desk = desk(.quiet(OwnerQuiet(owner: owner(night))))
        desk.run()
        desk.board.take(owner: owner(night), at: desk.now)
        #expect(desk.run() == .seconds(900))
        desk.now = .seconds(60)
        desk.board.take(owner: owner(["mode": "off"]), at: desk.now)
        #expect(desk.run() == .seconds(61))
        // A second event is none: the centre is asked once.
        desk.board.take(owner: owner(["mode": "off"]), at: desk.now + .milliseconds(500))
        #expect(desk.run() == .seconds(61))
        desk.answer = nil
        desk.now = .seconds(61)
        desk.run()
        #expect(desk.popups.map(\.summary) == [Self.summary] && desk.loadCount == 2)
    }

    @Test func `a wish that was told while the centre was asked counts as well`() {
        var desk = Desk()
        guard case .tell = desk.board.step(at: desk.now), desk.board.step(at: desk.now) == .loadUnseen else {
            Issue.record("what is not seen is to be loaded")
            return
        }
        desk.board.take(owner: owner(["mode": "off"]), at: desk.now)
        let night: JSONObject = ["mode": "daily", "from": "22:00", "to": "07:00"]
        desk.board.take(unseen: .quiet(OwnerQuiet(owner: owner(night))), at: desk.now)
        #expect(desk.board.step(at: desk.now) == .rest(until: .seconds(1)))
        desk.now = .seconds(1)
        #expect(desk.board.step(at: desk.now) == .loadUnseen)
    }

    @Test func `the centre says that Do Not Disturb has ended, and is asked once`() {
        var desk = desk(.quiet(OwnerQuiet(owner: owner([:], until: "2026-11-21T03:10:00.000Z"))))
        desk.run()
        desk.now = .seconds(610)
        desk.board.takeReturn()
        desk.answer = nil
        #expect(desk.run() == nil)
        desk.now = .seconds(631)
        #expect(desk.run() == nil)
        #expect(desk.popups.map(\.summary) == [Self.summary] && desk.loadCount == 2)
    }

    @Test func `a person who looks at a page when Do Not Disturb ends has no popup`() {
        var desk = desk(.quiet(OwnerQuiet(owner: [:])))
        desk.run()
        desk.board.take(surfaces: Told.surfaces(Told.focusedPage))
        desk.answer = nil
        desk.now = .seconds(900)
        #expect(desk.run() == nil)
        #expect(desk.popups == [] && desk.loadCount == 1)
    }

    // MARK: The daemon

    /// The tickets for which a board asks the daemon now.
    private func tickets(_ desk: inout Desk) -> [Int] {
        var tickets: [Int] = []
        while true {
            switch desk.board.step(at: desk.now) {
            case .show(_, _, let ticket): tickets.append(ticket)
            case .loadUnseen: desk.board.take(unseen: .list(desk.unseen, page: nil), at: desk.now)
            case .tell: break
            case .loadFront, .rest: return tickets
            }
        }
    }

    @Test func `a daemon that never answers has ten seconds, and the next popup goes on`() {
        var desk = Desk()
        desk.unseen = UnseenList(1...5)
        #expect(tickets(&desk) == [1])
        desk.now = .seconds(1)
        desk.board.takeReturn()
        #expect(tickets(&desk) == [])
        #expect(desk.board.step(at: desk.now) == .rest(until: .milliseconds(10_001)))
        desk.now = .seconds(10)
        #expect(tickets(&desk) == [])
        desk.now = .milliseconds(10_001)
        #expect(tickets(&desk) == [2])
        #expect(desk.board.take(shown: 1, as: 8) == [.close(8)], "nobody knows any more what that one tells of")
        #expect(desk.board.take(shown: 2, as: 9) == [])
        #expect(desk.board.daemonIDs == [9])
    }

    // MARK: The page

    /// A desk with the popup of five notifications, which a person has just clicked.
    private func clicked() throws -> Desk {
        var desk = Desk()
        (desk.unseen, desk.page) = (UnseenList(1...5), "http://nestbox-0.localhost:8787/")
        desk.run()
        let page = try #require(PageAddress("http://nestbox-0.localhost:8787/"))
        #expect(desk.board.take(chosen: "default", of: 1) == [.close(1), .open(page)])
        return desk
    }

    @Test func `a popup that came while a page was opened is closed when all is seen`() throws {
        var desk = try clicked()
        desk.board.takeReturn()
        desk.run()
        desk.board.take(wasOpened: true)
        #expect(desk.board.daemonIDs == [2])
        #expect(desk.board.take(seen: 5) == [.close(2)])
    }

    @Test func `one that the daemon was asked for while a page was opened stays, and tells of what there is`() throws {
        var desk = try clicked()
        desk.board.takeReturn()
        #expect(tickets(&desk) == [2])
        desk.board.take(wasOpened: true)
        #expect(desk.board.take(shown: 2, as: 7) == [])
        #expect(desk.board.take(removed: [1, 2, 3, 4, 5]) == [.close(7)])
    }

    @Test func `one that waits while a page was opened is shown with its numbers`() throws {
        var desk = try clicked()
        desk.board.takeReturn()
        desk.board.takeDaemonGone()
        desk.board.take(daemon: DaemonFacts())
        #expect(desk.board.step(at: desk.now) == .loadUnseen)
        desk.board.take(unseen: .list(desk.unseen, page: nil), at: desk.now)
        desk.board.take(wasOpened: true)
        desk.run()
        #expect(desk.popups.map(\.summary) == [Self.summary, Self.summary])
    }

    @Test func `a daemon that comes while a page is opened shows nothing again, but for a page that was not`() throws {
        for wasOpened in [true, false] {
            var desk = try clicked()
            desk.board.takeDaemonGone()
            desk.board.take(daemon: DaemonFacts())
            desk.run()
            #expect(desk.popups.count == 1)
            desk.board.take(wasOpened: wasOpened)
            desk.run()
            #expect(desk.popups.count == (wasOpened ? 1 : 2))
        }
    }
}
