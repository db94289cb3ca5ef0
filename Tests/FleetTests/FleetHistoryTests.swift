// SPDX-License-Identifier: Apache-2.0

import FleetHistory
import Testing

/// The checker finds each fault that is planted in a history without one, and no other.
struct FleetHistoryTests {
    /// Two devices, three pushes each: `a` takes one after the other, `b` all at once; one repeat, one attempt twice.
    private static let sound: [FleetHistory.Event] = [
        .offered(push: "a-0", token: "a", at: 1), .accepted(push: "a-0", offeredAt: 1, at: 3),
        .offered(push: "b-0", token: "b", at: 2), .offered(push: "b-1", token: "b", at: 4),
        .offered(push: "b-2", token: "b", at: 5), .accepted(push: "b-0", offeredAt: 2, at: 6),
        .accepted(push: "b-2", offeredAt: 5, at: 7), .accepted(push: "b-1", offeredAt: 4, at: 8),
        .opened(content: "x", name: "1"), .opened(content: "x", name: "1"),
        .recorded(push: "a-0", name: "1", place: 10, at: 9),
        .offered(push: "a-1", token: "a", at: 10), .offered(push: "a-1", token: "a", at: 11),
        .accepted(push: "a-1", offeredAt: 11, at: 12), .offered(push: "a-2", token: "a", at: 13),
        .recorded(push: "b-1", name: "3", place: 11, at: 14), .recorded(push: "b-0", name: "2", place: 12, at: 15),
        .recorded(push: "b-2", name: "4", place: 13, at: 16), .recorded(push: "a-1", name: "5", place: 14, at: 17),
        .recorded(push: "a-1", name: "5", place: 14, at: 18), .opened(content: "y", name: "5"),
        // Without an answer it may be there or not.
        .recorded(push: "a-2", name: "6", place: 15, at: 19), .removed(token: "b", at: 20),
        // One session ends, and another goes on.
        .wrote(session: "7", what: "concluded", at: 30), .fenced(session: "7", at: 31),
        .wrote(session: "8", what: "concluded", at: 32),
    ]

    @Test("a history without a fault has none") func none() {
        let history = FleetHistory(Self.sound)
        #expect(history.faults == [])
        #expect(history.acceptedCount == 5)
    }

    static let planted: [(String, FleetHistory.Fault, @Sendable ([FleetHistory.Event]) -> [FleetHistory.Event])] = [
        (
            "lost", .lost(push: "b-1"),
            { events in events.filter { if case .recorded("b-1", _, _, _) = $0 { false } else { true } } }
        ),
        ("twice", .twice(push: "b-0"), { $0 + [.recorded(push: "b-0", name: "7", place: 16, at: 21)] }),
        (
            "swapped in the order of places", .swapped(first: "a-0", second: "a-1"),
            { events in
                events.map { event in
                    guard case .recorded("a-0", let name, _, let time) = event else { return event }
                    return .recorded(push: "a-0", name: name, place: 14, at: time)
                } + [.recorded(push: "a-1", name: "5", place: 9, at: 18)]
            }
        ),
        (
            "swapped at the sink", .swapped(first: "a-1", second: "a-2"),
            { $0 + [.recorded(push: "a-2", name: "6", place: 15, at: 16)] }
        ),
        ("opened twice", .openedTwice(content: "y"), { $0 + [.opened(content: "y", name: "8")] }),
        ("invented", .invented(push: "c-0"), { $0 + [.recorded(push: "c-0", name: "9", place: 17, at: 21)] }),
        (
            "accepted after a removal", .acceptedAfterRemoval(push: "b-2"),
            {
                $0 + [
                    .offered(push: "b-2", token: "b", at: 21), .accepted(push: "b-2", offeredAt: 21, at: 22),
                ]
            }
        ),
        (
            "late by a fenced session", .late(session: "7", what: "settled"),
            { $0 + [.wrote(session: "7", what: "settled", at: 32)] }
        ),
        (
            "without a session's lock", .unguarded(what: "remembered"),
            { $0 + [.wrote(session: "nobody", what: "remembered", at: 3)] }
        ),
    ]

    @Test("each planted fault is found, and named", arguments: planted.indices)
    func faults(index: Int) {
        let (name, fault, plant) = Self.planted[index]
        #expect(FleetHistory(plant(Self.sound)).faults == [fault], "\(name)")
    }

    @Test("each kind of event is read from its line, and nothing else is")
    func lines() {
        let lines = [
            "offered a-0 00aa 1", "accepted a-0 1 3", "opened x 7-1", "recorded a-0 7-1 10 9", "removed 00aa 20",
            "wrote 7 concluded 30", "fenced 7 31",
        ]
        let history = FleetHistory(lines.compactMap { FleetHistory.Event($0) })
        #expect(history.acceptedCount == 1)
        #expect(history.openCount == 0)
        #expect(history.lastServed == ["00aa": 1])
        #expect(history.faults == [])
        for line in lines {
            #expect(FleetHistory.Event(line + " more") == nil)
            #expect(FleetHistory.Event(String(line.dropLast(line.split(separator: " ").last?.count ?? 0))) == nil)
        }
        #expect(FleetHistory.Event("recorded a-0 7-1 first 9") == nil)
        #expect(FleetHistory.Fault.lost(push: "a-0").description == "lost: a-0 was accepted and has no record")
    }
}
