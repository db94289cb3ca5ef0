// SPDX-License-Identifier: Apache-2.0

import UserNotificationCenter

/// The desktop's own Do Not Disturb, as far as popups and sounds depend on it.
///
/// The desktop keeps its turn meanwhile, so that no other surface rings in its place. Source: presenters.md §8, rule
/// 10.
struct Inhibition: Sendable {
    /// True while the desktop is not to be disturbed; `nil` means that nobody has said it yet.
    private(set) var isOn: Bool?

    /// True while the popup of what was missed waits: the desktop is not to be disturbed, or that is not known.
    var isOnOrUnknown: Bool { isOn ?? true }

    /// Takes whether it is on; returns true if it has ended.
    mutating func take(_ isOn: Bool) -> Bool {
        defer { self.isOn = isOn }
        return self.isOn == true && !isOn
    }

    /// Tells whether a notification has neither a popup nor a sound now; a critical one has both.
    func holdsBack(_ notification: DesktopNotification) -> Bool { isOn == true && notification.level != .critical }

    init(isOn: Bool?) {
        self.isOn = isOn
    }
}
