// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

extension Opener {
    /// The payload that a push held, and the facts about its origin that the opener knows.
    ///
    /// The content is plaintext: it is in ordinary memory and the caller's to guard.
    public struct Opened: Sendable {
        package let payload: Payload
        /// The format in which the payload was sealed.
        public let format: SealFormat
        /// True when the payload comes, unchanged, from someone who shares a secret with the recipient.
        ///
        /// False for anonymous formats, for `bark-cbc`, and for `bark-gcm` under a key with an iv of its own,
        /// whoever they claim to be from.
        public let isAuthenticated: Bool
        /// The id of the sender's key or paired secret; nil for formats that name none.
        public let sender: KeyID?
        /// True when the payload was sealed to a key that is retired: the sender has not heard of the new one.
        public let usesRetiredKey: Bool
        /// The mark by which the same envelope is known again; nil for formats in which none can be.
        package let mark: Mark?

        /// The APNs payload, a JSON object in UTF-8, with `aps` and `encryption`.
        ///
        /// Made of what was sealed alone, and of the clear keys that the policy keeps.
        /// Source: FORMAT.md, "Content rules".
        public var bytes: [UInt8] { payload.object.serialized }
    }

    /// The mark that an opened envelope leaves, for whoever remembers beside the opener's own set.
    package struct Mark: Sendable, Equatable {
        /// 16 bytes: a hash over app, device, format and what the sender sent.
        package let id: [UInt8]
        /// The time from which on the envelope is refused as expired, in Unix milliseconds.
        package let expiry: Int64

        init(_ id: ReplaySet.ID, expiry: Int64) {
            self.id = [id.high, id.low].flatMap { number in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
            }
            self.expiry = expiry
        }
    }
}
