// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import NotificationPayload
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

/// Files that come with a request.
struct GivenAttachmentTests {
    private static let picture = ScratchAttachment(identifier: "i", path: "tmp/sealed-7.png", type: "public.png")

    /// Messages of a worker that gets one request with files; the first file is there, no other.
    private static func messages(
        _ attachments: [ScratchAttachment] = [picture],
        count: Int = 1,
        receive: @escaping @Sendable (UNNotificationRequest, @Sendable (UNNotificationContent) -> Void) -> Void
    ) throws -> [WorkerMessage] {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("given-\(UUID().uuidString)")
        let tmp = scratch.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: tmp, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        try Data("picture".utf8).write(to: scratch.appendingPathComponent(picture.path))
        let host = try FakeHost()
        let session = host.serve { ScriptedService(receive: { request, handler in receive(request, handler) }) }
        try host.greet(scratch: scratch.path)
        try host.request(1, attachments: attachments)
        defer { withExtendedLifetime(session) {} }
        return try (0..<count).map { _ in try host.receive() }
    }

    private static func content(_ message: WorkerMessage?) -> WorkerMessage.Content? {
        guard case .content(1, let content)? = message else { return nil }
        return content
    }

    @Test func `they are the content's attachments, to be read, and go back as they came`() throws {
        let seen = Locked<[String]>([])
        let messages = try Self.messages { request, handler in
            guard let copy = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            for attachment in copy.attachments {
                let text = (try? Data(contentsOf: attachment.url)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
                seen.withLock { $0.append("\(attachment.identifier) \(attachment.type) \(text)") }
            }
            handler(copy)
        }
        #expect(seen.withLock { $0 } == ["i public.png picture"])
        #expect(Self.content(messages.first)?.attachments == [Self.picture])
    }

    @Test func `without them a content says nothing of files`() throws {
        let messages = try Self.messages([]) { request, handler in handler(request.content) }
        #expect(Self.content(messages.first)?.attachments == nil)
    }

    @Test func `a content that has lost them says that there are to be none`() throws {
        let messages = try Self.messages { _, handler in handler(UNNotificationContent()) }
        #expect(Self.content(messages.first)?.attachments == [])
    }

    @Test func `a file that is moved goes by its new name`() throws {
        let messages = try Self.messages { request, handler in
            let content = UNMutableNotificationContent()
            guard let given = request.content.attachments.first else { return handler(content) }
            let place = given.url.deletingLastPathComponent().appendingPathComponent("mine.png")
            try? FileManager.default.moveItem(at: given.url, to: place)
            content.attachments = (try? UNNotificationAttachment(identifier: "i", url: place)).map { [$0] } ?? []
            handler(content)
        }
        let expected = ScratchAttachment(identifier: "i", path: "tmp/mine.png", type: "public.png")
        #expect(Self.content(messages.first)?.attachments == [expected])
    }

    @Test func `one that is not there is left out, and named`() throws {
        let missing = ScratchAttachment(identifier: "gone", path: "tmp/none.png", type: "public.png")
        let messages = try Self.messages([Self.picture, missing], count: 2) { request, handler in
            handler(request.content)
        }
        let notice = "attachment \"gone\" of the request is not there: left out"
        #expect(messages.first == .log(.init(level: .notice, message: notice)))
        #expect(Self.content(messages.last)?.attachments == [Self.picture])
    }
}
