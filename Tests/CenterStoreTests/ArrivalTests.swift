// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CenterStore

/// Arrivals, and all that a commit does with them: center.md §3, §6, §7 and §11.
struct ArrivalTests {
    private let first = Desk.first

    @Test func `an arrival takes the owner's next number, and another owner's series goes on by itself`() throws {
        let desk = try Desk()
        let results = try desk.commit(
            desk.arrival("a"),
            desk.arrival("x", key: desk.ana),
            desk.arrival("b"),
            desk.arrival("y", key: desk.ana)
        )
        #expect(results == [first, first, first + 1, first + 1].map { .listed($0, replaces: nil, badge: nil) })
        #expect(try desk.list() == ["b", "a"])
        #expect(try desk.list(desk.ana.owner) == ["y", "x"])
    }

    @Test func `a second one of the same name is newest, in one row, and the first is gone by update`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("lunch", text: "old"), desk.arrival("mail"))
        #expect(
            try desk.commit(desk.arrival("lunch", text: "new")) == [.listed(first + 2, replaces: first, badge: nil)]
        )
        #expect(try desk.list() == ["lunch", "mail"])
        let shown = try desk.store.notifications([first, first + 2], of: desk.me)
        #expect(shown.map(\.content) == [desk.content("lunch", text: "new")])
        #expect(try desk.store.standing(of: first, owner: desk.me) == .gone(.update, by: first + 2))
        #expect(try desk.rows(of: "content") == 2)
        #expect(try desk.folder.strays() == [])
    }

    @Test func `a name is the installation's own`() throws {
        let desk = try Desk()
        let mail = try Desk.key("me", "com.example.mail")
        try desk.commit(.setPermission(mail, Desk.granted), desk.arrival("lunch"), desk.arrival("lunch", key: mail))
        try desk.commit(desk.arrival("lunch", key: desk.ana))
        #expect(try desk.list() == ["lunch", "lunch"])
    }

    @Test func `names of one hash are told apart by the content`() throws {
        let desk = try Desk(hashBits: 0)
        let names = ["a", "b", "a\"", "a,", "á", "a\u{301}", "A"]
        for name in names { try desk.commit(desk.arrival(name)) }
        #expect(try desk.list().count == names.count)
        try desk.commit(.removeNamed(desk.chat, identifiers: ["a\u{301}", "a\""]))
        #expect(try desk.list().reversed().map { Array($0.utf8) } == ["a", "b", "a,", "á", "A"].map { Array($0.utf8) })
    }

    @Test func `threads of one hash are told apart by the content`() throws {
        let desk = try Desk(hashBits: 0)
        try desk.commit(desk.arrival("a", thread: "Alice"), desk.arrival("b", thread: "Bob"), desk.arrival("c"))
        var query = PageQuery(limit: 10)
        query.thread = "Alice"
        #expect(try desk.store.page(query, of: desk.me)?.items.map { $0.content?.identifier } == ["a"])
    }

    // MARK: - Records

    @Test func `a record that is known has no effect, also when its notification was replaced or removed`() throws {
        let desk = try Desk()
        #expect(
            try desk.commit(desk.arrival("lunch", record: 1, badge: 1), desk.arrival("lunch", record: 1, badge: 9))
                == [.listed(first, replaces: nil, badge: first + 1), .repeated]
        )
        try desk.commit(desk.arrival("lunch", record: 2))
        #expect(try desk.commit(desk.arrival("lunch", record: 1, badge: 9)) == [.repeated])
        try desk.commit(.removeAll(desk.chat, upTo: nil, by: .app))
        #expect(try desk.commit(desk.arrival("lunch", record: 2, badge: 9)) == [.repeated])
        #expect(try desk.list() == [])
        #expect(try desk.badge() == 1)
    }

    @Test func `what is not listed is known all the same`() throws {
        let desk = try Desk()
        let record = NotificationArrival.Source.record(RecordName(journal: 7, number: 1))
        #expect(try desk.commit(desk.arrive(record, .unlisted, badge: 3)) == [.noted(badge: first)])
        #expect(try desk.commit(desk.arrive(record, .unlisted, badge: 4)) == [.repeated])
        #expect(try desk.badge() == 3)
    }

    @Test func `a record is forgotten below its journal's floor, and no other`() throws {
        let desk = try Desk()
        let other = NotificationArrival.Source.record(RecordName(journal: 8, number: 1))
        try desk.commit(desk.arrival("a", record: 1), desk.arrival("b", record: 2), desk.arrive(other, .unlisted))
        #expect(try desk.commit(.floor(journal: 7, number: 2)) == [.done])
        #expect(try desk.commit(desk.arrival("b", record: 2), desk.arrive(other, .unlisted)) == [.repeated, .repeated])
        #expect(try desk.commit(desk.arrival("c", record: 1)) == [.listed(first + 2, replaces: nil, badge: nil)])
    }

    @Test func `a refused record leaves nothing behind, and stops no other work`() throws {
        let desk = try Desk()
        let bank = try Desk.key("me", "com.example.bank")
        let nobody = try Desk.key("nobody", "com.example.chat")
        #expect(
            try desk.commit(
                desk.arrival("a", record: 1, key: bank),
                desk.arrival("a", record: 2, key: nobody),
                desk.arrival("a", record: 3, badge: -1),
                desk.arrival("a", record: 3, badge: Int(Int32.max) + 1),
                desk.arrival("a", record: 3, badge: Int(Int32.max))
            ) == [
                .refused(.unknownInstallation), .refused(.unknownOwner), .refused(.badgeOutOfRange(-1)),
                .refused(.badgeOutOfRange(Int(Int32.max) + 1)), .listed(first, replaces: nil, badge: first + 1),
            ]
        )
        #expect(try desk.rows(of: "taken") == 1)
    }

    // MARK: - Badge

    @Test func `a badge counts in order of delivery, and the same again is no change`() throws {
        let desk = try Desk()
        #expect(
            try desk.commit(
                desk.arrival("a", badge: 2),
                desk.arrival("b"),
                desk.arrival("c", badge: 2),
                desk.arrival("d", badge: 0)
            ) == [
                .listed(first, replaces: nil, badge: first + 1), .listed(first + 2, replaces: nil, badge: nil),
                .listed(first + 3, replaces: nil, badge: nil), .listed(first + 4, replaces: nil, badge: first + 5),
            ]
        )
        #expect(try desk.badge() == 0)
        try desk.commit(desk.arrival("e", badge: 5), .removeAll(desk.chat, upTo: nil, by: .user))
        #expect(try desk.badge() == 5)
    }

    // MARK: - Waiting and silent ones

    @Test func `one whose app is asked lies in waiting, without a number, and leaves it once`() throws {
        let desk = try Desk()
        let record = NotificationArrival.Source.record(RecordName(journal: 7, number: 1))
        #expect(try desk.commit(desk.arrive(record, .waits(desk.content("lunch")))) == [.waits(1)])
        #expect(try desk.commit(desk.arrive(record, .waits(desk.content("lunch")))) == [.repeated])
        #expect(try desk.store.owner(desk.me)?.position == first - 1)
        #expect(try desk.store.waiting(after: 0, limit: 9).map(\.content) == [desk.content("lunch")])
        let shown = NotificationArrival.Fate.listed(desk.content("lunch"), Presentation(flags: [.list]))
        #expect(
            try desk.commit(desk.arrive(.waiting(1), shown), desk.arrive(.waiting(1), shown))
                == [.listed(first, replaces: nil, badge: nil), .withdrawn]
        )
        #expect(try desk.store.waiting(after: 0, limit: 9) == [])
        #expect(try desk.folder.strays() == [])
    }

    @Test func `what waits for another app is not taken by this one`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrive(.call, .waits(desk.content("lunch"))))
        let theft = NotificationArrival(
            installation: desk.ana,
            source: .waiting(1),
            fate: .unlisted,
            date: Desk.now
        )
        #expect(try desk.commit(.arrive(theft)) == [.withdrawn])
        #expect(try desk.store.waiting(after: 0, limit: 9).count == 1)
    }

    @Test func `the newest silent push alone waits for its app`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrive(.call, .silent([1])), desk.arrive(.call, .silent([2])))
        let waiting = try #require(try desk.store.silent(of: desk.chat))
        #expect(waiting.payload == [2])
        try desk.commit(.dropSilent(desk.chat, stored: waiting.stored - 1))
        #expect(try desk.store.silent(of: desk.chat)?.payload == [2])
        try desk.commit(.dropSilent(desk.chat, stored: waiting.stored))
        #expect(try desk.store.silent(of: desk.chat) == nil)
    }
}
