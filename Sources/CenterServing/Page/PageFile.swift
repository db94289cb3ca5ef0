// SPDX-License-Identifier: Apache-2.0

import CPage

/// A file of the page as it is served.
struct PageFile: Sendable {
    let bytes: [UInt8]
    /// The same in gzip's format; `nil` means that it would be no shorter.
    let packed: [UInt8]?
    let type: String

    init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        type = Self.type(of: name)
        // The format of fonts is a packed one.
        packed = type == Self.fontType ? nil : Self.pack(bytes)
    }

    private static func pack(_ bytes: [UInt8]) -> [UInt8]? {
        var packed = [UInt8](repeating: 0, count: bytes.count)
        let length = unsafe page_pack(bytes, bytes.count, &packed, packed.count)
        return length > 0 ? Array(packed.prefix(length)) : nil
    }

    private static let fontType = "font/woff2"

    private static func type(of name: String) -> String {
        if name.hasSuffix(".woff2") { return fontType }
        if name.hasSuffix(".html") { return "text/html; charset=utf-8" }
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if name.hasSuffix(".svg") { return "image/svg+xml" }
        if name.hasSuffix(".webmanifest") { return "application/manifest+json" }
        return "text/javascript; charset=utf-8"
    }

    /// A style sheet without the lines that name files of fonts: no browser is to ask for what the program does not
    /// have.
    static func withoutFonts(_ sheet: [UInt8]) -> [UInt8] {
        let lines = sheet.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(lines.filter { !$0.contains(".woff2".utf8) }.joined(separator: "\n".utf8))
    }

    /// A script without the lines that are comments and without indentation: both are for whoever reads the sources.
    ///
    /// No text of a script of ours goes over the end of a line.
    static func stripped(_ script: [UInt8]) -> String {
        let lines = script.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let code = lines.filter { !$0.starts(with: "//".utf8) }.joined(separator: "\n".utf8)
        return String(decoding: Array(code), as: UTF8.self) + "\n"
    }
}
