// SPDX-License-Identifier: Apache-2.0

import CenterChecks
import Foundation
import Testing

/// The seeds and findings of the centre's fuzzers, run through the functions that the fuzzers call.
struct CenterCorpusTests {
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

    @Test(arguments: files("api-request")) func `no request breaks a promise`(_ file: URL) throws {
        #expect(RequestCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("app-socket")) func `no talk on an app's socket breaks a promise`(_ file: URL) throws {
        #expect(AppSocketCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("calendar")) func `no components of a date break a promise`(_ file: URL) throws {
        #expect(CalendarCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("call")) func `no call breaks a promise`(_ file: URL) throws {
        #expect(CallCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("categories")) func `no categories break a promise`(_ file: URL) throws {
        #expect(CategoryCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("center-link")) func `no talk on the link breaks a promise`(_ file: URL) throws {
        #expect(LinkCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("gpsd")) func `no line of gpsd breaks a promise`(_ file: URL) throws {
        #expect(GpsdCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("range")) func `no range of a file breaks a promise`(_ file: URL) throws {
        #expect(RangeCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("scene")) func `no update and no event of a view breaks a promise`(_ file: URL) throws {
        #expect(SceneCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("settings")) func `no change of settings breaks a promise`(_ file: URL) throws {
        #expect(SettingsCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("stored-content")) func `no stored content breaks a promise`(_ file: URL) throws {
        #expect(StoredContentCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(arguments: files("summary")) func `no summary breaks a promise`(_ file: URL) throws {
        #expect(SummaryCheck.check(try Self.bytes(file)).broken == nil)
    }

    @Test(.timeLimit(.minutes(2)), arguments: files("api"))
    func `no visit to the API breaks a promise`(_ file: URL) async throws {
        let check = try #require(APICheck())
        #expect(await check(try Self.bytes(file)).broken == nil)
    }

    @Test(.timeLimit(.minutes(2)), arguments: files("center-store"))
    func `no work that bytes choose breaks a promise`(_ file: URL) throws {
        let check = try #require(StoreCheck())
        #expect(check(try Self.bytes(file)).broken == nil)
    }

    // MARK: The corpora

    /// The seeds that are refused, which are few: the others reach what they should.
    private static func refused(_ name: String, _ check: ([UInt8]) -> Verdict) throws -> [String] {
        try files(name).filter { check(try bytes($0)) == .refused }.map(\.lastPathComponent)
    }

    @Test func `the corpora reach what they should`() throws {
        #expect(try Self.refused("api-request", RequestCheck.check) == ["broken-escape", "no-utf8", "page"])
        #expect(try Self.refused("app-socket", AppSocketCheck.check) == [])
        #expect(try Self.refused("calendar", CalendarCheck.check) == [])
        #expect(try Self.refused("call", CallCheck.check) == [])
        #expect(try Self.refused("categories", CategoryCheck.check) == ["equivalent", "no-identifier", "repeated"])
        #expect(try Self.refused("center-link", LinkCheck.check) == [])
        #expect(
            try Self.refused("gpsd", GpsdCheck.check) == ["bad-time", "no-error", "no-fix", "no-latitude", "version"]
        )
        #expect(try Self.refused("range", RangeCheck.check) == ["backwards", "two", "unit"])
        #expect(try Self.refused("scene", SceneCheck.check) == [])
        #expect(try Self.refused("settings", SettingsCheck.check) == ["owner-quiet-refused"])
        #expect(try Self.refused("stored-content", StoredContentCheck.check) == ["no-payload", "torn"])
        #expect(try Self.refused("summary", SummaryCheck.check) == ["one"])
    }
}
