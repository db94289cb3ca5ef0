// SPDX-License-Identifier: Apache-2.0

/// The decision of a user about an app's notifications.
public enum UNAuthorizationStatus: Int, Sendable {
    /// No decision: the user has not been asked yet.
    case notDetermined
    /// Nothing of the app is shown.
    case denied
    /// Shown, as far as the single settings allow.
    case authorized
    /// Quiet delivery to the list, without the user having been asked.
    case provisional
    /// For a limited time: app clips have it, so nothing here has.
    case ephemeral
}
