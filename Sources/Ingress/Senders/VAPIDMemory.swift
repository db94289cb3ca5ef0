// SPDX-License-Identifier: Apache-2.0

private import NotificationPayload

package import struct Foundation.Date

/// Checks who a Web Push sender is, and remembers the last two that it found to be who they say, for one connection.
///
/// A signature takes three times as long to check as a whole request, and senders use a token for hours.
/// Source: RFC 8292, section 2.
package struct VAPIDMemory: Sendable {
    private struct Entry {
        let credential: VAPIDHeader.Credential
        let expiration: Date
    }

    /// Seconds that a token may be valid for.
    private static let longestValidity: Double = 24 * 3600
    /// Seconds that clocks may disagree in.
    private static let clockTolerance: Double = 60
    private static let capacity = 2
    private static let failureLimit = 16

    /// The last one used stands last.
    private var entries: [Entry] = []
    private var failureCount = 0

    package init() {}

    /// True if a credential is checked where none is asked for; false after many that proved nothing, since their
    /// checks would cost more than the push.
    var isWorthChecking: Bool { failureCount < Self.failureLimit }

    /// The token is signed by its key, for this origin, and neither past nor valid for more than a day.
    package mutating func isValid(
        _ credential: VAPIDHeader.Credential,
        for origin: WebPushOrigin,
        now: Date
    ) -> Bool {
        if let index = entries.firstIndex(where: { $0.credential == credential }) {
            let entry = entries.remove(at: index)
            guard entry.expiration > now else {
                failureCount += 1
                return false
            }
            entries.append(entry)
            return true
        }
        guard let expiration = Self.expiration(of: credential, for: origin, now: now) else {
            failureCount += 1
            return false
        }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(Entry(credential: credential, expiration: expiration))
        return true
    }

    /// Returns until when the token is valid, or `nil` when it proves nothing.
    private static func expiration(
        of credential: VAPIDHeader.Credential,
        for origin: WebPushOrigin,
        now: Date
    ) -> Date? {
        guard let token = SignedToken(credential.token), let key = ES256PublicKey(point: credential.key),
            let audience = token.claims["aud"]?.string, origin.isNamed(by: audience)
        else { return nil }
        let seconds: Double
        switch token.claims["exp"] {
        case .integer(let integer): seconds = Double(integer)
        case .double(let double): seconds = double
        default: return nil
        }
        let expiration = Date(timeIntervalSince1970: seconds)
        guard expiration > now, expiration <= now.addingTimeInterval(longestValidity + clockTolerance),
            token.isSigned(by: key)
        else { return nil }
        return expiration
    }
}
