// SPDX-License-Identifier: Apache-2.0

/// How alerts of an app look on an unlocked device.
public enum UNAlertStyle: Int, Sendable {
    /// No alerts.
    case none
    /// A banner that goes by itself.
    case banner
    /// One that stays until the user acts.
    case alert
}
