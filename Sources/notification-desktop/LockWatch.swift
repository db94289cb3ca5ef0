// SPDX-License-Identifier: Apache-2.0

import DesktopBus

/// The screen locks of one bus.
///
/// Desktops have lock programs of their own on the session bus, and logind, on the system bus, a hint that some of them
/// set. A lock program that has not answered yet counts as an active one.
struct LockWatch: Sendable {
    private static let login = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    /// Desktops whose lock programs have the interface of freedesktop.org under names of their own.
    private static let families = ["freedesktop", "gnome", "cinnamon", "mate", "xfce"]

    private let flags: FlagWatch

    /// Connects to a bus; throws if it is not there.
    init(_ bus: BusConnection.Bus) throws(BusFailure) {
        // logind says on its own bus that the machine goes to sleep, and that it woke.
        let sleep = "type='signal',sender='\(Self.login)',interface='\(Self.manager)',member='PrepareForSleep'"
        flags = try FlagWatch(bus, Self.locks(of: bus), beforehand: true, rules: bus == .system ? [sleep] : [])
    }

    /// Tells whether one of the locks is active, at the beginning and at each change, and that the machine woke, until
    /// the bus has ended.
    func run(_ tell: (Bool) async -> Void, woke: () async -> Void) async throws {
        try await flags.run(tell) { name, body in
            if name == Self.manager + ".PrepareForSleep", body == .flag(false) { await woke() }
        }
    }

    private static func locks(of bus: BusConnection.Bus) -> [FlagWatch.Flag] {
        switch bus {
        case .session:
            families.map { family in
                FlagWatch.Flag(
                    name: "org.\(family).ScreenSaver",
                    path: "/org/\(family)/ScreenSaver",
                    interface: "org.\(family).ScreenSaver",
                    member: "GetActive",
                    changed: ("org.\(family).ScreenSaver", "ActiveChanged")
                )
            }
        case .system:
            [
                LoginSession.path.map { session in
                    FlagWatch.Flag(
                        name: login,
                        path: session,
                        interface: FlagWatch.Flag.properties,
                        member: "Get",
                        arguments: [login + ".Session", "LockedHint"],
                        changed: (FlagWatch.Flag.properties, "PropertiesChanged")
                    )
                }
            ].compactMap(\.self)
        }
    }
}
