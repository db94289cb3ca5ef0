// SPDX-License-Identifier: Apache-2.0

/// The picture of an app as desktops get it as a file: a PNG of bounded bytes and points, which the agent does not
/// decode.
///
/// Source: Portable Network Graphics Specification, "PNG signature" and "IHDR".
package struct OwnPicture: Sendable, Equatable {
    /// Bytes of a picture; 256 apps of a centre may have one.
    package static let byteLimit = 256 << 10
    /// Points of a side: whoever shows the picture has memory for each.
    private static let sideLimit: UInt32 = 1024
    private static let start: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]

    package let bytes: [UInt8]

    /// Judges bytes; `nil` means that they are no such picture.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit, bytes.count >= Self.start.count + 8, bytes.starts(with: Self.start) else {
            return nil
        }
        for place in [Self.start.count, Self.start.count + 4] {
            let side = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard (1...Self.sideLimit).contains(side) else { return nil }
        }
        self.bytes = bytes
    }
}
