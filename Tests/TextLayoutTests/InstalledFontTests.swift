// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TextLayout

/// The tables beside the font of Debian's fonts-inter, read without the program that made them.
@Suite(.enabled(if: InstalledFont.isInstalled, InstalledFont.absence))
struct InstalledFontTests {
    @Test(arguments: TextFont.Face.allCases)
    func `each character of the tables advances as in the font`(_ face: TextFont.Face) throws {
        let font = try InstalledFont(face)
        var different: [String] = []
        var count = 0
        for code: UInt32 in 0..<0x1_0000 {
            guard let scalar = Unicode.Scalar(code), let units = TextAdvances.units(of: scalar, in: face) else {
                continue
            }
            count += 1
            if font.advance(of: code) != units { different.append(String(code, radix: 16)) }
        }
        #expect(different.isEmpty)
        #expect(count == 1_567)
    }

    @Test(arguments: TextFont.Face.allCases)
    func `the heights are those of the font`(_ face: TextFont.Face) throws {
        let font = try InstalledFont(face)
        #expect(font.unitsPerEm == TextAdvances.unitsPerEm)
        #expect(font.ascent == TextAdvances.ascent)
        #expect(font.descent == -TextAdvances.descent)
        #expect(font.xHeight == TextAdvances.xHeight)
        #expect(font.capHeight == TextAdvances.capHeight)
    }
}

/// An OpenType font on the disk.
///
/// Source: OpenType 1.9, "Organization of an OpenType font", "cmap", "head", "hhea", "hmtx", "OS/2".
private struct InstalledFont {
    static let folder = "/usr/share/fonts/opentype/inter"
    static let absence: Comment = "no Inter 3.019 in /usr/share/fonts/opentype/inter (Debian 12: fonts-inter)"

    /// True if the font is there in the version that the tables are of.
    static var isInstalled: Bool {
        guard let font = try? InstalledFont(.regular) else { return false }
        return font.revision == Int((3.019 * 65_536).rounded())
    }

    private let bytes: [UInt8]
    private var tables: [String: Int] = [:]

    init(_ face: TextFont.Face) throws {
        let name = face == .regular ? "Inter-Regular.otf" : "Inter-SemiBold.otf"
        bytes = try Array(Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name)")))
        for entry in stride(from: 12, to: 12 + 16 * word(4), by: 16) {
            tables[String(decoding: bytes[entry..<entry + 4], as: UTF8.self)] = long(entry + 8)
        }
    }

    var revision: Int { long(at("head") + 4) }
    var unitsPerEm: Int { word(at("head") + 18) }
    var ascent: Int { signed(at("hhea") + 4) }
    var descent: Int { signed(at("hhea") + 6) }
    var xHeight: Int { signed(at("OS/2") + 86) }
    var capHeight: Int { signed(at("OS/2") + 88) }

    /// Units that a character advances; `nil` means that the font lacks it.
    func advance(of code: UInt32) -> Int? {
        guard let glyph = glyph(of: Int(code)) else { return nil }
        let last = word(at("hhea") + 34) - 1
        return word(at("hmtx") + 4 * min(glyph, last))
    }

    /// The glyph by a table of groups of characters that follow each other.
    private func glyph(of code: Int) -> Int? {
        let map = at("cmap")
        let offsets = (0..<word(map + 2)).map { map + long(map + 4 + 8 * $0 + 4) }
        guard let groups = offsets.first(where: { word($0) == 12 }) else { return nil }
        for group in 0..<long(groups + 12) {
            let place = groups + 16 + 12 * group
            if (long(place)...long(place + 4)).contains(code) { return long(place + 8) + code - long(place) }
        }
        return nil
    }

    private func at(_ table: String) -> Int { tables[table] ?? 0 }
    private func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    private func signed(_ place: Int) -> Int { Int(Int16(truncatingIfNeeded: word(place))) }
    private func long(_ place: Int) -> Int { word(place) << 16 | word(place + 2) }
}
