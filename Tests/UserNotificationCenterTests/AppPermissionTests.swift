// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The permission of an app: each phase with each event.
///
/// Source: center.md §7, "Authorization".
struct AppPermissionTests {
    typealias Phase = AppPermission.Phase
    typealias Event = AppPermission.Event
    typealias Action = AppPermission.Action

    /// A permission in a phase; in all but the first the app has asked for alerts and sounds.
    static func permission(_ phase: Phase) -> AppPermission {
        var permission = AppPermission()
        let asked: AuthorizationOptions = [.alert, .sound]
        func ask(_ options: AuthorizationOptions) {
            _ = permission.apply(.authorize(options, isGrantedByOperator: false))
        }
        switch phase {
        case .notDetermined: break
        case .provisional: ask(asked.union(.provisional))
        case .authorized:
            ask(asked)
            _ = permission.apply(.decide(.allow(without: [])))
        case .denied:
            ask(asked)
            _ = permission.apply(.decide(.deny))
        case .asking: ask(asked)
        case .askingWhileProvisional:
            ask(asked.union(.provisional))
            ask(asked)
        }
        return permission
    }

    static func authorize(_ options: AuthorizationOptions) -> Event {
        .authorize(options, isGrantedByOperator: false)
    }

    static let full = authorize([.alert, .sound])
    static let quiet = authorize([.alert, .sound, .provisional])
    static let granted = Event.authorize([.alert, .sound], isGrantedByOperator: true)
    static let allow = Event.decide(.allow(without: []))
    static let (deny, keep, turnOff) = (Event.decide(.deny), Event.decide(.keep), Event.decide(.turnOff))
    static let question: AuthorizationOptions = [.alert, .sound]

    static let table: [(Phase, Event, Phase, Action)] = [
        (.notDetermined, full, .asking, .ask(question)),
        (.notDetermined, quiet, .provisional, .answer(true)),
        (.notDetermined, granted, .authorized, .answer(true)),
        (.notDetermined, allow, .authorized, .changed),
        (.notDetermined, deny, .denied, .changed),
        (.notDetermined, keep, .notDetermined, .tooLate),
        (.notDetermined, turnOff, .notDetermined, .tooLate),
        (.notDetermined, .allow(true), .authorized, .changed),
        (.notDetermined, .allow(false), .denied, .changed),

        (.asking, full, .asking, .wait),
        (.asking, quiet, .askingWhileProvisional, .answer(true)),
        (.asking, granted, .authorized, .conclude(true)),
        (.asking, allow, .authorized, .conclude(true)),
        (.asking, deny, .denied, .conclude(false)),
        (.asking, keep, .asking, .tooLate),
        (.asking, turnOff, .asking, .tooLate),
        (.asking, .allow(true), .authorized, .conclude(true)),
        (.asking, .allow(false), .denied, .conclude(false)),

        (.provisional, full, .askingWhileProvisional, .ask(question)),
        (.provisional, quiet, .provisional, .answer(true)),
        (.provisional, granted, .authorized, .answer(true)),
        (.provisional, allow, .authorized, .changed),
        (.provisional, deny, .denied, .changed),
        (.provisional, keep, .authorized, .changed),
        (.provisional, turnOff, .denied, .changed),
        (.provisional, .allow(true), .authorized, .changed),
        (.provisional, .allow(false), .denied, .changed),

        (.askingWhileProvisional, full, .askingWhileProvisional, .wait),
        (.askingWhileProvisional, quiet, .askingWhileProvisional, .answer(true)),
        (.askingWhileProvisional, granted, .authorized, .conclude(true)),
        (.askingWhileProvisional, allow, .authorized, .conclude(true)),
        (.askingWhileProvisional, deny, .denied, .conclude(false)),
        (.askingWhileProvisional, keep, .authorized, .conclude(true)),
        (.askingWhileProvisional, turnOff, .denied, .conclude(false)),
        (.askingWhileProvisional, .allow(true), .authorized, .conclude(true)),
        (.askingWhileProvisional, .allow(false), .denied, .conclude(false)),

        (.authorized, full, .authorized, .answer(true)),
        (.authorized, quiet, .authorized, .answer(true)),
        (.authorized, granted, .authorized, .answer(true)),
        (.authorized, allow, .authorized, .tooLate),
        (.authorized, deny, .authorized, .tooLate),
        (.authorized, keep, .authorized, .tooLate),
        (.authorized, turnOff, .authorized, .tooLate),
        (.authorized, .allow(true), .authorized, .unchanged),
        (.authorized, .allow(false), .denied, .changed),

        (.denied, full, .denied, .answer(false)),
        (.denied, quiet, .denied, .answer(false)),
        (.denied, granted, .denied, .answer(false)),
        (.denied, allow, .denied, .tooLate),
        (.denied, deny, .denied, .tooLate),
        (.denied, keep, .denied, .tooLate),
        (.denied, turnOff, .denied, .tooLate),
        (.denied, .allow(true), .authorized, .changed),
        (.denied, .allow(false), .denied, .unchanged),
    ]

    @Test(arguments: table)
    func `a phase goes on to this one, with this action`(phase: Phase, event: Event, next: Phase, action: Action) {
        var permission = Self.permission(phase)
        #expect(permission.phase == phase)
        let applied = permission.apply(event)
        #expect(applied == action)
        #expect(permission.phase == next)
    }

    @Test func `the table has each phase with each kind of event`() {
        #expect(Self.table.count == Phase.allCases.count * 9)
    }

    // MARK: The question

