// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

/// Source: Apple, "UNNotificationAttachment", table of supported types.
struct AttachmentTests {
    private static func withFile(
        _ name: String,
        byteCount: Int = 1,
        _ body: (URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("attachment-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data().write(to: file)
        // A hole: no bytes are written for a file of 50 MB.
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(byteCount))
        try handle.close()
        try body(file)
    }

    @Test(arguments: [
        ("a.jpg", "public.jpeg", 10), ("a.JPEG", "public.jpeg", 10), ("a.png", "public.png", 10),
        ("a.gif", "com.compuserve.gif", 10), ("a.heic", "public.heic", 10), ("a.webp", "org.webmproject.webp", 10),
        ("a.aiff", "public.aiff-audio", 5), ("a.wav", "com.microsoft.waveform-audio", 5), ("a.mp3", "public.mp3", 5),
        ("a.m4a", "com.apple.m4a-audio", 5), ("a.mpg", "public.mpeg", 50), ("a.m2v", "public.mpeg-2-video", 50),
        ("a.mp4", "public.mpeg-4", 50), ("a.avi", "public.avi", 50),
    ])
    func `a type has its identifier and its limit`(name: String, type: String, megabytes: Int) throws {
        try Self.withFile(name, byteCount: megabytes << 20) { url in
            let attachment = try UNNotificationAttachment(identifier: "i", url: url)
            #expect(attachment.type == type)
        }
        try Self.withFile(name, byteCount: megabytes << 20 + 1) { url in
            #expect(throws: UNError(.attachmentInvalidFileSize)) {
                try UNNotificationAttachment(identifier: "i", url: url)
            }
        }
    }

    @Test(arguments: ["a.tmp", "a", "a.pdf", "a.mov"])
    func `another name is an unrecognized type`(name: String) throws {
        try Self.withFile(name) { url in
            #expect(throws: UNError(.attachmentUnrecognizedType)) {
                try UNNotificationAttachment(identifier: "i", url: url)
            }
        }
    }

    @Test func `the hint decides before the name`() throws {
        try Self.withFile("download.tmp") { url in
            let options = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
            let attachment = try UNNotificationAttachment(identifier: "i", url: url, options: options)
            #expect(attachment.type == "public.png")
        }
        try Self.withFile("a.png") { url in
            #expect(throws: UNError(.attachmentUnrecognizedType)) {
                let options = [UNNotificationAttachmentOptionsTypeHintKey: "public.text"]
                return try UNNotificationAttachment(identifier: "i", url: url, options: options)
            }
        }
    }

    @Test func `an empty file has an invalid size`() throws {
        try Self.withFile("a.png", byteCount: 0) { url in
            #expect(throws: UNError(.attachmentInvalidFileSize)) {
                try UNNotificationAttachment(identifier: "i", url: url)
            }
        }
    }

    @Test(arguments: ["file:///nonexistent/a.png", "https://example.com/a.png", "file:///tmp"])
    func `what is no file is an invalid URL`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: UNError(.attachmentInvalidURL)) { try UNNotificationAttachment(identifier: "i", URL: url) }
    }

    @Test func `an empty identifier is replaced`() throws {
        try Self.withFile("a.png") { url in
            let first = try UNNotificationAttachment(identifier: "", url: url)
            let second = try UNNotificationAttachment(identifier: "", url: url)
            #expect(!first.identifier.isEmpty)
            #expect(first.identifier != second.identifier)
            #expect(first.url == url)
        }
    }

    @Test func `the words on a thumbnail go through an archive, and two attachments differ by them`() throws {
        try Self.withFile("a.png") { url in
            let options: [String: Any] = [
                UNNotificationAttachmentOptionsThumbnailHiddenKey: true,
                UNNotificationAttachmentOptionsThumbnailClippingRectKey: CGRect(x: 0, y: 0.25, width: 1, height: 0.5),
                UNNotificationAttachmentOptionsThumbnailTimeKey: 1.5,
            ]
            let plain = try UNNotificationAttachment(identifier: "i", url: url)
            let worded = try UNNotificationAttachment(identifier: "i", url: url, options: options)
            #expect(plain != worded)
            let data = try NSKeyedArchiver.archivedData(withRootObject: worded, requiringSecureCoding: true)
            let after = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationAttachment.self, from: data)
            #expect(after == worded)
        }
    }

    @Test func `a content carries attachments through its archive`() throws {
        try Self.withFile("a.png") { url in
            let content = UNMutableNotificationContent()
            content.attachments = [try UNNotificationAttachment(identifier: "i", url: url)]
            let data = try NSKeyedArchiver.archivedData(withRootObject: content, requiringSecureCoding: true)
            let after = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNMutableNotificationContent.self, from: data)
            #expect(after?.attachments == content.attachments)
        }
    }
}
