// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Foundation
import Testing

@testable import CenterStore

/// Repairs of damaged databases: whole, as full as can be, and never in the place of one that is in use.
struct RepairTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
        for number in 0..<400 {
            let thread = number % 3 == 0 ? "alice" : nil
            try desk.commit(desk.arrival("\(number)", text: String(repeating: "lunch ", count: 60), thread: thread))
        }
        try desk.commit(.remove(desk.me, numbers: [Desk.first, Desk.first + 1], by: .user))
        try desk.commit(.removeNamed(desk.chat, identifiers: ["7", "8"]))
    }

    private func close() throws { try desk.store.close() }

    /// Overwrites pages of the database, counted from 0.
    private func damage(_ pages: some Sequence<Int>) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: desk.folder.database))
        for page in pages {
            try file.seek(toOffset: UInt64(page * 4096))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
    }

    private var pageCount: Int {
        get throws {
            let size = try FileManager.default.attributesOfItem(atPath: desk.folder.database)[.size] as? Int
            return (size ?? 0) / 4096
        }
    }

    private func repair(_ stamp: String = "now") throws -> CenterRepair.Report {
        try CenterRepair.run(folder: desk.folder.path, stamp: stamp)
    }

    @Test func `of a whole database nothing is lost, and what watchers know stays true`() throws {
        let list = try desk.list()
        let position = try #require(try desk.store.owner(desk.me)).position
        let stack = desk.store.stackHash([1])
        try close()
        let report = try repair()
        #expect(report.notifications == 396)
        #expect(report.history == 2)
        #expect(report.partly == [])
        #expect(report.former == desk.folder.database + ".damaged-now")
        let next = try desk.folder.store()
        #expect(try next.owner(desk.me)?.position == position)
        #expect(next.stackHash([1]) == stack)
        #expect(try next.page(PageQuery(limit: 500), of: desk.me)?.items.map { $0.content?.identifier } == list)
        #expect(try desk.folder.strays() == [])
        #expect(next.statistics.stored == 396)
        try next.close()
    }

    @Test func `the words of summaries are those of the contents again`() throws {
        var content = desk.content("words")
        (content.category, content.argument) = ("message", "Alice")
        try desk.commit(desk.arrive(.call, .listed(content, Presentation(flags: .list))))
        try close()
        try desk.folder.change("UPDATE head SET category = number, argument = NULL")
        _ = try repair()
        let next = try desk.folder.store()
        var found: [SummaryWords] = []
        _ = try next.look(at: desk.me) { reading in try reading.eachOutline(after: 0) { found.append($0.words) } }
        #expect(found.count == 397 && found.last == SummaryWords(category: "message", argument: "Alice"))
        #expect(found.count { !$0.isEmpty } == 1)
        try next.close()
    }

    @Test func `an only owner comes back as me, and one of several under nobody's name`() throws {
        try close()
        try desk.folder.change("DELETE FROM installation WHERE owner <> 1; DELETE FROM owner")
        _ = try repair("first")
        let alone = try desk.folder.store()
        #expect(try alone.owner(desk.me) != nil)
        try alone.close()
        try desk.folder.change(
            """
            INSERT INTO owner (id, name, next, floor, seen, changed, stored, past, tombstones, bytes)
                VALUES (900, 'maria', 1, 0, 0, 0, 0, 0, 0, 0);
            DELETE FROM owner WHERE name = 'me'
            """
        )
        _ = try repair("second")
        let several = try desk.folder.store()
        #expect(try several.owner(desk.me) == nil)
        let recovered = try #require(OwnerName("recovered-1"))
        let rows = try several.page(PageQuery(limit: 500), of: recovered)?.items
        #expect(rows?.count == 396)
        try several.close()
    }

    @Test(arguments: [1, 2, 3, 5, 8, 13])
    func `pages that are gone take their rows along, and the rest is consistent`(step: Int) throws {
        try close()
        let pages = try pageCount
        try damage(stride(from: 48, to: pages, by: step * 3))
        let report = try repair()
        #expect(!report.partly.isEmpty)
        let next = try desk.folder.store()
        #expect(try desk.folder.strays() == [])
        let items = try next.page(PageQuery(limit: 500), of: desk.me)?.items ?? []
        #expect(items.count == report.notifications)
        #expect(items.allSatisfy { $0.content != nil })
        // It goes on: a new number is above all that were given.
        let results = try next.commit([desk.arrival("new")], at: Desk.now)
        guard case .listed(let number, _, _)? = results.first else {
            // The app itself may be lost where much is damaged.
            #expect(step < 8)
            #expect(results == [.refused(.unknownInstallation)] || results == [.refused(.unknownOwner)])
            return
        }
        #expect(number > 1_000_000)
        try next.close()
    }

    @Test func `a text that is damaged and reads as a row is no whole database`() throws {
        try close()
        let file = try FileHandle(forUpdating: URL(filePath: desk.folder.database))
        let bytes = try #require(try file.readToEnd())
        let place = try #require(bytes.range(of: Data(#""identifier":"200""#.utf8)))
        try file.seek(toOffset: UInt64(place.lowerBound))
        try file.write(contentsOf: Data("xxxxxxxxxxxxxxxxx".utf8))
        try file.close()
        let report = try repair()
        #expect(report.notifications == 395)
        #expect(report.partly == [])
        #expect(report.dropped == 1)
        let next = try desk.folder.store()
        #expect(try desk.folder.strays() == [])
        // Who watched loads its list again.
        #expect(try next.changes(of: desk.me, since: 300, limit: 10) == .reset)
        try next.close()
    }

    @Test func `no number is given twice`() throws {
        let mail = try Desk.key("me", "com.example.mail")
        try desk.commit(.setPermission(mail, Desk.granted))
        let gone = try desk.store.installation(mail)
        let lost = try #require(gone).number
        try desk.commit(.removeInstallation(mail))
        try close()
        _ = try repair()
        let next = try desk.folder.store()
        let news = try Desk.key("me", "com.example.news")
        _ = try next.commit([.setPermission(news, Desk.granted)], at: Desk.now)
        let found = try next.installation(news)
        #expect(try #require(found).number > lost)
        try next.close()
    }

    @Test func `a repair that was interrupted is begun again, and no centre opens the database meanwhile`() throws {
        let folder = try CenterFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: desk.folder.database + suffix, toPath: folder.database + suffix)
        }
        // The log has its new place, and the new database has not.
        let former = folder.database + ".damaged-then"
        try FileManager.default.linkItem(atPath: folder.database, toPath: former)
        try FileManager.default.moveItem(atPath: folder.database + "-wal", toPath: former + "-wal")
        let error = StoreError(
            .unusable,
            "the repair of \"\(folder.database)\" was interrupted",
            hint: "run \"notification-center repair\" again"
        )
        #expect(throws: error) { try folder.store() }
        #expect(try CenterRepair.run(folder: folder.path, stamp: "now").notifications == 396)
        #expect(!FileManager.default.fileExists(atPath: former))
        try folder.store().close()
    }

    @Test func `a database of which nothing can be read stays as it is`() throws {
        try close()
        try damage(0..<4)
        let before = try Data(contentsOf: URL(filePath: desk.folder.database))
        #expect(throws: StoreError.self) { try repair() }
        #expect(try Data(contentsOf: URL(filePath: desk.folder.database)) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).sorted()
        #expect(names.filter { $0.contains("repair") || $0.contains("damaged") } == [])
    }

    @Test func `a centre that does not open says how it is repaired`() throws {
        try close()
        try damage(1..<8)
        let hint = #""notification-center repair" makes a new one of what can be read, and keeps this one"#
        let error = StoreError(.corrupt, "\"\(desk.folder.database)\": database disk image is malformed", hint: hint)
        #expect(throws: error) { try desk.folder.store() }
    }

    @Test func `a centre that runs keeps its database`() throws {
        let error = StoreError(
            .unusable,
            "\"\(desk.folder.path)\" is in use by another notification-center",
            hint: "give each centre a folder of its own"
        )
        #expect(throws: error) { try repair() }
        try close()
        #expect(try repair().notifications == 396)
    }

    @Test func `a folder without a database is said`() throws {
        let folder = try CenterFolder()
        let error = StoreError(.unusable, "there is no \"\(folder.database)\"", hint: "name the folder of a centre")
        #expect(throws: error) { try CenterRepair.run(folder: folder.path, stamp: "now") }
    }

    @Test func `what lies in the log is read too`() throws {
        // As a centre that was killed leaves it: nearly all is in the log.
        let folder = try CenterFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: desk.folder.database + suffix, toPath: folder.database + suffix)
        }
        #expect(try CenterRepair.run(folder: folder.path, stamp: "now").notifications == 396)
        let next = try folder.store()
        #expect(try folder.strays() == [])
        try next.close()
    }
}
