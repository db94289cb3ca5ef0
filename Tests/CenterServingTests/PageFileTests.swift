// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import Testing

@testable import CenterServing

@Suite struct PageFileTests {
    @Test func `a program without fonts names none, and keeps the rest of its style sheets`() {
        let sheet = """
            /* A sheet. */
            @font-face { font-family: "Text"; src: url("./text-400.woff2") format("woff2"); }
            @font-face { font-family: "Emoji"; src: local("Emoji"); }
            .stage { font: 17px/21px "Text", "Emoji"; }

            """
        let kept = """
            /* A sheet. */
            @font-face { font-family: "Emoji"; src: local("Emoji"); }
            .stage { font: 17px/21px "Text", "Emoji"; }

            """
        #expect(PageFile.withoutFonts(Array(sheet.utf8)) == Array(kept.utf8))
    }

    @Test func `a font has its type, and is not packed again`() {
        let font = PageFile([UInt8](repeating: 0, count: 1000), name: "text-400.woff2")
        #expect(font.type == "font/woff2")
        #expect(font.packed == nil)
        #expect(PageFile([UInt8](repeating: 32, count: 1000), name: "scene.css").packed != nil)
    }

    /// The headers and the body of the answer to a request; `nil` means that there is no such file.
    private static func file(_ path: String) -> (headers: HTTPHeaders, bytes: [UInt8])? {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        guard let answer = PageFiles.all.answer(to: head) else { return nil }
        let bodies = answer.parts(isHeadOnly: false, isLast: false).compactMap { part -> [UInt8]? in
            if case .body(.byteBuffer(let buffer)) = part { return Array(buffer.readableBytesView) }
            return nil
        }
        return (answer.headers, bodies.flatMap(\.self))
    }

    @Test func `the fonts that style sheets name are there, from nowhere but here`() throws {
        let folder = "/assets/\(PageFiles.all.release)/"
        let sheet = try #require(Self.file(folder + "scene.css"))
        let names = String(decoding: sheet.bytes, as: UTF8.self).matches(of: /url\("\.\/([^"]*)"\)/).map(\.output.1)
        #expect(names.isEmpty || names == ["text-400.woff2", "text-600.woff2"])
        #expect((Self.file(folder + "text-400.woff2") == nil) == names.isEmpty)
        for name in names {
            let font = try #require(Self.file(folder + name))
            #expect(font.headers["content-type"] == ["font/woff2"])
            #expect(font.headers["cache-control"] == ["public, max-age=31536000, immutable"])
            #expect(Array(font.bytes.prefix(4)) == Array("wOF2".utf8))
            #expect(font.bytes.count <= 62_000)
        }
        let policy = sheet.headers["content-security-policy"].joined()
        #expect(policy.contains("; font-src 'self';"))
    }
}
