// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

struct OutgoingContentTests {
    /// A scratch folder and a folder outside it, both removed afterwards.
    private static func withFolders(_ body: (_ scratch: URL, _ outside: URL) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("outgoing-\(UUID().uuidString)")
        let (scratch, outside) = (root.appendingPathComponent("scratch"), root.appendingPathComponent("bundle"))
        for folder in [scratch.appendingPathComponent("tmp"), outside] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: root) }
        try body(scratch, outside)
    }

    private static func attachment(_ identifier: String, at url: URL) throws -> UNNotificationAttachment {
        try Data([1]).write(to: url)
        return try UNNotificationAttachment(identifier: identifier, url: url)
    }

    /// Returns the messages that the host gets for a content of an extension.
    private static func messages(
        scratch: String?,
        count: Int,
        _ makeContent: @escaping @Sendable () -> UNNotificationContent
    ) throws -> [WorkerMessage] {
        let host = try FakeHost()
        let session = host.serve { ScriptedService(receive: { _, handler in handler(makeContent()) }) }
        try host.greet(scratch: scratch)
        try host.request(1)
        defer { withExtendedLifetime(session) {} }
        return try (0..<count).map { _ in try host.receive() }
    }

    @Test func `an attachment in the scratch folder goes under a name of its own there`() throws {
        try Self.withFolders { scratch, _ in
            let content = UNMutableNotificationContent()
            content.attachments = [try Self.attachment("i", at: scratch.appendingPathComponent("tmp/a.png"))]
            let messages = try Self.messages(scratch: scratch.path, count: 1) { content }
            let path = try Self.path(in: messages)
            let expected = ScratchAttachment(identifier: "i", path: path, type: "public.png")
            #expect(messages == [.content(id: 1, .init(payload: Payload([:]), attachments: [expected]))])
            #expect(path.hasPrefix("tmp/attachment-") && path.hasSuffix(".png"))
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/tmp")
            #expect(names.map { "tmp/" + $0 } == [path])
        }
    }

    @Test func `a file that the extension stores is renamed where it lies, once for all that name it`() throws {
        try Self.withFolders { scratch, _ in
            let home = scratch.appendingPathComponent("home/Library/Caches")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let content = UNMutableNotificationContent()
            let file = home.appendingPathComponent("a.png")
            content.attachments = [try Self.attachment("i", at: file), try Self.attachment("j", at: file)]
            let outgoing = OutgoingContent(content, scratch: ScratchFolder(path: scratch.path))
            let bytes = try outgoing.encoded(id: 1).get()
            let packet = try Packet(decoding: bytes.span)
            guard case .content(_, let sent) = try WorkerMessage(packet) else {
                Issue.record("no content")
                return
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
            #expect(names.count == 1 && names.allSatisfy { $0.hasPrefix("attachment-") && $0.hasSuffix(".png") })
            #expect(sent.attachments?.map(\.path) == [names[0], names[0]].map { "home/Library/Caches/" + $0 })
        }
    }

    /// The path of the first file of the first content.
    private static func path(in messages: [WorkerMessage]) throws -> String {
        guard case .content(_, let content)? = messages.first else { throw CocoaError(.fileReadUnknown) }
        return try #require(content.attachments?.first?.path)
    }

    @Test func `an attachment from elsewhere is copied to the scratch folder`() throws {
        try Self.withFolders { scratch, outside in
            let content = UNMutableNotificationContent()
            let file = outside.appendingPathComponent("a.gif")
            content.attachments = [try Self.attachment("i", at: file)]
            guard case .content(_, let sent)? = try Self.messages(scratch: scratch.path, count: 1, { content }).first
            else {
                Issue.record("no content")
                return
            }
            let attachment = try #require(sent.attachments?.first)
            #expect(attachment.path.hasPrefix("tmp/"))
            #expect(try Data(contentsOf: scratch.appendingPathComponent(attachment.path)) == Data([1]))
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `without a scratch folder an attachment is left out and named`() throws {
        try Self.withFolders { _, outside in
            let content = UNMutableNotificationContent()
            content.attachments = [try Self.attachment("i", at: outside.appendingPathComponent("a.gif"))]
            let messages = try Self.messages(scratch: nil, count: 2) { content }
            let warning = "attachment \"i\" cannot be brought to the scratch folder: left out"
            #expect(
                messages == [
                    .log(.init(level: .notice, message: warning)), .content(id: 1, .init(payload: Payload([:]))),
                ]
            )
        }
    }

    @Test func `of two attachments with one identifier the later goes, and no more than 10`() throws {
        try Self.withFolders { scratch, _ in
            let content = UNMutableNotificationContent()
            let names = ["x"] + (0..<10).map { "n\($0)" } + ["x"]
            content.attachments = try names.enumerated().map {
                try Self.attachment($1, at: scratch.appendingPathComponent("\($0).png"))
            }
            let outgoing = OutgoingContent(content, scratch: ScratchFolder(path: scratch.path))
            let bytes = try outgoing.encoded(id: 1).get()
            let packet = try Packet(decoding: bytes.span)
            guard case .content(_, let sent) = try WorkerMessage(packet) else {
                Issue.record("no content")
                return
            }
            #expect(sent.attachments?.map(\.identifier) == Array(names.prefix(10)))
            // The files that go have left their old names.
            let isThere = [0, 11].map { FileManager.default.fileExists(atPath: scratch.path + "/\($0).png") }
            #expect(isThere == [true, false])
            #expect(outgoing.warnings == ["more than 10 attachments: the rest is left out"])
        }
    }

    @Test func `what JSON cannot say is left out and named`() throws {
        let messages = try Self.messages(scratch: nil, count: 2) {
            let content = UNMutableNotificationContent()
            content.userInfo = ["when": Date(), "id": 1]
            return content
        }
        let warning = "userInfo key \"when\" holds no JSON value: left out"
        #expect(
            messages == [
                .log(.init(level: .notice, message: warning)), .content(id: 1, .init(payload: Payload(["id": 1]))),
            ]
        )
    }

    @Test func `a content that fits no packet ends the worker, naming the largest key`() throws {
        let host = try FakeHost()
        let session = host.serve {
            ScriptedService(receive: { _, handler in
                let content = UNMutableNotificationContent()
                content.userInfo = ["small": "s", "filler": String(repeating: "x", count: 70_000)]
                handler(content)
            })
        }
        try host.greet()
        try host.request(1)
        let message = "content of 70046 bytes, limit 65536; its largest key is \"filler\""
        #expect(try host.receive() == .log(.init(level: .error, message: message)))
        #expect(try host.waitForExit() == 1)
        withExtendedLifetime(session) {}
    }

    /// U+0000 to U+001F, U+007F to U+009F, and the first and last scalars of what an encoding may get wrong.
    private static let extremes: [Unicode.Scalar] =
        (Array(0...0x20) + Array(0x7F...0xA0) + [
            0x61C, 0x7FF, 0x800, 0x200D, 0x2028, 0x2029, 0x202E, 0x2066, 0xD7FF, 0xE000, 0xFDD0, 0xFEFF, 0xFFFC, 0xFFFD,
            0xFFFE,
            0xFFFF, 0x10000, 0x1FFFF, 0xE0001, 0xE007F, 0x10FFFE, 0x10FFFF,
        ]).compactMap { Unicode.Scalar($0) }

    /// The host to worker half is a table's text in a payload, the way back a content whose texts are all made of it.
    @Test func `a text of any scalar passes to the extension and back, and only U+0000 is left out`() throws {
        for scalar in Self.extremes {
            let text = "a\(scalar)b"
            let kept = scalar.value == 0 ? "ab" : text
            let name = "U+\(String(scalar.value, radix: 16))"
            // What is in the packet, the host's table put in.
            let payload: JSONObject = ["aps": ["alert": ["title": .string(text)]], "x": .string(text)]
            let host = try FakeHost()
            let session = host.serve {
                ScriptedService(receive: { request, handler in
                    let content = request.content.mutableCopy() as! UNMutableNotificationContent
                    content.body = content.title + text
                    content.subtitle = text
                    content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: text))
                    content.threadIdentifier = text
                    content.userInfo["list"] = [text, ["y": text]]
                    handler(content)
                })
            }
            try host.greet(scratch: nil)
            try host.request(1, payload)
            var message = try host.receive()
            while case .log = message { message = try host.receive() }
            guard case .content(_, let content) = message else {
                Issue.record("no content for \(name)")
                continue
            }
            let aps = try #require(content.payload.object["aps"]?.object)
            let alert = try #require(aps["alert"]?.object)
            #expect(alert["title"]?.string == kept, "\(name)")
            #expect(alert["subtitle"]?.string == kept, "\(name)")
            #expect(alert["body"]?.string == kept + kept, "\(name)")
            // A name that no file has is the sound of every push.
            #expect([kept, "default"].contains(aps["sound"]?.string), "\(name)")
            #expect(aps["thread-id"]?.string == kept, "\(name)")
            #expect(content.payload.object["x"]?.string == kept, "\(name)")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `an attachment's identifier with U+0000 does not end the conversation`() throws {
        try Self.withFolders { scratch, _ in
            let content = UNMutableNotificationContent()
            content.attachments = [try Self.attachment("i\0j", at: scratch.appendingPathComponent("tmp/a.png"))]
            let messages = try Self.messages(scratch: scratch.path, count: 1) { content }
            let path = try Self.path(in: messages)
            let expected = ScratchAttachment(identifier: "ij", path: path, type: "public.png")
            #expect(messages == [.content(id: 1, .init(payload: Payload([:]), attachments: [expected]))])
        }
    }
}
