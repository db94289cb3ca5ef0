// SPDX-License-Identifier: Apache-2.0

/// The user's choice about one way of showing an app's notifications.
public enum UNNotificationSetting: Int, Sendable {
    /// The app did not ask for it, or it does not exist here.
    case notSupported
    /// Turned off.
    case disabled
    /// Turned on.
    case enabled
}
