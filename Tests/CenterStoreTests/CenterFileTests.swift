// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Foundation
import GRDB
import NotificationPayload
import Testing

@testable import CenterStore

/// A store whose file is another program's, a later version's, a link, open to others, damaged or in use.
struct CenterFileTests {
    let folder: CenterFolder

    init() throws {
        folder = try CenterFolder()
    }

    private func close(_ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    @Test(
        arguments: [
            "CREATE TABLE notes (text TEXT)", "PRAGMA user_version = 7", "PRAGMA application_id = 1",
            "CREATE TABLE waiting (number INTEGER); PRAGMA application_id = 1315271540; PRAGMA user_version = 2",
        ]
    )
    func `another program's database is refused, and not a byte of it changes`(sql: String) throws {
        try folder.change(sql)
        try close(folder.database)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        let error = StoreError(
            .corrupt,
            "\"\(folder.database)\" is a database, but none of a notification centre",
            hint: "name another folder"
        )
        #expect(throws: error) { try folder.store() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    }

    @Test func `a later version's file is refused`() throws {
        try folder.store().close()
        try folder.change("PRAGMA user_version = 5")
        let error = StoreError(
            .tooNew,
            "\"\(folder.database)\" has version 5, and this program knows versions up to 4",
            hint: "start the version that wrote it, or name another folder"
        )
        #expect(throws: error) { try folder.store() }
    }

    @Test func `a file of version 1 has files from now on, and keeps what it has`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("lunch"))
        try desk.store.close()
        try desk.folder.change("DROP TABLE file;" + Self.withoutSeals + Self.withoutWords + "PRAGMA user_version = 1")
        let store = try desk.folder.store()
        #expect(try store.attachments(of: Desk.first, owner: desk.me) == [])
        #expect(try store.sweepFiles() == 0)
        #expect(try store.commit([.removeNamed(desk.chat, identifiers: ["lunch"])], at: Desk.now).count == 1)
    }

    private static let withoutSeals =
        "ALTER TABLE response DROP COLUMN sealed_text; ALTER TABLE silent DROP COLUMN sealed_payload;"
    private static let withoutWords = ["head", "history"].map { table in
        "ALTER TABLE \(table) DROP COLUMN category; ALTER TABLE \(table) DROP COLUMN argument;"
    }.joined()

    @Test func `a file of version 2 gets the words of summaries from its contents, page by page`() throws {
        let desk = try Desk { $0.perInstallation = 3000 }
        func content(_ number: Int) -> NotificationContent {
            var content = desk.content("n\(number)")
            content.category = number % 2 == 0 ? "message" : nil
            content.argument = number % 3 == 0 ? String(repeating: "é", count: number % 400) + "." : nil
            return content
        }
        // More than one step of the migration, with a row in the history and one that is damaged.
        let all = (0..<2100).map { number in
            desk.arrive(.call, .listed(content(number), Presentation(flags: .list)))
        }
        _ = try desk.store.commit(all, at: Desk.now)
        try desk.commit(.remove(desk.me, numbers: [Desk.first + 6], by: .user))
        try desk.store.close()
        try desk.folder.change("UPDATE content SET plain = x'7b' WHERE id = 13")
        try desk.folder.change(Self.withoutSeals + Self.withoutWords + "PRAGMA user_version = 2")
        let store = try desk.folder.store { $0.perInstallation = 3000 }
        let found = try Self.words(store, desk.me)
        let kept = (0..<2100).filter { $0 != 6 }
        #expect(found.count == kept.count)
        for (outline, number) in zip(found, kept) where number != 12 {
            #expect(outline.words == content(number).words, "\(number)")
        }
        #expect(found[11].words == SummaryWords())
        #expect(found.contains { $0.words.argument?.utf8.count == SummaryWords.argumentByteCountLimit })
        _ = try store.commit([.restore(desk.me, number: Desk.first + 6)], at: Desk.now)
        #expect(try Self.words(store, desk.me).last?.words == content(6).words)
    }

