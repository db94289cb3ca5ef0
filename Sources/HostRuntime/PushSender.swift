// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The sender of a push, as its listener found out by a proof; nothing here is secret.
///
/// Source: docs/records.md, "Outcomes".
package enum PushSender: Sendable, Hashable {
    /// Signed a provider token of this key of its team.
    case key(String, team: String)
    /// Has a client certificate: SHA-256 of its DER in 64 lower-case hex digits.
    case certificate(String)
    /// An application server of Web Push by its public key: the uncompressed point in base64url.
    ///
    /// Source: RFC 8292, section 3.2.
    case applicationServer(String)
    /// A process of this machine, by its user id.
    case user(UInt32)

    package var json: JSONObject {
        switch self {
        case .key(let key, let team): ["team": .string(team), "key": .string(key)]
        case .certificate(let fingerprint): ["certificate": .string(fingerprint)]
        case .applicationServer(let key): ["vapid": .string(key)]
        case .user(let id): ["user": .integer(Int64(id))]
        }
    }

    /// Reads what `json` writes, and makes `nil` of anything else.
    package init?(_ json: JSONObject) {
        if let key = json["key"]?.string, let team = json["team"]?.string {
            self = .key(key, team: team)
        } else if let fingerprint = json["certificate"]?.string {
            self = .certificate(fingerprint)
        } else if let key = json["vapid"]?.string {
            self = .applicationServer(key)
        } else if let id = json["user"]?.integer.flatMap({ UInt32(exactly: $0) }) {
            self = .user(id)
        } else {
            return nil
        }
    }
}
