// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CenterStore

/// The way of an answer to its app: center.md §7, "Response".
struct ResponseTests {
    private let first = Desk.first

    @Test func `the first answer closes the notification, and the second hears who was first`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"))
        let draft = ResponseDraft(owner: desk.me, number: first, action: "reply", text: "yes")
        #expect(
            try desk.commit(.respond(draft), .respond(draft)) == [
                .answered(response: 1, Removal(target: first, number: first + 1)),
                .refused(.notThere(.gone(.response, by: first + 1))),
            ]
        )
        #expect(try desk.list() == [])
        let waiting = try desk.store.responses(of: desk.chat, limit: 9)
        #expect(waiting.map(\.action) == ["reply"])
        #expect(waiting.map(\.text) == ["yes"])
        #expect(waiting.map(\.number) == [first])
        #expect(waiting.map(\.content) == [desk.content("a")])
        #expect(
            try desk.store.history(of: desk.me, limit: 9).first?.head.presentation.flags.contains(.answered) == true
        )
    }

    @Test func `a dismissal of which the app wants to know is a person's removal`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"))
        try desk.commit(.respond(ResponseDraft(owner: desk.me, number: first, action: "dismiss", closing: .user)))
        #expect(try desk.store.standing(of: first, owner: desk.me) == .gone(.user, by: first + 1))
        #expect(try desk.store.responses(of: desk.chat, limit: 9).map(\.text) == [nil])
    }

    @Test func `an update, an unknown number and another owner's number cannot be answered`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("a"))
        func answer(_ owner: OwnerName, _ number: Int64) throws -> [WorkResult] {
            try desk.commit(.respond(ResponseDraft(owner: owner, number: number, action: "default")))
        }
        #expect(try answer(desk.me, first) == [.refused(.notThere(.gone(.update, by: first + 1)))])
        #expect(try answer(desk.me, 99) == [.refused(.notThere(.unknown))])
        #expect(try answer(desk.ana.owner, first + 1) == [.refused(.notThere(.unknown))])
    }

    @Test(
        arguments: [
            (ResponseState.stored, 0, ResponseStep.sent, ResponseVerdict.kept(.sent, tries: 0)),
            (.stored, 2, .sent, .kept(.sent, tries: 2)),
            (.stored, 0, .returned, .ignored),
            (.stored, 1, .completed, .completed),
            (.sent, 0, .sent, .ignored),
            (.sent, 0, .returned, .kept(.stored, tries: 1)),
            (.sent, 1, .returned, .kept(.stored, tries: 2)),
            (.sent, 2, .returned, .expired),
            (.sent, 2, .completed, .completed),
        ]
    )
    func `each step of a response has its verdict`(
        state: ResponseState,
        tries: Int,
        step: ResponseStep,
        verdict: ResponseVerdict
    ) {
        #expect(state.verdict(on: step, tries: tries) == verdict)
    }

    @Test func `a handler that crashes three times ends the response`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"))
        try desk.commit(.respond(ResponseDraft(owner: desk.me, number: first, action: "default")))
        var verdicts: [WorkResult] = []
        for _ in 0..<3 {
            verdicts += try desk.commit(.step(response: 1, .sent), .step(response: 1, .returned))
        }
        #expect(
            verdicts == [
                .stepped(.kept(.sent, tries: 0)), .stepped(.kept(.stored, tries: 1)),
                .stepped(.kept(.sent, tries: 1)), .stepped(.kept(.stored, tries: 2)),
                .stepped(.kept(.sent, tries: 2)), .stepped(.expired),
            ]
        )
        #expect(try desk.store.responses(after: 0, limit: 9) == [])
        #expect(try desk.commit(.step(response: 1, .completed)) == [.stepped(.ignored)])
    }

    @Test func `a number of a response is never given again`() throws {
        let desk = try Desk()
        try desk.commit(desk.arrival("a"), desk.arrival("b"))
        try desk.commit(.respond(ResponseDraft(owner: desk.me, number: first, action: "default")))
        try desk.commit(.step(response: 1, .completed))
        let second = try desk.commit(.respond(ResponseDraft(owner: desk.me, number: first + 1, action: "default")))
        #expect(second == [.answered(response: 2, Removal(target: first + 1, number: first + 3))])
    }
}
