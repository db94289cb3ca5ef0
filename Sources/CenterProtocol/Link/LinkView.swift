// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The wish of a centre that a host open the view of an app's content extension for one of an owner's notifications.
///
/// The two objects are what the view gets, and the host reads them as it reads those of its own views.
/// Source: PROTOCOL.md, "Link".
package struct LinkView: Sendable, Equatable {
    package var owner: String
    package var topic: String
    /// `identifier`, `date` and `payload`, as they were delivered.
    package var notification: JSONObject
    package var environment: JSONObject

    package init(owner: String, topic: String, notification: JSONObject, environment: JSONObject) {
        self.owner = owner
        self.topic = topic
        self.notification = notification
        self.environment = environment
    }

    var body: JSONObject {
        [
            "owner": .string(owner), "topic": .string(topic), "notification": .object(notification),
            "environment": .object(environment),
        ]
    }

    init(_ members: inout Members) throws(MemberFault) {
        self.init(
            owner: try members.owner(),
            topic: try members.topic(),
            notification: try members.object("notification"),
            environment: try members.object("environment")
        )
    }
}

/// The reason for which a view is no more.
package enum ViewEnd: String, Sendable, CaseIterable {
    /// A person, or whoever opened it, closed it.
    case closed
    /// The extension closed it.
    case dismissed
    /// Nobody did anything in it for long.
    case idle
    /// No scene came in time.
    case slow
    /// The process was killed by a signal that is not the host's.
    case crashed
    case memoryLimitExceeded
    /// The process computed for too long.
    case cpu
    case protocolViolation
    /// There is no such extension, no room, or the process was not started.
    case notStarted
    /// The process ended by itself.
    case gone
}
