// SPDX-License-Identifier: Apache-2.0

/// The places in which the text of a notification may be seen.
public enum UNShowPreviewsSetting: Int, Sendable {
    /// Everywhere, also on the lock view.
    case always
    /// Everywhere but on the lock view.
    case whenAuthenticated
    /// Nowhere: the category's placeholder stands in its place.
    case never
}
