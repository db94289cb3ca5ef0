// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The wish of a centre that a host open the view of an app's content extension for one of an owner's notifications.
///
/// The two objects are what the view gets, and the host reads them as it reads those of its own views.
/// Source: PROTOCOL.md, "Link".
package struct LinkView: Sendable, Equatable {
    package var owner: String
    package var topic: String
    /// `identifier`, `date` and `payload` as they were delivered, and `attachments`, whose descriptors travel with the
    /// packet in the same order.
    package var notification: JSONObject
    package var environment: JSONObject

    package init(owner: String, topic: String, notification: JSONObject, environment: JSONObject) {
        self.owner = owner
        self.topic = topic
        self.notification = notification
        self.environment = environment
    }

    /// The number of descriptors that travel with a message that has the notification: one for each of its files.
    static func descriptorCount(of notification: JSONObject?) -> Int {
        notification?["attachments"]?.array?.count ?? 0
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

/// A picture, film or sound that nodes of a view may name, which travels as a descriptor open for reading at any place.
package struct LinkViewFile: Sendable, Equatable {
    /// Files of one view at once.
    package static let limit = 16
    /// The numbers that files have.
    package static let numbers: ClosedRange<Int64> = 1...Int64(UInt32.max)

    package var number: UInt32
    package var type: AttachmentType
    /// The numbers of files that are no more.
    package var gone: [UInt32]

    package init(number: UInt32, type: AttachmentType, gone: [UInt32] = []) {
        self.number = number
        self.type = type
        self.gone = gone
    }

    var body: JSONObject {
        var object: JSONObject = ["file": .integer(Int64(number)), "type": .string(type.identifier)]
        if !gone.isEmpty { object["gone"] = .array(gone.map { .integer(Int64($0)) }) }
        return object
    }

    init(_ body: JSONObject) throws(MemberFault) {
        var members = Members(body, .strict)
        number = UInt32(try members.integer("file", Self.numbers))
        type = try members.shape("type") { name in
            AttachmentType(identifier: name).flatMap { $0.isForBrowsers ? $0 : nil }
        }
        let list = try members.optionalList("gone", atMost: Self.limit) ?? []
        gone = try list.map { value throws(MemberFault) in
            guard let number = value.integer.flatMap(UInt32.init(exactly:)), number > 0 else {
                throw .wrongKind("gone")
            }
            return number
        }
        try members.end()
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
