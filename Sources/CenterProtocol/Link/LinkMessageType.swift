// SPDX-License-Identifier: Apache-2.0

/// The first byte of a packet on the link between host and centre.
///
/// Messages of the host are below 0x80, those of the centre above.
/// Source: PROTOCOL.md, "Link".
package enum LinkMessageType: UInt8, PacketKind {
    // Host → centre.
    case hello = 0x01
    case shutdown = 0x04
    case record = 0x20
    case floor = 0x21
    case call = 0x22
    case told = 0x23
    case viewScene = 0x24
    case viewEnded = 0x25
    case apps = 0x26
    case file = 0x27
    case viewFile = 0x28
    // Centre → host.
    case ready = 0x81
    case taken = 0xA0
    case unfit = 0xA1
    case answer = 0xA2
    case ask = 0xA3
    case gates = 0xA4
    case viewOpen = 0xA5
    case viewEvent = 0xA6

    /// A record is a payload of 65,536 bytes and its frame; the kernel's default buffer takes 180,000.
    package static var maximumByteCount: Int { 131_072 }

    /// True if the host sends it.
    package var isFromHost: Bool { rawValue < 0x80 }
}
