// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CenterStore

/// Pages, and the changes that a watcher missed: center.md §5 and §6.
struct ReadingTests {
    private let first = Desk.first

    // MARK: - Pages

    @Test func `pages are stable under arrivals, and the last one says so`() throws {
        let desk = try Desk()
        for name in ["a", "b", "c", "d", "e"] { try desk.commit(desk.arrival(name)) }
        var query = PageQuery(limit: 2)
        var names: [[String]] = []
        while true {
            let page = try #require(try desk.store.page(query, of: desk.me))
            names.append(page.items.compactMap(\.content?.identifier))
            try desk.commit(desk.arrival("new \(names.count)"))
            guard let next = page.next else { break }
            query.before = next
        }
        #expect(names == [["e", "d"], ["c", "b"], ["a"]])
    }

    @Test func `a page of an exact length is the last one`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"))
        let page = try #require(try desk.store.page(PageQuery(limit: 2), of: desk.me))
        #expect(page.next == nil)
        #expect(page.position == first + 1)
        #expect(try desk.store.page(PageQuery(limit: 2), of: try Desk.owner("nobody")) == nil)
    }

    @Test func `a page may be of an app, a thread, a range of numbers or of dates`() throws {
        let desk = try Desk()
        let mail = try Desk.key("me", "com.example.mail")
        try desk.commit(.setPermission(mail, Desk.granted))
        try desk.commit(
            desk.arrival("a", thread: "Alice"),
            desk.arrival("b", key: mail, date: Desk.now + 1),
            desk.arrival("c", thread: "Bob", date: Desk.now + 2),
            desk.arrival("d", thread: "Alice", date: Desk.now + 3)
        )
        func names(_ change: (inout PageQuery) -> Void) throws -> [String] {
            var query = PageQuery(limit: 9)
            change(&query)
            return try #require(try desk.store.page(query, of: desk.me)).items.compactMap(\.content?.identifier)
        }
        #expect(try names { $0.app = "com.example.mail" } == ["b"])
        #expect(try names { $0.app = "com.example.none" } == [])
        #expect(try names { $0.thread = "Alice" } == ["d", "a"])
        #expect(try names { $0.after = first + 1 } == ["d", "c", "b"])
        #expect(try names { ($0.from, $0.to) = (Desk.now + 1, Desk.now + 3) } == ["c", "b"])
    }

    @Test func `a front has no more heads than asked for, the newest`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"), desk.arrival("c"))
        #expect(try desk.store.front(of: desk.me, limit: 2)?.heads.map(\.number) == [first + 2, first + 1])
    }

    // MARK: - Changes

    private enum Told: Equatable {
        case delivered(Int64, String?, replaces: Int64?)
        case removed(Int64, Int64, RemovalCause)
        case installation(Int64, badge: Int)
        case uninstalled(Int64, String)
        case owner(Int64, seen: Int64)
    }

    private func told(_ desk: Desk, since number: Int64, limit: Int = 99) throws -> [Told]? {
        guard case .changes(let changes, _, _) = try desk.store.changes(of: desk.me, since: number, limit: limit) else {
            return nil
        }
        return changes.map { change in
            switch change.thing {
            case .delivered(let item, let former):
                .delivered(change.number, item.content?.identifier, replaces: former)
            case .removed(let target, let cause): .removed(change.number, target, cause)
            case .installation(let installation): .installation(change.number, badge: installation.badge)
            case .uninstalled(let topic): .uninstalled(change.number, topic)
            case .owner(let owner): .owner(change.number, seen: owner.seen)
            }
        }
    }

    @Test func `a resume tells of an app that was removed, and of the same one again behind that`() throws {
        let desk = try Desk()
        let mail = try Desk.key("me", "com.example.mail")
        try desk.commit(.setPermission(mail, Desk.granted), desk.arrival("a"), desk.arrival("b", key: mail))
        let since = try #require(try desk.store.owner(desk.me)).position
        try desk.commit(.removeInstallation(desk.chat))
        let gone: [Told] = [
            .removed(since + 1, since - 1, .user), .uninstalled(since + 2, "com.example.chat"),
        ]
        #expect(try told(desk, since: since) == gone)
        // Piece by piece it is the same.
        #expect(try told(desk, since: since, limit: 1) == [gone[0]])
        #expect(try told(desk, since: since + 1, limit: 1) == [gone[1]])
        try desk.commit(.setPermission(desk.chat, Desk.granted))
        #expect(try told(desk, since: since) == gone + [.installation(since + 3, badge: 0)])
        #expect(try told(desk, since: since + 2) == [.installation(since + 3, badge: 0)])
        try desk.commit(.removeInstallation(desk.chat))
        #expect(try told(desk, since: since + 3) == [.uninstalled(since + 4, "com.example.chat")])
        // Another owner of the app hears of nothing.
        let position = try #require(try desk.store.owner(desk.ana.owner)).position
        #expect(
            try desk.store.changes(of: desk.ana.owner, since: position, limit: 9)
                == .changes([], position: position, isComplete: true)
        )
    }

    @Test func `a resume tells the last state of each thing, once, in order of numbers`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"), desk.arrival("c"))
        let since = first + 2
        try desk.commit(
            desk.arrival("b", badge: 1),
            desk.arrival("d"),
            .seen(desk.me, number: first),
            .remove(desk.me, numbers: [first], by: .user),
            desk.arrival("e", badge: 5),
            .removeNamed(desk.chat, identifiers: ["d"]),
            .seen(desk.me, number: first + 1)
        )
        #expect(
            try told(desk, since: since) == [
                .delivered(since + 1, "b", replaces: first + 1),
                .removed(since + 5, first, .user),
                .delivered(since + 6, "e", replaces: nil),
                .installation(since + 7, badge: 5),
                .owner(since + 9, seen: first + 1),
            ]
        )
    }

    @Test func `a chain of updates ends in one removal and one delivery`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("a"), desk.arrival("a"))
        #expect(
            try told(desk, since: first) == [
                .removed(first + 1, first, .update), .delivered(first + 2, "a", replaces: nil),
            ]
        )
        #expect(try told(desk, since: first + 1) == [.delivered(first + 2, "a", replaces: first + 1)])
        #expect(try told(desk, since: first + 2) == [])
    }

    @Test func `a number that was never given, or an unknown owner, is reset`() throws {
        let desk = try Desk()
        #expect(try told(desk, since: first - 1) == [])
        #expect(try told(desk, since: first) == nil)
        #expect(try told(desk, since: -1) == nil)
        #expect(try desk.store.changes(of: try Desk.owner("nobody"), since: 0, limit: 9) == .reset)
    }

    @Test func `an answer in pieces goes on where the last one ended`() throws {
        let desk = try Desk()
        for name in 1...7 { try desk.commit(desk.arrival("\(name)", badge: name)) }
        var position: Int64 = first - 1
        var names: [String] = []
        var isComplete = false
        var pieces = 0
        while !isComplete {
            let answer = try desk.store.changes(of: desk.me, since: position, limit: 3)
            guard case .changes(let changes, let next, let isLast) = answer else { break }
            for case .delivered(let item, _) in changes.map(\.thing) { names.append(item.content?.identifier ?? "") }
            (position, isComplete) = (next, isLast)
            pieces += 1
        }
        #expect(names == (1...7).map(String.init))
        #expect(position == first + 13)
        #expect(pieces == 3)
    }

    @Test func `nobody hears of another owner`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("x", badge: 3, key: desk.ana), .seen(desk.ana.owner, number: 1))
        #expect(try told(desk, since: first - 1) == [])
        #expect(try desk.store.owner(desk.me)?.position == first - 1)
    }
}
