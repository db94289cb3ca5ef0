// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The desktop's own Do Not Disturb: no popup and no sound but those of critical notifications.
struct InhibitionTests {
    private static let critical: [String: JSON] = [
        "level": "critical",
        "present": ["banner": true, "sound": ["critical": true, "volume": 1], "until": "2026-11-21T03:00:30.000Z"],
    ]
    private static let sound: [String: JSON] = [
        "present": ["banner": true, "sound": ["critical": false], "until": "2026-11-21T03:00:30.000Z"]
    ]

    private func desk(isInhibited: Bool?) -> Desk {
        Desk(
            board: PopupBoard(
                language: .english,
                since: .told,
                hasPlayer: true,
                isInhibited: isInhibited
            )
        )
    }

    @Test func `only what is critical has a popup and a sound, and the desktop keeps its turn`() {
        var desk = desk(isInhibited: false)
        desk.board.take(isInhibited: true)
        desk.deliver(Told.notification(1, Self.sound))
        #expect(desk.popups == [])
        #expect(desk.sounds == [])
        desk.deliver(Told.notification(2, Self.critical))
        #expect(desk.popups.map(\.summary) == ["Title 2"])
        #expect(desk.sounds.map { $0?.isCritical } == [true])
        #expect(desk.states.map(\.showsBanners) == [true])
        #expect(desk.states.map(\.playsSounds) == [true])
    }

    @Test func `what waits for its popup when it begins has none, and comes no more`() {
        var desk = desk(isInhibited: false)
        _ = desk.board.take(delivered: Told.notification(1, Self.sound), at: desk.now)
        desk.board.take(isInhibited: true)
        desk.run()
        desk.board.take(isInhibited: false)
        desk.run()
        #expect(desk.popups == [])
    }

    @Test func `a critical popup that waits is not lost to a newer one of its stack`() {
        var desk = desk(isInhibited: true)
        let members: [String: JSON] = ["thread": "a"]
        _ = desk.board.take(
            delivered: Told.notification(1, Self.critical.merging(members) { $1 }),
            at: desk.now
        )
        desk.deliver(Told.notification(2, members))
        #expect(desk.popups.map(\.summary) == ["Title 1"])
    }

    @Test func `when it ends, one popup tells of what came meanwhile`() {
        var desk = desk(isInhibited: true)
        desk.unseen = UnseenList(1...3)
        desk.run()
        #expect(desk.loadCount == 0)
        desk.board.take(isInhibited: false)
        desk.run()
        #expect(desk.loadCount == 1)
        #expect(desk.popups.map(\.summary) == ["3 notifications since 02:01, from 3 apps"])
        desk.board.take(isInhibited: false)
        desk.run()
        #expect(desk.loadCount == 1)
    }

    @Test func `a program that is silent does not keep it on, and nobody waits for it for ever`() {
        var answers = FlagAnswers(count: 2, beforehand: false)
        #expect(answers.news() == nil)
        answers.take(true, of: 0)
        #expect(answers.news() == true)
        #expect(answers.news() == nil)
        answers.take(false, of: 0)
        #expect(answers.news() == false)
        var silent = FlagAnswers(count: 2, beforehand: false)
        silent.take(false, of: 0)
        #expect(silent.news() == nil)
        silent.takeSilence()
        #expect(silent.news() == false)
        silent.take(true, of: 1)
        #expect(silent.news() == true)
    }

    @Test func `a lock program that is silent counts as an active one`() {
        var answers = FlagAnswers(count: 2, beforehand: true)
        #expect(answers.news() == true)
        answers.take(false, of: 0)
        answers.takeSilence()
        #expect(answers.news() == nil)
        answers.take(false, of: 1)
        #expect(answers.news() == false)
    }

    @Test func `until it is known whether it is on, notifications have popups, and what was missed waits`() {
        var desk = desk(isInhibited: nil)
        desk.unseen = UnseenList(1...3)
        desk.deliver(Told.notification(4))
        #expect(desk.popups.map(\.summary) == ["Title 4"])
        #expect(desk.loadCount == 0)
        desk.board.take(isInhibited: false)
        desk.run()
        #expect(desk.loadCount == 1)
    }
}
