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
        guard path.utf8.starts(with: Self.prefix.utf8) else {
            self = path == Self.prefix.dropLast() ? .noDevice : .unknown
            return
        }
        let bytes = path.utf8Span.span
        for index in Self.prefix.utf8.count..<bytes.count {
            guard bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "?"),
                bytes[index] != UInt8(ascii: "#")
            else {
                self = .unknown
                return
            }
        }
        let token = path.utf8.dropFirst(Self.prefix.utf8.count)
        self = token.isEmpty ? .noDevice : .device(String(Substring(token)))
    }

    private static let prefix = "/3/device/"
}

/// A device token: 1…100 bytes in hex, 2…200 digits in any case.
struct DeviceToken: Equatable {
    /// The digits in lower case, as tokens are compared.
    let digits: String

    init?(_ text: String) {
        guard (2...200).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2) else { return nil }
        var isLowerCase = true
        let bytes = text.utf8Span.span
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte.isHexadecimalDigit else { return nil }
            if byte > 0x39, byte & 0x20 == 0 { isLowerCase = false }
        }
        digits = isLowerCase ? text : text.lowercased()
    }
}
