// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NotificationPayload

/// The heads of images, each made by hand after its specification.
struct ImageFactsTests {
    private static let png = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8)

    private static let gif =
        Array("GIF89a".utf8) + [0x40, 1, 0xC8, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]

    private static func webP(_ chunk: String, _ head: [UInt8]) -> [UInt8] {
        Array("RIFF\0\0\0\0WEBP\(chunk)\0\0\0\0".utf8) + head + [UInt8](repeating: 0, count: 16)
    }

    @Test(
        arguments: [
            (png + [0, 0, 1, 0x40, 0, 0, 0, 0xC8], .png, 320, 200),
            (gif, .gif, 320, 200),
            // An extension of two blocks, a table of two colours, and an image that is larger than the screen.
            (
                Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6, 0x21, 0xFE, 1, 9, 2, 9, 9, 0]
                    + [0x2C, 0x10, 0, 0, 0, 0x30, 1, 0xC8, 0, 0], .gif, 320, 200
            ),
            // A browser looks for the image behind markers without a length.
            (
                [0xFF, 0xD8, 0xFF, 0x01, 0xFF, 0xC0, 0, 17, 8, 0, 0xC8, 1, 0x40, 3], .jpeg, 320, 200
            ),
            // A segment of another kind comes before the frame's.
            (
                [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 17, 8, 0, 0xC8, 1, 0x40, 3], .jpeg, 320, 200
            ),
            (webP("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x41, 0xC8, 0x80]), .webP, 320, 200),
            (webP("VP8L", [0x2F, 0x3F, 0xC1, 0x31, 0]), .webP, 320, 200),
            (webP("VP8X", [0x10, 0, 0, 0, 0x3F, 1, 0, 0xC7, 0, 0]), .webP, 320, 200),
            // Heads that say no size.
            (webP("VP8 ", [0, 0, 0, 1, 2, 3, 0x40, 1, 0xC8, 0]), .webP, 0, 0), (png, .png, 0, 0),
            ([0xFF, 0xD8, 0xFF, 0xD9, 0xFF, 0xC0, 0, 17, 8, 0, 1, 0, 1, 3], .jpeg, 0, 0),
            (Array("GIF89a".utf8) + [0x40, 1, 0xC8, 0, 0, 0, 0, 0x3B], .gif, 0, 0),
            ([0xFF, 0xD8, 0xFF, 0xDA, 0, 2], .jpeg, 0, 0), ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0], .jpeg, 0, 0),
        ] as [([UInt8], ImageFacts.Format, Int, Int)]
    )
    func `format and size`(bytes: [UInt8], format: ImageFacts.Format, width: Int, height: Int) throws {
        let facts = try #require(ImageFacts(bytes))
        #expect(facts.format == format)
        #expect(facts.width == width)
        #expect(facts.height == height)
    }

    @Test(arguments: [[], Array("<svg>".utf8), Array("RIFF\0\0\0\0WAVEfmt ".utf8), [0x89, 0x50], [0]] as [[UInt8]])
    func `what is no image`(bytes: [UInt8]) {
        #expect(ImageFacts(bytes) == nil)
    }

    @Test func `every beginning of a head is read without a trap`() {
        let heads = [
            Self.png + [0, 0, 1, 0x40, 0, 0, 0, 0xC8],
            Self.webP("VP8X", [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            Self.webP("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0xFF]),
            [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xFF, 0xFF, 0xFF],
            Self.gif, Array("GIF89a".utf8) + [1, 0, 1, 0, 0xF7] + [UInt8](repeating: 0x21, count: 800),
        ]
        for head in heads { for count in head.indices { _ = ImageFacts(head.prefix(count)) } }
    }
}
