// SPDX-License-Identifier: Apache-2.0

/// The urgency of a notification, which decides how far it may disturb its user.
///
/// Apple asks for entitlements of the app for the two upper ones; here it is the app's policy in the host that grants
/// them.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// To the list only, without sound.
    case passive
    /// At once, with its sound.
    case active
    /// At once, through Do Not Disturb where the user allows it.
    case timeSensitive
    /// At once, always; only where the app's policy grants it.
    case critical
}

extension UNNotificationInterruptionLevel {
    /// Apple's word in `aps.interruption-level`.
    var payloadName: String {
        switch self {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "time-sensitive"
        case .critical: "critical"
        }
    }

    /// Absent and unknown words are `active`.
    init(payloadName: String?) {
        switch payloadName {
        case "passive": self = .passive
        case "time-sensitive": self = .timeSensitive
        case "critical": self = .critical
        default: self = .active
        }
    }
}
