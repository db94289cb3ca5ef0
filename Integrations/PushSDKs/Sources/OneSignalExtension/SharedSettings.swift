// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The defaults of an app group, which the app and its extension share.
///
/// The group is the text of `OneSignal_app_groups_key` in Info.plist, or `group.`, the app's identifier and
/// `.onesignal`. An extension's identifier is that of its app and one part more. Source: OneSignal/OneSignal-iOS-SDK,
/// OneSignalUserDefaults.m and OneSignalCommonDefines.h at 005eb84, OneSignalIdentifiers.swift at 21ed813.
struct SharedSettings {
    private static let badgeKey = "onesignalBadgeCount"
    private static let categoriesKey = "com.onesignal.shared_registered_categories"
    /// The categories that are kept for notifications with buttons.
    private static let categoryLimit = 128

    private let defaults: UserDefaults?

    init(bundle: Bundle = .main) {
        let named = bundle.object(forInfoDictionaryKey: "OneSignal_app_groups_key") as? String
        let own = (bundle.bundleIdentifier ?? "").split(separator: ".").dropLast().joined(separator: ".")
        let group = named?.trimmingCharacters(in: .whitespaces) ?? "group.\(own).onesignal"
        defaults = UserDefaults(suiteName: group)
    }

    var appIdentifier: String? { defaults?.string(forKey: "GT_APP_ID") }
    var subscriptionIdentifier: String? { defaults?.string(forKey: "OSUD_PUSH_SUBSCRIPTION_ID") }
    var wantsReports: Bool { defaults?.bool(forKey: "OS_ENABLE_RECEIVE_RECEIPTS") ?? false }

    /// Returns the badge that a notification makes, not below 0, and keeps it; `nil` if it says none to add.
    func badge(of payload: OneSignalPayload) -> Int? {
        guard payload.badgeIncrement != 0 else {
            if let badge = payload.badge { defaults?.set(badge, forKey: Self.badgeKey) }
            return nil
        }
        let kept = defaults?.integer(forKey: Self.badgeKey) ?? 0
        let (sum, isOver) = kept.addingReportingOverflow(payload.badgeIncrement)
        let badge = isOver ? 0 : max(0, sum)
        defaults?.set(badge, forKey: Self.badgeKey)
        return badge
    }

    /// Keeps the name of a category, and returns those that are too old now.
    func keepCategory(_ identifier: String) -> Set<String> {
        var kept = defaults?.array(forKey: Self.categoriesKey) as? [String] ?? []
        kept.removeAll { $0 == identifier }
        kept.append(identifier)
        let old = kept.dropLast(Self.categoryLimit)
        defaults?.set(Array(kept.suffix(Self.categoryLimit)), forKey: Self.categoriesKey)
        return Set(old)
    }
}
