// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

package import struct Foundation.Date

/// A refusal as one sender gets it: the reason, and what only this answer carries.
package struct Refusal: Error, Sendable, Equatable {
    package let reason: RefusalReason
    /// When the device token was removed; with `unregistered` only.
    package let removedAt: Date?
    /// Seconds the sender should wait; nil where a repeat would be refused again.
    package let retryAfter: Int?

    package init(_ reason: RefusalReason) {
        self.init(reason, retryAfter: reason.retryAfter)
    }

    /// With a wait of its own.
    package init(_ reason: RefusalReason, retryAfter: Int?) {
        self.reason = reason
        self.retryAfter = retryAfter
        removedAt = nil
    }

    /// 410: the token was removed at `date`, which a sender compares with its own registration.
    package init(unregisteredAt date: Date) {
        reason = .unregistered
        removedAt = date
        retryAfter = nil
    }

    package var status: Int { reason.status }

    /// The response's body; the timestamp counts whole milliseconds, since clients parse an integer and nothing else.
    ///
    /// Source: Apple, "Handling notification responses from APNs".
    package var json: String {
        guard let removedAt else { return reason.json }
        let milliseconds = Int64((removedAt.timeIntervalSince1970 * 1000).rounded())
        return #"{"reason":"\#(reason.rawValue)","timestamp":\#(milliseconds)}"#
    }
}

extension Refusal {
    /// Nil when the push was accepted; no answer at all for a push is a bug.
    init?(_ acceptance: Acceptance?) {
        switch acceptance {
        case .accepted, .repeated: return nil
        case .deviceBusy: self.init(.tooManyRequests)
        case .unavailable: self.init(.serviceUnavailable)
        case nil: self.init(.internalServerError)
        }
    }
}
