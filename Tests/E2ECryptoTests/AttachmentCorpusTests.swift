// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import E2ECryptoChecks
import Foundation
import Testing

/// The seeds and findings of the fuzzer of attachments, run through the function that the fuzzer calls.
struct AttachmentCorpusTests {
    static let files: [URL] = ["Fuzz/Corpus/attachment", "Fuzz/FailCases/attachment"].flatMap { folder in
        let url = PackageRoot.url.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map { url.appending(path: $0) }
    }

    @Test func `there is a corpus`() {
        #expect(Self.files.count >= 20)
    }

    @Test(arguments: files)
    func `no input breaks a promise`(_ file: URL) throws {
        #expect(AttachmentCheck()(Array(try Data(contentsOf: file))) != .broken)
    }

    @Test(arguments: [
        ("file", AttachmentCheck.Result.opened), ("file-empty", .opened), ("chunks", .opened),
        ("chunks-large", .opened),
        ("chunks-padding", .opened), ("entry", .opened), ("chunks-tag", .refused(.notOpened)),
        ("chunks-dirty", .refused(.notOpened)), ("chunks-trailing", .refused(.trailingBytes(after: 54))),
        ("file-preamble", .refused(.badPreamble)), ("file-short", .refused(.truncated(needed: 54, got: 40))),
        ("entry-key", .refused(.badEntry(.key))),
    ])
    func `the corpus reaches both sides of the tag`(_ name: String, _ result: AttachmentCheck.Result) throws {
        let file = PackageRoot.url.appending(path: "Fuzz/Corpus/attachment/\(name)")
        #expect(AttachmentCheck()(Array(try Data(contentsOf: file))) == result)
    }
}
