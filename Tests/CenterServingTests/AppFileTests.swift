// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NIOCore
import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterLink
@testable import CenterServing

/// The icons and sounds of apps, from the host's disk to whoever shows and plays them.
@Suite(.timeLimit(.minutes(2)))
struct AppFileTests {
    private static let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\nthe rest".utf8)
    private static let wav = Array("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt 0123456789".utf8)

    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// A file of the app, with these bytes on the host's disk.
    private func file(_ use: AppFileUse, _ bytes: [UInt8], topic: String = Bench.topic) throws -> HostedAppFile {
        let path = bench.folder + "/host-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        return HostedAppFile(AppFile(topic: topic, use), path: path)
    }

    private func icon(_ bytes: [UInt8] = png) throws -> HostedAppFile { try file(.icon, bytes) }

    /// Has the centre know the app with these files.
    private func introduce(_ files: [HostedAppFile], _ records: [String: String] = [:]) async throws {
        try await bench.withLink(appFiles: files) { link in
            for (number, sound) in records.values.sorted().enumerated() {
                let record = Bench.record(
                    Int64(number + 1),
                    title: sound,
                    aps: ["sound": .string(sound)],
                    identifier: sound
                )
                _ = await link.send(record)
            }
            // The list of apps is behind the files, and an answer behind both.
            if records.isEmpty { _ = await link.send(Bench.record(99)) }
            _ = await link.answers(to: max(1, records.count))
        }
    }

    private func get(
        _ target: String,
        method: HTTPMethod = .GET,
        headers: HTTPHeaders = [:]
    ) async throws -> (status: UInt, headers: HTTPHeaders, body: [UInt8]) {
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        let request = try #require(APIRequest(head, body: []))
        var answered: [HTTPServerResponsePart] = []
        switch await bench.api().reply(to: request) {
        case .answer(let answer): answered = answer.parts(isHeadOnly: method == .HEAD, isLast: false)
        case .file(let file):
            try await file.write(isHeadOnly: method == .HEAD, isLast: false) { answered.append($0) }
        case .app, .events, .upload, .view: return (0, [:], [])
        }
        var (status, fields, body): (UInt, HTTPHeaders, [UInt8]) = (0, [:], [])
        for part in answered {
            switch part {
            case .head(let head): (status, fields) = (head.status.code, head.headers)
            case .body(.byteBuffer(let buffer)): body += Array(buffer: buffer)
            case .body, .end: break
            }
        }
        return (status, fields, body)
    }

    private static let iconPath = "/v1/apps/\(Bench.topic)/icon"
    private static func soundPath(_ name: String) -> String { "/v1/apps/\(Bench.topic)/sounds/\(name)" }

    private func app() async throws -> JSONObject {
        let apps = try await bench.ask(.GET, "/v1/apps").body["apps"]?.array
        return try #require(apps?.first?.object)
    }

    private func sounds() async throws -> [String: JSON] {
        let items = try await bench.ask(.GET, "/v1/notifications").body["items"]?.array ?? []
        var sounds: [String: JSON] = [:]
        for item in items {
            guard let name = item.object?["identifier"]?.string else { continue }
            sounds[name] = item.object?["present"]?.object?["sound"]
        }
        return sounds
    }

    // MARK: Serving

