// SPDX-License-Identifier: Apache-2.0

private import Foundation
private import NotificationPayload
private import UserNotifications

/// The outcome of a payload's way to a content and back, which must not change the payload; used by the fuzzer, and by
/// the tests for what the fuzzer found.
public enum PayloadRoundTrip: Sendable, Equatable {
    /// The bytes are no payload.
    case notAPayload
    case holds
    /// An untouched content gave another payload than it was made from.
    case untouchedContentDiffers
    /// The same, after `userInfo` went through Foundation types.
    case rebuiltContentDiffers
    /// A change that was written to a payload was read back as something else.
    case changedContentDiffers

    /// Reads bytes as a payload and maps it to a content and back, untouched, rebuilt and changed.
    public init(checking bytes: [UInt8]) {
        guard let payload = try? Payload(parsing: bytes.span) else {
            self = .notAPayload
            return
        }
        let state = ContentState(payload: payload)
        guard Self.reread(state.payload().payload) == payload else {
            self = .untouchedContentDiffers
            return
        }
        var rebuilt = state
        rebuilt.userInfo = UserInfo(state.userInfo.values)
        let (again, droppedPaths) = rebuilt.payload()
        guard again == payload, droppedPaths.isEmpty else {
            self = .rebuiltContentDiffers
            return
        }
        self = Self.keepsChanges(of: state) && Self.keepsChanges(of: rebuilt) ? .holds : .changedContentDiffers
    }

    /// Serializes a payload and parses it again, as the host reads it from a packet; `nil` if that fails.
    private static func reread(_ payload: Payload) -> Payload? {
        try? Payload(parsing: payload.serialized.span)
    }

    private static func keepsChanges(of state: ContentState) -> Bool {
        var state = state
        state.fields.title += "!"
        state.fields.threadIdentifier = ""
        state.fields.badge = 7
        state.fields.sound = .criticalSoundNamed(UNNotificationSoundName("a.caf"), withAudioVolume: 0.8)
        state.fields.interruptionLevel = .passive
        guard let payload = reread(state.payload().payload) else { return false }
        return ContentState(payload: payload).fields == state.fields
    }
}
