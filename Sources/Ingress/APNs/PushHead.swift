// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import NotificationPayload

package import struct Foundation.Date

/// A push whose headers were judged and taken; only its body is missing.
package struct PushHead: PushInWaiting, Sendable, Equatable {
    package let id: String
    package let deviceToken: String
    package let topic: String
    /// The bundle identifier of the app that takes pushes for the topic.
    package let app: String
    /// The owner to whom the device token belongs.
    package let owner: String
    /// The environment in which the store looks for the token; `nil` means either.
    package let environment: PushEnvironment?
    package let pushType: PushType
    package let priority: PushPriority
    package let expiration: Date?
    /// True if the push is tried again after a crash; `false` means a single attempt.
    package let isKept: Bool
    package let collapseID: String?
    package let sender: PushSender?
    /// True if the push is refused when its id is another push's.
    package var refusesOtherBody = false
    /// The deviations of the push's sender from what is documented, which were let pass.
    package let quirks: [Quirk]

    var maximumByteCount: Int { pushType.maximumPayloadByteCount }

    /// Joins the body to the head.
    ///
    /// - Throws: `payloadTooLarge` beyond the push type's limit; `payloadEmpty` when the body is not one JSON object
    ///   as every process of ours reads it, or lacks the object `aps` that an alert or background push needs.
    package func join(_ body: Span<UInt8>, receivedAt: Date) throws(Refusal) -> IncomingPush {
        guard body.count <= maximumByteCount else { throw Refusal(.payloadTooLarge) }
        let payload: Payload
        do {
            payload = try Payload(parsing: body)
        } catch {
            throw Refusal(.payloadEmpty)
        }
        if pushType == .alert || pushType == .background, payload.aps == nil { throw Refusal(.payloadEmpty) }
        var push = IncomingPush(
            id: id,
            deviceToken: deviceToken,
            topic: topic,
            owner: owner,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            isKept: isKept,
            collapseID: collapseID,
            payload: payload,
            body: body.withUnsafeBufferPointer { Array($0) },
            payloadByteCount: body.count,
            receivedAt: receivedAt,
            sender: sender,
            refusesOtherBody: refusesOtherBody
        )
        push.environment = environment
        push.app = app
        return push
    }
}
