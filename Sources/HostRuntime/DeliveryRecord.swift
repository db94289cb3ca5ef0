// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

package import struct Foundation.Date

/// The record that a sink gets of a push: the notification as it is shown, and how it came to be so.
package struct DeliveryRecord: Sendable, Equatable {
    package struct Timings: Sendable, Equatable {
        /// The time from acceptance until the push had its turn; `nil` means that it waited for no other.
        package var queue: Duration?
        /// The time that opening took; `nil` means that nothing was opened.
        package var open: Duration?
        /// The time from the request for a worker until one took the notification, or none had in time.
        package var wait: Duration?
        /// The time from the moment a worker took the notification.
        package var `extension`: Duration?
        /// The time from the push's turn to its conclusion.
        package var total: Duration

        package init(open: Duration?, wait: Duration? = nil, extension: Duration?, total: Duration) {
            self.open = open
            self.wait = wait
            self.`extension` = `extension`
            self.total = total
        }
    }

    /// A remark on a push that somebody should look at although all went well.
    package enum Remark: String, Sendable, Equatable {
        case retiredKey = "sealed to a retired key"
    }

    package let id: String
    /// The journal's name and the push's number in it: the same for each repeat of this record, of no other.
    ///
    /// A push that no journal has gives `nil`.
    package var delivery: String?
    package let topic: String
    package let owner: String
    package let pushType: PushType
    /// The sender of the push; `nil` means that no proof was asked for.
    package let sender: PushSender?
    package let identifier: String
    package let date: Date
    package let outcome: Outcome
    package let remark: Remark?
    package let payload: Payload
    package let attachments: Attachments
    package var timings: Timings
    package let worker: WorkerUse?

    /// The reason for the outcome, or the remark on an outcome that needs no reason; `nil` without either.
    package var reason: String? { outcome.reason ?? remark?.rawValue }

    package init(
        id: String,
        topic: String,
        owner: String = OwnedApp.onlyOwner,
        pushType: PushType = .alert,
        sender: PushSender? = nil,
        identifier: String,
        date: Date,
        outcome: Outcome,
        remark: Remark? = nil,
        payload: Payload,
        attachments: Attachments = Attachments(),
        timings: Timings,
        worker: WorkerUse?
    ) {
        self.id = id
        self.topic = topic
        self.owner = owner
        self.pushType = pushType
        self.sender = sender
        self.identifier = identifier
        self.date = date
        self.outcome = outcome
        self.remark = remark
        self.payload = payload
        self.attachments = attachments
        self.timings = timings
        self.worker = worker
    }
}
