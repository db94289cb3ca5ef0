// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import UserNotificationCenter

/// The step from a host's record to what the store does with it: a pure function.
struct RecordRule {
    /// The time for which a presenter that is connected shows a banner.
    static let freshness: WallTime = 30_000

    let app: CenterApp
    let permission: AppPermission
    let now: WallTime

    /// Decides how the notification is shown, once and for good.
    func arrival(of record: LinkRecord, named name: RecordName, at key: InstallationKey) -> NotificationArrival {
        var arrival = NotificationArrival(
            installation: key,
            source: .record(name),
            fate: .unlisted,
            date: record.date.milliseconds
        )
        if record.pushType == "background" {
            arrival.fate = .silent(record.payload.object.serialized)
            return arrival
        }
        let traits = NotificationTraits(record.payload, hasAttachments: !record.files.isEmpty)
        let rule = PresentationRule(
            status: permission.status,
            settings: permission.settings,
            policy: AppPolicy(allowsCriticalAlerts: app.allowsCriticalAlerts)
        )
        let showing = rule.showing(of: traits)
        arrival.badge = showing.badge ? traits.badge : nil
        // What the extension or its filter took away still sets the badge.
        guard showing.isStored, record.outcome != "suppressed" else { return arrival }
        arrival.fate = .listed(
            content(of: record, traits),
            Presentation(
                flags: showing.flags.union(.remote),
                until: showing.banner ? now + Self.freshness : nil,
                level: rule.effectiveLevel(traits.level).rawValue,
                count: traits.summaryArgumentCount
            )
        )
        return arrival
    }

    private func content(of record: LinkRecord, _ traits: NotificationTraits) -> NotificationContent {
        NotificationContent(
            identifier: record.identifier,
            thread: traits.thread,
            category: traits.category,
            argument: traits.summaryArgument,
            trigger: ["type": "push"],
            payload: record.payload.object,
            attachments: record.refusedFiles.map {
                ["identifier": .string($0.identifier), "refused": .string($0.reason)]
            }
        )
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
