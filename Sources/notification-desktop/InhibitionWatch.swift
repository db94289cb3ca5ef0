// SPDX-License-Identifier: Apache-2.0

import DesktopBus

/// The desktop's own Do Not Disturb: that of Plasma's daemon, and that of GNOME, which the settings portal knows.
///
/// A program that has not answered yet is taken for one whose Do Not Disturb is off. Source: presenters.md §8, rule 10;
/// org.freedesktop.Notifications of plasma-workspace; org.freedesktop.portal.Settings.
struct InhibitionWatch: Sendable {
    private static let daemon = "org.freedesktop.Notifications"
    private static let settings = "org.freedesktop.portal.Settings"

    private static let banners = FlagWatch.Flag(
        name: "org.freedesktop.portal.Desktop",
        path: "/org/freedesktop/portal/desktop",
        interface: settings,
        member: "Read",
        arguments: ["org.gnome.desktop.notifications", "show-banners"],
        yes: false,
        changed: (settings, "SettingChanged")
    )

    private let flags: FlagWatch

    /// Connects to the session bus; throws if it is not there.
    init() throws(BusFailure) {
        let inhibited = FlagWatch.Flag(
            name: Self.daemon,
            path: "/org/freedesktop/Notifications",
            interface: FlagWatch.Flag.properties,
            member: "Get",
            arguments: [Self.daemon, "Inhibited"],
            changed: (FlagWatch.Flag.properties, "PropertiesChanged")
        )
        flags = try FlagWatch(.session, [inhibited, Self.banners], beforehand: false)
    }

    /// Tells whether one of them is on, at the beginning and at each change, until the bus has ended.
    func run(_ tell: (Bool) async -> Void) async throws { try await flags.run(tell) { _, _ in } }

    /// Asks the settings portal, which is not started for it, whether its Do Not Disturb is on.
    ///
    /// `nil` means that there is no such portal, or that it does not know.
    static func settingsAnswer() async -> Bool? {
        guard let connection = try? BusConnection() else { return nil }
        let call = try? connection.call(banners.member, of: banners.interface, at: banners.path, on: banners.name) {
            message throws(BusFailure) in
            for argument in banners.arguments { try message.append(argument) }
        }
        guard let call, case .flag(let showsBanners)? = await connection.answer(to: call) else { return nil }
        return showsBanners == banners.yes
    }
}