    @Test func `a later call that wants more shows the question anew, and one that wants less waits`() {
        var permission = AppPermission()
        let first = permission.apply(Self.authorize([.alert]))
        #expect(first == .ask([.alert]))
        let more = permission.apply(Self.authorize([.badge]))
        #expect(more == .ask([.alert, .badge]))
        let less = permission.apply(Self.authorize([.alert]))
        #expect(less == .wait)
        #expect(permission.question == [.alert, .badge])
        #expect(permission.status == .notDetermined && !permission.isGranted)
    }

    @Test func `what the owner unticks is asked for and off`() {
        var permission = AppPermission()
        _ = permission.apply(Self.authorize([.alert, .sound, .badge]))
        let action = permission.apply(.decide(.allow(without: [.sound])))
        #expect(action == .conclude(true))
        #expect(permission.question == nil)
        let view = permission.settings(policy: AppPolicy())
        #expect(view.alert == .enabled && view.sound == .disabled && view.badge == .enabled)
    }

    @Test func `what the owner unticks is off whatever it is`() {
        var permission = AppPermission()
        _ = permission.apply(Self.authorize([.alert, .timeSensitive, .criticalAlert]))
        _ = permission.apply(.decide(.allow(without: [.timeSensitive, .criticalAlert])))
        #expect(permission.settings.alert && !permission.settings.timeSensitive && !permission.settings.criticalAlert)
    }

    @Test func `what the app did not ask for is neither on nor supported`() {
        var permission = AppPermission()
        _ = permission.apply(Self.authorize([.badge]))
        _ = permission.apply(Self.allow)
        let view = permission.settings(policy: AppPolicy())
        #expect(view.alert == .notSupported && view.sound == .notSupported && view.badge == .enabled)
        #expect(!permission.settings.alert && !permission.settings.sound && permission.settings.badge)
        #expect(!permission.runsServiceExtension)
    }

    @Test func `options that are new in a later call are on, and one that the owner turned off stays off`() {
        var permission = AppPermission()
        _ = permission.apply(Self.authorize([.alert, .sound]))
        _ = permission.apply(.decide(.allow(without: [.sound])))
        let action = permission.apply(Self.authorize([.alert, .sound, .badge]))
        #expect(action == .answer(true))
        #expect(permission.settings.badge && !permission.settings.sound)
        #expect(permission.asked == [.alert, .sound, .badge])
    }

    @Test func `a denied app gets no option by asking again`() {
        var permission = Self.permission(.denied)
        _ = permission.apply(Self.authorize([.badge]))
        #expect(permission.asked == [.alert, .sound])
    }

    @Test func `turned on again, an app has the switches that it had`() {
        var permission = Self.permission(.authorized)
        permission.settings.sound = false
        _ = permission.apply(.allow(false))
        _ = permission.apply(.allow(true))
        #expect(permission.settings.alert && !permission.settings.sound && !permission.settings.badge)
    }

    @Test func `denied and then turned on, an app has what it asked for`() {
        var permission = Self.permission(.denied)
        _ = permission.apply(.allow(true))
        #expect(permission.settings.alert && permission.settings.sound && !permission.settings.badge)
    }

    @Test(arguments: [[allow], [.allow(true)], [deny, .allow(true)]] as [[Event]])
    func `an app that is allowed before it asks has alerts, sounds and badges`(events: [Event]) {
        var permission = AppPermission()
        for event in events { _ = permission.apply(event) }
        #expect(permission.status == .authorized)
        #expect(permission.asked == [.alert, .sound, .badge])
        #expect(permission.settings.alert && permission.settings.sound && permission.settings.badge)
    }

    @Test func `an app that asked for nothing has nothing, also when it is turned off and on again`() {
        var permission = AppPermission()
        for event in [Self.authorize([]), Self.allow, .allow(false), .allow(true)] { _ = permission.apply(event) }
        #expect(permission.status == .authorized)
        #expect(permission.asked.isEmpty)
        #expect(!permission.settings.alert && !permission.settings.sound && !permission.settings.badge)
    }

    @Test func `bits that are no option are left out`() {
        var permission = AppPermission()
        let action = permission.apply(Self.authorize(AuthorizationOptions(rawValue: .max)))
        #expect(action == .answer(true))
        #expect(permission.status == .provisional)
        #expect(permission.asked == AuthorizationOptions(rawValue: 0x1BF))
    }

    @Test func `keep gives what the app asked for, and turn off takes all`() {
        var kept = Self.permission(.provisional)
        _ = kept.apply(Self.keep)
        #expect(kept.settings.alert && kept.settings.sound && !kept.settings.badge)
        var off = Self.permission(.provisional)
        _ = off.apply(Self.turnOff)
        #expect(!off.isGranted && !off.runsServiceExtension)
    }

    /// No sequence of events leaves a question open that nobody asked, or an app authorized that was not allowed.
    @Test func `a thousand lives keep the rules`() {
        var generator = SeededGenerator(seed: 7)
        let events = Array(Self.table.map(\.1).prefix(9))
        for _ in 0..<1000 {
            var permission = AppPermission()
            for _ in 0..<20 {
                guard let event = events.randomElement(using: &generator) else { return }
                let before = permission
                let action = permission.apply(event)
                switch action {
                case .ask(let options): #expect(permission.question == options)
                case .wait, .unchanged, .tooLate: #expect(permission == before)
                case .conclude(let isGranted):
                    #expect(before.question != nil && permission.question == nil)
                    #expect(permission.isGranted == isGranted)
                case .answer(let isGranted): #expect(permission.isGranted == isGranted)
                case .changed: #expect(before.question == nil && before.status != permission.status)
                }
                #expect(permission.asked.isSuperset(of: before.asked))
                if case .decide = event { #expect(action != .answer(true) && action != .answer(false)) }
            }
        }
    }
}
