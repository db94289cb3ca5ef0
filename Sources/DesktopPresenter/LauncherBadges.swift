// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

import enum CenterProtocol.CenterNames

/// The numbers on the icons of apps that name a desktop file: their badges, as the centre has them.
///
/// Nobody answers such a signal, so that each number is told once. A dock draws each of them, so that they are told
/// four times a second at most, each icon's last one. Source: presenters.md §8, rule 14; the interface
/// com.canonical.Unity.LauncherEntry of libunity, which Plasma and Dash to Dock read.
package struct LauncherBadges: Sendable {
    /// A number that is to be told.
    package struct Change: Sendable, Equatable {
        /// The address by which launchers know an icon.
        package let address: String
        /// 0 means that the icon has no number.
        package let count: Int64
    }

    /// Apps of one centre.
    private static let appLimit = 1_000
    /// The time between two moments at which numbers are told.
    static let pause = Duration.milliseconds(250)

    private var apps: [String: (entry: String, badge: Int64)] = [:]
    /// The numbers that were told, by desktop file.
    private var told: [String: Int64] = [:]

    /// True if an app has changed since numbers were sought that are to be told.
    private var isChanged = false
    /// The moment at which numbers were told last; `nil` means never.
    private var toldAt: Duration?

    package init() {}

    /// Takes all apps of the centre.
    package mutating func take(front: JSONObject) {
        (apps, isChanged) = ([:], true)
        for case .object(let app) in front["apps"]?.array ?? [] { take(app: app) }
    }

    /// Takes what the centre tells of an app.
    package mutating func take(app: JSONObject) {
        guard let topic = app["app"]?.string else { return }
        (apps[topic], isChanged) = (nil, true)
        guard let entry = app["desktopEntry"]?.string, CenterNames.isDesktopEntry(entry), apps.count < Self.appLimit
        else { return }
        apps[topic] = (entry, min(max(0, app["badge"]?.integer ?? 0), Int64(Int32.max)))
    }

    /// The moment from which there is something to tell; `nil` means that there is nothing.
    package var wake: Duration? { isChanged ? toldAt.map { $0 + Self.pause } ?? .zero : nil }

    /// Returns what is to be told now; what is not to be yet is kept for `wake`.
    package mutating func changes(at now: Duration) -> [Change] {
        guard let wake, wake <= now else { return [] }
        let changes = changes()
        if !changes.isEmpty { toldAt = now }
        return changes
    }

    /// Takes that nobody tells the numbers any more, and returns what is to be told at once: no icon has one.
    package mutating func takeEnd() -> [Change] {
        apps = [:]
        return changes()
    }

    /// The numbers that were not told yet, by desktop file; several apps may have one together.
    private mutating func changes() -> [Change] {
        isChanged = false
        var now: [String: Int64] = [:]
        for app in apps.values { now[app.entry, default: 0] += app.badge }
        defer { told = now }
        let changed = Set(now.keys).union(told.keys).sorted().filter { now[$0, default: 0] != told[$0] }
        return changed.map { Change(address: "application://\($0).desktop", count: now[$0, default: 0]) }
    }
}
