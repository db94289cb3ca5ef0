// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import TestClock
import Testing

/// The queue's use of the pushes that it has on the disk.
@Suite(.timeLimit(.minutes(5)))
struct PushQueueJournalTests {
    private static func push(_ number: Int, device: String = "a", topic: String = "chat") -> IncomingPush {
        .sample(id: "\(number)", device: device, topic: topic)
    }

    /// Concludes pushes as they come and notes their ids.
    private static func conclude(_ queue: PushQueue, _ concluded: Journal<String>) -> Task<Void, Never> {
        Task {
            await queue.run { push in
                concluded.note(push.id)
                return Conclusion(of: push)
            }
        }
    }

    // MARK: Repeats

    @Test func `the same push a hundred times runs once and is answered a hundred times`() async {
        await withQueue { queue in
            let verdicts = await queue.verdicts((0..<100).map { _ in Self.push(1) })
            #expect(verdicts == [.accepted] + Array(repeating: .repeated(id: "1"), count: 99))
            queue.drain()
            let concluded = Journal<String>()
            await Self.conclude(queue, concluded).value
            #expect(await concluded.rest() == ["1"])
        }
    }

    @Test func `a full host answers a repeat`() async {
        await withQueue(limits: .impatient(perDevice: 1)) { queue in
            #expect(
                await queue.verdicts([Self.push(1), Self.push(2), Self.push(1)])
                    == [.accepted, .deviceBusy, .repeated(id: "1")]
            )
        }
    }

    // MARK: What does not fit into memory

    @Test func `beyond its window a topic waits on the disk, in order`() async {
        var limits = QueueLimits.impatient()
        limits.loadedPerTopic = 4
        await withQueue(limits: limits) { queue in
            #expect(await queue.verdicts((0..<100).map { Self.push($0) }).allSatisfy { $0 == .accepted })
            let concluded = Journal<String>()
            let run = Self.conclude(queue, concluded)
            #expect(await concluded.next(100) == (0..<100).map { "\($0)" })
            // The window is open again, and what comes now follows.
            #expect(await queue.verdicts((100..<103).map { Self.push($0) }).allSatisfy { $0 == .accepted })
            queue.drain()
            await run.value
            #expect(await concluded.rest() == ["100", "101", "102"])
            #expect(queue.count == 0)
        }
    }

    @Test func `a topic that hangs holds up no other`() async {
        var limits = QueueLimits.impatient()
        limits.loadedPerTopic = 4
        limits.lanesPerTopic = 2
        await withQueue(limits: limits) { queue in
            let release = Signal()
            let concluded = Journal<String>()
            let run = Task {
                await queue.run { push in
                    if push.topic == "hangs", push.id == "0" { await release.wait() }
                    concluded.note(push.topic + push.id)
                    return Conclusion(of: push)
                }
            }
            _ = await queue.verdicts((0..<50).map { Self.push($0, topic: "hangs") })
            _ = await queue.verdicts((0..<50).map { Self.push($0, device: "b", topic: "good") })
            #expect(await concluded.next(50) == (0..<50).map { "good\($0)" })
            release.raise()
            #expect(await concluded.next(50) == (0..<50).map { "hangs\($0)" })
            queue.drain()
            await run.value
        }
    }

    @Test func `lanes get their turns by priority`() async {
        var limits = QueueLimits.impatient()
        limits.lanesPerTopic = 1
        await withQueue(limits: limits) { queue in
            let priorities: [PushPriority] = [.low, .low, .powerAware, .immediate, .low, .immediate]
            let batch = priorities.enumerated().map { index, priority in
                IncomingPush.sample(id: "\(index)", device: "\(index)", priority: priority)
            }
            _ = await queue.verdicts(batch)
            queue.drain()
            let concluded = Journal<String>()
            await Self.conclude(queue, concluded).value
            // The first had its turn before the others came.
            #expect(await concluded.rest() == ["0", "3", "5", "2", "1", "4"])
        }
    }

    // MARK: A former process

    @Test func `what a former process left comes first, under its numbers`() async throws {
        let journal = MemoryJournal(former: (0..<300).map { Self.push($0, device: "\($0 % 3)") })
        try await withQueue(journal: journal) { queue async throws in
            let count = try queue.takeUp(from: journal)
            #expect(count == 300)
            #expect(queue.count == 300)
            #expect(await queue.verdicts([Self.push(300, device: "0")]) == [.accepted])
            let ledger = Locked<[String: [Int64]]>([:])
            let takenUp = Locked(0)
            queue.drain()
            await queue.run { push in
                ledger.withLock { $0[push.deviceToken, default: []].append(push.number ?? 0) }
                if push.isTakenUpAgain { takenUp.withLock { $0 += 1 } }
                return Conclusion(of: push)
            }
            let numbers = ledger.withLock { $0 }
            #expect(numbers["0"] == stride(from: 1, to: 300, by: 3).map { Int64($0) } + [301])
            #expect(numbers["1"]?.count == 100)
            #expect(takenUp.withLock { $0 } == 300)
            #expect(queue.count == 0)
        }
    }

    @Test func `what waits when the host leaves stays in the journal`() async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            let begun = Signal()
            let release = Signal()
            let run = Task {
                await queue.run { push in
                    begun.raise()
                    await release.wait()
                    return Conclusion(of: push)
                }
            }
            _ = await queue.verdicts((0..<5).map { Self.push($0) })
            await begun.wait()
            queue.leave()
            #expect(await queue.verdicts([Self.push(6)]) == [.unavailable])
            release.raise()
            await run.value
        }
        #expect(journal.change { $0.waiting.map(\.id) } == ["1", "2", "3", "4"])
    }

    @Test func `a push that could not be delivered stays in the journal`() async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            _ = await queue.verdicts([Self.push(0), Self.push(1, device: "b")])
            await queue.run { [queue] push in
                queue.leave()
                return push.id == "0" ? nil : Conclusion(of: push)
            }
        }
        #expect(journal.change { $0.waiting.map(\.id) }.contains("0"))
    }

    // MARK: Room

    @Test func `a sender waits for room and gets it`() async {
        var limits = QueueLimits.impatient(perDevice: 1)
        limits.patience = .seconds(60)
        await withQueue(limits: limits) { queue in
            let concluded = Journal<String>()
            async let verdicts = queue.verdicts((0..<20).map { Self.push($0) })
            let run = Self.conclude(queue, concluded)
            #expect(await verdicts == Array(repeating: .accepted, count: 20))
            #expect(await concluded.next(20) == (0..<20).map { "\($0)" })
            queue.drain()
            await run.value
        }
    }

    @Test func `a sender that waited long enough hears which room there was none of`() async {
        var limits = QueueLimits.impatient(pushes: 2, perDevice: 1)
        limits.patience = .milliseconds(20)
        await withQueue(limits: limits) { queue in
            let batch = [
                Self.push(0), Self.push(1), Self.push(2, device: "b", topic: "mail"),
                Self.push(3, device: "c", topic: "news"),
            ]
            #expect(await queue.verdicts(batch) == [.accepted, .deviceBusy, .accepted, .unavailable])
        }
    }

    @Test func `room that is made in the turn in which a sender found none is his`() async {
        var limits = QueueLimits.impatient(perDevice: 1)
        limits.patience = .seconds(60)
        limits.pause = .zero
        let clock = ManualClock()
        await withQueue(limits: limits, clock: HostClock(clock)) { queue in
            let run = Self.conclude(queue, Journal<String>())
            #expect(await queue.verdicts([Self.push(0)]) == [.accepted])
            // Its ending is there, and would be written at leisure.
            await clock.sleeper(until: .milliseconds(10))
            let heard = Journal<[Acceptance]>()
            queue.accept([Self.push(1)]) { heard.note($1) }
            // The next turn has come when both are answered.
            #expect(await queue.verdicts([Self.push(2, device: "b")]) == [.accepted])
            #expect(await queue.verdicts([Self.push(3, device: "c")]) == [.accepted])
            queue.leave()
            #expect(await heard.next(1) == [[.accepted]])
            await run.value
        }
    }

    @Test func `a sender that waits for room of a topic gets it when others conclude`() async {
        var limits = QueueLimits.impatient(pushes: 4)
        limits.patience = .seconds(60)
        await withQueue(limits: limits) { queue in
            let (mail, news) = (Signal(), Signal())
            let run = Task {
                await queue.run { push in
                    await (push.topic == "mail" ? mail : news).wait()
                    return Conclusion(of: push)
                }
            }
            let heard = Journal<[Acceptance]>()
            let batch = [
                Self.push(0, topic: "mail"), Self.push(1, device: "b", topic: "news"),
                Self.push(2, device: "b", topic: "news"), Self.push(3, topic: "mail"),
            ]
            queue.accept(batch) { heard.note($1) }
            #expect(await heard.next(1) == [[.accepted, .accepted, .accepted]])
            news.raise()
            #expect(await heard.next(1) == [[.accepted]])
            queue.leave()
            mail.raise()
            news.raise()
            await run.value
        }
    }

    // MARK: A disk that fails

    @Test(arguments: [JournalError.disk("full"), .locked])
    func `while the disk fails nothing is accepted, and then everything goes on`(_ failure: JournalError) async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            let upkeep = Task { await queue.maintain() }
            defer { upkeep.cancel() }
            let release = Signal()
            let run = Task {
                await queue.run { push in
                    await release.wait()
                    return Conclusion(of: push)
                }
            }
            #expect(await queue.verdicts([Self.push(0)]) == [.accepted])
            journal.change { $0.failure = failure }
            #expect(await queue.verdicts([Self.push(1), Self.push(2, device: "b")]) == [.notStored, .notStored])
            #expect(!queue.isStoring)
            #expect(queue.count == 1)
            // Its end cannot be written, and is not forgotten.
            release.raise()
            while journal.change({ $0.maintenanceCount }) == 0, !Task.isCancelled { await Task.yield() }
            #expect(queue.count == 1)
            journal.change { $0.failure = nil }
            await queue.emptied()
            #expect(queue.isStoring)
            #expect(await queue.verdicts([Self.push(1)]) == [.accepted])
            release.raise()
            queue.drain()
            await run.value
            #expect(journal.change { $0.waiting.isEmpty })
        }
    }

    @Test func `a damaged journal is left as it is, even where it could be written`() async {
        let (journal, clock) = (MemoryJournal(), ManualClock())
        await withQueue(journal: journal, clock: HostClock(clock)) { queue in
            let upkeep = Task { await queue.maintain() }
            defer { upkeep.cancel() }
            journal.change { $0.failure = .corrupt("page 7") }
            #expect(await queue.verdicts([Self.push(0)]) == [.notStored])
            journal.change { $0.failure = nil }
            for second in 1...3 {
                await clock.sleeper(until: .seconds(second))
                clock.advance(to: .seconds(second))
                #expect(await queue.verdicts([Self.push(0)]) == [.notStored])
            }
            #expect(!queue.isStoring)
            #expect(journal.change { $0.maintenanceCount } == 0)
            #expect(journal.change { $0.commits.isEmpty })
        }
    }

    @Test func `while something cannot be read back nothing is accepted`() async throws {
        let (journal, clock) = (MemoryJournal(former: (0..<3).map { Self.push($0) }), ManualClock())
        journal.change { $0.readFailure = .disk("page 7") }
        try await withQueue(journal: journal, clock: HostClock(clock)) { queue async throws in
            let upkeep = Task { await queue.maintain() }
            defer { upkeep.cancel() }
            #expect(try queue.takeUp(from: journal) == 3)
            while queue.isStoring, !Task.isCancelled { await Task.yield() }
            #expect(await queue.verdicts([Self.push(3)]) == [.notStored])
            await clock.sleeper(until: .seconds(1))
            clock.advance(to: .seconds(1))
            while journal.change({ $0.maintenanceCount }) == 0, !Task.isCancelled { await Task.yield() }
            #expect(await queue.verdicts([Self.push(3)]) == [.notStored])
            await clock.sleeper(until: .seconds(2))
            journal.change { $0.readFailure = nil }
            clock.advance(to: .seconds(2))
            while !queue.isStoring, !Task.isCancelled { await Task.yield() }
            #expect(await queue.verdicts([Self.push(3)]) == [.accepted])
            queue.leave()
            let concluded = Journal<String>()
            await Self.conclude(queue, concluded).value
            // The first had its turn before the host left.
            #expect(await concluded.rest() == ["0"])
        }
    }

    @Test func `a settlement is on the disk when its sink hears so`() async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            let settlement = Settlement(sink: "chat", number: 1, verdict: .delivered)
            await queue.settle([settlement])
            #expect(journal.change { $0.commits.flatMap(\.settlements) } == [settlement])
        }
    }

    // MARK: Remote sinks

    @Test func `while the outbox of a sink is full, pushes for it are refused and others are not`() async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            let batch = [Self.push(1), Self.push(2, device: "b", topic: "mail")]
            journal.change { $0.fullSinks = ["chat"] }
            #expect(await queue.verdicts(batch) == [.unavailable, .accepted])
            journal.change { $0.fullSinks = ["archive"] }
            #expect(await queue.verdicts(batch) == [.unavailable, .repeated(id: "2")])
            journal.change { $0.fullSinks = [] }
            #expect(await queue.verdicts(batch) == [.accepted, .repeated(id: "2")])
        }
    }

    // MARK: The end

    @Test func `a sender that waits for room hears of the drain at once`() async {
        var limits = QueueLimits.impatient(perDevice: 1)
        limits.patience = .seconds(3600)
        await withQueue(limits: limits) { queue in
            let (stream, answers) = AsyncStream<[Acceptance]>.makeStream()
            queue.accept([Self.push(0), Self.push(1), Self.push(2)]) { answers.yield($1) }
            var heard = stream.makeAsyncIterator()
            #expect(await heard.next() == [.accepted])
            queue.drain()
            #expect(await heard.next() == [.unavailable])
            #expect(await heard.next() == [.unavailable])
        }
    }

    @Test func `what sinks took after the last push is written, until the end`() async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            queue.drain()
            await queue.run { Conclusion(of: $0) }
            let settlement = Settlement(sink: "chat", number: 1, verdict: .delivered)
            await queue.settle([settlement])
            await queue.end()
            await queue.settle([Settlement(sink: "chat", number: 2, verdict: .delivered)])
            #expect(await queue.verdicts([Self.push(1)]) == [.notStored])
            #expect(journal.change { $0.commits.flatMap(\.settlements) } == [settlement])
        }
    }

    @Test func `a drain does not wait for a disk that fails`() async {
        let journal = MemoryJournal()
        await withQueue(journal: journal) { queue in
            let upkeep = Task { await queue.maintain() }
            defer { upkeep.cancel() }
            _ = await queue.verdicts([Self.push(0)])
            journal.change { $0.failure = .disk("full") }
            #expect(await queue.verdicts([Self.push(1)]) == [.notStored])
            queue.leave()
            await queue.settle([Settlement(sink: "chat", number: 1, verdict: .delivered)])
            await queue.run { _ in nil }
            await queue.end()
            #expect(journal.change { $0.waiting.map(\.id) } == ["0"])
        }
    }
}
