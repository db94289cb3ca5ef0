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
            waiting.take(Self.arrival(second, .topic("mail"), end: .seconds(second + 2)))
            let late = waiting.takeOut(waitingUntil: .seconds(second)).map(\.push.id)
            #expect(late == (second < 2 ? [] : ["\(second - 2)"]))
            #expect(waiting.count(for: .topic("mail")) == min(second + 1, 2))
        }
    }

    @Test func `a room for which nobody waits any more is forgotten`() {
        var waiting = WaitingRoom()
        waiting.take(Self.arrival(0, .topic("mail"), end: .seconds(1)))
        waiting.take(Self.arrival(1, .topic("news"), end: .seconds(2)))
        waiting.take(Self.arrival(2, .host, end: .seconds(3)))
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

    @Test func `who was woken in vain waits on in his old place, for whichever room`() {
        var waiting = WaitingRoom()
        for number in 0..<3 { waiting.take(Self.arrival(number, .host, end: .seconds(number + 1))) }
        for number in 3..<5 { waiting.take(Self.arrival(number, .topic("mail"), end: .seconds(number + 1))) }
        for _ in 0..<2 { waiting.wake(.host) }
        waiting.wake(.topic("mail"))
        for woken in waiting.takeWoken() {
            waiting.take(
                WaitingArrival(
                    push: woken.push,
                    place: woken.place,
                    answer: woken.answer,
                    room: .host,
                    end: woken.end,
                    number: woken.number
                )
            )
        }
        #expect(waiting.count(for: .host) == 4)
        #expect(waiting.count(for: .topic("mail")) == 1)
        let late = waiting.takeOut(waitingUntil: .seconds(1)).map(\.push.id)
        #expect(late == ["0"])
        for _ in 0..<3 { waiting.wake(.host) }
        let woken = waiting.takeWoken().map(\.push.id)
        #expect(woken == ["1", "2", "3"])
        let others = waiting.takeAll().map(\.push.id)
        #expect(others == ["4"])
    }

    @Test func `an earlier end has a timer of its own, and a timer that rang is set no more`() {
        var waiting = WaitingRoom()
        waiting.take(Self.arrival(0, .host, end: .seconds(1)))
        waiting.take(Self.arrival(1, .topic("mail"), end: .seconds(2)))
        waiting.wake(.host)
        #expect(waiting.takeTimer() == .seconds(2))
        for woken in waiting.takeWoken() { waiting.take(woken) }
        #expect(waiting.takeTimer() == .seconds(1))
        #expect(waiting.takeTimer() == nil)
        waiting.timerRang(for: .seconds(2))
        #expect(waiting.takeTimer() == nil)
        waiting.timerRang(for: .seconds(1))
        _ = waiting.takeOut(waitingUntil: .seconds(1))
        #expect(waiting.takeTimer() == .seconds(2))
    }

    @Test func `a room is given to those that have waited for it longest`() {
        var waiting = WaitingRoom()
        for number in 0..<4 { waiting.take(Self.arrival(number, .host, end: .seconds(number + 1))) }
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
