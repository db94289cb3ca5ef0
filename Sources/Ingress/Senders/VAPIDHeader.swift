// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NotificationPayload

/// The value of `Authorization` as a Web Push sender writes it: `vapid t=<JWT>, k=<key>`.
///
/// The scheme in any case, parameters in any order and with any spaces, other parameters passed over; the key in either
/// alphabet of Base64, padded or not.
/// Source: RFC 8292, section 3; RFC 9110, section 11.4.
package enum VAPIDHeader: Sendable, Equatable {
    package struct Credential: Sendable, Equatable {
        /// A JWT in compact form; nothing of it is checked.
        package let token: String
        /// 65 bytes that begin with 4, as a point of P-256 does; not known to be one.
        package let key: [UInt8]

        var sender: PushSender { .applicationServer(Base64.url.encode(key)) }
    }

    /// A scheme that is not that of RFC 8292; no fault where no sender is asked for its identity.
    case otherScheme
    case malformed
    case credential(Credential)

    private static let longest = 4096

    package init(_ value: String) {
        let scheme = value.prefix { $0 != " " && $0 != "\t" }
        guard scheme.lowercased() == "vapid" else {
            self = .otherScheme
            return
        }
        guard value.utf8.count <= Self.longest, let parameters = Self.parameters(value[scheme.endIndex...]),
            let token = parameters["t"], !token.isEmpty, let key = parameters["k"].flatMap(Self.point)
        else {
            self = .malformed
            return
        }
        self = .credential(Credential(token: token, key: key))
    }

    /// Returns `nil` when a parameter has no value or stands twice.
    private static func parameters(_ text: Substring) -> [String: String]? {
        var parameters: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0]).trimmingSpaces.lowercased()
            if pair.count == 1, name.isEmpty { continue }
            guard pair.count == 2, !name.isEmpty else { return nil }
            let value = String(pair[1]).trimmingSpaces.unquoted
            guard parameters.updateValue(value, forKey: name) == nil else { return nil }
        }
        return parameters
    }

    private static func point(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.lenient.decode(text.utf8), bytes.count == 65, bytes[0] == 4 else { return nil }
        return bytes
    }
}

extension String {
    /// A quoted string of RFC 9110, section 5.6.4, whose content needs no escape.
    fileprivate var unquoted: String {
        guard utf8.count >= 2, hasPrefix("\""), hasSuffix("\"") else { return self }
        return String(dropFirst().dropLast())
    }
}
