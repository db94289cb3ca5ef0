// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import CenterStore

/// The files of notifications: how long they stay, and what a process that died leaves.
struct FileTests {
    private let desk: Desk
    private var shelf: FileShelf { desk.store.files }

    init() throws {
        desk = try Desk()
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture".utf8)

    private func source(_ bytes: [UInt8] = jpeg) throws -> FileHandle {
        let path = desk.folder.path + "/source-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        return try #require(FileHandle(forReadingAtPath: path))
    }

    private func keep(_ bytes: [UInt8] = jpeg, as name: String = "public.jpeg") throws -> FileShelf.File {
        let type = try #require(AttachmentType(identifier: name))
        let source = try source(bytes)
        defer { try? source.close() }
        return try shelf.keep(source.fileDescriptor, as: type)
    }

    /// A content with files.
    private func content(_ identifier: String, _ files: [FileShelf.File]) -> NotificationContent {
        var content = desk.content(identifier)
        content.attachments = files.map {
            ContentAttachment(identifier: "photo", .kept($0, type: "public.jpeg", thumbnail: ["hidden": true]))
        }
        return content
    }

    private func arrival(_ identifier: String, _ files: FileShelf.File...) -> CenterWork {
        .arrive(
            NotificationArrival(
                installation: desk.chat,
                source: .call,
                fate: .listed(content(identifier, files), Presentation(flags: [.list])),
                date: Desk.now
            )
        )
    }

    private func isThere(_ file: FileShelf.File) -> Bool { shelf.open(file) != nil }

    /// The paths of all files, below their runs' folders.
    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path + "/files").filter { $0.contains("/") }
    }

    @Test func `a copy has the bytes of its source, and nothing else can read it`() throws {
        let file = try keep()
        #expect(file.byteCount == Int64(Self.jpeg.count))
        let open = try #require(shelf.open(file))
        #expect(open.read(from: 0, atMost: 100) == Self.jpeg)
        #expect(open.read(from: 4, atMost: 3) == Array("pic".utf8))
        #expect(open.read(from: 100, atMost: 3) == [])
        let path = try desk.folder.path + "/files/" + #require(names().first)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(arguments: [
        ([], FileShelf.Refusal.size), (Array("<html>".utf8), .content), (Array("%PDF-1.7".utf8), .content),
    ])
    func `what is empty, or no picture, is not kept`(bytes: [UInt8], reason: FileShelf.Refusal) throws {
        #expect(throws: reason) { try keep(bytes) }
        #expect(try names() == [])
    }

    @Test func `a file that is too large is not kept, however it grows`() throws {
        let large = Self.jpeg + [UInt8](repeating: 0, count: 10 << 20)
        #expect(throws: FileShelf.Refusal.size) { try keep(large) }
        let draft = try shelf.begin()
        try draft.append(large)
        #expect(throws: FileShelf.Refusal.size) {
            try shelf.finish(draft, as: #require(AttachmentType(identifier: "public.png")))
        }
        shelf.discard(draft)
        #expect(try names() == [])
    }

    @Test func `a folder or a pipe is no file`() throws {
        let type = try #require(AttachmentType(identifier: "public.jpeg"))
        let folder = open(desk.folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        #expect(throws: FileShelf.Refusal.unreadable) { try shelf.keep(folder, as: type) }
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(throws: FileShelf.Refusal.unreadable) { try shelf.keep(ends[0], as: type) }
    }

    @Test func `a file goes with its notification`() throws {
        let (one, other) = (try keep(), try keep())
        try desk.commit(arrival("lunch", one), arrival("mail", other))
        let number = Desk.first
        #expect(try desk.store.attachments(of: number, owner: desk.me)?.compactMap(\.file) == [one])
        try desk.commit(.removeNamed(desk.chat, identifiers: ["lunch"]))
        #expect(!isThere(one))
        #expect(isThere(other))
        #expect(try desk.store.attachments(of: number, owner: desk.me) == nil)
    }

    @Test func `a file of a former notification of the name goes, and that of the new one stays`() throws {
        let (old, new) = (try keep(), try keep())
        try desk.commit(arrival("lunch", old))
        try desk.commit(arrival("lunch", new))
        #expect(!isThere(old))
        #expect(isThere(new))
    }

    @Test func `a file is in the history as long as its notification, and counts as bytes of its owner`() throws {
        let file = try keep()
        try desk.commit(arrival("lunch", file))
        let whole = desk.store.statistics.byteCount
        #expect(whole > Int(file.byteCount))
        try desk.commit(.remove(desk.me, numbers: [Desk.first], by: .user))
        #expect(isThere(file))
        #expect(try desk.store.attachments(of: Desk.first, owner: desk.me)?.compactMap(\.file) == [file])
        try desk.commit(.restore(desk.me, number: Desk.first))
        #expect(isThere(file))
        #expect(desk.store.statistics.byteCount == whole)
        try desk.commit(.removeAll(desk.chat, upTo: nil, by: .user), .forgetAll(desk.me, upTo: nil))
        #expect(!isThere(file))
        #expect(desk.store.statistics.byteCount == 0)
    }

    @Test func `a request that repeats and what it delivered have one file`() throws {
        let file = try keep()
        let request = PendingRequest(
            installation: desk.chat,
            clock: .boot,
            date: DueDate(due: 60_000, anchor: []),
            repeats: true,
            content: content("lunch", [file])
        )
        let results = try desk.commit(.schedule(request, limit: PendingLimit(count: 64, wallMinusBoot: 0)))
        guard case .scheduled(let id, _, _)? = results.first else {
            Issue.record("not scheduled: \(results)")
            return
        }
        try desk.commit(
            .arrive(
                NotificationArrival(
                    installation: desk.chat,
                    source: .pending(id, due: 60_000, next: DueDate(due: 120_000, anchor: [])),
                    fate: .listed(request.content, Presentation(flags: [.list])),
                    date: Desk.now
                )
            )
        )
        try desk.commit(.removeNamed(desk.chat, identifiers: ["lunch"]))
        #expect(isThere(file))
        try desk.commit(.unschedule(desk.chat, identifiers: nil))
        #expect(!isThere(file))
    }

    @Test func `a notification that waited for its app keeps its file when it is listed`() throws {
        let file = try keep()
        let content = content("lunch", [file])
        let waits = NotificationArrival(
            installation: desk.chat,
            source: .call,
            fate: .waits(content),
            date: Desk.now
        )
        guard case .waits(let id)? = try desk.commit(.arrive(waits)).first else {
            Issue.record("it does not wait")
            return
        }
        var listed = waits
        listed.source = .waiting(id)
        listed.fate = .listed(content, Presentation(flags: [.list]))
        try desk.commit(.arrive(listed))
        #expect(isThere(file))
        try desk.commit(.removeInstallation(desk.chat))
        #expect(!isThere(file))
    }

    @Test func `what a process that died left goes at the next start, and what a row names stays`() throws {
        let (kept, lost) = (try keep(), try keep())
        try desk.commit(arrival("lunch", kept))
        let draft = try shelf.begin()
        #expect(try desk.store.sweepFiles() == 0)
        try desk.store.close()
        let next = try desk.folder.store()
        let new = try next.files.begin()
        #expect(try next.sweepFiles() == 2)
        #expect(next.files.open(kept) != nil)
        #expect(next.files.open(lost) == nil)
        #expect(next.files.open(draft.file) == nil)
        #expect(next.files.open(new.file) != nil)
        #expect(try next.attachments(of: Desk.first, owner: desk.me)?.first?.file == kept)
        _ = try next.commit([.removeAll(desk.chat, upTo: nil, by: .app)], at: Desk.now)
        #expect(next.files.open(kept) == nil)
    }

    @Test func `nothing beside the files of a run is touched`() throws {
        let folder = desk.folder.path + "/files"
        try FileManager.default.createDirectory(atPath: folder + "/notes", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/7", withIntermediateDirectories: true)
        for name in ["notes/1", "7/README", "7/01", "7/1"] {
            try Data([1]).write(to: URL(filePath: folder + "/" + name))
        }
        #expect(try desk.store.sweepFiles() == 1)
        #expect(try Set(names()) == ["notes/1", "7/README", "7/01"])
    }
}
