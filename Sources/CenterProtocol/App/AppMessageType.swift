// SPDX-License-Identifier: Apache-2.0

/// The first byte of a packet on the socket between an app and the centre.
///
/// Messages of the centre are below 0x80, those of the app above.
/// Source: PROTOCOL.md, "App socket".
package enum AppMessageType: UInt8, PacketKind {
    // Centre → app.
    case welcome = 0x01
    case rejected = 0x02
    case answer = 0x03
    case willPresent = 0x04
    case response = 0x05
    case silent = 0x06
    case token = 0x07
    case openSettings = 0x08
    // App → centre.
    case hello = 0x81
    case call = 0x82
    case presence = 0x83
    case present = 0x84
    case completed = 0x85
    case finished = 0x86

    package static var maximumByteCount: Int { 65_536 }

    /// True if the app sends it.
    package var isFromApp: Bool { rawValue >= 0x80 }
}
