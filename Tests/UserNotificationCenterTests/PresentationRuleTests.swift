// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing
import UserNotificationCenter

/// The decision how a notification is shown: each row of the table in center.md §8, and rows that hold together.
struct PresentationRuleTests {
    /// A notification under one condition, and what is shown of it.
    struct Row: CustomTestStringConvertible, Sendable {
        typealias Change<Value> = @Sendable (inout Value) -> Void

        let number: String
        let shown: String
        let traits: NotificationTraits
        let rule: PresentationRule

        init(
            _ number: String,
            _ shown: String,
            _ level: InterruptionLevel = .active,
            status: AuthorizationStatus = .authorized,
            with change: Change<InstallationSettings> = { _ in },
            payload: Change<NotificationTraits> = { _ in },
            policy: AppPolicy = AppPolicy(),
            quiet: Bool = false,
            summarized: Bool = false,
            late: Bool = false,
            front: PresentationOptions? = nil
        ) {
            self.number = number
            self.shown = shown
            var traits = NotificationTraits.full(level)
            payload(&traits)
            self.traits = traits
            var settings = InstallationSettings()
            change(&settings)
            var rule = PresentationRule(status: status, settings: settings, policy: policy)
            rule.isQuiet = quiet
            rule.isSummarized = summarized
            rule.isLate = late
            rule.foreground = .answer(front)
            self.rule = rule
        }

        var testDescription: String { "row \(number): \(shown)" }

        var showing: Showing { rule.showing(of: traits) }
    }

    static let critical = AppPolicy(allowsCriticalAlerts: true)
    @Sendable static func criticalOn(_ settings: inout InstallationSettings) { settings.criticalAlert = true }
    static let everything = "banner list lock sound badge"

    static let table: [Row] = [
        Row("1", "-", status: .denied),
        Row("1", "-", status: .notDetermined),
        Row("2", "list", status: .provisional),
        Row("3", "sound badge", with: { $0.alert = false }),
        Row("3", "badge", with: { ($0.alert, $0.sound) = (false, false) }),
        Row("3", "sound", with: { ($0.alert, $0.badge) = (false, false) }),
        Row("3", "-", with: { ($0.alert, $0.sound, $0.badge) = (false, false, false) }),
        Row("4", everything),
        Row("4", everything, with: { $0.style = .alert }),
        Row("4", "list lock sound badge", with: { $0.style = .none }),
        Row("4", "banner lock sound badge", with: { $0.list = false }),
        Row("4", "banner list sound badge", with: { $0.lock = false }),
        Row("4", "banner list lock badge", with: { $0.sound = false }),
        Row("4", "banner list lock badge", payload: { $0.sound = nil }),
        Row("4", "banner list lock sound", with: { $0.badge = false }),
        Row("4", "banner list lock sound", payload: { $0.badge = nil }),
        Row("4", everything, payload: { $0.badge = 0 }),
        Row("5", "list lock badge", .passive),
        Row("5", "list badge", .passive, with: { $0.lock = false }),
        Row("5", "lock badge", .passive, with: { $0.list = false }),
        Row("6", "list badge", quiet: true),
        Row("7", everything, .timeSensitive, quiet: true),
        Row("7", "list sound badge", .timeSensitive, with: { ($0.style, $0.lock) = (.none, false) }, quiet: true),
        Row("8", "held badge", summarized: true),
        Row("8", "held badge", .passive, summarized: true),
        Row("9", "banner list lock critical badge", .critical, with: criticalOn, policy: critical),
        Row(
            "9",
            "banner list lock critical",
            .critical,
            with: {
                $0.criticalAlert = true
                ($0.alert, $0.sound, $0.badge, $0.list, $0.lock) = (false, false, false, false, false)
                $0.style = .none
            },
            payload: { $0.sound = nil },
            policy: critical,
            quiet: true,
            summarized: true
        ),
        Row("10", "-", front: []),
        Row("10", "banner", front: [.banner]),
        Row("10", "list lock", front: [.list]),
        Row("10", "sound", front: [.sound]),
        Row("10", "badge", front: [.badge]),
        Row("10", everything, front: [.banner, .list, .sound, .badge]),
    ]

