// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NotificationPayload

/// The firing of a pending request, whichever trigger it waited for: its notification, as the rules show it now.
struct RequestFiring {
    private let center: Center

    init(_ center: Center) {
        self.center = center
    }

    /// Returns the notification that a request becomes; with `next` the request stays, until then.
    func arrival(
        of pending: StoredPending,
        next: DueDate?,
        at now: WallTime
    ) throws(DatabaseFailure) -> NotificationArrival {
        let request = pending.request
        let rule = try center.deliveryRule(for: request.installation)
        let (fate, badge) = rule.fate(
            of: DeliveryRule.Delivery(
                identifier: request.content.identifier,
                payload: Payload(request.content.payload),
                trigger: request.content.trigger,
                attachments: request.content.attachments
            )
        )
        return NotificationArrival(
            installation: request.installation,
            source: .pending(pending.id, due: request.date.due, next: next),
            fate: fate,
            date: now,
            badge: badge
        )
    }
}
