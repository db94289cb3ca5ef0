// SPDX-License-Identifier: Apache-2.0

internal import NotificationPayload

/// The resource that `:path` names.
///
/// Source: Apple, "Sending notification requests to APNs", `:path`.
enum DevicePath: Equatable {
    /// `/3/device/` and what follows, which may be anything but another segment or a query.
    case device(String)
    /// `/3/device` without a token.
    case noDevice
    case unknown

    init(_ path: String) {
        let prefix = "/3/device"
        guard path.hasPrefix(prefix) else {
            self = .unknown
            return
        }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        guard let slash = rest.first else {
            self = .noDevice
            return
        }
        let token = rest.dropFirst()
        guard slash == UInt8(ascii: "/"),
            !token.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else {
            self = .unknown
            return
        }
        self = token.isEmpty ? .noDevice : .device(String(Substring(token)))
    }
}

/// A device token: 1…100 bytes in hex, 2…200 digits in any case.
struct DeviceToken: Equatable {
    /// The digits in lower case, as tokens are compared.
    let digits: String

    init?(_ text: String) {
        guard (2...200).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2) else { return nil }
        var isLowerCase = true
        for byte in text.utf8 {
            guard byte.isHexadecimalDigit else { return nil }
            if byte > 0x39, byte & 0x20 == 0 { isLowerCase = false }
        }
        digits = isLowerCase ? text : text.lowercased()
    }
}
