// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Foundation
import GRDB
import NotificationPayload
import Testing

@testable import CenterStore

/// A store with a key: what its folder tells without it, what is left of what goes, and whom the store refuses.
struct StoreKeyTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    /// A picture whose text is in each of its pieces, and in none of them whole at an edge alone.
    private static let picture = jpeg + Array(String(repeating: "canary-file ", count: 5_000).utf8)

    /// The texts that are stored, by their places.
    private static let canaries = [
        "canary-title", "canary-body", "canary-thread", "canary-name", "canary-text", "canary-file", "canary-silent",
        "canary-later", "canary-waits", "canary-past", "canary-category", "canary-argument",
    ]

    private func content(_ identifier: String, _ body: String, _ files: [FileShelf.File] = []) -> NotificationContent {
        NotificationContent(
            identifier: identifier,
            thread: "canary-thread",
            category: "canary-category",
            argument: "canary-argument",
            payload: ["aps": ["alert": ["title": "canary-title", "body": .string(body)]]],
            attachments: files.map {
                ContentAttachment(identifier: "photo", .kept($0, type: "public.jpeg", thumbnail: nil))
            }
        )
    }

    private func picture(_ desk: Desk) throws -> FileShelf.File {
        let draft = try desk.store.files.begin()
        try draft.append(Self.picture[..<50])
        try draft.append(Self.picture[50..<40_000])
        try draft.append(Self.picture[40_000...])
        return try desk.store.files.finish(draft, as: try #require(AttachmentType(identifier: "public.jpeg")))
    }

    /// Stores every canary, in every table that has texts.
    private func fill(_ desk: Desk) throws {
        let list = Presentation(flags: [.list])
        let request = PendingRequest(
            installation: desk.chat,
            clock: .wall,
            date: DueDate(due: Desk.now + 60_000),
            content: content("later", "canary-later")
        )
        try desk.commit(
            desk.arrive(.call, .listed(content("canary-name", "canary-body", [try picture(desk)]), list)),
            desk.arrive(.call, .listed(content("answered", "canary-body"), list)),
            desk.arrive(.call, .listed(content("past", "canary-past"), list)),
            desk.arrive(.call, .waits(content("waits", "canary-waits"))),
            desk.arrive(.call, .silent(Array(#"{"aps":{"content-available":1},"is":"canary-silent"}"#.utf8))),
            .schedule(request, limit: PendingLimit(count: 64, wallMinusBoot: 0))
        )
        try desk.commit(
            .respond(ResponseDraft(owner: desk.me, number: Desk.first + 1, action: "reply", text: "canary-text")),
            .remove(desk.me, numbers: [Desk.first + 2], by: .user)
        )
    }

    /// Asks the store for all that `fill` stored.
    private func expectWhole(_ store: CenterStore, _ desk: Desk) throws {
        let listed = try store.page(PageQuery(limit: 10), of: desk.me)?.items.compactMap(\.content) ?? []
        let file = try #require(listed.first?.files.first)
        let open = try #require(store.files.open(file))
        let response = try store.responses(of: desk.chat, limit: 9).first
        let silent = try store.silent(of: desk.chat)
        let expectedWords = SummaryWords(category: "canary-category", argument: "canary-argument")
        let pending = try store.pending(of: desk.chat).map(\.request.content)
        let waiting = try store.waiting(after: 0, limit: 9).map(\.content)
        let past = try store.history(of: desk.me, limit: 9).map { $0.content?.identifier }
        #expect(listed.map(\.identifier) == ["canary-name"])
        #expect(open.read(from: 0, atMost: 1 << 20) == Self.picture)
        #expect(open.read(from: 16_380, atMost: 10) == Array(Self.picture[16_380..<16_390]))
        #expect(try words(store, desk) == [expectedWords])
        #expect(response?.text == "canary-text")
        #expect(response?.content == content("answered", "canary-body"))
        #expect(silent.map { String(decoding: $0.payload, as: UTF8.self).contains("canary-silent") } == true)
        #expect(pending == [content("later", "canary-later")])
        #expect(waiting == [content("waits", "canary-waits")])
        #expect(past == ["past", "answered"])
    }

    private func words(_ store: CenterStore, _ desk: Desk) throws -> [SummaryWords] {
        var words: [SummaryWords] = []
        _ = try store.look(at: desk.me) { reading in try reading.eachOutline(after: 0) { words.append($0.words) } }
        return words
    }

    /// The canaries that any file of a folder has.
    private func found(_ folder: CenterFolder, _ texts: [String] = canaries) throws -> Set<String> {
        var found: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let bytes = (try? Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))) ?? Data()
            for text in texts where bytes.range(of: Data(text.utf8)) != nil { found.insert(text) }
        }
        return found
    }

    private func maintain(_ store: CenterStore) throws {
        // The first call of a second found a commit; the next one finds none.
        for _ in 0..<2 { while try store.maintain(at: Desk.now) {} }
    }

    // MARK: - Canaries

    @Test func `without a key the texts lie in the folder, and what the app removed is gone two idle seconds later`()
        throws
    {
        let desk = try Desk()
        try fill(desk)
        #expect(try found(desk.folder) == Set(Self.canaries))
        try desk.commit(.removeInstallation(desk.chat))
        try maintain(desk.store)
        #expect(try found(desk.folder) == [])
    }

    @Test func `with a key no text is in any file, neither while it is stored nor later`() throws {
        let desk = try Desk(key: .test())
        try fill(desk)
        #expect(try found(desk.folder) == [])
        try expectWhole(desk.store, desk)
        try maintain(desk.store)
        #expect(try found(desk.folder) == [])
        try desk.store.close()
        #expect(try found(desk.folder) == [])
        let next = try desk.folder.store()
        #expect(next.sealedCount == 0)
        try expectWhole(next, desk)
        #expect(try found(desk.folder) == [])
        #expect(try desk.folder.strays() == [])
    }

    @Test func `a notification is restored, replaced and dropped by its name though that is sealed`() throws {
        let desk = try Desk(key: .test())
        try desk.commit(desk.arrival("lunch"), desk.arrival("mail"))
        try desk.commit(.remove(desk.me, numbers: [Desk.first], by: .user))
        try desk.commit(.restore(desk.me, number: Desk.first))
        #expect(try desk.list() == ["lunch", "mail"])
        try desk.commit(desk.arrival("mail", text: "new"))
        #expect(try desk.list() == ["mail", "lunch"])
        let limit = PendingLimit(count: 1, wallMinusBoot: 0)
        try desk.commit(.schedule(desk.request("first", due: 1), limit: limit))
        let results = try desk.commit(.schedule(desk.request("second", due: 2), limit: limit))
        guard case .scheduled(_, _, let dropped)? = results.first else {
            Issue.record("not scheduled: \(results)")
            return
        }
        #expect(dropped.map(\.identifier) == ["second"])
    }

    // MARK: - Keys

    private func sealedKey(_ desk: Desk) throws -> Data? {
        try DatabaseQueue(path: desk.folder.database).read {
            try Data.fetchOne($0, sql: "SELECT data_key FROM installation WHERE data_key IS NOT NULL")
        }
    }

    @Test func `the key of a removed app is in no file any more`() throws {
        let desk = try Desk(key: .test())
        try desk.commit(desk.arrival("lunch"))
        let key = try #require(try sealedKey(desk))
        #expect(key.count == 60)
        func isThere() throws -> Bool {
            try ["", "-wal"].contains { suffix in
                try Data(contentsOf: URL(filePath: desk.folder.database + suffix)).range(of: key) != nil
            }
        }
        #expect(try isThere())
        try desk.commit(.removeInstallation(desk.chat))
        try maintain(desk.store)
        #expect(try !isThere())
        // The app comes back under another key.
        try desk.commit(.setPermission(desk.chat, Desk.granted), desk.arrival("lunch"))
        #expect(try sealedKey(desk) != key)
        #expect(try desk.list() == ["lunch"])
    }

    @Test func `a key whose transaction failed is used for nothing`() throws {
        let desk = try Desk(key: .test()) { $0.patience = .milliseconds(20) }
        // The last of the work fails on the disk, and takes the key of the first along.
        try desk.folder.change("CREATE TRIGGER full BEFORE INSERT ON waiting BEGIN SELECT raise(FAIL, 'no'); END")
        #expect(throws: DatabaseFailure.self) {
            try desk.commit(desk.arrival("lost"), desk.arrive(.call, .waits(desk.content("waits"))))
        }
        try desk.folder.change("DROP TRIGGER full")
        try desk.commit(desk.arrival("lunch"))
        #expect(try desk.list() == ["lunch"])
        try desk.store.close()
        let next = try desk.folder.store()
        #expect(try next.page(PageQuery(limit: 9), of: desk.me)?.items.map { $0.content?.identifier } == ["lunch"])
    }

    @Test func `a store that is sealed refuses to open without its key, and with another one`() throws {
        let desk = try Desk(key: .test())
        try desk.commit(desk.arrival("lunch"))
        try desk.store.close()
        desk.folder.key = nil
        let missing = StoreError(
            .unusable,
            "\"\(desk.folder.database)\" holds sealed texts, and no store key was named",
            hint: "name the key file under which they were sealed: --store-key FILE"
        )
        #expect(throws: missing) { try desk.folder.store() }
        #expect(throws: missing) { try CenterRepair.run(folder: desk.folder.path, stamp: "now") }
        desk.folder.key = .test(8)
        let other = StoreError(
            .unusable,
            "the store key is not the one under which \"\(desk.folder.database)\" was sealed",
            hint: "name the key file of this folder: without it nobody can read what is sealed"
        )
        #expect(throws: other) { try desk.folder.store() }
        #expect(throws: other) { try CenterRepair.run(folder: desk.folder.path, stamp: "now", key: .test(8)) }
        desk.folder.key = .test()
        let next = try desk.folder.store()
        #expect(try next.page(PageQuery(limit: 9), of: desk.me)?.items.map { $0.content?.identifier } == ["lunch"])
    }

    @Test func `a store of which nothing sealed is left does without a key again`() throws {
        let desk = try Desk(key: .test())
        try desk.commit(desk.arrival("lunch"))
        try desk.commit(.removeAll(desk.chat, upTo: nil, by: .app))
        try desk.store.close()
        desk.folder.key = nil
        let open = try desk.folder.store()
        _ = try open.commit([desk.arrival("mail")], at: Desk.now)
        try open.close()
        // And takes any key from then on.
        desk.folder.key = .test(8)
        let sealed = try desk.folder.store()
        #expect(sealed.sealedCount == 1)
        #expect(try sealed.page(PageQuery(limit: 9), of: desk.me)?.items.map { $0.content?.identifier } == ["mail"])
    }

    // MARK: - What was there before

    @Test func `what lay open is sealed when a key comes, with its files`() throws {
        let desk = try Desk()
        try fill(desk)
        try desk.store.close()
        desk.folder.key = .test()
        let sealed = try desk.folder.store()
        // Two in the list and history of one content each, and one each of the other tables.
        #expect(sealed.sealedCount == 7)
        #expect(try sealed.sweepFiles() == 0)
        #expect(try found(desk.folder) == [])
        try expectWhole(sealed, desk)
        #expect(try found(desk.folder) == [])
        try sealed.close()
        let next = try desk.folder.store()
        #expect(next.sealedCount == 0)
        try expectWhole(next, desk)
    }

    // MARK: - Files

    @Test func `a sealed file that was cut, changed or exchanged reads as nothing`() throws {
        let desk = try Desk(key: .test())
        let file = try picture(desk)
        let shelf = desk.store.files
        let names = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path + "/files")
        let path = desk.folder.path + "/files/" + (try #require(names.first { $0.contains("/") }))
        let bytes = try Data(contentsOf: URL(filePath: path))
        func read(_ change: (inout Data) -> Void) throws -> [UInt8]? {
            var changed = bytes
            change(&changed)
            try changed.write(to: URL(filePath: path))
            return shelf.open(file)?.read(from: 0, atMost: 1 << 20)
        }
        let piece = FileSeal.sealedByteCount
        #expect(try read { _ in } == Self.picture)
        #expect(try read { $0.removeLast() } == nil)
        #expect(try read { $0.removeLast($0.count - piece) } == nil)
        #expect(try read { $0[20] ^= 1 } == nil)
        #expect(try read { $0 = $0[piece..<2 * piece] + $0[..<piece] + $0[(2 * piece)...] } == nil)
        #expect(
            shelf.open(FileShelf.File(id: file.id, byteCount: file.byteCount, key: FileKey()))?.read(from: 0, atMost: 9)
                == nil
        )
        #expect(try read { _ in } == Self.picture)
    }

    @Test(arguments: [1, 16_383, 16_384, 16_385, 32_768, 50_000])
    func `a sealed file has the bytes and the length that were written`(count: Int) throws {
        let desk = try Desk(key: .test())
        let shelf = desk.store.files
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let draft = try shelf.begin()
        for start in stride(from: 0, to: count, by: 9_000) {
            try draft.append(bytes[start..<min(start + 9_000, count)])
        }
        #expect(draft.byteCount == Int64(count))
        try draft.end()
        let file = draft.file
        #expect(file.byteCount == Int64(count))
        let open = try #require(shelf.open(file))
        #expect(open.byteCount == Int64(count))
        for start in [0, count / 2, count - 1] {
            #expect(open.read(from: Int64(start), atMost: 20_000) == Array(bytes[start...].prefix(20_000)))
        }
        #expect(open.read(from: Int64(count), atMost: 5) == [])
    }

    // MARK: - Repair

    @Test func `a sealed database is repaired with its key, and an app whose key is damaged begins anew`() throws {
        let desk = try Desk(key: .test())
        try fill(desk)
        let mail = try Desk.key("me", "com.example.mail")
        try desk.commit(.setPermission(mail, Desk.granted), desk.arrival("mail", key: mail))
        try desk.store.close()
        let whole = try CenterRepair.run(folder: desk.folder.path, stamp: "one", key: .test())
        #expect(whole.dropped == 0)
        var store = try desk.folder.store()
        #expect(store.sealedCount == 0)
        #expect(try store.page(PageQuery(limit: 9), of: desk.me)?.items.count == 2)
        try store.close()
        #expect(try desk.folder.strays() == [])
        try desk.folder.change("UPDATE installation SET data_key = randomblob(60) WHERE id = 1")
        let report = try CenterRepair.run(folder: desk.folder.path, stamp: "two", key: .test())
        #expect(report.notifications == 1)
        store = try desk.folder.store()
        _ = try store.commit([desk.arrival("new")], at: Desk.now)
        let names = try store.page(PageQuery(limit: 9), of: desk.me)?.items.map { $0.content?.identifier }
        #expect(names == ["new", "mail"])
        #expect(try store.silent(of: desk.chat) == nil)
        #expect(try desk.folder.strays() == [])
        #expect(try found(desk.folder) == [])
    }
}
