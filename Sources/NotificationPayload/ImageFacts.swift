// SPDX-License-Identifier: Apache-2.0

/// The format and the size of an image, as its first bytes tell them.
package struct ImageFacts: Sendable, Equatable {
    package enum Format: String, Sendable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webP = "WebP"
        case heic = "HEIC"
        case tiff = "TIFF"
        case bmp = "BMP"
    }

    /// The bytes at the start of a file in which its size is looked for.
    package static let lookedAtByteCount = 256 << 10

    package let format: Format
    /// The width in pixels; 0 when it is not read.
    package let width: Int
    /// The height in pixels; 0 when it is not read.
    package let height: Int

    /// Reads the start of an image; `nil` means that it is none.
    package init?(_ start: some Collection<UInt8>) {
        let bytes = [UInt8](start.prefix(Self.lookedAtByteCount))
        guard let format = Self.format(of: bytes) else { return nil }
        self.format = format
        (width, height) = Self.size(of: bytes, format) ?? (0, 0)
    }

    /// The format that the first bytes tell; twelve of them are enough for all but BMP.
    static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) { return .gif }
        if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return .tiff }
        if bytes.starts(with: Array("BM".utf8)), bytes.count >= 26 { return .bmp }
        guard bytes.count >= 12 else { return nil }
        if bytes.starts(with: Array("RIFF".utf8)), Array(bytes[8..<12]) == Array("WEBP".utf8) { return .webP }
        let brands = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].map { Array($0.utf8) }
        if Array(bytes[4..<8]) == Array("ftyp".utf8), brands.contains(Array(bytes[8..<12])) { return .heic }
        return nil
    }

    private static func size(of bytes: [UInt8], _ format: Format) -> (Int, Int)? {
        switch format {
        case .png where bytes.count >= 24:
            (bigEndian(bytes[16..<20]), bigEndian(bytes[20..<24]))
        case .gif: sizeOfGIF(bytes)
        case .bmp where bytes.count >= 26:
            (bigEndian(bytes[18..<22].reversed()), bigEndian(bytes[22..<26].reversed()))
        case .jpeg: sizeOfJPEG(bytes)
        case .webP: sizeOfWebP(bytes)
        default: nil
        }
    }

    /// The first frame header of a JPEG file: ITU-T T.81, B.2.2.
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> (Int, Int)? {
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            // Those without a length; an image that ends or begins anew before its frame is none that can be judged.
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                place += 2
                continue
            }
            guard marker != 0xD8, marker != 0xD9 else { return nil }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame {
                return (bigEndian(bytes[place + 7..<place + 9]), bigEndian(bytes[place + 5..<place + 7]))
            }
            place += 2 + max(2, bigEndian(bytes[place + 2..<place + 4]))
        }
        return nil
    }

    /// The screen of a GIF file, or its first image where that is larger: GIF89a, sections 18 and 20.
    private static func sizeOfGIF(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 13 else { return nil }
        let screen = (littleEndian(bytes[6..<8]), littleEndian(bytes[8..<10]))
        var place = 13 + (bytes[10] & 0x80 == 0 ? 0 : 3 << (Int(bytes[10] & 7) + 1))
        while place + 10 <= bytes.count {
            switch bytes[place] {
            case 0x2C:
                let left = littleEndian(bytes[place + 1..<place + 3])
                let top = littleEndian(bytes[place + 3..<place + 5])
                let width = littleEndian(bytes[place + 5..<place + 7])
                let height = littleEndian(bytes[place + 7..<place + 9])
                return (max(screen.0, left + width), max(screen.1, top + height))
            case 0x21:
                place += 2
                while place < bytes.count, bytes[place] != 0 { place += Int(bytes[place]) + 1 }
                place += 1
            default: return nil
            }
        }
        return nil
    }

    /// The first chunk of a WebP file: RFC 9649, section 2.
    private static func sizeOfWebP(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 " where Array(bytes[23..<26]) == [0x9D, 0x01, 0x2A]:
            return (littleEndian(bytes[26..<28]) & 0x3FFF, littleEndian(bytes[28..<30]) & 0x3FFF)
        case "VP8L" where bytes[20] == 0x2F:
            let bits = littleEndian(bytes[21..<25])
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8X": return (littleEndian(bytes[24..<27]) + 1, littleEndian(bytes[27..<30]) + 1)
        default: return nil
        }
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int { bigEndian(bytes.reversed()) }

    private static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
