// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

import struct CenterProtocol.Moment

/// The centre's clock, as far as the centre has told it: a desktop judges by it what is fresh.
struct CenterTime: Sendable {
    /// The centre's clock less the monotonic one, in milliseconds; `nil` means that the centre has not said its time.
    private var difference: Int64?

    /// Takes the time that the centre has told at this moment.
    mutating func learn(_ time: JSON?, at now: Duration) {
        guard let time = time?.string.flatMap({ Moment($0)?.milliseconds }) else { return }
        difference = time - Self.milliseconds(now)
    }

    /// True while a notification may be a popup; false for all of them until the centre has said its time.
    func isFresh(_ notification: DesktopNotification, at now: Duration) -> Bool {
        guard let until = notification.until, let moment = moment(at: now) else { return false }
        return moment <= until
    }

    /// The time of the centre's clock in milliseconds since 1970; `nil` until the centre has said it.
    func moment(at now: Duration) -> Int64? { difference.map { Self.milliseconds(now) + $0 } }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
}
