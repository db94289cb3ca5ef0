// SPDX-License-Identifier: Apache-2.0

/// When the text of a notification may be seen.
public enum UNShowPreviewsSetting: Int, Sendable {
    /// Also on the lock view.
    case always
    /// Not on the lock view.
    case whenAuthenticated
    /// Nowhere: the category's placeholder stands in its place.
    case never
}
