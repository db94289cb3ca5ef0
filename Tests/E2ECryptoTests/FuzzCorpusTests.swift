// SPDX-License-Identifier: Apache-2.0

import E2ECryptoChecks
import Foundation
import Testing

/// The seeds and findings of the fuzzers, run through the functions that the fuzzers call.
struct FuzzCorpusTests {
    /// Seeds and, if there are any, inputs that once failed.
    static func files(_ name: String) -> [URL] {
        ["Fuzz/Corpus/\(name)", "Fuzz/FailCases/\(name)"].flatMap { folder in
            let url = PackageRoot.url.appending(path: folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            return names.sorted().filter { !$0.hasPrefix(".") }.map { url.appending(path: $0) }
        }
    }

    static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    private static func seed(_ name: String) throws -> [UInt8] {
        try bytes(PackageRoot.url.appending(path: "Fuzz/Corpus/\(name)"))
    }

    @Test(arguments: [("open", 85), ("envelope", 11), ("content", 12), ("key-file", 8)])
    func `there is a corpus`(_ name: String, count: Int) {
        #expect(Self.files(name).count >= count)
    }

    @Test(arguments: files("open"))
    func `no text breaks a promise`(_ file: URL) throws {
        let check = try #require(OpenCheck())
        #expect(check(try Self.bytes(file)) != .broken)
    }

    @Test(arguments: files("envelope"))
    func `no sealed content breaks a promise`(_ file: URL) throws {
        let check = try #require(EnvelopeCheck())
        #expect(check(try Self.bytes(file)) != .broken)
    }

    @Test(arguments: files("content"))
    func `no plaintext breaks a promise`(_ file: URL) throws {
        #expect(ContentCheck.check(try Self.bytes(file)) != .broken)
    }

    @Test(arguments: files("key-file"))
    func `no key file breaks a promise`(_ file: URL) throws {
        let check = try #require(KeyFileCheck())
        #expect(check(try Self.bytes(file)) != .broken)
    }

    @Test(
        arguments: [
            "base", "psk", "box", "box-json", "web-push-json", "web-push-rfc8291", "home-assistant-json",
            "home-assistant-old-key", "bark-gcm-aes-128", "bark-gcm-message-iv", "body",
        ]
    )
    func `the corpus opens in every format that one opener can take`(_ name: String) throws {
        let check = try #require(OpenCheck())
        #expect(check(try Self.seed("open/\(name)")) == .opened)
    }

    @Test(arguments: ["v1-json", "v1-text", "v1-aps", "psk-json", "box-text", "box-json"])
    func `the corpus reaches the other side of the tag`(_ name: String) throws {
        let check = try #require(EnvelopeCheck())
        #expect(check(try Self.seed("envelope/\(name)")) == .opened)
    }

    @Test(arguments: ["0-shorthand", "1-text", "2-text", "2-json", "3-padded", "4-record", "5-padded"])
    func `the corpus reaches every reader of plaintext`(_ name: String) throws {
        #expect(ContentCheck.check(try Self.seed("content/\(name)")) == .read)
    }

    @Test(arguments: [("pair", 1), ("ring", 3), ("paired", 1), ("foreign", 4)])
    func `the corpus holds key files of every kind`(_ name: String, count: Int) throws {
        let check = try #require(KeyFileCheck())
        #expect(check(try Self.seed("key-file/\(name)")) == .read(keyCount: count))
    }
}
