// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

struct Base64Tests {
    /// Source: RFC 4648, section 10.
    static let vectors: [(String, String)] = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]
    static let notations = [
        Notation(name: "standard", base64: .standard, isPadded: true),
        Notation(name: "url", base64: .url, isPadded: false),
    ]

    struct Notation: Sendable, CustomTestStringConvertible {
        let name: String
        let base64: Base64
        let isPadded: Bool

        var testDescription: String { name }
    }

    /// The offset of the first bad character; `nil` if the text can be read.
    private func offset(_ base64: Base64, _ text: String) -> Int? {
        var room = [UInt8](repeating: 0, count: text.utf8.count + 3)
        do throws(Base64.Malformed) {
            _ = try base64.decode(Array(text.utf8).span, into: &room)
            return nil
        } catch {
            return error.offset
        }
    }

    @Test(arguments: vectors) func `the vectors of RFC 4648 hold in both directions`(_ plain: String, _ text: String) {
        let bare = text.replacing("=", with: "")
        #expect(Base64.standard.encode(plain.utf8) == text)
        #expect(Base64.standard.decode(text) == Array(plain.utf8))
        #expect(Base64.url.encode(plain.utf8) == bare)
        #expect(Base64.url.decode(bare) == Array(plain.utf8))
        #expect(Base64.lenient.decode(text) == Array(plain.utf8))
        #expect(Base64.lenient.decode(bare) == Array(plain.utf8))
    }

    @Test func `the last two letters are those of the alphabet`() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect(Base64.standard.encode(bytes) == "++//")
        #expect(Base64.url.encode(bytes) == "--__")
        #expect(Base64.lenient.encode(bytes) == "--__")
        for text in ["++//", "--__", "+-/_"] { #expect(Base64.lenient.decode(text) == bytes) }
        #expect(Base64.standard.decode("--__") == nil)
        #expect(Base64.url.decode("++//") == nil)
    }

    @Test(arguments: notations, 0..<4)
    func `random bytes come back, and are what Foundation writes`(_ notation: Notation, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var theirs = Data(bytes).base64EncodedString()
            if !notation.isPadded {
                theirs = theirs.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            }
            let text = notation.base64.encode(bytes)
            #expect(text == theirs)
            #expect(text.utf8.count == notation.base64.characterCount(ofBytes: count))
            #expect(notation.base64.decode(text) == bytes)
            #expect(Base64.lenient.decode(text) == bytes)
        }
    }

    /// Nine letters of ten are good ones, so that many texts are read and many are not.
    @Test(arguments: notations, 0..<4)
    func `a text that is read strictly is the one that is written`(_ notation: Notation, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let letters = Array("AQgw159-_+/=Zm".utf8)
        var readCount = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...9, using: &generator)
            let text = (0..<count).map { _ in letters.randomElement(using: &generator) ?? 0 }
            guard let bytes = notation.base64.decode(text) else { continue }
            readCount += 1
            #expect(Array(notation.base64.encode(bytes).utf8) == text)
        }
        #expect(readCount > 1000)
    }

    @Test(arguments: notations) func `exactly one last letter spells the last byte`(_ notation: Notation) {
        for (prefix, padding, valid) in [("AAAAA", "==", 4), ("AAAAAA", "=", 16)] {
            // Padding is no letter.
            let letters = (UInt8(0)...127).filter { $0 != UInt8(ascii: "=") }
            let texts = letters.map {
                prefix + String(Character(Unicode.Scalar($0))) + (notation.isPadded ? padding : "")
            }
            #expect(texts.count { notation.base64.decode($0) != nil } == valid)
            #expect(texts.count { notation.base64.ignoringTrailingBits.decode($0) != nil } == 64)
            #expect(texts.count { Base64.lenient.decode($0) != nil } >= valid)
        }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA==", 2), ("AAA=", 3), ("AA\nA", 2), ("AAA+", 3), ("/AAA", 0), ("AAAAAAA.", 7),
        ("ÄAA", 0), ("A=", 1), ("Zh", 1), ("Zm9", 2),
    ])
    func `base64url names the first bad character`(_ text: String, _ place: Int) {
        #expect(offset(.url, text) == place)
        #expect(Base64.url.decode(text) == nil)
    }

    @Test(arguments: [
        ("Zg", 2), ("Zg=", 2), ("Zh==", 1), ("Z===", 1), ("====", 0), ("Zm9=", 2), ("Zm 9", 2), ("Zm9v=", 4),
        ("Zg==Zg==", 2), ("Zm9-", 3), ("Zg==\n", 2),
    ])
    func `base64 names the first bad character`(_ text: String, _ place: Int) {
        #expect(offset(.standard, text) == place)
        #expect(Base64.standard.decode(text) == nil)
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA=", 2), ("A===", 1), ("A=AA", 1), ("AA A", 2), ("====", 0), ("AAA.", 3),
        ("AAAAA AA", 5), ("Zh", 1), ("Zg=", 2), ("Zm9v=", 4), ("Z=g=", 1),
    ])
    func `leniently, what is neither is refused at the first bad character`(_ text: String, _ place: Int) {
        #expect(offset(.lenient, text) == place)
        #expect(Base64.lenient.decode(text) == nil)
    }

    @Test func `what is appended leaves the text before it`() {
        var text = Array("v1.".utf8)
        Base64.url.append(Array("fo".utf8).span, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == "v1.Zm8")
    }

    @Test func `a digit of base64url is a letter that it writes`() {
        let letters = Set((0..<64).map { Base64.url.encode([UInt8($0 << 2)]).utf8.first })
        #expect(letters.count == 64)
        for byte in UInt8.min...UInt8.max { #expect(byte.isBase64URLDigit == letters.contains(byte), "\(byte)") }
    }
}
