// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostRuntime
import Store
import TestClock
import Testing

/// The same push again is answered again and not run again.
struct RepeatTests {
    let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    @Test func `the same push a hundred times is one push`() throws {
        let journal = try folder.journal()
        let push = try IncomingPush.sample(1)
        let arrivals = try journal.accept(Array(repeating: push, count: 100))
        #expect(arrivals == [.stored(number: 1)] + Array(repeating: .repeated(id: push.id), count: 99))
        #expect(journal.statistics.repeatedByIdentity == 99)
        #expect(journal.statistics.pushes == 1)
    }

    @Test(arguments: [false, true])
    func `it is known while it waits, after its outcome, and to the next process`(isConcluded: Bool) throws {
        let journal = try folder.journal()
        let push = try IncomingPush.sample(1)
        try journal.accept([push])
        if isConcluded { try journal.conclude([1]) }
        #expect(try journal.accept([push]) == [.repeated(id: push.id)])
        try journal.close()
        #expect(try folder.journal().accept([push]) == [.repeated(id: push.id)])
    }

    @Test func `an id that is no UUID comes back as it was`() throws {
        let journal = try folder.journal()
        let push = try IncomingPush.sample(1, id: "2D9D0E4B-1c80-4b52-a1b5-5a0b4ea0d1c0")
        try journal.accept([push])
        #expect(try journal.accept([push]) == [.repeated(id: "2D9D0E4B-1c80-4b52-a1b5-5a0b4ea0d1c0")])
    }

    @Test func `another device, topic or body under the same id is another push`() throws {
        let journal = try folder.journal()
        let id = "2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0"
        let arrivals = try journal.accept([
            .sample(1, id: id), .sample(1, id: id, device: "01"), .sample(1, id: id, topic: "com.example.mail"),
            .sample(2, id: id),
        ])
        #expect(arrivals == (1...4).map { .stored(number: $0) })
        #expect(journal.statistics.changed == 1)
    }

