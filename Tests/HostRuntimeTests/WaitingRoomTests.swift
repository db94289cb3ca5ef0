// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HostRuntime

struct WaitingRoomTests {
    private static func arrival(_ number: Int, _ room: Admission.Room, end: Duration) -> WaitingArrival {
        WaitingArrival(push: .sample(id: "\(number)"), place: 0, answer: { _, _ in }, room: room, end: end)
    }

    @Test func `who has waited long enough is forgotten, also where somebody always waits`() {
        var waiting = WaitingRoom()
        for second in 0..<100 {
            waiting.append(Self.arrival(second, .topic("mail"), end: .seconds(second + 2)))
            let late = waiting.takeOut(waitingUntil: .seconds(second)).map(\.push.id)
            #expect(late == (second < 2 ? [] : ["\(second - 2)"]))
            #expect(waiting.count(for: .topic("mail")) == min(second + 1, 2))
        }
    }

    @Test func `a room for which nobody waits any more is forgotten`() {
        var waiting = WaitingRoom()
        waiting.append(Self.arrival(0, .topic("mail"), end: .seconds(1)))
        waiting.append(Self.arrival(1, .topic("news"), end: .seconds(2)))
        waiting.append(Self.arrival(2, .host, end: .seconds(3)))
        #expect(waiting.topics == ["mail", "news"])
        let late = waiting.takeOut(waitingUntil: .seconds(1)).map(\.push.id)
        #expect(late == ["0"])
        #expect(waiting.topics == ["news"])
        waiting.wake(.topic("news"))
        #expect(waiting.topics.isEmpty)
        #expect(waiting.count(for: .host) == 1)
        let woken = waiting.takeWoken().map(\.push.id)
        #expect(woken == ["1"])
    }

    @Test func `a room is given to those that have waited for it longest`() {
        var waiting = WaitingRoom()
        for number in 0..<4 { waiting.append(Self.arrival(number, .host, end: .seconds(number + 1))) }
        _ = waiting.takeOut(waitingUntil: .seconds(1))
        waiting.wake(.host)
        waiting.wake(.device("a"))
        let woken = waiting.takeWoken().map(\.push.id)
        #expect(woken == ["1"])
        let others = waiting.takeAll().map(\.push.id)
        #expect(others == ["2", "3"])
        #expect(waiting.isEmpty)
        #expect(waiting.count(for: .host) == 0)
    }
}
