// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The part of a payload that decides how its notification is shown, grouped and summarized.
///
/// Never fails: a value of the wrong kind counts as absent, as it does for `UNNotificationContent`. Texts have any
/// length that a payload has; a thread is hashed before it is kept.
/// Source: Apple, "Generating a remote notification"; extension-contract.md, the table of payload keys.
package struct NotificationTraits: Sendable, Equatable {
    /// The greatest badge and the greatest count: 2³¹−1.
    package static let countLimit = Int(Int32.max)

    /// True if there is something to read or to look at: a text, a key of one, or a file.
    package var hasAlert: Bool
    package var level: InterruptionLevel
    /// `nil` means no sound.
    package var sound: RequestedSound?
    /// 0 to 2³¹−1; `nil` leaves the app's badge as it is.
    package var badge: Int?
    /// `nil` means none, so that the app itself groups the notification.
    package var thread: String?
    /// 1 to 256 bytes; `nil` means none, and a longer name is none that an app can register.
    package var category: String?
    /// The name for the summary of the notification's stack; `nil` means none.
    package var summaryArgument: String?
    /// 1 to 2³¹−1: the things that the notification counts for in the summary of its stack.
    package var summaryArgumentCount: Int
    /// 0 to 1; a higher score comes first in the owner's summary.
    package var relevanceScore: Double

    /// Reads a payload; `hasAttachments` says that files come with it.
    package init(_ payload: Payload, hasAttachments: Bool = false) {
        let aps = payload.aps ?? [:]
        let alert = aps["alert"]?.object ?? [:]
        hasAlert = payload.hasDisplayableAlert || hasAttachments
        sound = RequestedSound(aps["sound"])
        level = InterruptionLevel(aps["interruption-level"], sound: sound)
        badge = aps["badge"]?.integer.flatMap { $0 < 0 ? nil : min(Int($0), Self.countLimit) }
        thread = Self.nonEmptyText(aps["thread-id"])
        category = CategorySet.name(aps["category"]?.string)
        summaryArgument = Self.nonEmptyText(alert["summary-arg"])
        let count = alert["summary-arg-count"]?.integer ?? 1
        summaryArgumentCount = Int(min(max(1, count), Int64(Self.countLimit)))
        let score = aps["relevance-score"]?.double ?? 0
        relevanceScore = score.isNaN ? 0 : min(max(0, score), 1)
    }

    /// A text with at least one byte; `nil` means every other value.
    private static func nonEmptyText(_ value: JSON?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }
}
