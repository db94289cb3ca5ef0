// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CenterStore

/// Requests that wait for their triggers: center.md §7 and §9.
struct PendingTests {
    private let none = PendingLimit(count: 0, wallMinusBoot: 0)

    @Test func `a request replaces the app's pending one of its name, and the delivered one stays`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("lunch"))
        #expect(
            try desk.commit(
                .schedule(desk.request("lunch", due: 5), limit: none),
                .schedule(desk.request("lunch", due: 9), limit: none)
            ) == [.scheduled(1, replaces: nil, dropped: []), .scheduled(2, replaces: 1, dropped: [])]
        )
        #expect(try desk.store.pending(of: desk.chat) == [StoredPending(id: 2, request: desk.request("lunch", due: 9))])
        #expect(try desk.list() == ["lunch"])
        #expect(try desk.folder.strays() == [])
    }

    @Test func `a request fires once; a repeating one stays, until its next date`() throws {
        let desk = try Desk()
        try desk.commit(
            .schedule(desk.request("once", due: 5), limit: none),
            .schedule(desk.request("daily", due: 6), limit: none)
        )
        let shown = NotificationArrival.Fate.listed(desk.content("x"), Presentation(flags: [.list]))
        let next = DueDate(due: 70, anchor: [1])
        #expect(
            try desk.commit(
                desk.arrive(.pending(1, due: 5, next: nil), shown),
                desk.arrive(.pending(1, due: 5, next: nil), shown),
                desk.arrive(.pending(2, due: 6, next: next), shown)
            ) == [
                .listed(Desk.first, replaces: nil, badge: nil), .withdrawn,
                .listed(Desk.first + 1, replaces: Desk.first, badge: nil),
            ]
        )
        #expect(try desk.store.pending(of: desk.chat).map(\.request.date) == [next])
    }

    @Test func `a request that was dated anew before it fires does not fire, and keeps its new date`() throws {
        let desk = try Desk()
        try desk.commit(.schedule(desk.request("daily", due: 5), limit: none))
        let late = DueDate(due: 80)
        #expect(
            try desk.commit(
                .redate(pending: 1, late),
                desk.arrive(.pending(1, due: 5, next: DueDate(due: 7)), .unlisted)
            ) == [.done, .withdrawn]
        )
        #expect(try desk.store.pending(of: desk.chat).map(\.request.date) == [late])
    }

    @Test func `a request that was removed or replaced before it fires does not fire`() throws {
        let desk = try Desk()
        try desk.commit(
            .schedule(desk.request("a", due: 5), limit: none),
            .schedule(desk.request("b", due: 5), limit: none),
            .schedule(desk.request("c", due: 5), limit: none)
        )
        let results = try desk.commit(
            .unschedule(desk.chat, identifiers: ["a", "a", "unknown"]),
            .schedule(desk.request("b", due: 50), limit: none),
            desk.arrive(.pending(1, due: 5, next: nil), .unlisted),
            desk.arrive(.pending(2, due: 5, next: nil), .unlisted),
            .unschedule(desk.chat, identifiers: nil)
        )
        #expect(
            results == [
                .unscheduled([1]), .scheduled(4, replaces: 2, dropped: []), .withdrawn, .withdrawn,
                .unscheduled([3, 4]),
            ]
        )
        #expect(desk.store.statistics.pending == 0)
        #expect(try desk.rows(of: "content") == 0)
    }

    @Test func `the soonest of an app stay, by either clock, and those without a date go first`() throws {
        let desk = try Desk()
        let limit = PendingLimit(count: 3, wallMinusBoot: 1_000)
        var results: [WorkResult] = []
        for (name, due, clock) in [
            ("wall 1500", 1_500, .wall), ("boot 400", 400, .boot), ("region", nil, .wall), ("wall 1450", 1_450, .wall),
            ("wall 2000", 2_000, .wall), ("boot 100", 100, .boot),
        ] as [(String, Int64?, TriggerClock)] {
            results += try desk.commit(.schedule(desk.request(name, due: due, clock: clock), limit: limit))
        }
        #expect(
            results == [
                .scheduled(1, replaces: nil, dropped: []), .scheduled(2, replaces: nil, dropped: []),
                .scheduled(3, replaces: nil, dropped: []),
                .scheduled(4, replaces: nil, dropped: [DroppedRequest(id: 3, identifier: "region")]),
                .scheduled(5, replaces: nil, dropped: [DroppedRequest(id: 5, identifier: "wall 2000")]),
                .scheduled(6, replaces: nil, dropped: [DroppedRequest(id: 1, identifier: "wall 1500")]),
            ]
        )
    }

    @Test func `what is due comes in order of instants, then of additions, of every owner`() throws {
        let desk = try Desk()
        for (name, due) in [("c", 30), ("a", 10), ("b", 10), ("d", nil)] as [(String, Int64?)] {
            try desk.commit(.schedule(desk.request(name, due: due), limit: none))
        }
        var other = desk.request("boot", due: 1, clock: .boot)
        other.installation = desk.ana
        try desk.commit(.schedule(other, limit: none))
        func due(_ clock: TriggerClock, _ instant: Int64, _ limit: Int) throws -> [String] {
            try desk.store.due(on: clock, before: instant, limit: limit).map(\.request.content.identifier)
        }
        #expect(try due(.wall, 31, 9) == ["a", "b", "c"])
        #expect(try due(.wall, 30, 9) == ["a", "b"])
        #expect(try due(.wall, 31, 1) == ["a"])
        #expect(try due(.boot, 31, 9) == ["boot"])
        #expect(try desk.store.nextDue(on: .wall) == 10)
        try desk.commit(.redate(pending: 2, DueDate(due: 99)), .redate(pending: 3, DueDate(due: nil)))
        #expect(try desk.store.nextDue(on: .wall) == 30)
    }

    @Test func `one more than all together may be is refused, and a replacement is not`() throws {
        let desk = try Desk { $0.pending = 2 }
        #expect(
            try desk.commit(
                .schedule(desk.request("a", due: 5), limit: none),
                .schedule(desk.request("b", due: 5), limit: none),
                .schedule(desk.request("c", due: 5), limit: none),
                .schedule(desk.request("b", due: 6), limit: none)
            ) == [
                .scheduled(1, replaces: nil, dropped: []), .scheduled(2, replaces: nil, dropped: []),
                .refused(.tooManyPending(limit: 2)), .scheduled(3, replaces: 2, dropped: []),
            ]
        )
    }

    @Test func `a region keeps its side over a new store, begins anew when it is replaced, and goes with its request`()
        throws
    {
        let desk = try Desk()
        var request = desk.request("home", due: nil)
        request.box = [1, 2]
        request.rule = [3]
        request.repeats = true
        try desk.commit(.schedule(request, limit: none), .note(region: 1, standing: 5), .note(region: 9, standing: 5))
        let kept = StoredRegion(id: 1, box: [1, 2], standing: 5, repeats: true, rule: [3])
        #expect(try desk.store.regions(of: desk.me) == [kept])
        #expect(try desk.store.regions(of: desk.ana.owner) == [])
        #expect(try desk.store.pending(1) == StoredPending(id: 1, request: request))
        try desk.store.close()
        let next = try desk.folder.store()
        #expect(try next.regions(of: desk.me) == [kept])
        #expect(
            try next.commit([.schedule(request, limit: none)], at: Desk.now)
                == [.scheduled(2, replaces: 1, dropped: [])]
        )
        #expect(try next.regions(of: desk.me).map(\.standing) == [0])
        // It fires and stays; then it fires for the last time.
        _ = try next.commit([desk.arrive(.pending(2, due: nil, next: DueDate(due: nil)), .unlisted)], at: Desk.now)
        #expect(try next.regions(of: desk.me).map(\.id) == [2])
        _ = try next.commit([desk.arrive(.pending(2, due: nil, next: nil), .unlisted)], at: Desk.now)
        #expect(try next.regions(of: desk.me) == [])
        #expect(try next.pending(2) == nil)
        #expect(try desk.folder.strays() == [])
    }

    @Test func `an app has so many regions, of either kind, and one that is replaced is not counted`() throws {
        let desk = try Desk { $0.regions = 2 }
        func add(_ name: String, _ box: [UInt8]?) throws -> WorkResult? {
            var request = desk.request(name, due: box == nil ? 5 : nil)
            request.box = box
            return try desk.commit(.schedule(request, limit: none)).first
        }
        #expect(try add("circle", [1]) == .scheduled(1, replaces: nil, dropped: []))
        #expect(try add("beacon", []) == .scheduled(2, replaces: nil, dropped: []))
        #expect(try add("more", [1]) == .refused(.tooManyRegions(limit: 2)))
        #expect(try add("date", nil) == .scheduled(3, replaces: nil, dropped: []))
        #expect(try add("date", [1]) == .refused(.tooManyRegions(limit: 2)))
        #expect(
            try desk.store.pending(of: desk.chat).map(\.request.content.identifier) == ["circle", "beacon", "date"]
        )
        #expect(try add("circle", nil) == .scheduled(4, replaces: 1, dropped: []))
        #expect(try add("more", [1]) == .scheduled(5, replaces: nil, dropped: []))
    }

    @Test func `names of one hash are told apart by the content`() throws {
        let desk = try Desk(hashBits: 0)
        for name in ["a", "b", "c"] { try desk.commit(.schedule(desk.request(name, due: 5), limit: none)) }
        #expect(try desk.commit(.unschedule(desk.chat, identifiers: ["b"])) == [.unscheduled([2])])
        #expect(try desk.store.pending(of: desk.chat).map(\.request.content.identifier) == ["a", "c"])
    }
}
