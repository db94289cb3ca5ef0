// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Foundation
import GRDB
import Testing

@testable import CenterStore

/// Keys of apps, and the proof of the store key, that the disk has damaged: the store says so, and loses nothing.
struct DamagedKeyTests {
    private static let hint =
        "put the database of an earlier day there; or \"notification-center repair\" with the same --store-key makes a "
        + "new one without those texts, and keeps this one"
    private let desk: Desk
    private let mail: InstallationKey

    /// Two apps with a notification each, and a silent push.
    init() throws {
        desk = try Desk(key: .test())
        mail = try Desk.key("me", "com.example.mail")
        try desk.commit(
            .setPermission(mail, Desk.granted),
            desk.arrival("lunch"),
            desk.arrive(.call, .silent([1])),
            desk.arrival("letter", key: mail)
        )
        try desk.store.close()
    }

    private func error(_ whose: String, _ what: String = "it") -> StoreError {
        let place = desk.folder.database
        let text = "\(whose) damaged in \"\(place)\": nobody can open what was sealed under \(what)"
        return StoreError(.corrupt, text, hint: Self.hint)
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: desk.folder.database)) }

    private func list(_ store: CenterStore) throws -> [String?] {
        try store.page(PageQuery(limit: 9), of: desk.me)?.items.map { $0.content?.identifier } ?? []
    }

    /// The SQL of what the disk leaves of a key: nothing, its beginning, too much, other bytes, another app's, no key.
    private static let damages = [
        "x''", "substr(data_key, 1, 59)", "substr(data_key, 1, 12)", "zeroblob(61)", "randomblob(60)",
        "(SELECT data_key FROM installation WHERE app = 2)", "NULL",
    ]

    @Test(arguments: damages)
    func `a damaged key of an app is said at the start, which changes nothing`(damage: String) throws {
        try desk.folder.change("UPDATE installation SET data_key = \(damage) WHERE id = 1")
        let before = try bytes()
        let damaged = error("the key of app \"com.example.chat\" is")
        for _ in 0..<2 {
            #expect(throws: damaged) { try desk.folder.store() }
        }
        let inspection = try #require(try CenterInspection(folder: desk.folder.path))
        #expect(throws: damaged) { try inspection.seal(under: .test()) }
        #expect(try bytes() == before)
    }

    @Test func `of several damaged keys three apps are named, and the rest is counted`() throws {
        let store = try desk.folder.store()
        for name in ["a", "b", "c"] {
            let key = try Desk.key("me", "com.example.\(name)")
            _ = try store.commit([.setPermission(key, Desk.granted), desk.arrival(name, key: key)], at: Desk.now)
        }
        try store.close()
        try desk.folder.change("UPDATE installation SET data_key = x'00' WHERE id IN (1, 3)")
        #expect(throws: error("the keys of apps \"com.example.chat\", \"com.example.mail\" are", "them")) {
            try desk.folder.store()
        }
        try desk.folder.change("UPDATE installation SET data_key = x'00' WHERE id > 3")
        let names = "\"com.example.chat\", \"com.example.mail\", \"com.example.a\" and 2 more"
        // The proof alone tells that the store key is right.
        #expect(throws: error("the keys of apps \(names) are", "them")) { try desk.folder.store() }
    }

    @Test func `an app that has sealed nothing has no key, and needs none`() throws {
        try desk.folder.change("UPDATE installation SET data_key = NULL WHERE id = 2")
        let store = try desk.folder.store()
        #expect(try list(store) == ["letter", "lunch"])
        try store.close()
    }

    @Test(arguments: ["DELETE FROM facts", "UPDATE facts SET value = x''", "UPDATE facts SET value = substr(value, 2)"])
    func `a proof that is damaged is made anew, because the key of an app shows that the store key is right`(
        damage: String
    ) throws {
        try desk.folder.change("\(damage) WHERE name = 'store.seal'")
        desk.folder.key = .test(8)
        let other = StoreError(
            .unusable,
            "the store key is not the one under which \"\(desk.folder.database)\" was sealed",
            hint: "name the key file of this folder: without it nobody can read what is sealed"
        )
        let inspection = try #require(try CenterInspection(folder: desk.folder.path))
        #expect(throws: other) { try desk.folder.store() }
        #expect(throws: other) { try inspection.seal(under: .test(8)) }
        #expect(try inspection.seal(under: .test()) == .sealed)
        desk.folder.key = .test()
        let store = try desk.folder.store()
        #expect(try list(store) == ["letter", "lunch"])
        try store.close()
        // Also where no key of an app could tell.
        try desk.folder.change("DELETE FROM head; DELETE FROM silent; UPDATE installation SET data_key = NULL")
        desk.folder.key = .test(8)
        #expect(throws: other) { try desk.folder.store() }
    }

    @Test(arguments: damages)
    func `a repair keeps what other keys open, names the app, and the damaged database stays beside it`(
        damage: String
    ) throws {
        try desk.folder.change("UPDATE installation SET data_key = \(damage) WHERE id = 1")
        let before = try bytes()
        let report = try CenterRepair.run(folder: desk.folder.path, stamp: "now", key: .test())
        #expect(report.lostKeys == ["com.example.chat"])
        #expect(report.notifications == 1 && report.dropped == 1 && report.partly == [])
        #expect(try Data(contentsOf: URL(filePath: report.former)) == before)
        let store = try desk.folder.store()
        #expect(try list(store) == ["letter"])
        #expect(try store.installation(desk.chat)?.permission == Desk.granted)
        _ = try store.commit([desk.arrival("new")], at: Desk.now)
        #expect(try list(store) == ["new", "letter"])
        try store.close()
        #expect(try desk.folder.strays() == [])
    }

    @Test func `a repair of a whole database loses no key`() throws {
        let report = try CenterRepair.run(folder: desk.folder.path, stamp: "now", key: .test())
        #expect(report.lostKeys == [] && report.notifications == 2 && report.dropped == 0)
    }
}
