// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import UserNotificationCenter

/// The decision how a notification is shown, made once, at delivery: a pure function.
///
/// An app in front decides besides, so that its notification is kept until it has answered.
struct DeliveryRule {
    /// The time for which a presenter that is connected shows a banner, from the moment from which it could be shown.
    static let freshness: WallTime = 30_000

    let app: CenterApp
    let permission: AppPermission
    let now: WallTime
    var wishes = OwnerWishes()
    /// `nil` means that the app is in front and is asked first.
    var foreground: ForegroundAnswer? = .background

    /// A notification that is about to be delivered, wherever it comes from.
    struct Delivery {
        var identifier: String
        var payload: Payload
        /// The trigger as it stands in a call; `nil` means that it was to be delivered at once.
        var trigger: JSONObject?
        var attachments: [ContentAttachment] = []
        /// Files come with it that are not copied yet.
        var hasFiles = false
        var isRemote = false
        /// The course of the push that it is; `nil` means that it is none.
        var course: RecordCourse?
        /// The moment from which it could have been shown; `nil` means now.
        var ready: WallTime?
    }

    /// Returns what becomes of it, and the badge that it sets; `nil` leaves the badge.
    func fate(of delivery: Delivery) -> (NotificationArrival.Fate, badge: Int?) {
        let traits = NotificationTraits(
            delivery.payload,
            hasAttachments: delivery.hasFiles || !delivery.attachments.isEmpty
        )
        var rule = PresentationRule(
            status: permission.status,
            settings: permission.settings,
            policy: AppPolicy(allowsCriticalAlerts: app.allowsCriticalAlerts)
        )
        rule.isQuiet = wishes.quiet.quietens(app.topic, at: now, minute: wishes.minute(at: now))
        rule.isSummarized = wishes.summary.holds(app.topic)
        rule.foreground = foreground ?? .background
        // The clock may have been set back since.
        let until = min(delivery.ready ?? now, now) + Self.freshness
        rule.isLate = until <= now
        let showing = rule.showing(of: traits)
        let badge = showing.badge ? traits.badge : nil
        // An app is not asked about what would not be shown anyway.
        guard showing.isStored || (foreground == nil && !showing.isNothing) else { return (.unlisted, badge) }
        let content = NotificationContent(
            identifier: delivery.identifier,
            thread: traits.thread,
            category: traits.category,
            argument: traits.summaryArgument,
            trigger: delivery.trigger,
            payload: delivery.payload.object,
            attachments: delivery.attachments,
            course: delivery.course
        )
        guard foreground != nil else { return (.waits(content), nil) }
        let presentation = Presentation(
            flags: showing.flags.union(delivery.isRemote ? .remote : []),
            until: showing.banner ? until : nil,
            level: rule.effectiveLevel(traits.level).rawValue,
            count: traits.summaryArgumentCount
        )
        return (.listed(content, presentation), badge)
    }
}

extension Showing {
    fileprivate var flags: HeadFlags {
        var flags: HeadFlags = []
        if banner { flags.insert(.banner) }
        if list { flags.insert(.list) }
        if lock { flags.insert(.lock) }
        if held { flags.insert(.held) }
        if sound != .none { flags.insert(.sound) }
        return flags
    }
}
