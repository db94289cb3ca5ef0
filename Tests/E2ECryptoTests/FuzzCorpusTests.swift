// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable @_spi(Fuzzing) import E2ECrypto

/// What the fuzzer started from and what it has found, through the function that it calls.
struct FuzzCorpusTests {
    static let files: [URL] = ["Fuzz/Corpus/open", "Fuzz/FailCases/open"].flatMap { folder in
        let url = PackageRoot.url.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map { url.appending(path: $0) }
    }

    @Test func `there is a corpus`() {
        #expect(Self.files.count >= 50)
    }

    @Test(arguments: files)
    func `no input breaks a promise`(_ file: URL) throws {
        let check = try #require(OpenCheck())
        #expect(check(Array(try Data(contentsOf: file))) != .broken)
    }

    @Test(arguments: ["inner-json", "inner-text", "inner-aps", "box-text-new", "box-json", "base", "box"])
    func `the corpus reaches the other side of the tag`(_ name: String) throws {
        let check = try #require(OpenCheck())
        let file = PackageRoot.url.appending(path: "Fuzz/Corpus/open/\(name)")
        #expect(check(Array(try Data(contentsOf: file))) == .opened)
    }
}
