// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
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

/// Do Not Disturb as a centre tells it of an owner: the wish, the zone in which its hours are meant, and its end.
///
/// Two of one wish are equal, whenever the centre was asked.
package struct OwnerQuiet: Sendable, Equatable {
    private let wish: DoNotDisturb
    private let zone: String?
    /// The moment at which Do Not Disturb ends by itself, in milliseconds since 1970; `nil` means that the centre did
    /// not say.
    let end: Int64?

    /// Reads what the centre says of an owner; a wish that is not understood counts as none.
    package init(owner: JSONObject) {
        wish = owner["doNotDisturb"]?.object.flatMap { try? DoNotDisturb($0) } ?? DoNotDisturb()
        zone = owner["zone"]?.string
        end = owner["quietUntil"]?.string.flatMap { Moment($0)?.milliseconds }
    }

    package static func == (left: OwnerQuiet, right: OwnerQuiet) -> Bool {
        left.wish == right.wish && left.zone == right.zone
    }
}
