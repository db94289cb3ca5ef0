// SPDX-License-Identifier: Apache-2.0

/// Options of an action: the lock state that it needs, its look, and its effect on the app.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// Apple's bits, unknown ones included.
    public let rawValue: UInt

    /// Takes any bits; unknown ones are kept.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Only on an unlocked device.
    ///
    /// There is no device lock here: the action is missing from the page's lock view, and there alone.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// Shown as one that destroys something.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// Brings the app to the front: the host starts it with the command configured for the app.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
