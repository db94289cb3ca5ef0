// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NIOCore
import NIOHTTP1
import NotificationPayload
import Testing
import UserNotifications

@testable import CenterServing

/// The files that apps attach to their requests, over their socket and over HTTP.
@Suite(.timeLimit(.minutes(2)))
struct FileCallTests {
    private static let jpeg = BenchFiles.jpeg

    private let bench: Bench

    init() async throws {
        bench = try await Bench.withPermission()
    }

    private func bytes() throws -> [[UInt8]?] {
        try #require(bench.list().first?.content).files
            .map { bench.center.store.files.open($0)?.read(from: 0, atMost: 99) }
    }

    // MARK: An app in Swift

    private func content(_ path: String, _ bytes: [UInt8] = jpeg) throws -> UNMutableNotificationContent {
        try Data(bytes).write(to: URL(filePath: path))
        let content = UNMutableNotificationContent()
        content.title = "Alice"
        content.attachments = [try UNNotificationAttachment(identifier: "photo", url: URL(filePath: path))]
        return content
    }

    @Test func `a file in the temporary folder is moved, as Apple does`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString).jpg").path
        try await bench.withApps {
            let content = try content(path)
            try await bench.app().add(UNNotificationRequest(identifier: "lunch", content: content, trigger: nil))
        }
        #expect(try bytes() == [Self.jpeg])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a file waits with its request, and is delivered with it`() async throws {
        let path = bench.folder + "/photo.jpg"
        try await bench.withApps {
            let app = bench.app()
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
            let content = try content(path)
            try await app.add(UNNotificationRequest(identifier: "lunch", content: content, trigger: trigger))
            #expect(try bench.keptFiles().count == 1)
            bench.time.advance(by: 5000)
            while try await Scheduler(bench.center).fire() {}
        }
        #expect(try bytes() == [Self.jpeg])
        #expect(try bench.keptFiles().count == 1)
    }

    /// Returns what the API says of the thumbnail of an attachment with these options.
    private func thumbnail(_ options: [String: Any]) async throws -> JSON? {
        let path = bench.folder + "/photo.jpg"
        try Data(Self.jpeg).write(to: URL(filePath: path))
        let content = UNMutableNotificationContent()
        content.title = "Alice"
        let attachment = try UNNotificationAttachment(identifier: "photo", url: URL(filePath: path), options: options)
        content.attachments = [attachment]
        try await bench.withApps {
            try await bench.app().add(UNNotificationRequest(identifier: "lunch", content: content, trigger: nil))
        }
        let items = try await bench.ask(.GET, "/v1/notifications").body["items"]?.array
        return items?.first?.object?["attachments"]?.array?.first?.object?["thumbnail"]
    }

    @Test func `an app's words on a thumbnail reach whoever shows it`() async throws {
        let rect = CGRect(x: 0, y: 0.25, width: 1, height: 0.5)
        let words = ["X": 0, "Y": 0.25, "Width": 1, "Height": 0.5]
        let time: [String: Any] = ["value": 3, "timescale": 2, "epoch": 0, "flags": 1]
        let (hidden, clip, moment) = (
            UNNotificationAttachmentOptionsThumbnailHiddenKey,
            UNNotificationAttachmentOptionsThumbnailClippingRectKey,
            UNNotificationAttachmentOptionsThumbnailTimeKey
        )
        let part: JSON = [0.0, 0.25, 1.0, 0.5]
        let rows: [([String: Any], JSON?)] = [
            ([hidden: true], ["hidden": true]), ([hidden: NSNumber(value: false)], ["hidden": false]),
            ([clip: rect, moment: 1.5], ["clip": part, "time": 1.5]), ([clip: words], ["clip": part]),
            ([moment: time], ["time": 1.5]), ([moment: 2], ["time": 2.0]), ([:], nil),
            // What is not within the picture, or before its beginning, counts as absent.
            ([clip: CGRect(x: 0, y: 0, width: 200, height: 200), moment: -1], nil), ([hidden: "yes"], nil),
        ]
        for (options, expected) in rows {
            let told = try await thumbnail(options)
            // A number has no decimal point once it was written without one.
            let (found, wanted) = (told?.object?.serialized, expected?.object?.serialized)
            #expect(
                found.map { String(decoding: $0, as: UTF8.self) } == wanted.map { String(decoding: $0, as: UTF8.self) }
            )
        }
    }

    @Test func `bytes of another type, and a file that is gone, have Apple's errors`() async throws {
        let path = bench.folder + "/photo.jpg"
        try await bench.withApps {
            let app = bench.app()
            let page = UNNotificationRequest(
                identifier: "page",
                content: try content(path, Array("<html>".utf8)),
                trigger: nil
            )
            await #expect(throws: UNError(.attachmentCorrupt)) { try await app.add(page) }
            let gone = UNNotificationRequest(identifier: "gone", content: try content(path), trigger: nil)
            try FileManager.default.removeItem(atPath: path)
            await #expect(throws: UNError(.attachmentInvalidURL)) { try await app.add(gone) }
        }
        #expect(try bench.list().isEmpty)
        #expect(try bench.keptFiles().isEmpty)
    }

    @Test func `a request that is refused leaves no file`() async throws {
        let path = bench.folder + "/photo.jpg"
        try await bench.withApps {
            let trigger = UNCalendarNotificationTrigger(
                dateMatching: DateComponents(year: 2001, month: 1, day: 1),
                repeats: false
            )
            let request = UNNotificationRequest(identifier: "past", content: try content(path), trigger: trigger)
            await #expect(throws: UNError(.notificationInvalidNoDate)) { try await bench.app().add(request) }
        }
        #expect(try bench.keptFiles().isEmpty)
    }

    // MARK: HTTP

    private func upload(_ bytes: [UInt8] = jpeg) throws -> String {
        let place = try #require(try bench.center.uploads.reserve(Int64(bytes.count), of: bench.chat, at: Bench.now))
        let draft = try bench.center.store.files.begin()
        try draft.append(bytes)
        return try #require(bench.center.uploads.keep(draft.file, at: place, at: Bench.now))
    }

    private func add(_ name: String, type: String = "public.jpeg") async throws -> (status: UInt, body: JSONObject) {
        let body: JSONObject = [
            "call": "add",
            "request": [
                "identifier": "lunch", "payload": ["aps": ["alert": "Lunch?"]],
                "attachments": [
                    [
                        "identifier": "photo", "type": .string(type), "upload": .string(name),
                        "thumbnail": ["hidden": true],
                    ]
                ],
            ],
        ]
        let text = String(decoding: body.serialized, as: UTF8.self)
        return try await bench.ask(.POST, "/v1/app/\(Bench.topic)/calls", text)
    }

    @Test func `bytes that were sent are attached once, by their name`() async throws {
        let name = try upload()
        #expect(try await add(name).status == 200)
        #expect(try bytes() == [Self.jpeg])
        let again = try await add(name)
        #expect(again.status == 422)
        #expect(again.body["code"] == 103)
        let number = try #require(bench.list().first?.head.number)
        let shown = try await bench.ask(.GET, "/v1/notifications/\(number)").body["attachments"]
        #expect(
            shown == [
                [
                    "identifier": "photo", "type": "public.jpeg", "mediaType": "image/jpeg", "size": 7,
                    "href": .string("/v1/notifications/\(number)/attachments/0"), "thumbnail": ["hidden": true],
                ]
            ]
        )
    }

    @Test func `bytes that nobody attaches in time are gone`() async throws {
        let name = try upload()
        bench.center.uploads.expire(at: Bench.now + Uploads.patience - 1)
        #expect(try bench.keptFiles().count == 1)
        bench.center.uploads.expire(at: Bench.now + Uploads.patience)
        #expect(try bench.keptFiles().isEmpty)
        #expect(try await add(name).body["code"] == 103)
    }

    @Test func `an app has sixteen files that wait, and another app none of them`() async throws {
        let names = try (0..<Uploads.countLimit).map { _ in try upload() }
        #expect(throws: APIError.tooManyUploads) { try UploadBody(bench.center, bench.chat, length: 1) }
        let other = try #require(InstallationKey(owner: bench.me, app: "com.example.other"))
        #expect(bench.center.uploads.take(names[0], of: other) == nil)
        #expect(try await add(names[0], type: "public.mp3").body["code"] == 105)
        #expect(try await add(names[1], type: "public.text").body["code"] == 101)
        #expect(try bench.keptFiles().count == Uploads.countLimit - 1)
    }

    @Test func `files on their way count as long as they may become`() throws {
        let bodies = try (0..<2).map { _ in try UploadBody(bench.center, bench.chat, length: nil) }
        #expect(throws: APIError.tooManyUploads) { try UploadBody(bench.center, bench.chat, length: nil) }
        #expect(throws: APIError.tooLarge(limit: 50 << 20)) {
            try UploadBody(bench.center, bench.chat, length: (50 << 20) + 1)
        }
        let other = try #require(InstallationKey(owner: bench.me, app: "com.example.other"))
        try UploadBody(bench.center, other, length: 1).cancel()
        for body in bodies { body.cancel() }
        #expect(try bench.keptFiles().isEmpty)
        let place = try bench.center.uploads.reserve(Uploads.appByteCountLimit, of: bench.chat, at: Bench.now)
        #expect(place != nil)
    }

    @Test func `an owner whose apps send much takes no room from another`() throws {
        for number in 0..<3 {
            let app = try #require(InstallationKey(owner: bench.me, app: "com.example.app\(number)"))
            let place = bench.center.uploads.reserve(Uploads.appByteCountLimit, of: app, at: Bench.now)
            #expect((place != nil) == (number < 2))
        }
        let maria = try #require(OwnerName("maria"))
        let other = try #require(InstallationKey(owner: maria, app: "com.example.chat"))
        let place = bench.center.uploads.reserve(Uploads.appByteCountLimit, of: other, at: Bench.now)
        #expect(place != nil)
    }

    @Test func `a file that does not come in time loses its room, and is told so`() async throws {
        let body = try UploadBody(bench.center, bench.chat, length: 9)
        try await body.append(ByteBuffer(bytes: [1]))
        bench.center.uploads.expire(at: Bench.now + Uploads.patience)
        await #expect(throws: APIError.tooManyUploads) { try await body.append(ByteBuffer(bytes: [2])) }
        await #expect(throws: APIError.tooManyUploads) { try await body.end(at: Bench.now) }
        #expect(try bench.keptFiles().isEmpty)
    }

    @Test func `a picture is replaced by one as large beside which it would have no room`() async throws {
        let file = FileShelf.File(id: 1, byteCount: CallDesk.pendingByteCountLimit)
        let content = NotificationContent(
            identifier: "lunch",
            payload: [:],
            attachments: [ContentAttachment(identifier: "photo", .kept(file, type: "public.jpeg", thumbnail: nil))]
        )
        let request = PendingRequest(
            installation: try bench.chat,
            clock: .boot,
            date: DueDate(due: 60_000_000, anchor: []),
            content: content
        )
        _ = try await bench.center.perform([.schedule(request, limit: PendingLimit(count: 64, wallMinusBoot: 0))])
        let desk = CallDesk(bench.center)
        let key = try bench.chat
        try desk.checkRoom(for: content.attachments, as: "lunch", of: key)
        #expect(throws: CallFailure.disk) { try desk.checkRoom(for: content.attachments, as: "dinner", of: key) }
    }

    // MARK: Reading

    private func read(
        _ target: String,
        _ headers: HTTPHeaders = [:],
        _ method: HTTPMethod = .GET
    ) async throws -> (status: UInt, headers: HTTPHeaders, body: [UInt8]) {
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        let request = try #require(APIRequest(head, body: []))
        switch await bench.api().reply(to: request) {
        case .answer(let answer): return (answer.status.code, answer.headers, [])
        case .file(let file):
            var body: [UInt8] = []
            try await file.write(isHeadOnly: method == .HEAD, isLast: false) { part in
                guard case .body(.byteBuffer(let bytes)) = part else { return }
                body += bytes.readableBytesView
            }
            return (file.status.code, file.headers, body)
        default: return (0, [:], [])
        }
    }

    @Test func `a file is read whole or in part, as what it is and nothing else`() async throws {
        #expect(try await add(try upload()).status == 200)
        let number = try #require(bench.list().first?.head.number)
        let place = "/v1/notifications/\(number)/attachments/0"
        let whole = try await read(place)
        #expect(whole.status == 200)
        #expect(whole.body == Self.jpeg)
        #expect(whole.headers["content-type"] == ["image/jpeg"])
        #expect(whole.headers["content-security-policy"] == ["sandbox; default-src 'none'"])
        #expect(whole.headers["cross-origin-resource-policy"] == ["same-origin"])
        #expect(whole.headers["x-content-type-options"] == ["nosniff"])
        #expect(whole.headers["cache-control"] == ["no-store"])
        #expect(whole.headers["content-disposition"] == ["inline; filename=\"attachment-0.jpg\""])
        let part = try await read(place, ["range": "bytes=2-3"])
        #expect(part.status == 206)
        #expect(part.body == Array(Self.jpeg[2...3]))
        #expect(part.headers["content-range"] == ["bytes 2-3/7"])
        let tag = try #require(whole.headers["etag"].first)
        #expect(try await read(place, ["range": "bytes=5-", "if-range": tag]).body == Array(Self.jpeg[5...]))
        #expect(try await read(place, ["range": "bytes=5-", "if-range": "\"other\""]).status == 200)
        let beyond = try await read(place, ["range": "bytes=7-"])
        #expect(beyond.status == 416)
        #expect(beyond.headers["content-range"] == ["bytes */7"])
        let head = try await read(place, [:], .HEAD)
        #expect(head.headers["content-length"] == ["7"])
        #expect(head.body == [])
    }

    @Test(arguments: ["1", "-1", "x", "00", "+0", ""])
    func `there is no other file`(place: String) async throws {
        #expect(try await add(try upload()).status == 200)
        let number = try #require(bench.list().first?.head.number)
        #expect(try await read("/v1/notifications/\(number)/attachments/\(place)").status == 404)
        #expect(try await read("/v1/notifications/0\(number)/attachments/0").status == 404)
        #expect(try await read("/v1/notifications/99999/attachments/0").status == 404)
    }

    @Test func `a file of a notification that was removed is gone`() async throws {
        #expect(try await add(try upload()).status == 200)
        let number = try #require(bench.list().first?.head.number)
        _ = await CallDesk(bench.center).answer(.removeDelivered(.all), of: try bench.chat)
        #expect(try await read("/v1/notifications/\(number)/attachments/0").status == 410)
    }

    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-", .part(0..<100)), ("bytes=0-0", .part(0..<1)),
            ("bytes=10-19", .part(10..<20)), ("bytes=90-1000", .part(90..<100)), ("bytes=-10", .part(90..<100)),
            ("bytes=-1000", .part(0..<100)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<100)),
            ("bytes=0-1,5-6", .whole), ("bytes=5-4", .whole), ("bytes=", .whole), ("bytes=-", .whole),
            ("bytes=a-b", .whole),
            ("bytes=+1-2", .whole), ("items=0-1", .whole), ("bytes=1-2-3", .whole), ("", .whole),
        ] as [(String?, ByteRange)]
    )
    func `a range is the one that was asked for, or none`(header: String?, range: ByteRange) {
        #expect(ByteRange(header, of: 100) == range)
    }
}
