// SPDX-License-Identifier: Apache-2.0

import Foundation
package import NotificationPayload
import UserNotificationCenter

/// The answer of a centre that is asked for what its owner has not seen.
package enum UnseenAnswer: Sendable, Equatable {
    /// The list, and the address of the centre's page; `nil` means that it has none.
    case list(UnseenList, page: String?)
    /// Do Not Disturb is on, so that nothing is to be shown yet.
    case quiet(OwnerQuiet)
    /// The centre did not answer, or refused.
    case failed
}

/// Do Not Disturb as a centre tells it of an owner: the wish, and the zone in which its hours are meant.
package struct OwnerQuiet: Sendable, Equatable {
    private let wish: DoNotDisturb
    private let zone: TimeZone

    /// Reads what the centre says of an owner; a wish that is not understood counts as none.
    package init(owner: JSONObject) {
        wish = owner["doNotDisturb"]?.object.flatMap { try? DoNotDisturb($0) } ?? DoNotDisturb()
        zone = owner["zone"]?.string.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// Returns the moment at which it ends by itself, if it is on now, in milliseconds since 1970; `nil` means never.
    func end(at moment: Int64) -> Int64? {
        if case .until(let end) = wish.schedule { return end }
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1000))
        let local = moment + Int64(offset) * 1000
        let minutes = Int((Double(local) / 60_000).rounded(.down))
        let perDay = MinuteOfDay.perDay
        guard let minute = MinuteOfDay((minutes % perDay + perDay) % perDay),
            let rest = wish.minutesToChange(at: moment, minute: minute)
        else { return nil }
        return Int64(minutes + rest) * 60_000 - Int64(offset) * 1000
    }
}
