// SPDX-License-Identifier: Apache-2.0

import HostLog

/// Tells widgets that their data changed.
///
/// There are no widgets here: a call is named in the log, once, and does nothing.
public final class WidgetCenter: Sendable {
    /// The centre.
    public static let shared = WidgetCenter()

    private init() {}

    /// The keys in the `userInfo` of an error; no call to the centre ever fails.
    public enum UserInfoKey {
        /// The kind of a widget.
        public static let kind = "WGWidgetUserInfoKeyKind"
        /// The family of a widget.
        public static let family = "WGWidgetUserInfoKeyFamily"
    }

    private func warn() {
        HostLog.warnOnce("widgets told to reload: there are no widgets here")
    }

    /// Does nothing.
    public func reloadAllTimelines() { warn() }

    /// Does nothing.
    public func reloadTimelines(ofKind kind: String) { warn() }

    /// Does nothing.
    public func invalidateConfigurationRecommendations() { warn() }

    /// Does nothing.
    public func invalidateRelevance(ofKind kind: String) { warn() }

    /// Answers that there are none, before it returns.
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {
        completion(.success([]))
    }

    /// Answers that there are none.
    public func currentConfigurations() async throws -> [WidgetInfo] { [] }
}

/// A widget that the user placed; there is none.
public struct WidgetInfo: Identifiable, Hashable, Sendable {
    /// The widget's kind and family.
    public var id: Self { self }
    /// The kind that the app named it by.
    public let kind: String
    /// The widget's size.
    public let family: WidgetFamily
}

/// The size of a widget.
public enum WidgetFamily: Int, Hashable, Sendable, CaseIterable {
    /// A small square.
    case systemSmall
    /// A row of two.
    case systemMedium
    /// A large square.
    case systemLarge
    /// A row of two large ones.
    case systemExtraLarge
    /// A circle on a watch or lock screen.
    case accessoryCircular
    /// A rectangle on a watch or lock screen.
    case accessoryRectangular
    /// A line of text on a watch or lock screen.
    case accessoryInline
}
