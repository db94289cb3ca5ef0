// SPDX-License-Identifier: Apache-2.0

/// What the user decided about an app's notifications.
public enum UNAuthorizationStatus: Int, Sendable {
    /// Not asked yet.
    case notDetermined
    /// Nothing of the app is shown.
    case denied
    /// Shown, as far as the single settings allow.
    case authorized
    /// Not asked, delivered quietly to the list.
    case provisional
    /// For a limited time: app clips have it, so nothing here has.
    case ephemeral
}
