// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UserNotificationsChecks

/// The seeds and findings of the fuzzer, checked without the fuzzer.
struct FuzzReplayTests {
    private static func files(in folder: String) throws -> [URL] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fuzz")
        return try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent(folder),
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
    }

    @Test func `every file of the corpus holds`() throws {
        let files = try Self.files(in: "Corpus/payload")
        try #require(!files.isEmpty)
        for file in files {
            let result = PayloadRoundTrip(checking: [UInt8](try Data(contentsOf: file)))
            #expect(result == .holds || result == .notAPayload, "\(file.lastPathComponent)")
        }
    }

    @Test func `every file that once failed holds`() throws {
        for file in try Self.files(in: "FailCases/payload") {
            let result = PayloadRoundTrip(checking: [UInt8](try Data(contentsOf: file)))
            #expect(result == .holds || result == .notAPayload, "\(file.lastPathComponent)")
        }
    }

    @Test func `bytes that are no payload are told from those that fail`() {
        #expect(PayloadRoundTrip(checking: Array("[]".utf8)) == .notAPayload)
        #expect(PayloadRoundTrip(checking: Array(#"{"aps":{"alert":"a"}}"#.utf8)) == .holds)
    }
}
