// SPDX-License-Identifier: Apache-2.0

/// The clear head of an envelope: kind u8 ‖ flags u8 ‖ recipient's key id [8] ‖ sender's id [8], with mode psk only.
///
/// Source: FORMAT.md, "Header".
package struct EnvelopeHeader: Equatable, Sendable {
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let psk = Flags(rawValue: 1 << 0)
        package static let collapseIDBound = Flags(rawValue: 1 << 1)
        package static let requestIDBound = Flags(rawValue: 1 << 2)
        static let known: Flags = [.psk, .collapseIDBound, .requestIDBound]
    }

    /// HPKE to one recipient.
    ///
    /// 0x02 (session) and 0x03 (several recipients) are reserved.
    static let kind: UInt8 = 0x01

    package let flags: Flags
    package let recipient: KeyID
    /// Present exactly with `psk`.
    package let sender: KeyID?

    init(flags: Flags, recipient: KeyID, sender: KeyID?) {
        self.flags = flags.union(sender == nil ? [] : .psk)
        self.recipient = recipient
        self.sender = sender
    }

    package var byteCount: Int { Self.byteCount(hasSender: sender != nil) }

    static func byteCount(hasSender: Bool) -> Int {
        2 + KeyID.byteCount + (hasSender ? KeyID.byteCount : 0)
    }

    /// Bytes that an envelope adds to its content before padding: header, enc, tag, inner header.
    ///
    /// 72 or 80.
    package static func overhead(hasSender: Bool) -> Int {
        byteCount(hasSender: hasSender) + HPKE.encByteCount + HPKE.tagByteCount + EnvelopeInner.headerByteCount
    }

    /// Reads the head of a whole envelope and checks that the rest can be there.
    ///
    /// Throws `tooShort`, `unsupportedVersion`, `unknownFlags`.
    package init(parsing envelope: Span<UInt8>) throws(OpenError) {
        let shortest = Self.overhead(hasSender: false)
        guard envelope.count >= shortest else { throw .tooShort(needed: shortest, got: envelope.count) }
        guard envelope[0] == Self.kind else { throw .unsupportedVersion(envelope[0]) }
        let flags = Flags(rawValue: envelope[1])
        guard Flags.known.isSuperset(of: flags) else { throw .unknownFlags(envelope[1]) }
        let needed = Self.overhead(hasSender: flags.contains(.psk))
        guard envelope.count >= needed else { throw .tooShort(needed: needed, got: envelope.count) }
        self.flags = flags
        recipient = KeyID(reading: envelope, at: 2)
        sender = flags.contains(.psk) ? KeyID(reading: envelope, at: 2 + KeyID.byteCount) : nil
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(Self.kind)
        bytes.append(flags.rawValue)
        recipient.write(to: &bytes)
        sender?.write(to: &bytes)
    }
}
