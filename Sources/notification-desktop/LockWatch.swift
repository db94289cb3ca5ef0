// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Locking

/// The screen locks of one bus: each is asked whether it is active, and asked again when it says that something changed.
///
/// Desktops have lock programs of their own on the session bus, and logind, on the system bus, a hint that some of them
/// set. A lock program that has not answered yet counts as an active one.
final class LockWatch: Sendable {
    /// A program that knows of a lock.
    private struct Lock: Sendable {
        let name: String
        let path: String
        let interface: String
        /// The property that says it; `nil` means that the method `GetActive` does.
        var property: String?

        /// The rules of the signals after which it is asked again: its own, and the one that it came or went.
        var rules: [String] {
            let interface = property == nil ? self.interface : LockWatch.properties
            let member = property == nil ? "ActiveChanged" : "PropertiesChanged"
            return [
                "type='signal',sender='\(name)',path='\(path)',interface='\(interface)',member='\(member)'",
                "type='signal',sender='\(LockWatch.bus)',member='NameOwnerChanged',arg0='\(name)'",
            ]
        }
    }

    private static let bus = "org.freedesktop.DBus"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// Desktops whose lock programs have the interface of freedesktop.org under names of their own.
    private static let families = ["freedesktop", "gnome", "cinnamon", "mate", "xfce"]

    private let connection: BusConnection
    private static let manager = "org.freedesktop.login1.Manager"

    private let locks: [Lock]
    /// The locks by the numbers of the questions that wait for an answer.
    private let questions = Locked<[UInt64: Int]>([:])

    /// Connects to a bus; throws if it is not there.
    init(_ bus: BusConnection.Bus) throws(BusFailure) {
        connection = try BusConnection(to: bus)
        switch bus {
        case .session:
            locks = Self.families.map { family in
                Lock(
                    name: "org.\(family).ScreenSaver",
                    path: "/org/\(family)/ScreenSaver",
                    interface: "org.\(family).ScreenSaver"
                )
            }
        case .system:
            let login = "org.freedesktop.login1"
            locks = [
                LoginSession.path.map {
                    Lock(name: login, path: $0, interface: login + ".Session", property: "LockedHint")
                }
            ].compactMap(\.self)
        }
        // logind says on its own bus that the machine goes to sleep, and that it woke.
        let sleep = "type='signal',sender='org.freedesktop.login1',interface='\(Self.manager)',member='PrepareForSleep'"
        // The rules come before the questions, so that no change falls between the two.
        for rule in locks.flatMap(\.rules) + (bus == .system ? [sleep] : []) {
            _ = try connection.call("AddMatch", of: Self.bus, at: "/org/freedesktop/DBus", on: Self.bus) {
                message throws(BusFailure) in
                try message.append(rule)
            }
        }
    }

    /// Tells whether one of the locks is active, at the beginning and at each change, and that the machine woke, until
    /// the bus has ended.
    func run(_ tell: (Bool) async -> Void, woke: () async -> Void) async throws {
        var active = Array(repeating: true, count: locks.count)
        try ask()
        var told: Bool?
        while true {
            let isActive = active.contains(true)
            if isActive != told { await tell(isActive) }
            told = isActive
            switch try await connection.next({ Heard($0) }) {
            case .answer(let number, .flag(let isActive)): set(&active, isActive, number)
            // A program that is not there locks nothing.
            case .answer(let number, _), .refusal(let number): set(&active, false, number)
            case .signal(_, Self.manager + ".PrepareForSleep", let body): if body == .flag(false) { await woke() }
            case .signal: try ask()
            case .other: break
            }
        }
    }

    private func set(_ active: inout [Bool], _ isActive: Bool, _ number: UInt64) {
        guard let place = questions.withLock({ $0.removeValue(forKey: number) }) else { return }
        active[place] = isActive
    }

    /// Asks all locks; of an older question that has no answer yet the answer is passed over.
    private func ask() throws(BusFailure) {
        try questions.withLock { questions throws(BusFailure) in
            questions.removeAll()
            for (place, lock) in locks.enumerated() {
                let number =
                    if let property = lock.property {
                        try connection.call("Get", of: Self.properties, at: lock.path, on: lock.name) {
                            message throws(BusFailure) in
                            try message.append(lock.interface)
                            try message.append(property)
                        }
                    } else {
                        try connection.call("GetActive", of: lock.interface, at: lock.path, on: lock.name) { _ in }
                    }
                questions[number] = place
            }
        }
    }
}
