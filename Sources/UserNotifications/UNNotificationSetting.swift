// SPDX-License-Identifier: Apache-2.0

/// Whether the user allows one way of showing notifications.
public enum UNNotificationSetting: Int, Sendable {
    /// The app did not ask for it, or it does not exist here.
    case notSupported
    /// Turned off.
    case disabled
    /// Turned on.
    case enabled
}
