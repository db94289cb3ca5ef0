// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostRuntime
import NotificationPayload
import Store
import TestClock
import Testing

/// A journal whose file is damaged, belongs to another program, or is in use by another host.
struct JournalFailureTests {
    let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    /// The database as another program changes it.
    private func change(_ sql: String) throws {
        try DatabaseQueue(path: folder.database).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test func `a body that changed on the disk stops no other push`() throws {
        let first = try folder.journal()
        try first.accept((1...4).map { try .sample($0) })
        try first.close()
        try change(
            "UPDATE waiting SET body = CAST(replace(CAST(body AS TEXT), 'text', 'tort') AS BLOB) WHERE number = 2"
        )
        try change("UPDATE waiting SET body = x'7b' WHERE number = 3")

        let second = try folder.journal()
        let pushes = try second.pushes(of: "com.example.chat", after: 0, limit: 10)
        #expect(pushes.map(\.number) == [1, 2, 3, 4])
        #expect(pushes.map(\.payload.object.isEmpty) == [false, true, true, false])
        #expect(pushes.map(\.id) == (1...4).map { String(format: "00000000-0000-4000-8000-%012d", $0) })
        #expect(second.statistics.damaged == 2)
        try second.conclude([1, 2, 3, 4])
        #expect(try second.unfinished().isEmpty)
    }

    @Test func `a page that is no page is named corrupt, with its file`() throws {
        let first = try folder.journal()
        try first.accept((1...400).map { try .sample($0) })
        try first.close()
        let root = try DatabaseQueue(path: folder.database).read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'waiting'") ?? 0
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
        try file.seek(toOffset: UInt64((root - 1) * 8192))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 8192))
        try file.close()

        #expect(
            throws: StoreError(
                .corrupt,
                "\"\(folder.database)\": database disk image is malformed",
                hint: "keep a copy of it; \"sqlite3 '\(folder.database)' .recover\" may read it; moved away, a new one "
                    + "is made"
            )
        ) { try folder.journal() }
    }

    @Test func `a page that goes bad while the host runs is named corrupt`() throws {
        let journal = try folder.journal()
        try journal.accept((1...400).map { try .sample($0) })
        try journal.close()
        let again = try folder.journal()
        // What it has read when opening, it has in memory: heads, and the first and last rows.
        let pages = UInt64(journal.statistics.fileByteCount / 8192)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
        for page in pages / 3..<pages - 2 {
            try file.seek(toOffset: page * 8192)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 8192))
        }
        try file.close()
        #expect(throws: JournalError.corrupt("\"\(folder.database)\": database disk image is malformed")) {
            try again.pushes(of: "com.example.chat", after: 0, limit: 400)
        }
    }

    @Test func `a file that is no database is not touched`() throws {
        let text = Data("not a database, but somebody's notes\n".utf8 + Array(repeating: 0x20, count: 4096))
        try text.write(to: URL(fileURLWithPath: folder.database))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.database)
        #expect(
            throws: StoreError(
                .corrupt,
                "\"\(folder.database)\": file is not a database",
                hint: "keep a copy of it; \"sqlite3 '\(folder.database)' .recover\" may read it; moved away, a new one "
                    + "is made"
            )
        ) { try folder.journal() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == text)
    }

    @Test func `another program's database is not touched`() throws {
        try change("CREATE TABLE notes (text TEXT)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.database)
        #expect(
            throws: StoreError(
                .corrupt,
                "\"\(folder.database)\" is a database, but no journal",
                hint: "name another state folder"
            )
        ) { try folder.journal() }
    }

    @Test func `a later version's journal is not touched`() throws {
        try folder.journal().close()
        try change("PRAGMA user_version = 4")
        #expect(
            throws: StoreError(
                .tooNew,
                "\"\(folder.database)\" has version 4, and this program knows versions up to 3",
                hint: "start the version that wrote it, or name another state folder"
            )
        ) { try folder.journal() }
    }

    @Test func `a journal from before senders and owners goes on`() throws {
        let first = try folder.journal()
        try first.accept([.sample(1)])
        try first.close()
        try change(
            "ALTER TABLE waiting DROP COLUMN sender; ALTER TABLE waiting DROP COLUMN owner; PRAGMA user_version = 1"
        )
        let second = try folder.journal()
        try second.accept([.sample(2, owner: "maria", sender: .user(7))])
        let pushes = try second.pushes(of: "com.example.chat", after: 0, limit: 9)
        #expect(pushes.map(\.number) == [1, 2])
        #expect(pushes.map(\.sender) == [nil, .user(7)])
        #expect(pushes.map(\.owner) == ["me", "maria"])
        let payloads = try (1...2).map { try IncomingPush.sample($0).payload }
        #expect(pushes.map(\.payload) == payloads)
        try second.close()
        #expect(try folder.journal().unfinished().map(\.number) == [1, 2])
    }

    @Test func `a folder that is not there is named`() throws {
        #expect(
            throws: StoreError(
                .unusable,
                "\"\(folder.path)/none/journal.lock\": No such file or directory",
                hint: "name a state folder that this user can write"
            )
        ) {
            try Journal(folder: folder.path + "/none", isDurable: true, clock: HostClock(folder.clock))
        }
    }

    @Test func `a second host is turned away, and may follow`() throws {
        let first = try folder.journal()
        #expect(
            throws: StoreError(
                .unusable,
                "\"\(folder.path)\" is in use by another extension-host",
                hint: "give each host a state folder of its own"
            )
        ) { try folder.journal() }
        try first.close()
        try folder.journal().close()
    }

    @Test func `another program's transaction makes a commit wait, and then fail`() throws {
        var limits = JournalLimits()
        limits.patience = .milliseconds(20)
        let journal = try folder.journal(limits)
        let other = try DatabaseQueue(path: folder.database)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            #expect(throws: JournalError.locked) { try journal.accept([.sample(1)]) }
            try database.execute(sql: "COMMIT")
        }
        #expect(try journal.accept([.sample(1)]) == [.stored(number: 1)])
    }

    @Test func `a journal that nobody closed leaves no file open`() throws {
        try folder.journal().accept([.sample(1)])
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        #expect(open.filter { $0.hasPrefix(folder.path) } == [])
    }

    @Test func `the files are their owner's alone`() throws {
        let journal = try folder.journal()
        try journal.accept([.sample(1)])
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal.lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func `the file does not grow with the pushes that have gone through it`() throws {
        var limits = JournalLimits()
        limits.keys = 1_000
        let journal = try folder.journal(limits)
        var lengths: [Int] = []
        for round in 0..<4 {
            for batch in 0..<20 {
                let first = (round * 20 + batch) * 100
                let arrivals = try journal.accept((first..<first + 100).map { try .sample($0) })
                try journal.conclude(
                    arrivals.compactMap { arrival in
                        guard case .stored(let number) = arrival else { return nil }
                        return number
                    }
                )
                while try journal.maintain() {}
            }
            lengths.append(journal.statistics.fileByteCount)
        }
        #expect(lengths[3] <= lengths[1])
        #expect(journal.statistics.keys == 1_000)
    }
}
