// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Sampling
import Testing
import UserNotificationCenter

/// The rule beside a form of it that was written column by column instead of row by row, over all inputs.
struct PresentationModelTests {
    /// A formula for each column of the table in center.md §8.
    private struct Columns {
        let rule: PresentationRule
        let traits: NotificationTraits

        var isAuthorized: Bool { rule.status == .authorized }
        var isProvisional: Bool { rule.status == .provisional }
        var mayBeCritical: Bool { rule.policy.allowsCriticalAlerts && rule.settings.criticalAlert }
        var mayBreakThrough: Bool { rule.policy.allowsTimeSensitive && rule.settings.timeSensitive }
        var isCritical: Bool { isAuthorized && traits.level == .critical && mayBeCritical }
        var isUrgent: Bool { isAuthorized && traits.level == .timeSensitive && mayBreakThrough }
        var isPassive: Bool { traits.level == .passive }
        var isFirm: Bool { isCritical || isUrgent }
        var isHeldBack: Bool { rule.isSummarized && !isFirm }
        var isQuiet: Bool { rule.isQuiet && !isFirm }

        func allows(_ option: PresentationOptions) -> Bool {
            switch rule.foreground {
            case .background: true
            case .inFront(let options): options.contains(option)
            }
        }

        var bannerWish: Bool {
            traits.hasAlert
                && (isCritical || isAuthorized && rule.settings.alert && rule.settings.style != .none && !isPassive)
        }
        var listWish: Bool {
            traits.hasAlert
                && (isCritical || (isAuthorized || isProvisional) && rule.settings.alert && rule.settings.list)
        }
        var lockWish: Bool {
            traits.hasAlert && (isCritical || isAuthorized && rule.settings.alert && rule.settings.lock)
        }

        var banner: Bool { bannerWish && !isHeldBack && !isQuiet && !rule.isLate && allows(.banner) }
        var list: Bool { listWish && !isHeldBack && allows(.list) }
        var lock: Bool { lockWish && !isHeldBack && !isQuiet && allows(.list) }
        var held: Bool {
            (bannerWish || listWish || lockWish) && isHeldBack && (allows(.list) || allows(.banner))
        }
        var sound: Showing.Sound {
            guard allows(.sound), !rule.isLate else { return .none }
            if isCritical { return .critical }
            let isWished = isAuthorized && rule.settings.sound && traits.sound != nil && !isPassive
            return isWished && !isHeldBack && !isQuiet ? .ordinary : .none
        }
        var badge: Bool { isAuthorized && rule.settings.badge && traits.badge != nil && allows(.badge) }

        func agrees(with showing: Showing) -> Bool {
            banner == showing.banner && list == showing.list && lock == showing.lock && held == showing.held
                && sound == showing.sound && badge == showing.badge
        }
    }

    /// All settings that the rule looks at; styles other than none are one to it.
    private static var settings: [InstallationSettings] {
        (0..<256).map { bits in
            var settings = InstallationSettings()
            func isOn(_ bit: Int) -> Bool { bits & 1 << bit != 0 }
            (settings.alert, settings.sound, settings.badge) = (isOn(0), isOn(1), isOn(2))
            (settings.list, settings.lock, settings.style) = (isOn(3), isOn(4), isOn(5) ? .banner : .none)
            (settings.timeSensitive, settings.criticalAlert) = (isOn(6), isOn(7))
            return settings
        }
    }

    private static var traits: [NotificationTraits] {
        InterruptionLevel.allCases.flatMap { level in
            (0..<8).map { bits in
                var traits = NotificationTraits.full(level)
                if bits & 1 != 0 { traits.hasAlert = false }
                if bits & 2 != 0 { traits.sound = nil }
                if bits & 4 != 0 { traits.badge = nil }
                return traits
            }
        }
    }

    private static var answers: [ForegroundAnswer] {
        let options: [PresentationOptions] = [.badge, .sound, .list, .banner]
        return [.background]
            + (0..<16).map { bits in
                let chosen = options.indices.filter { bits & 1 << $0 != 0 }
                return .inFront(PresentationOptions(chosen.map { options[$0] }))
            }
    }

    /// Four states × 256 settings × 32 circumstances × 17 answers × 32 notifications: 17,825,792 cases.
    @Test(arguments: AuthorizationStatus.allCases)
    func `rule and columns agree on every input`(status: AuthorizationStatus) {
        let (traits, answers) = (Self.traits, Self.answers)
        let settings = Sample.of(Self.settings, atMost: 32, "settings of presentation, \(status)")
        var tried = 0
        var differences: [String] = []
        for settings in settings {
            for bits in 0..<32 {
                let policy = AppPolicy(allowsCriticalAlerts: bits & 1 != 0, allowsTimeSensitive: bits & 2 != 0)
                var rule = PresentationRule(status: status, settings: settings, policy: policy)
                (rule.isQuiet, rule.isSummarized) = (bits & 4 != 0, bits & 8 != 0)
                rule.isLate = bits & 16 != 0
                for answer in answers {
                    rule.foreground = answer
                    for traits in traits {
                        tried += 1
                        let showing = rule.showing(of: traits)
                        if !Columns(rule: rule, traits: traits).agrees(with: showing), differences.count < 5 {
                            differences.append("\(showing.words): \(rule) \(traits)")
                        }
                    }
                }
            }
        }
        #expect(differences == [])
        #expect(tried == settings.count * 17_408)
    }

    @Test func `Do Not Disturb, the summary, lateness and an app in front never show more`() {
        var generator = SeededGenerator(seed: 8)
        let (allSettings, allTraits, answers) = (Self.settings, Self.traits, Self.answers)
        for _ in 0..<20_000 {
            guard let settings = allSettings.randomElement(using: &generator),
                let traits = allTraits.randomElement(using: &generator),
                let answer = answers.randomElement(using: &generator)
            else { return }
            var rule = PresentationRule(status: .authorized, settings: settings)
            let free = rule.showing(of: traits)
            rule.isQuiet = Bool.random(using: &generator)
            rule.isSummarized = Bool.random(using: &generator)
            rule.isLate = Bool.random(using: &generator)
            rule.foreground = answer
            let bound = rule.showing(of: traits)
            #expect((free.banner || !bound.banner) && (free.list || !bound.list) && (free.lock || !bound.lock))
            #expect((free.sound != .none || bound.sound == .none) && (free.badge || !bound.badge))
            #expect(!bound.held || !(bound.banner || bound.list || bound.lock || bound.sound != .none))
        }
    }
}
