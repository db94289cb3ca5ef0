// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

import enum CenterProtocol.CenterNames

/// The numbers on the icons of apps that name a desktop file: their badges, as the centre has them.
///
/// Nobody answers such a signal, so that each number is told once. Source: presenters.md §8, rule 14; the interface
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

    private var apps: [String: (entry: String, badge: Int64)] = [:]
    /// The numbers that were told, by desktop file.
    private var told: [String: Int64] = [:]

    package init() {}

    /// Takes all apps of the centre, and returns what is to be told.
    package mutating func take(front: JSONObject) -> [Change] {
        apps = [:]
        for case .object(let app) in front["apps"]?.array ?? [] { keep(app) }
        return changes()
    }

    /// Takes what the centre tells of an app.
    package mutating func take(app: JSONObject) -> [Change] {
        keep(app)
        return changes()
    }

    /// Takes that nobody tells the numbers any more: no icon has one.
    package mutating func takeEnd() -> [Change] {
        apps = [:]
        return changes()
    }

    private mutating func keep(_ app: JSONObject) {
        guard let topic = app["app"]?.string else { return }
        apps[topic] = nil
        guard let entry = app["desktopEntry"]?.string, CenterNames.isDesktopEntry(entry), apps.count < Self.appLimit
        else { return }
        apps[topic] = (entry, min(max(0, app["badge"]?.integer ?? 0), Int64(Int32.max)))
    }

    /// The numbers that were not told yet, by desktop file; several apps may have one together.
    private mutating func changes() -> [Change] {
        var now: [String: Int64] = [:]
        for app in apps.values { now[app.entry, default: 0] += app.badge }
        defer { told = now }
        let changed = Set(now.keys).union(told.keys).sorted().filter { now[$0, default: 0] != told[$0] }
        return changed.map { Change(address: "application://\($0).desktop", count: now[$0, default: 0]) }
    }
}