    static let combinations: [Row] = [
        Row("late", "list lock badge", late: true),
        Row("late", "list lock badge", .critical, with: criticalOn, policy: critical, late: true),
        Row("late", "badge", with: { ($0.list, $0.lock) = (false, false) }, late: true),
        Row("late", "held badge", summarized: true, late: true),
        Row("1 + 9", "-", .critical, status: .denied, with: criticalOn, policy: critical),
        Row("2 + 9", "list", .critical, status: .provisional, with: criticalOn, policy: critical),
        Row("2 + 5", "list", .passive, status: .provisional),
        Row("2 + 6", "list", status: .provisional, quiet: true),
        Row("2 + 8", "held", status: .provisional, summarized: true),
        Row("2 + 8", "held", .timeSensitive, status: .provisional, summarized: true),
        Row("2 + 10", "-", status: .provisional, front: [.banner]),
        Row("2, alert off", "-", status: .provisional, with: { $0.alert = false }),
        Row("3 + 6", "badge", with: { $0.alert = false }, quiet: true),
        Row("3 + 7", "sound badge", .timeSensitive, with: { $0.alert = false }, quiet: true),
        Row("3 + 8", "badge", with: { $0.alert = false }, summarized: true),
        Row("5 + 6", "list badge", .passive, quiet: true),
        Row(
            "5 + 8, nothing to hold",
            "badge",
            .passive,
            with: { ($0.list, $0.lock) = (false, false) },
            summarized: true
        ),
        Row("6 + 8", "held badge", quiet: true, summarized: true),
        Row("6 + 10", "list", quiet: true, front: [.banner, .list, .sound]),
        Row("6, list off", "badge", with: { $0.list = false }, quiet: true),
        Row("7 + 8", everything, .timeSensitive, quiet: true, summarized: true),
        Row("7 without its setting", "list badge", .timeSensitive, with: { $0.timeSensitive = false }, quiet: true),
        Row(
            "7 without its policy",
            "list badge",
            .timeSensitive,
            policy: AppPolicy(allowsTimeSensitive: false),
            quiet: true
        ),
        Row("8 + 10", "held", summarized: true, front: [.banner, .sound]),
        Row("8 + 10", "badge", summarized: true, front: [.badge]),
        Row("8 without permission", "held badge", .timeSensitive, with: { $0.timeSensitive = false }, summarized: true),
        Row("9 without policy", "list badge", .critical, with: criticalOn, quiet: true),
        Row("9 without its setting", "held badge", .critical, policy: critical, summarized: true),
        Row("9 without either", everything, .critical),
        Row("9 + 10", "critical", .critical, with: criticalOn, policy: critical, front: [.sound]),
        Row("no text", "sound badge", payload: { $0.hasAlert = false }),
        Row(
            "9, no text",
            "critical badge",
            .critical,
            with: criticalOn,
            payload: { $0.hasAlert = false },
            policy: critical
        ),
    ]

    @Test(arguments: table)
    func `a row of the table shows exactly this`(row: Row) {
        #expect(row.showing.words == row.shown)
    }

    @Test(arguments: combinations)
    func `rows that hold together show exactly this`(row: Row) {
        #expect(row.showing.words == row.shown)
    }

    @Test func `each of the ten rows has its test`() {
        #expect(Set(Self.table.map(\.number)) == Set((1...10).map(String.init)))
    }

    @Test func `a notification of which nothing is left is not stored, and one that only sets a badge neither`() {
        let denied = Row("1", "-", status: .denied).showing
        #expect(denied.isNothing && !denied.isStored)
        let badge = Row("3", "badge", with: { ($0.alert, $0.sound) = (false, false) }).showing
        #expect(!badge.isNothing && !badge.isStored)
        let sound = Row("10", "sound", front: [.sound]).showing
        #expect(!sound.isNothing && sound.isStored)
        let held = Row("8", "held badge", summarized: true).showing
        #expect(!held.isNothing && held.isStored)
    }

    @Test func `a held notification becomes a silent row at its hour, and no other one changes`() {
        #expect(Row("8", "", summarized: true).showing.released.words == "list badge")
        let shown = Row("4", "").showing
        #expect(shown.released == shown)
    }

    @Test(
        arguments: [
            (false, false, .background), (false, true, .background), (true, false, .inFront([])), (true, true, nil),
        ] as [(Bool, Bool, ForegroundAnswer?)]
    )
    func `an app is asked only in front and with a delegate`(isInFront: Bool, listens: Bool, known: ForegroundAnswer?) {
        #expect(ForegroundAnswer.known(isInFront: isInFront, listens: listens) == known)
    }

    @Test func `no answer in time counts as in the background`() {
        #expect(ForegroundAnswer.answer(nil) == .background)
        #expect(ForegroundAnswer.answer([]) == .inFront([]))
        #expect(ForegroundAnswer.answer([.list]) == .inFront([.list]))
    }
}
