// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// The decision how one notification is shown, made once and then stored.
///
/// A held notification waits for the hour of a summary, and is on no surface before.
/// Source: center.md §8.
package struct Showing: Sendable, Equatable {
    package enum Sound: Sendable, CaseIterable {
        case none
        case ordinary
        /// Played at its own volume, also on a muted device.
        case critical
    }

    package var banner = false
    package var list = false
    package var lock = false
    package var held = false
    package var sound = Sound.none
    /// True if the notification sets its app's badge.
    package var badge = false

    package init() {}

    /// True if the notification is stored: something of it is shown or played, now or at the hour of a summary.
    ///
    /// A notification that only sets a badge is not: nobody would ever see a row of it.
    package var isStored: Bool { banner || list || lock || held || sound != .none }

    /// True if nothing is left of the notification: it is counted, and that is all.
    package var isNothing: Bool { !isStored && !badge }

    /// The same notification at the hour of its summary: a row of the list.
    package var released: Showing {
        guard held else { return self }
        var released = self
        released.held = false
        released.list = true
        return released
    }
}

extension Showing {
    /// Row 8: whatever was to be seen is held, and nothing sounds.
    mutating func hold() {
        held = banner || list || lock
        (banner, list, lock) = (false, false, false)
        sound = .none
    }

    /// Row 6: a row of the list, and silence.
    mutating func quieten() {
        (banner, lock) = (false, false)
        sound = .none
    }

    /// Too late for an alert: a row where rows are, on the lock view too, and silence.
    mutating func silence() {
        banner = false
        sound = .none
    }

    /// Row 10: what the app's answer leaves.
    ///
    /// A held notification stays held if the app allows any form of seeing it.
    mutating func restrict(to options: PresentationOptions) {
        banner = banner && options.contains(.banner)
        list = list && options.contains(.list)
        lock = lock && options.contains(.list)
        held = held && (options.contains(.list) || options.contains(.banner))
        if !options.contains(.sound) { sound = .none }
        badge = badge && options.contains(.badge)
    }
}
