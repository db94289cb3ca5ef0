// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Locking
import NotificationPayload
import Store
import TestClock
import Testing

struct JournalTests {
    let folder: StateFolder

    init() throws {
        folder = try StateFolder()
    }

    @Test func `pushes get numbers in the order of their acceptance`() throws {
        let journal = try folder.journal()
        #expect(try journal.accept([.sample(1), .sample(2)]) == [.stored(number: 1), .stored(number: 2)])
        #expect(try journal.accept([.sample(3)]) == [.stored(number: 3)])
        let pushes = try journal.unfinished()
        #expect(pushes.map(\.number) == [1, 2, 3])
        #expect(pushes.map(\.byteCount) == [46, 46, 46])
        #expect(pushes.map(\.topic) == Array(repeating: "com.example.chat", count: 3))
    }

    @Test func `a push comes back as it was accepted`() throws {
        let accepted = try IncomingPush.sample(
            7,
            device: "0a1b",
            topic: "com.example.chat.voip",
            collapseID: "mail",
            sealed: "v1.AAAA",
            expiration: Date(timeIntervalSince1970: 1_795_233_600),
            isKept: false
        )
        let journal = try folder.journal()
        try journal.accept([accepted])
        try journal.close()

        let push = try #require(
            try folder.journal().pushes(of: "com.example.chat.voip", after: 0, limit: 10).first
        )
        #expect(push.id == accepted.id)
        #expect(push.deviceToken == "0a1b")
        #expect(push.topic == "com.example.chat.voip")
        #expect(push.pushType == .alert)
        #expect(push.priority == .immediate)
        #expect(push.expiration == accepted.expiration)
        #expect(push.isKept == false)
        #expect(push.collapseID == "mail")
        #expect(push.payload == accepted.payload)
        #expect(push.body == [])
        #expect(push.payloadByteCount == accepted.body.count)
        #expect(push.receivedAt == IncomingPush.received)
        #expect(push.number == 1)
    }

    @Test(arguments: [
        PushSender.key("ABC123DEFG", team: "DEF123GHIJ"), .certificate("00ff"), .applicationServer("BA_x"),
        .user(4_294_967_295), nil,
    ])
    func `so does who sent it`(_ sender: PushSender?) throws {
        let journal = try folder.journal()
        try journal.accept([.sample(1, sender: sender)])
        #expect(try journal.pushes(of: "com.example.chat", after: 0, limit: 1).map(\.sender) == [sender])
    }

    @Test func `pushes of one topic are read piece by piece`() throws {
        let journal = try folder.journal()
        try journal.accept((1...9).map { try .sample($0, topic: $0 % 3 == 0 ? "other" : "com.example.chat") })
        #expect(try journal.pushes(of: "com.example.chat", after: 0, limit: 4).map(\.number) == [1, 2, 4, 5])
        #expect(try journal.pushes(of: "com.example.chat", after: 5, limit: 4).map(\.number) == [7, 8])
        #expect(try journal.pushes(of: "other", after: 0, limit: 4).map(\.number) == [3, 6, 9])
        #expect(try journal.pushes(of: "unheard of", after: 0, limit: 4).isEmpty)
    }

    @Test func `a concluded push is gone, also for the next process`() throws {
        let journal = try folder.journal()
        try journal.accept([.sample(1), .sample(2), .sample(3)])
        try journal.conclude([2])
        #expect(try journal.unfinished().map(\.number) == [1, 3])
        try journal.close()
        #expect(try folder.journal().unfinished().map(\.number) == [1, 3])
    }

    @Test func `numbers are never given twice`() throws {
        let first = try folder.journal()
        try first.accept([.sample(1), .sample(2)])
        try first.conclude([1, 2])
        try first.close()
        let second = try folder.journal()
        #expect(try second.accept([.sample(3)]) == [.stored(number: 3)])
        try second.raise(to: 1000)
        try second.raise(to: 7)
        try second.close()
        let third = try folder.journal()
        #expect(try third.accept([.sample(4)]) == [.stored(number: 1000)])
    }

    @Test func `the name is eight hex digits and stays`() throws {
        let first = try folder.journal()
        let name = first.name
        #expect(name.utf8.count == 8)
        #expect(UInt32(name, radix: 16) != nil)
        try first.close()
        #expect(try folder.journal().name == name)
        #expect(try StateFolder().journal().name != name)
    }

    @Test func `what admit turns away leaves nothing`() throws {
        let journal = try folder.journal()
        var work = JournalWork()
        work.arrivals = [try .sample(1), try .sample(2), try .sample(3)]
        let second = work.arrivals[1].id
        #expect(
            try journal.commit(work) { $0.id != second } == [.stored(number: 1), .turnedAway, .stored(number: 2)]
        )
        #expect(try journal.accept([.sample(2)]) == [.stored(number: 3)])
    }

    @Test func `admit is not asked about a known push`() throws {
        let journal = try folder.journal()
        try journal.accept([.sample(1)])
        var work = JournalWork()
        work.arrivals = [try .sample(1), try .sample(2)]
        var asked: [String] = []
        _ = try journal.commit(work) { push in
            asked.append(push.id)
            return true
        }
        #expect(asked == [work.arrivals[1].id])
    }

    @Test func `what is on its way is known without reading bodies`() throws {
        let journal = try folder.journal()
        folder.clock.advance(to: .seconds(5))
        try journal.accept([.sample(1), .sample(22)])
        folder.clock.advance(to: .seconds(7))
        try journal.accept([.sample(3)])
        #expect(journal.statistics.pushes == 3)
        #expect(journal.statistics.byteCount == 46 + 47 + 46)
        #expect(journal.statistics.oldestAge == .seconds(2))
        try journal.conclude([1, 2])
        #expect(journal.statistics.pushes == 1)
        #expect(journal.statistics.byteCount == 46)
        #expect(journal.statistics.oldestAge == .zero)
        let before = journal.statistics
        try journal.close()
        let next = try folder.journal().statistics
        #expect(next.pushes == 1)
        #expect(next.byteCount == 46)
        #expect(next.keys == before.keys)
        #expect(next.oldestAge == .zero)
    }

    @Test func `a commit is synchronised, and FULL reads back`() throws {
        #expect(try folder.journal().statistics.synchronous == 2)
        #expect(try StateFolder().journal(isDurable: false).statistics.synchronous == 0)
    }

    @Test func `the log goes into the database once nobody writes, and at its limit`() throws {
        var limits = JournalLimits()
        limits.log = 300_000
        let journal = try folder.journal(limits)
        try journal.accept([.sample(1)])
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.checkpoints == 0)
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.checkpoints == 1)
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.checkpoints == 1)
        for seed in 2...60 { try journal.accept([.sample(seed)]) }
        #expect(journal.statistics.checkpoints > 1)
        #expect(journal.statistics.logByteCount < 600_000)
        try journal.close()
        #expect(!FileManager.default.fileExists(atPath: folder.database + "-wal"))
    }

    @Test func `a push that comes within ten seconds of quiet keeps a journal from rest`() throws {
        let journal = try folder.journal()
        for number in 1...20 {
            try journal.accept([.sample(number)])
            for _ in 1...10 {
                #expect(try journal.maintain() == false)
                folder.clock.advance(by: .seconds(1))
            }
        }
        #expect(!journal.cameToRest.isRaised)
    }

    @Test func `a journal comes to rest once after each crowd`() async throws {
        let journal = try folder.journal()
        for _ in 1...3 {
            try journal.accept([.sample(Int.random(in: 1...1_000_000_000))])
            // The first look finds the push, the second begins the quiet.
            for _ in 1...11 {
                #expect(try journal.maintain() == false)
                #expect(!journal.cameToRest.isRaised)
                folder.clock.advance(by: .seconds(1))
            }
            #expect(try journal.maintain() == false)
            await journal.cameToRest.wait()
            folder.clock.advance(by: .seconds(20))
            #expect(try journal.maintain() == false)
            #expect(!journal.cameToRest.isRaised)
        }
    }

    @Test func `the index of known pushes says how much memory it takes`() throws {
        let journal = try folder.journal()
        #expect(journal.statistics.keyMemoryByteCount == 0)
        try journal.accept([.sample(1)])
        #expect(journal.statistics.keyMemoryByteCount == 1 << 20)
    }

    @Test func `a closed journal says so`() throws {
        let journal = try folder.journal()
        try journal.close()
        #expect(
            throws: JournalError.disk("\"\(folder.database)\": it is closed (SQLite's code 21)")
        ) { try journal.accept([.sample(1)]) }
    }
}
