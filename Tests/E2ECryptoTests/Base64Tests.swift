// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable @_spi(Benchmarking) import E2ECrypto

struct Base64Tests {
    private func strict(_ text: String) throws(OpenError) -> [UInt8] {
        let characters = Array(text.utf8)
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: characters.count + 1)
        defer { output.deallocate() }
        let count = try Base64URL.decode(characters.span, into: output)
        return Array(UnsafeBufferPointer(start: output, count: count))
    }

    private func lenient(_ text: String) throws(OpenError) -> [UInt8] {
        let characters = Array(text.utf8)
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: characters.count + 1)
        defer { output.deallocate() }
        let count = try Base64.decode(characters.span, into: output)
        return Array(UnsafeBufferPointer(start: output, count: count))
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 167 + count) } }

    private func standard(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private func url(_ bytes: [UInt8]) -> String {
        standard(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test func `every length is written and read as Foundation does`() throws {
        for count in 0...300 {
            let bytes = bytes(count)
            var text: [UInt8] = []
            Base64URL.encode(bytes.span, to: &text)
            #expect(String(decoding: text, as: UTF8.self) == url(bytes))
            #expect(text.count == Base64URL.characterCount(ofBytes: count))
            #expect(try strict(url(bytes)) == bytes)
        }
    }

    @Test func `sealed boxes come in either alphabet, padded or not`() throws {
        for count in 0...300 {
            let bytes = bytes(count)
            let standard = standard(bytes)
            for text in [url(bytes), standard, standard.replacing("=", with: "")] {
                #expect(try lenient(text) == bytes)
            }
        }
    }

    @Test func `exactly one last character spells the last byte`() throws {
        for (prefix, valid) in [("AAAAA", 4), ("AAAAAA", 16)] {
            let opened = Base64URL.alphabet.filter { (try? strict(prefix + String($0))) != nil }
            #expect(opened.count == valid)
            #expect(throws: OpenError.malformedText(offset: prefix.count)) { try strict(prefix + "B") }
        }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA==", 2), ("AAA=", 3), ("AA\nA", 2), ("AAA+", 3), ("/AAA", 0), ("AAAAAAA.", 7),
        ("ÄAA", 0), ("A=", 1),
    ])
    func `strict text names the first bad character`(_ text: String, _ offset: Int) {
        #expect(throws: OpenError.malformedText(offset: offset)) { try strict(text) }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AA=", 2), ("A===", 1), ("A=AA", 1), ("AA A", 2), ("====", 0), ("AAA.", 3),
        ("AAAAA AA", 5),
    ])
    func `lenient text names the first bad character`(_ text: String, _ offset: Int) {
        #expect(throws: OpenError.malformedText(offset: offset)) { try lenient(text) }
    }
}
