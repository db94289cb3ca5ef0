// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import UserNotificationCenter

/// The life of a response: each state with each event.
///
/// Source: center.md §7, "Response".
struct ResponseLifeTests {
    typealias State = ResponseLife.State
    typealias Event = ResponseLife.Event
    typealias Action = ResponseLife.Action

    static let start = Duration.seconds(1000)
    static let week = Duration.seconds(604_800)

    /// A life that was sent at `start`, or has gone on from there.
    static func life(_ state: State, tries: Int = 0) -> ResponseLife {
        var life = ResponseLife(stored: start, tries: tries)
        switch state {
        case .stored: break
        case .sent: _ = life.apply(.sent, at: start)
        case .completed: _ = life.apply(.completed, at: start)
        case .expired: _ = life.apply(.timePassed, at: start + week)
        }
        return life
    }

    static let sent = State.sent(at: start)

    @Test(
        arguments: [
            (.stored, .sent, .seconds(5), .sent(at: start + .seconds(5)), .keep),
            (.stored, .lost, .zero, .stored, .none), (.stored, .completed, .zero, .completed, .delete),
            (.stored, .timePassed, week - .milliseconds(1), .stored, .none),
            (.stored, .timePassed, week, .expired, .expire), (.stored, .sent, week, .expired, .expire),
            (sent, .sent, .zero, sent, .none), (sent, .lost, .zero, .stored, .keep),
            (sent, .completed, .seconds(29), .completed, .delete),
            (sent, .completed, .seconds(31), .completed, .delete),
            (sent, .timePassed, .milliseconds(29_999), sent, .none), (sent, .timePassed, .seconds(30), .stored, .keep),
            (sent, .lost, week, .expired, .expire),
            (.completed, .sent, .zero, .completed, .none), (.completed, .lost, .zero, .completed, .none),
            (.completed, .completed, .zero, .completed, .none), (.completed, .timePassed, week, .completed, .none),
            (.expired, .sent, week, .expired, .none), (.expired, .lost, week, .expired, .none),
            (.expired, .completed, week, .expired, .none), (.expired, .timePassed, week, .expired, .none),
        ] as [(State, Event, Duration, State, Action)]
    )
    func `a state goes on to this one, with this action`(
        state: State,
        event: Event,
        after: Duration,
        next: State,
        action: Action
    ) {
        var life = Self.life(state)
        #expect(life.state == state)
        let applied = life.apply(event, at: Self.start + after)
        #expect(applied == action)
        #expect(life.state == next)
    }

    @Test(arguments: [Event.lost, .timePassed])
    func `the third failure expires a response`(failure: Event) {
        var life = ResponseLife(stored: Self.start)
        var now = Self.start
        var actions: [Action] = []
        for _ in 1...3 {
            actions.append(life.apply(.sent, at: now))
            now += .seconds(30)
            actions.append(life.apply(failure, at: now))
        }
        #expect(actions == [.keep, .keep, .keep, .keep, .keep, .expire])
        #expect(life.tries == 3 && life.state == .expired)
    }

    @Test func `tries are kept over a restart`() {
        var life = Self.life(Self.sent, tries: 2)
        let action = life.apply(.lost, at: Self.start)
        #expect(action == .expire)
    }

    @Test func `a deadline is the instant at which time has an effect`() {
        #expect(Self.life(.stored).deadline == Self.start + Self.week)
        #expect(Self.life(Self.sent).deadline == Self.start + .seconds(30))
        #expect(Self.life(.completed).deadline == nil && Self.life(.expired).deadline == nil)
    }

    @Test func `deadlines are parameters`() {
        var terms = ResponseLife.Terms()
        (terms.triesAtMost, terms.completion, terms.age) = (1, .seconds(1), .seconds(2))
        var life = ResponseLife(stored: .zero, terms: terms)
        #expect(life.deadline == .seconds(2))
        _ = life.apply(.sent, at: .zero)
        let action = life.apply(.timePassed, at: .seconds(1))
        #expect(action == .expire)
    }

    /// At each deadline something happens, and before it nothing does.
    @Test func `five hundred lives end, after three tries or a week at most`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var life = ResponseLife(stored: .zero)
            var now = Duration.zero
            var ends = 0
            while let deadline = life.deadline {
                if now < deadline, Bool.random(using: &generator) {
                    let early = life.apply(.timePassed, at: deadline - .nanoseconds(1))
                    #expect(early == .none)
                }
                let isTimeUp = Int.random(in: 0...2, using: &generator) == 0
                if isTimeUp { now = max(now, deadline) }
                let events: [Event] = [.sent, .sent, .lost, .completed]
                let event = isTimeUp ? .timePassed : events.randomElement(using: &generator) ?? .sent
                let before = life
                switch life.apply(event, at: now) {
                case .none: #expect(life == before)
                case .keep: #expect(life.tries < 3 && life.deadline != nil)
                case .delete, .expire: ends += 1
                }
            }
            #expect(ends == 1)
            #expect(life.tries <= 3)
            #expect(now <= Self.week + .seconds(30))
        }
    }
}
