// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Testing

@testable import CenterStore

/// Owners and installations, as the store keeps them: center.md §2, §6 and §7.
struct SettingsTests {
    private let first = Desk.first

    @Test(arguments: [
        ("me", true), ("0-a_b.c", true), (String(repeating: "a", count: 64), true), ("", false), ("Me", false),
        (".me", false), ("-me", false), ("m e", false), ("inés", false), (String(repeating: "a", count: 65), false),
        ("me\u{0}", false), ("../me", false),
    ])
    func `an owner's name is of the permitted characters`(text: String, isGood: Bool) {
        #expect((OwnerName(text) != nil) == isGood)
    }

    @Test(arguments: [
        ("abc", true), ("com.example.Chat-2", true), (String(repeating: "a", count: 155), true), ("ab", false),
        (String(repeating: "a", count: 156), false), ("com.exámple", false), ("com example", false),
        ("com\u{0}example", false),
    ])
    func `a topic has 3 to 155 printable characters`(text: String, isGood: Bool) throws {
        #expect((InstallationKey(owner: try Desk.owner("me"), app: text) != nil) == isGood)
    }

    @Test func `a change takes a number, and the same again none`() throws {
        let desk = try Desk()
        var preferences = OwnerPreferences()
        (preferences.language, preferences.zone) = ("es", "Europe/Madrid")
        (preferences.focus, preferences.summary) = ([1], [])
        var permission = Desk.granted
        (permission.options, permission.settings, permission.token) = (7, [2], "00ff")
        let work: [CenterWork] = [
            .setOwner(desk.me, preferences), .setPermission(desk.chat, permission), .setBadge(desk.chat, 3),
            .setCategories(desk.chat, [4]),
        ]
        #expect(try desk.store.commit(work, at: Desk.now) == (0..<4).map { .changed(first + $0) })
        #expect(try desk.store.commit(work, at: Desk.now) == Array(repeating: .unchanged, count: 4))
        let front = try #require(try desk.store.front(of: desk.me))
        #expect(front.owner.preferences == preferences)
        #expect(front.owner.changed == first)
        #expect(front.installations.map(\.permission) == [permission])
        #expect(front.installations.map(\.badge) == [3])
        #expect(front.installations.map(\.changed) == [first + 3])
        #expect(try desk.store.categories(of: desk.chat) == [4])
        #expect(try desk.store.categories(of: desk.ana) == nil)
        #expect(try desk.store.owners().map(\.name.text) == ["ana", "me"])
    }

    @Test func `what is asked of nobody is refused`() throws {
        let desk = try Desk()
        let stranger = try Desk.key("nobody", "com.example.chat")
        let bank = try Desk.key("me", "com.example.bank")
        #expect(
            try desk.commit(
                .setPermission(stranger, Desk.granted),
                .seen(stranger.owner, number: 1),
                .setBadge(bank, 1),
                .setBadge(desk.chat, -1),
                .setCategories(bank, []),
                .removeAll(bank, upTo: nil, by: .app),
                .removeNamed(stranger, identifiers: ["a"]),
                .removeInstallation(bank),
                .unschedule(bank, identifiers: nil),
                .dropSilent(bank, stored: 0),
                .restore(stranger.owner, number: 1),
                .renew(stranger.owner, numbers: [1], flags: [])
            ) == [
                .refused(.unknownOwner), .refused(.unknownOwner), .refused(.unknownInstallation),
                .refused(.badgeOutOfRange(-1)), .refused(.unknownInstallation), .refused(.unknownInstallation),
                .refused(.unknownInstallation), .refused(.unknownInstallation), .refused(.unknownInstallation),
                .refused(.unknownInstallation), .refused(.unknownOwner), .refused(.unknownOwner),
            ]
        )
        #expect(try desk.store.owner(desk.me)?.position == first - 1)
        #expect(try desk.store.front(of: stranger.owner) == nil)
    }

    @Test func `an owner has no more installations than may be`() throws {
        let desk = try Desk { $0.installations = 2 }
        let more = try ["aaa", "bbb"].map { try Desk.key("me", $0) }
        #expect(
            try desk.commit(.setPermission(more[0], Desk.granted), .setPermission(more[1], Desk.granted))
                == [.changed(first), .refused(.tooManyInstallations(limit: 2))]
        )
        #expect(try desk.store.installation(more[1]) == nil)
    }

    @Test func `the read mark rises alone, and not beyond the last number`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"))
        #expect(
            try desk.commit(
                .seen(desk.me, number: first),
                .seen(desk.me, number: first - 1),
                .seen(desk.me, number: .max),
                .seen(desk.me, number: -1)
            ) == [.changed(first + 1), .unchanged, .changed(first + 2), .unchanged]
        )
        #expect(try desk.store.owner(desk.me)?.seen == first + 1)
    }

    @Test func `a fact is kept, and none of the store's own is reached`() throws {
        let desk = try Desk()
        try desk.commit(.setFact("boot", [1]), .setFact("boot", [2]), .setFact("store.hash", [3]))
        #expect(try desk.store.fact("boot") == [2])
        #expect(try desk.store.fact("hash") == nil)
        try desk.store.close()
        let again = try desk.folder.store()
        #expect(try again.fact("store.hash") == [3])
        #expect(try again.owner(desk.me)?.position == first - 1)
    }

    @Test func `a store that is closed says so`() throws {
        let desk = try Desk()
        try desk.store.close()
        let error = DatabaseFailure.disk("\"\(desk.folder.database)\": it is closed (SQLite's code 21)")
        #expect(throws: error) { try desk.commit(desk.arrival("a")) }
        #expect(throws: error) { try desk.store.owners() }
        #expect(throws: error) { try desk.store.maintain(at: Desk.now) }
        #expect(throws: error) { try desk.store.close() }
    }
}
