// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Testing

@testable import CenterStore

/// Removals from the list, and the ways back: center.md §5, §7, §8 and §14.
struct RemovalTests {
    private let first = Desk.first

    @Test(
        arguments: [
            (CenterWork.Remover.user, RemovalCause.user, 1), (.app, .app, 0),
        ]
    )
    func `what a person removes can be restored, what the app removes is deleted`(
        remover: CenterWork.Remover,
        cause: RemovalCause,
        kept: Int
    ) throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"))
        #expect(
            try desk.commit(.remove(desk.me, numbers: [first, first, 99], by: remover))
                == [.removed([Removal(target: first, number: first + 2)])]
        )
        #expect(try desk.list() == ["b"])
        #expect(try desk.store.standing(of: first, owner: desk.me) == .gone(cause, by: first + 2))
        #expect(try desk.store.history(of: desk.me, limit: 9).map(\.head.number) == (kept == 1 ? [first] : []))
        #expect(try desk.rows(of: "content") == 1 + kept)
    }

    @Test func `without a history nothing that a person removes is kept`() throws {
        let desk = try Desk { $0.history = .zero }
        try desk.commit(desk.arrival("a"), desk.arrival("b"))
        try desk.commit(
            .remove(desk.me, numbers: [first], by: .user),
            .respond(ResponseDraft(owner: desk.me, number: first + 1, action: "reply"))
        )
        #expect(try desk.store.history(of: desk.me, limit: 9) == [])
        // The answered one's, for its response.
        #expect(try desk.rows(of: "content") == 1)
        try desk.commit(.step(response: 1, .completed))
        #expect(try desk.rows(of: "content") == 0)
        #expect(desk.store.statistics.byteCount == 0)
    }

    @Test func `a clearing goes up to a number, so that what came meanwhile stays`() throws {
        let desk = try Desk()
        for name in ["a", "b", "c"] { try desk.commit(desk.arrival(name)) }
        #expect(
            try desk.commit(.removeAll(desk.chat, upTo: first + 1, by: .user)) == [
                .removed([
                    Removal(target: first, number: first + 3), Removal(target: first + 1, number: first + 4),
                ])
            ]
        )
        #expect(try desk.list() == ["c"])
    }

    @Test func `numbers of another owner are not there`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"))
        #expect(try desk.commit(.remove(desk.ana.owner, numbers: [first], by: .user)) == [.removed([])])
        #expect(try desk.store.notifications([first], of: desk.ana.owner) == [])
        #expect(try desk.store.standing(of: first, owner: desk.ana.owner) == .unknown)
        let stranger = try Desk.owner("nobody")
        #expect(try desk.commit(.remove(stranger, numbers: [first], by: .user)) == [.refused(.unknownOwner)])
        #expect(try desk.list() == ["a"])
    }

    @Test func `a restored one is newest, has no banner, and can be answered`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"))
        try desk.commit(.respond(ResponseDraft(owner: desk.me, number: first, action: "reply")))
        #expect(
            try desk.commit(.restore(desk.me, number: first))
                == [.renewed([Renewal(former: first, number: first + 3)])]
        )
        #expect(try desk.list() == ["a", "b"])
        let head = try desk.store.notifications([first + 3], of: desk.me).first?.head
        #expect(head?.presentation == Presentation(flags: [.list, .answered]))
        // Each of the two answers has its content.
        try desk.commit(.respond(ResponseDraft(owner: desk.me, number: first + 3, action: "reply")))
        #expect(try desk.folder.strays() == [])
        for id in [1, 2] as [Int64] { try desk.commit(.step(response: id, .completed)) }
        #expect(try desk.store.history(of: desk.me, limit: 9).map(\.content) == [desk.content("a")])
        #expect(try desk.folder.strays() == [])
    }

    @Test func `an old text is not restored beside a new one of its name`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), .remove(desk.me, numbers: [first], by: .user), desk.arrival("a"))
        #expect(try desk.commit(.restore(desk.me, number: first)) == [.refused(.replaced(by: first + 2))])
        #expect(
            try desk.commit(.restore(desk.me, number: first + 2), .restore(desk.me, number: 99))
                == [.refused(.notThere(.listed)), .refused(.notThere(.unknown))]
        )
    }

    @Test func `the hour of a summary gives new numbers in its order`() throws {
        let desk = try Desk()
        for name in ["a", "b", "c"] { try desk.commit(desk.arrival(name)) }
        #expect(
            try desk.commit(.renew(desk.me, numbers: [first + 1, first, 99], flags: [.list])) == [
                .renewed([
                    Renewal(former: first + 1, number: first + 3), Renewal(former: first, number: first + 4),
                ])
            ]
        )
        #expect(try desk.list() == ["a", "b", "c"])
        #expect(try desk.store.standing(of: first, owner: desk.me) == .gone(.update, by: first + 4))
    }

    @Test func `an installation goes with all its rows, and the other owner's stays`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"), desk.arrival("c"), desk.arrival("a", key: desk.ana))
        try desk.commit(
            .respond(ResponseDraft(owner: desk.me, number: first, action: "reply")),
            .remove(desk.me, numbers: [first + 1], by: .user),
            .schedule(desk.request("later", due: 5), limit: PendingLimit(count: 0, wallMinusBoot: 0)),
            desk.arrive(.call, .waits(desk.content("asked"))),
            desk.arrive(.call, .silent([1])),
            .setCategories(desk.chat, [1])
        )
        let position = try #require(try desk.store.owner(desk.me)).position
        #expect(
            try desk.commit(.removeInstallation(desk.chat)) == [
                .uninstalled([Removal(target: first + 2, number: position + 1)], changed: position + 2)
            ]
        )
        let owner = try #require(try desk.store.owner(desk.me))
        #expect(owner.position == position + 2 && owner.changed < position)
        #expect(try desk.store.installation(desk.chat) == nil)
        #expect(try desk.commit(desk.arrival("d")) == [.refused(.unknownInstallation)])
        for table in ["waiting", "pending", "response", "silent", "categories", "history"] {
            #expect(try desk.rows(of: table) == 0, "\(table)")
        }
        #expect(try desk.rows(of: "content") == 1)
        #expect(try desk.list(desk.ana.owner) == ["a"])
        // The same app again is another installation.
        let former = try #require(try desk.store.installation(desk.ana)).number
        try desk.commit(.setPermission(desk.chat, Desk.granted))
        #expect(try #require(try desk.store.installation(desk.chat)).number > former)
    }

    @Test func `the end of a registration is owed until a host has brought it about, also by the next store`() throws {
        let desk = try Desk()
        #expect(try desk.store.withdrawals() == [])
        #expect(
            try desk.commit(
                .removeInstallation(desk.chat),
                .removeInstallation(desk.chat),
                .removeInstallation(desk.ana)
            )
                == [
                    .uninstalled([], changed: first), .refused(.unknownInstallation), .uninstalled([], changed: first),
                ]
        )
        #expect(try desk.store.withdrawals() == [desk.ana, desk.chat])
        try desk.store.close()
        let next = try desk.folder.store()
        // An app that has come back owes it all the same.
        _ = try next.commit([.setPermission(desk.chat, Desk.granted)], at: Desk.now)
        #expect(try next.withdrawals() == [desk.ana, desk.chat])
        #expect(try next.owesWithdrawal(of: desk.chat))
        #expect(try next.commit([.withdrawn(desk.chat), .withdrawn(desk.chat)], at: Desk.now) == [.done, .done])
        #expect(try next.withdrawals() == [desk.ana])
        #expect(try !next.owesWithdrawal(of: desk.chat) && next.installation(desk.chat) != nil)
        // A fact of the centre is none.
        _ = try next.commit([.setFact("withdraw.me/x", []), .withdrawn(desk.ana)], at: Desk.now)
        #expect(try next.withdrawals() == [])
        try next.close()
    }

    @Test func `a removal that the disk refuses changes nothing`() throws {
        let desk = try Desk { $0.patience = .milliseconds(20) }
        try desk.commit(desk.arrival("a"), .setCategories(desk.chat, [1]))
        let position = try #require(try desk.store.owner(desk.me)).position
        try desk.folder.change("CREATE TRIGGER full BEFORE DELETE ON installation BEGIN SELECT raise(FAIL, 'no'); END")
        #expect(throws: DatabaseFailure.self) { try desk.commit(.removeInstallation(desk.chat)) }
        #expect(try desk.list() == ["a"])
        #expect(try desk.store.withdrawals() == [])
        #expect(try desk.store.owner(desk.me)?.position == position)
        #expect(desk.store.statistics.isFailing)
        try desk.folder.change("DROP TRIGGER full")
        _ = try desk.store.maintain(at: Desk.now)
        #expect(!desk.store.statistics.isFailing)
        #expect(
            try desk.commit(.removeInstallation(desk.chat)) == [
                .uninstalled([Removal(target: first, number: position + 1)], changed: position + 2)
            ]
        )
    }
}
