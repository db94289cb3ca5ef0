// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The popup that tells how many notifications a person has not seen.
struct SinceNoticeTests {
    private static let page = "http://nestbox-0.localhost:8787/"

    /// A desk at which the notifications 1 to `count` are not seen, after its first popups.
    private func desk(
        _ count: Int64 = 12,
        capabilities: Set<String> = ["actions", "body"],
        page: String? = page,
        board: PopupBoard = PopupBoard(language: .english, since: .told)
    ) -> Desk {
        var desk = Desk(capabilities: capabilities, board: board)
        desk.unseen = UnseenList(1...count)
        desk.page = page
        desk.run()
        return desk
    }

    // MARK: When it is shown

    @Test func `after the start one popup tells in numbers what is not seen, in silence, and leads to the page`() {
        #expect(
            desk().popups == [
                Popup(
                    appName: "Nestbox",
                    replaces: 0,
                    summary: "12 notifications since 02:01, from 3 apps",
                    body: "",
                    buttons: [Popup.Button(key: "default", label: "Open")],
                    hints: [
                        "urgency": .byte(1), "transient": .flag(true), "suppress-sound": .flag(true),
                        "x-gnome-privacy-scope": .text("user"),
                    ],
                    expiry: .daemon
                )
            ]
        )
    }

    @Test func `while everything is seen there is none`() {
        var desk = Desk()
        #expect(desk.run() == nil)
        #expect(desk.popups == [] && desk.loadCount == 1)
    }

    @Test func `while a page has the focus the centre is not even asked`() {
        var desk = Desk(surfaces: Told.surfaces(Told.focusedPage))
        desk.board.take(start: 3)
        desk.unseen = UnseenList(1...12)
        desk.run()
        #expect(desk.popups == [] && desk.loadCount == 0)
        desk.board.take(surfaces: Told.surfaces())
        desk.run()
        #expect(desk.loadCount == 0, "that a page loses the focus is no return")
        desk.board.takeReturn()
        desk.run()
        #expect(desk.popups.map(\.summary) == ["12 notifications since 02:01, from 3 apps"])
    }

    @Test(arguments: [(300_000, 1), (300_001, 2)])
    func `the centre was away for more than five minutes, and the popup comes in the place of the former one`(
        milliseconds: Int,
        count: Int
    ) {
        var desk = desk()
        desk.now = .seconds(100)
        desk.board.takeEnd(at: desk.now)
        // The centre is asked in vain meanwhile.
        desk.board.takeEnd(at: desk.now + .seconds(200))
        desk.now += .milliseconds(milliseconds)
        desk.unseen = UnseenList(1...13)
        desk.board.take(hello: Told.hello, at: desk.now)
        desk.board.take(surfaces: Told.surfaces())
        desk.run()
        #expect(desk.popups.map(\.replaces) == Array([0, 1].prefix(count)))
        #expect(desk.popups.last?.summary == "\(11 + count) notifications since 02:01, from 3 apps")
    }

    @Test func `the machine woke, or Do Not Disturb has ended, and it is shown again`() {
        var desk = desk()
        desk.board.takeReturn()
        desk.run()
        #expect(desk.popups.count == 2 && desk.loadCount == 2)
    }

    @Test func `a daemon that comes late shows it, and one that follows another shows it again`() {
        var desk = desk()
        desk.board.takeDaemonGone()
        desk.run()
        desk.board.take(daemon: DaemonFacts())
        desk.run()
        #expect(desk.popups.map(\.replaces) == [0, 0])
        #expect(desk.loadCount == 1)
    }

    @Test func `it waits behind what is fresh, and is a call like any other`() {
        var desk = Desk()
        desk.unseen = UnseenList(1...12)
        for id in 20...27 {
            _ = desk.board.take(delivered: Told.notification(Int64(id), ["thread": .string("\(id)")]), at: desk.now)
        }
        let end = desk.run()
        #expect(desk.popups.map(\.summary) == (20...27).map { "Title \($0)" })
        #expect(end == .milliseconds(250))
        desk.now = .milliseconds(250)
        desk.run()
        #expect(desk.popups.last?.summary == "12 notifications since 02:01, from 3 apps")
    }

    // MARK: The lock

    @Test func `behind a lock it stays until it is closed, and a lock and an unlock change nothing of it`() {
        var desk = desk(board: PopupBoard(language: .english, since: .told, isLocked: true))
        #expect(desk.popups.map(\.expiry) == [.never])
        #expect(desk.board.take(isLocked: false, at: desk.now) == [])
        #expect(desk.board.take(isLocked: true, at: desk.now) == [])
        desk.run()
        #expect(desk.popups.count == 1)
    }

    // MARK: When it goes

    @Test func `it goes when all that it tells of is seen or gone elsewhere, and no earlier`() {
        var desk = desk()
        #expect(desk.board.take(seen: 10) == [])
        #expect(desk.board.take(removed: [11]) == [])
        #expect(desk.board.take(removed: [12]) == [.close(1)])
        #expect(desk.board.daemonIDs == [])
    }

    @Test func `what is seen or gone while the centre is asked is not counted`() {
        var desk = Desk()
        guard case .tell = desk.board.step(at: desk.now), desk.board.step(at: desk.now) == .loadUnseen else {
            Issue.record("what is not seen is to be loaded")
            return
        }
        #expect(desk.board.take(seen: 2) == [])
        #expect(desk.board.take(removed: [4]) == [])
        desk.board.take(unseen: .list(UnseenList(1...5), page: nil), at: desk.now)
        desk.run()
        #expect(desk.popups.map(\.summary) == ["2 notifications since 02:03, from 2 apps"])
    }

    @Test func `what came after the start has a popup of its own, and is counted only after a return`() {
        var desk = Desk()
        desk.board.take(start: 3)
        desk.unseen = UnseenList(1...5)
        desk.run()
        desk.board.takeReturn()
        desk.run()
        #expect(
            desk.popups.map(\.summary) == [
                "3 notifications since 02:01, from 3 apps", "5 notifications since 02:01, from 3 apps",
            ]
        )
    }

    @Test func `one that is seen before the daemon has confirmed it is closed then`() {
        var desk = Desk()
        _ = desk.board.step(at: desk.now)
        _ = desk.board.step(at: desk.now)
        desk.board.take(unseen: .list(UnseenList(1...5), page: nil), at: desk.now)
        guard case .show(_, _, let ticket) = desk.board.step(at: desk.now) else {
            Issue.record("the popup is to be shown")
            return
        }
        #expect(desk.board.take(seen: 5) == [])
        #expect(desk.board.take(shown: ticket, as: 9) == [.close(9)])
    }

    @Test func `more has happened than the centre remembers, and it is told anew`() {
        var desk = desk()
        #expect(desk.board.takeReset() == [.close(1)])
        desk.run()
        #expect(desk.popups.count == 2)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt32])
    func `closing it deletes nothing, for whatever reason it goes`(reason: UInt32) {
        var desk = desk()
        #expect(desk.board.take(closed: 1, reason: reason) == [])
        #expect(desk.board.daemonIDs == [])
        desk.board.takeDaemonGone()
        desk.board.take(daemon: DaemonFacts())
        desk.run()
        #expect(desk.popups.count == 1)
    }

    // MARK: The page

    @Test func `a click opens the page, and one that no browser takes is told in the popup`() throws {
        var desk = desk()
        #expect(desk.board.take(chosen: "action-0", of: 1) == [])
        #expect(desk.board.take(chosen: "default", of: 1) == [.close(1), .open(try #require(PageAddress(Self.page)))])
        #expect(desk.board.take(closed: 1, reason: 3) == [])
        desk.board.take(wasOpened: false)
        desk.run()
        #expect(desk.popups.map(\.body) == ["", "To see them, open \(Self.page)"])
        #expect(desk.popups.last?.buttons == [])
    }

    @Test func `a page that was opened brings no popup back`() {
        var desk = desk()
        _ = desk.board.take(chosen: "default", of: 1)
        desk.board.take(wasOpened: true)
        desk.board.takeDaemonGone()
        desk.board.take(daemon: DaemonFacts())
        desk.run()
        #expect(desk.popups.count == 1)
    }

    @Test(
        arguments: [
            (["body"], page, true, "To see them, open \(page)"),
            (["actions", "body"], page, false, "To see them, open \(page)"),
            (["actions", "body"], nil, true, "To see them, run: notification-center list"),
            (["actions", "body"], "javascript:alert(1)", true, "To see them, run: notification-center list"),
            (["actions", "body"], "http://a b/", true, "To see them, run: notification-center list"),
            (["body", "body-markup"], page + "?a=<b>&c", true, "To see them, open \(page)?a=&lt;b&gt;&amp;c"),
            (["actions"], nil, true, ""),
        ] as [(Set<String>, String?, Bool, String)]
    )
    func `where no click can open a page, the popup says what to do`(
        capabilities: Set<String>,
        page: String?,
        opensAddresses: Bool,
        body: String
    ) {
        let since = SinceNotice(command: "notification-center list", opensAddresses: opensAddresses) { _ in 0 }
        var desk = desk(capabilities: capabilities, page: page, board: PopupBoard(language: .english, since: since))
        #expect(desk.popups.map(\.body) == [body])
        #expect(desk.popups.map(\.buttons) == [[]])
        #expect(desk.board.take(chosen: "default", of: 1) == [])
    }

    // MARK: The words

    @Test(
        arguments: [
            (.english, 12, "09", "12 notifications since 09:40, from 3 apps"),
            (.english, 1, "09", "1 notification since 09:40, from 1 app"),
            (.spanish, 12, "09", "12 notificaciones desde las 09:40, de 3 apps"),
            (.spanish, 1, "01", "1 notificación desde la 01:40, de 1 app"),
            (.portuguese, 12, "09", "12 notificações desde 09:40, de 3 apps"),
            (.portuguese, 1, "09", "1 notificação desde 09:40, de 1 app"),
        ] as [(SummaryLanguage, Int64, String, String)]
    )
    func `the words are the owner's`(language: SummaryLanguage, count: Int64, hour: String, text: String) {
        let list = UnseenList(40...39 + count, from: "2026-11-21T\(hour):")
        let words = SinceWords(language: language) { _ in 0 }
        #expect(words.text(of: list, at: 1_795_262_399_999) == text)
    }

    @Test(
        arguments: [
            (.english, "1 notification since 2026-11-21 23:40, from 1 app"),
            (.spanish, "1 notificación desde 2026-11-21 23:40, de 1 app"),
            (.portuguese, "1 notificação desde 2026-11-21 23:40, de 1 app"),
        ] as [(SummaryLanguage, String)]
    )
    func `a moment of another day has its date, by the clock on the wall`(language: SummaryLanguage, text: String) {
        let list = UnseenList(40...40, from: "2026-11-21T21:")
        // The moment of the popup is 22:30 of the same day by UTC, and 00:30 of the next one on the wall.
        let words = SinceWords(language: language) { _ in 7200 }
        #expect(words.text(of: list, at: 1_795_300_200_000) == text)
    }

    @Test func `of more than a thousand it says so, and reads no further`() {
        var list = UnseenList()
        var next: Int64? = 5_000
        var pageCount = 0
        while let before = next {
            pageCount += 1
            let items = ((before - 100)..<before).reversed().map { ["id": .string("\($0)"), "app": "a"] as JSON }
            next = list.take(page: ["items": .array(items), "next": .string("\(before - 100)")])
        }
        #expect(pageCount == 10)
        let words = SummaryLanguage.allCases.map { SinceWords(language: $0) { _ in 0 }.text(of: list, at: 0) }
        #expect(
            words == [
                "More than 1000 notifications, from 1 app", "Más de 1000 notificaciones, de 1 app",
                "Mais de 1000 notificações, de 1 app",
            ]
        )
        list.remove { $0 <= 4_000 }
        #expect(list.count == 999)
    }

    @Test func `a centre whose pages lead nowhere is asked for ten`() {
        var list = UnseenList()
        var pageCount = 1
        while list.take(page: ["items": ["text", ["id": 7]], "next": "9"]) != nil { pageCount += 1 }
        #expect(pageCount == 10)
        #expect(list.take(page: [:]) == nil)
        #expect(list.count == 0)
    }
}
