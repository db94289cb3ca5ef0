// SPDX-License-Identifier: Apache-2.0

/// The form of an app's alerts on an unlocked device.
public enum UNAlertStyle: Int, Sendable {
    /// No alerts.
    case none
    /// A banner that goes by itself.
    case banner
    /// A banner that stays until the user acts.
    case alert
}
