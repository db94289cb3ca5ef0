// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngressChecks
import Testing

/// The seeds and findings of the fuzzers, run through the functions that the fuzzers call.
struct IngressFuzzCorpusTests {
    /// Seeds and, if there are any, inputs that once failed.
    private static func files(_ name: String) -> [URL] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz")
        return ["Corpus/\(name)", "FailCases/\(name)"].flatMap { folder in
            let url = root.appending(path: folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            return names.sorted().filter { !$0.hasPrefix(".") }.map { url.appending(path: $0) }
        }
    }

    private static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    @Test(arguments: files("provider-token")) func `no provider token breaks a promise`(_ file: URL) throws {
        let check = try #require(ProviderTokenCheck())
        #expect(check(try Self.bytes(file)) != .broken)
    }

    @Test(arguments: files("request-head")) func `no request breaks a promise`(_ file: URL) throws {
        #expect(RequestHeadCheck.check(try Self.bytes(file)) != .broken)
    }

    @Test(arguments: files("web-push")) func `no request of Web Push breaks a promise`(_ file: URL) throws {
        #expect(WebPushCheck.check(try Self.bytes(file)) != .broken)
    }

    @Test(arguments: files("push-line")) func `no line breaks a promise`(_ file: URL) throws {
        #expect(PushLineCheck.check(try Self.bytes(file)) != .broken)
    }

    @Test func `the corpora reach what they should`() throws {
        let check = try #require(ProviderTokenCheck())
        let taken = try Self.files("provider-token").filter { check(try Self.bytes($0)) == .taken }
        #expect(
            taken.map(\.lastPathComponent) == [
                "signed", "signed-der", "signed-exponent", "signed-fraction", "signed-sample", "signed-text-time",
            ]
        )
        let pushes = try Self.files("request-head").filter { RequestHeadCheck.check(try Self.bytes($0)) == .taken }
        #expect(
            pushes.map(\.lastPathComponent) == [
                "alert", "background", "everything", "expired", "far", "liveactivity", "no-topic", "voip",
            ]
        )
        let lines = try Self.files("push-line").filter { PushLineCheck.check(try Self.bytes($0)) == .taken }
        #expect(
            lines.map(\.lastPathComponent) == [
                "background", "bare", "deep", "escapes", "everything", "expired", "far", "liveactivity", "numbers",
                "push", "sealed", "too-long", "two", "voip", "long-integer",
            ]
        )
        let messages = try Self.files("web-push").filter { WebPushCheck.check(try Self.bytes($0)) == .taken }
        #expect(
            messages.map(\.lastPathComponent) == [
                "body", "claims", "claims-origin", "head", "head-large-ttl", "vapid", "vapid-no-end",
                "vapid-other-origin", "vapid-quoted",
            ]
        )
    }
}