    @Test func `to a sender that minds, another body under the same id is an error`() throws {
        let journal = try folder.journal()
        let first = try IncomingPush.sample(1, id: "a", refusesOtherBody: true)
        let other = try IncomingPush.sample(2, id: "a", refusesOtherBody: true)
        #expect(
            try journal.accept([first, other, first, .sample(2, id: "a", device: "01", refusesOtherBody: true)])
                == [.stored(number: 1), .otherBody, .repeated(id: "a"), .stored(number: 2)]
        )
        #expect(journal.statistics.changed == 1)
        // The refused one has left nothing, and who does not mind is taken.
        #expect(try journal.accept([first, .sample(2, id: "a")]) == [.repeated(id: "a"), .stored(number: 3)])
    }

    @Test func `an id of a push that was not stored is free`() throws {
        let journal = try folder.journal()
        let other = try DatabaseQueue(path: folder.database)
        func change(_ sql: String) throws { try other.writeWithoutTransaction { try $0.execute(sql: sql) } }
        try change("CREATE TRIGGER no BEFORE INSERT ON seen BEGIN SELECT RAISE(ABORT, 'no'); END")
        #expect(throws: JournalError.disk("\"\(folder.database)\": no (SQLite's code 1811)")) {
            try journal.accept([.sample(1, id: "a", refusesOtherBody: true)])
        }
        try change("DROP TRIGGER no")
        #expect(try journal.accept([.sample(2, id: "a", refusesOtherBody: true)]) == [.stored(number: 1)])
        #expect(journal.statistics.changed == 0)
    }

    @Test func `sealed content under another id is the same push`() throws {
        let journal = try folder.journal()
        let first = try IncomingPush.sample(1, sealed: "v1.AAAA")
        let again = try IncomingPush.sample(1, id: "2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0", sealed: "v1.AAAA")
        #expect(try journal.accept([first, again]) == [.stored(number: 1), .repeated(id: first.id)])
        #expect(journal.statistics.repeatedByContent == 1)
        try journal.close()
        #expect(try folder.journal().accept([again]) == [.repeated(id: first.id)])
    }

    @Test func `sealed content with another collapse identifier or for another device is another push`() throws {
        let journal = try folder.journal()
        let arrivals = try journal.accept([
            .sample(1, id: "a", sealed: "v1.AAAA"), .sample(1, id: "b", collapseID: "mail", sealed: "v1.AAAA"),
            .sample(1, id: "c", device: "01", sealed: "v1.AAAA"),
            .sample(1, id: "d", topic: "com.example.mail", sealed: "v1.AAAA"),
        ])
        #expect(arrivals == (1...4).map { .stored(number: $0) })
    }

    @Test func `clear content under another id is another push`() throws {
        let journal = try folder.journal()
        #expect(
            try journal.accept([.sample(1, id: "a"), .sample(1, id: "b")]) == [.stored(number: 1), .stored(number: 2)]
        )
    }

    @Test func `an id is forgotten a day after the outcome and not before`() throws {
        let journal = try folder.journal()
        let push = try IncomingPush.sample(1)
        try journal.accept([push])
        folder.clock.advance(to: .seconds(600))
        try journal.conclude([1])
        folder.clock.advance(to: .seconds(660))
        #expect(try journal.maintain() == false)

        folder.clock.advance(to: .seconds(24 * 3600 + 599))
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.keys == 1)
        #expect(try journal.accept([push]) == [.repeated(id: push.id)])

        folder.clock.advance(to: .seconds(24 * 3600 + 781))
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.keys == 0)
        #expect(try journal.accept([push]) == [.stored(number: 2)])
    }

    @Test func `a push that waits longer than a day is known all the while`() throws {
        let journal = try folder.journal()
        try journal.accept([.sample(1), .sample(2)])
        try journal.conclude([1])
        for hour in 1...72 {
            folder.clock.advance(to: .seconds(3600 * hour))
            _ = try journal.maintain()
        }
        #expect(try journal.accept([.sample(1)]) == [.stored(number: 3)])
        #expect(try journal.accept([.sample(2)]) == [.repeated(id: IncomingPush.sample(2).id)])
    }

    @Test func `time in which no host runs does not count`() throws {
        let first = try folder.journal()
        try first.accept([.sample(1)])
        try first.conclude([1])
        folder.clock.advance(to: .seconds(60))
        #expect(try first.maintain() == false)
        folder.clock.advance(to: .seconds(12 * 3600))
        try first.close()
        folder.clock.advance(to: .seconds(48 * 3600))
        let second = try folder.journal()
        folder.clock.advance(to: .seconds(59 * 3600))
        _ = try second.maintain()
        #expect(try second.accept([.sample(1)]) == [.repeated(id: IncomingPush.sample(1).id)])
        folder.clock.advance(to: .seconds(61 * 3600))
        _ = try second.maintain()
        #expect(try second.accept([.sample(1)]) == [.stored(number: 2)])
    }

    @Test func `a clock on the wall that jumps changes nothing`() throws {
        let journal = try folder.journal()
        let later = Date(timeIntervalSince1970: 4_102_444_800)
        let earlier = Date(timeIntervalSince1970: 0)
        let pushes = try [IncomingPush.sample(1, received: later), .sample(2, received: earlier), .sample(3)]
        try journal.accept(pushes)
        #expect(try journal.unfinished().map(\.number) == [1, 2, 3])
        #expect(
            try journal.pushes(of: "com.example.chat", after: 0, limit: 3).map(\.receivedAt)
                == [later, earlier, IncomingPush.received]
        )
        try journal.conclude([1, 2, 3])
        folder.clock.advance(to: .seconds(23 * 3600))
        _ = try journal.maintain()
        #expect(try journal.accept(pushes) == pushes.map { .repeated(id: $0.id) })
    }

    @Test func `beyond the limit the oldest are forgotten`() throws {
        var limits = JournalLimits()
        limits.keys = 100
        let journal = try folder.journal(limits)
        try journal.accept((1...300).map { try .sample($0) })
        while try journal.maintain() {}
        #expect(journal.statistics.keys == 100)
        #expect(try journal.accept([.sample(201)]) == [.repeated(id: IncomingPush.sample(201).id)])
        #expect(try journal.accept([.sample(200)]) == [.stored(number: 301)])
    }
}