    private static func words(_ store: CenterStore, _ owner: OwnerName) throws -> [NotificationOutline] {
        var found: [NotificationOutline] = []
        _ = try store.look(at: owner) { reading in try reading.eachOutline(after: 0) { found.append($0) } }
        return found
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `a link in the place of a file is not followed`(suffix: String) throws {
        try folder.store().close()
        let link = folder.database + suffix
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/other")
        let error = StoreError(.unusable, "\"\(link)\" is not what it should be: a file")
        #expect(throws: error) { try folder.store() }
    }

    @Test func `a link in the place of the database is not followed`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.database,
            withDestinationPath: folder.path + "/other"
        )
        let error = StoreError(
            .unusable,
            "\"\(folder.database)\": Too many levels of symbolic links",
            hint: "name a state folder that this user can write"
        )
        #expect(throws: error) { try folder.store() }
    }

    @Test func `a file that others may read is refused by name`() throws {
        try folder.store().close()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.database)
        let error = StoreError(
            .unusable,
            "\"\(folder.database)\" is open to other users",
            hint: "chmod go= \(folder.database)"
        )
        #expect(throws: error) { try folder.store() }
    }

    @Test func `the files are their owner's alone`() throws {
        let desk = try Desk()
        for name in ["center.sqlite", "center.sqlite-wal", "center.sqlite-shm", "center.lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(desk.folder.path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func `a second centre is turned away, and may follow`() throws {
        let first = try folder.store()
        let error = StoreError(
            .unusable,
            "\"\(folder.path)\" is in use by another notification-center",
            hint: "give each centre a folder of its own"
        )
        #expect(throws: error) { try folder.store() }
        try first.close()
        try folder.store().close()
    }

    @Test func `a file that is no database is not touched`() throws {
        let text = Data("not a database, but somebody's notes\n".utf8 + Array(repeating: 0x20, count: 4096))
        try text.write(to: URL(fileURLWithPath: folder.database))
        try close(folder.database)
        let error = StoreError(
            .corrupt,
            "\"\(folder.database)\": file is not a database",
            hint:
                "keep a copy of it; \"sqlite3 '\(folder.database)' .recover\" may read it; moved away, a new one is made"
        )
        #expect(throws: error) { try folder.store() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == text)
    }

    @Test func `a commit is FULL on the disk, in pages of 4 KiB, and what is deleted is overwritten`() throws {
        let store = try folder.store(isDurable: true)
        let values = try store.pragmas(["synchronous", "page_size", "secure_delete", "wal_autocheckpoint"])
        #expect(values == [2, 4096, 1, 0])
    }

    @Test func `a store that nobody closed leaves no file open, and loses nothing`() throws {
        let desk = try Desk()
        let path = desk.folder.path
        func work() throws {
            let store = try folder.store()
            _ = try store.commit([.setOwner(desk.me, OwnerPreferences())], at: Desk.now)
            #expect(try store.owner(desk.me)?.position == 1)
        }
        try work()
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        #expect(open.filter { $0.hasPrefix(folder.path) } == [])
        #expect(open.contains { $0.hasPrefix(path) })
        #expect(try folder.store().owner(desk.me)?.position == 1)
    }

    @Test func `another program's transaction makes a commit wait, and then fail`() throws {
        let desk = try Desk { $0.patience = .milliseconds(20) }
        let other = try DatabaseQueue(path: desk.folder.database)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            #expect(throws: DatabaseFailure.locked) { try desk.commit(desk.arrival("lunch")) }
            try database.execute(sql: "COMMIT")
        }
        #expect(try desk.commit(desk.arrival("lunch")) == [.listed(Desk.first, replaces: nil, badge: nil)])
    }

    @Test func `a content that changed on the disk stops no other`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"))
        try desk.folder.change("UPDATE content SET plain = x'7b' WHERE id = 1")
        #expect(try desk.list() == ["b", "?"])
        #expect(try desk.commit(.removeAll(desk.chat, upTo: nil, by: .app)) != [])
        #expect(try desk.list() == [])
    }
}
