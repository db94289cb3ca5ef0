// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import Locking
import Testing
import WorkerProtocol

@testable import ExtensionWorker
@testable import UserNotifications

/// The files of a request that an extension makes of its notification centre.
struct HandedFileTests {
    private let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("handed-\(UUID().uuidString)")
    private let host: FakeHost
    private let session: WorkerSession

    init() throws {
        let folder = scratch.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        host = try FakeHost()
        session = host.serve { ScriptedService(receive: { _, _ in }) }
        try host.greet(scratch: scratch.path, hasCenter: true)
    }

    private func picture(_ path: String, below folder: URL) throws -> UNNotificationAttachment {
        let url = folder.appendingPathComponent(path)
        try Data("picture".utf8).write(to: url)
        return try UNNotificationAttachment(identifier: "i", url: url)
    }

    /// Adds a request with a file, which the host takes, and answers it; returns the path that the host was told.
    private func add(_ attachment: UNNotificationAttachment, _ answer: CallAnswer) throws -> String {
        let content = UNMutableNotificationContent()
        content.attachments = [attachment]
        let request = UNNotificationRequest(identifier: "own", content: content, trigger: nil)
        let files = try #require(OutgoingFiles(content.attachments))
        let settled = DispatchSemaphore(value: 0)
        let outcome = Locked<CenterConnection.Outcome?>(nil)
        session.call(.add(NotificationRequest(request, files)), files: files) { result in
            outcome.withLock { $0 = result }
            settled.signal()
        }
        guard case .call(let id, .add(let told)) = try host.receive(),
            case .scratch(let path)? = told.attachments.first?.source
        else { throw CocoaError(.coderInvalidValue) }
        let place = scratch.appendingPathComponent(path)
        #expect(try Data(contentsOf: place) == Data("picture".utf8))
        try FileManager.default.removeItem(at: place)
        try host.send(.answer(id: id, answer.body))
        #expect(settled.wait(timeout: .now() + 10) == .success)
        #expect(outcome.withLock(\.self) == .answer(answer))
        return path
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.appendingPathComponent("tmp").path)
    }

    @Test func `a file of the folder goes by a name of its own, and is gone with the request`() throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let attachment = try picture("tmp/mine.png", below: scratch)
        let path = try add(attachment, .done)
        #expect(path.hasPrefix("tmp/attachment-") && path.hasSuffix(".png"))
        #expect(try names() == [])
    }

    @Test func `one of a request that is not added lies where it was`() throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let attachment = try picture("tmp/mine.png", below: scratch)
        #expect(try add(attachment, .failed(.notAllowed)).hasPrefix("tmp/attachment-"))
        #expect(try names() == ["mine.png"])
        #expect(try Data(contentsOf: attachment.url) == Data("picture".utf8))
    }

    @Test func `a file of another folder is copied, and stays whatever comes of the request`() throws {
        let other = FileManager.default.temporaryDirectory.appendingPathComponent("other-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        defer {
            for folder in [scratch, other] { try? FileManager.default.removeItem(at: folder) }
        }
        let attachment = try picture("theirs.png", below: other)
        for answer in [CallAnswer.done, .failed(.notAllowed)] {
            #expect(try add(attachment, answer).hasPrefix("tmp/attachment-"))
            #expect(try names() == [])
            #expect(try Data(contentsOf: attachment.url) == Data("picture".utf8))
        }
    }

    @Test func `a file that the extension stores is copied, and stays whatever comes of the request`() throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let home = scratch.appendingPathComponent("home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let attachment = try picture("home/stored.png", below: scratch)
        for answer in [CallAnswer.done, .failed(.notAllowed)] {
            #expect(try add(attachment, answer).hasPrefix("tmp/attachment-"))
            #expect(try names() == [])
            #expect(try Data(contentsOf: attachment.url) == Data("picture".utf8))
        }
    }

    @Test func `a file that is named twice travels twice`() throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let first = try picture("tmp/mine.png", below: scratch)
        let second = try UNNotificationAttachment(identifier: "j", url: first.url)
        let files = try #require(OutgoingFiles([first, second]))
        let handed = try #require(HandedFiles(files, ScratchFolder(path: scratch.path)))
        let content = UNMutableNotificationContent()
        content.attachments = [first, second]
        var request = NotificationRequest(
            UNNotificationRequest(identifier: "own", content: content, trigger: nil),
            files
        )
        handed.name(in: &request)
        let paths = request.attachments.map { attachment in
            if case .scratch(let path) = attachment.source { path } else { "" }
        }
        #expect(paths.allSatisfy { $0.hasPrefix("tmp/attachment-") } && paths[0] != paths[1])
        #expect(try names().count == 2)
        handed.putBack()
        #expect(try names() == ["mine.png"])
    }

    @Test func `what the extension has written meanwhile is not written over`() throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let attachment = try picture("tmp/mine.png", below: scratch)
        let files = try #require(OutgoingFiles([attachment]))
        let handed = try #require(HandedFiles(files, ScratchFolder(path: scratch.path)))
        try Data("newer".utf8).write(to: attachment.url)
        handed.putBack()
        #expect(try names() == ["mine.png"])
        #expect(try Data(contentsOf: attachment.url) == Data("newer".utf8))
    }

    @Test func `without a folder there is no way for a file`() throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let poor = try FakeHost()
        let session = poor.serve { ScriptedService(receive: { _, _ in }) }
        try poor.greet(hasCenter: true)
        let content = UNMutableNotificationContent()
        content.attachments = [try picture("tmp/mine.png", below: scratch)]
        let request = UNNotificationRequest(identifier: "own", content: content, trigger: nil)
        let files = try #require(OutgoingFiles(content.attachments))
        let outcome = Locked<CenterConnection.Outcome?>(nil)
        session.call(.add(NotificationRequest(request, files)), files: files) { result in
            outcome.withLock { $0 = result }
        }
        #expect(outcome.withLock(\.self) == .answer(.failed(.attachmentURL)))
    }
}
