// SPDX-License-Identifier: Apache-2.0

private import NotificationPayload

package import struct Foundation.Date

/// A provider token whose signature was made with a known key of its team; how old it is changes from push to push.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderToken: Sendable, Equatable {
    /// A token serves for one hour, and clocks differ by as much as a minute.
    static let lifetime: Double = 3600 + 60
    /// No clock is further ahead.
    static let lead: Double = 3600

    package let key: SenderAuthentication.Key
    /// Seconds since 1970.
    package let issuedAt: Double
    package let quirks: [Quirk]

    /// Checks the JWT of an `authorization` header: its form, its key and team, its signature, in this order.
    ///
    /// A text that gives `nil` is no token, and never will be one under these keys. Costs a signature's verification
    /// for each token that names a known key and its team.
    package init?(_ token: some StringProtocol, authentication: SenderAuthentication) {
        guard let token = SignedToken(token),
            let id = token.header["kid"]?.string, let key = authentication.key(id: id),
            token.claims["iss"]?.string == key.team,
            token.isSigned(by: key.publicKey),
            let number = Self.number(token.claims["iat"])
        else { return nil }
        self.key = key
        let isMilliseconds = number >= 100_000_000_000
        issuedAt = isMilliseconds ? number / 1000 : number
        var quirks: [Quirk] = []
        if token.claims["iat"]?.string != nil { quirks.append(.timeInText) }
        if isMilliseconds { quirks.append(.timeInMilliseconds) }
        if token.header["alg"] == nil { quirks.append(.noAlgorithm) }
        if token.hasDERSignature { quirks.append(.derSignature) }
        self.quirks = quirks
    }

    /// A number, or digits in a string, as some senders write it.
    private static func number(_ claim: JSON?) -> Double? {
        switch claim {
        case .integer(let integer)?: return Double(integer)
        case .double(let double)?: return double
        case .string(let text)?:
            guard (1...16).contains(text.utf8.count),
                text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return Double(text)
        case .null?, .bool?, .array?, .object?, nil: return nil
        }
    }

    package enum Age: Equatable {
        case current, expired, early
    }

    package func age(at date: Date) -> Age {
        let seconds = date.timeIntervalSince1970 - issuedAt
        return seconds > Self.lifetime ? .expired : seconds < -Self.lead ? .early : .current
    }

    /// The token of an `authorization` header: `bearer`, in any case, and what follows.
    ///
    /// Other schemes and missing tokens give `nil`; nothing is said yet about what follows.
    package static func bearer(_ header: String?) -> Substring? {
        guard let header else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].drop { $0 == " " }
        let end = token.lastIndex { $0 != " " }.map { token.index(after: $0) } ?? token.startIndex
        return token.isEmpty ? nil : token[..<end]
    }
}