    @Test func `an icon is served as what it is, and in a sandbox`() async throws {
        try await introduce([icon()])
        #expect(try await app()["icon"]?.string == Self.iconPath)
        let answer = try await get(Self.iconPath)
        #expect(answer.status == 200)
        #expect(answer.body == Self.png)
        let expected = [
            "content-type": "image/png", "x-content-type-options": "nosniff",
            "content-security-policy": "sandbox; default-src 'none'", "cross-origin-resource-policy": "same-origin",
            "content-disposition": #"inline; filename="icon.png""#, "cache-control": "private, no-cache",
        ]
        for (name, value) in expected { #expect(answer.headers[name] == [value], "\(name)") }
    }

    @Test func `whoever has a file already is told that it is the same`() async throws {
        try await introduce([icon()])
        let first = try await get(Self.iconPath)
        let tag = try #require(first.headers["etag"].first)
        let again = try await get(Self.iconPath, headers: ["if-none-match": tag])
        #expect(again.status == 304)
        #expect(again.body == [])
        #expect(again.headers["etag"] == [tag])
        #expect(again.headers["content-length"] == [])
        // Other bytes have another tag.
        try await introduce([icon(Self.png + [1])])
        #expect(try await get(Self.iconPath, headers: ["if-none-match": tag]).status == 200)
    }

    @Test func `a sound is served by its name, whole and in part`() async throws {
        try await introduce([file(.sound("Ding 1.wav"), Self.wav)])
        let whole = try await get(Self.soundPath("Ding%201.wav"))
        #expect(whole.status == 200)
        #expect(whole.body == Self.wav)
        #expect(whole.headers["content-type"] == ["audio/wav"])
        let part = try await get(Self.soundPath("Ding%201.wav"), headers: ["range": "bytes=0-3"])
        #expect(part.status == 206)
        #expect(part.body == Array("RIFF".utf8))
        let head = try await get(Self.soundPath("Ding%201.wav"), method: .HEAD)
        #expect(head.headers["content-length"] == ["\(Self.wav.count)"])
        #expect(head.body == [])
        let beyond = try await get(Self.soundPath("Ding%201.wav"), headers: ["range": "bytes=99-"])
        #expect(beyond.status == 416)
    }

    @Test(arguments: ["..%2Ficon", "Ding.wav", "%2e%2e", "", "Ding%201.wav%00"])
    func `no other name reaches a file`(name: String) async throws {
        try await introduce([icon(), file(.sound("Ding 1.wav"), Self.wav)])
        #expect(try await get(Self.soundPath(name)).status == 404)
    }

    @Test func `an app without files has none, and neither has one that nobody knows`() async throws {
        try await introduce([])
        #expect(try await app()["icon"] == nil)
        #expect(try await get(Self.iconPath).status == 404)
        #expect(try await get("/v1/apps/com.example.other/icon").status == 404)
        #expect(try await get(Self.iconPath, method: .POST).status == 405)
    }

    // MARK: What is kept

    @Test(arguments: ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<html><script>", "GIF89a", "%PDF-1.7"])
    func `what is no PNG is no icon`(text: String) async throws {
        try await introduce([icon(Array(text.utf8))])
        #expect(try await app()["icon"] == nil)
        #expect(try await get(Self.iconPath).status == 404)
    }

    @Test func `a file that is too large, or gone since the host started, is left out and the rest is there`()
        async throws
    {
        let large = try icon(Self.png + [UInt8](repeating: 0, count: 1 << 20))
        let gone = HostedAppFile(AppFile(topic: Bench.topic, .sound("gone.wav")), path: bench.folder + "/nothing")
        let link = bench.folder + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: try file(.icon, Self.wav).path
        )
        let linked = HostedAppFile(AppFile(topic: Bench.topic, .sound("linked.wav")), path: link)
        try await introduce([large, gone, linked, file(.sound("a.wav"), Self.wav)])
        #expect(try await get(Self.iconPath).status == 404)
        #expect(try await get(Self.soundPath("gone.wav")).status == 404)
        #expect(try await get(Self.soundPath("linked.wav")).status == 404)
        #expect(try await get(Self.soundPath("a.wav")).status == 200)
    }

    @Test func `a host that comes again is copied from only where its files are others`() async throws {
        let (one, other) = (try icon(), try file(.sound("a.wav"), Self.wav))
        try await introduce([one, other])
        let first = try #require(bench.center.appFiles[one.file])
        let sound = try #require(bench.center.appFiles[other.file])
        try await introduce([one, other])
        #expect(bench.center.appFiles[one.file] == first)
        try Data(Self.png + [7]).write(to: URL(filePath: one.path))
        try await introduce([one])
        #expect(try await get(Self.iconPath).body == Self.png + [7])
        // What is not handed over again is gone from the disk too.
        #expect(try await get(Self.soundPath("a.wav")).status == 404)
        #expect(bench.center.store.files.open(first.file) == nil)
        #expect(bench.center.store.files.open(sound.file) == nil)
    }

    @Test func `files of an app that the list does not name are not kept`() async throws {
        let other = try file(.icon, Self.png, topic: "com.example.other")
        try await introduce([other])
        #expect(bench.center.appFiles[other.file] == nil)
        #expect(try bench.keptFiles().isEmpty)
    }

    // MARK: How a notification sounds

    @Test func `a notification names a sound that its app has, and any other is the default`() async throws {
        try await introduce(
            [file(.sound("Ding 1.wav"), Self.wav)],
            ["a": "Ding 1.wav", "b": "default", "c": "secret.wav", "d": "../x.wav"]
        )
        let sounds = try await sounds()
        let standard: JSON = ["critical": false, "volume": 1.0]
        #expect(
            sounds == [
                "Ding 1.wav": [
                    "critical": false, "volume": 1.0, "name": "Ding 1.wav",
                    "href": .string(Self.soundPath("Ding%201.wav")),
                ],
                "default": standard, "secret.wav": standard, "../x.wav": standard,
            ]
        )
    }

    @Test func `a notification without a sound says so`() async throws {
        try await introduce([])
        let items = try await bench.ask(.GET, "/v1/notifications").body["items"]?.array
        #expect(items?.first?.object?["present"]?.object?["sound"] == false)
    }

    @Test func `who watches is told of another icon`() async throws {
        try await introduce([])
        try await bench.center.announcements.withFeed(of: bench.me) { feed in
            try await introduce([icon()])
            let news = feed.take()
            #expect(news.looks == [Bench.topic] && news.events == [])
            let texts = LookNews(center: bench.center).texts(of: news.looks, for: bench.me, limit: 16)
            #expect(texts.count == 1)
            #expect(texts.first?.hasPrefix("event: app\ndata: ") == true)
            #expect(texts.first?.contains(#""icon":"\#(Self.iconPath)""#) == true)
            try await introduce([icon()])
            #expect(feed.take() == Announcements.News())
        }
    }

    @Test func `however many icons change, a watcher that reads slowly keeps everything else`() async throws {
        let news = await bench.center.announcements.withFeed(of: bench.me) { feed in
            bench.center.announcements.tell(bench.me, "missed", ["count": 1])
            for number in 0..<100 { bench.center.announcements.tell(bench.me, looksOf: ["app-\(number % 3)"]) }
            return feed.take()
        }
        #expect(news.events == ["event: missed\ndata: {\"count\":1}\n\n"])
        #expect(news.looks == ["app-0", "app-1", "app-2"])
    }
}
