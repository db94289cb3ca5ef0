// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import UserNotificationCenter

/// The step from a host's record to what the store does with it: a pure function.
struct RecordRule {
    let delivery: DeliveryRule

    func arrival(of record: LinkRecord, named name: RecordName, at key: InstallationKey) -> NotificationArrival {
        var arrival = NotificationArrival(
            installation: key,
            source: .record(name),
            fate: .unlisted,
            date: record.date.milliseconds
        )
        switch record.pushType {
        case nil, "alert": break
        case "background":
            arrival.fate = .silent(record.payload.object.serialized)
            return arrival
        // For calls, widgets and the like: no notification.
        default: return arrival
        }
        let course = RecordCourse(outcome: record.outcome, reason: record.reason, isLate: record.isLate)
        var delivered = DeliveryRule.Delivery(
            identifier: record.identifier,
            payload: record.payload,
            trigger: ["type": "push"],
            isRemote: true,
            course: course,
            ready: record.handled.milliseconds
        )
        var delivery = delivery
        if course.isSuppressed {
            // No matter of the app's, whether it is in front or not.
            if delivery.foreground != nil { delivery.foreground = .background }
        } else {
            delivered.hasFiles = !record.files.isEmpty
            delivered.attachments = record.refusedFiles.map {
                ContentAttachment(identifier: $0.identifier, .refused(reason: $0.reason))
            }
        }
        let (fate, badge) = delivery.fate(of: delivered)
        arrival.badge = badge
        if course.isSuppressed {
            // It still sets the badge, and no sooner than those that wait before it.
            guard case .waits = fate, NotificationTraits(record.payload).badge != nil else { return arrival }
        }
        arrival.fate = fate
        // What waits for its app's answer ages from the moment from which it could have been shown.
        if case .waits = fate { arrival.date = min(record.handled.milliseconds, self.delivery.now) }
        return arrival
    }
}
