// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import TestClock
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamSenderTests {
    private let clock = ManualClock()
    private let outbox: FakeOutbox
    private let stream = FakeStream()
    private let settled = Journal<Int64>()

    init() {
        outbox = FakeOutbox(clock: clock)
    }

    private func sender(records: Int = 1024) -> StreamSender {
        var limits = StreamWindow.Limits()
        limits.records = records
        return StreamSender(
            stream: stream,
            journal: outbox,
            settle: { [outbox, settled] settlements in
                outbox.settle(settlements)
                for settlement in settlements { settled.note(settlement.number) }
            },
            limits: limits,
            clock: HostClock(clock),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func running(_ sender: StreamSender, body: () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sender.run() }
            await body()
            group.cancelAll()
        }
    }

    @Test func `records go in the order of their numbers, many of a device at once`() async {
        outbox.add("a", "a", "b", "a", sink: "center")
        await running(sender()) {
            let reader = await stream.reader()
            #expect(await reader.next(4) == [1, 2, 3, 4])
            reader.answer(.taken(1...3))
            #expect(await settled.next(3) == [1, 2, 3])
        }
        #expect(outbox.waiting == [4])
    }

    @Test func `a reader that does not answer gets no more than its window`() async {
        outbox.add("a", "b", "c", "d", "e", sink: "center")
        await running(sender(records: 2)) {
            let reader = await stream.reader()
            #expect(await reader.next(2) == [1, 2])
            reader.answer(.taken(1...1))
            #expect(await reader.next() == [3])
            reader.answer(.taken(2...3))
            #expect(await reader.next(2) == [4, 5])
            #expect(await settled.next(3) == [1, 2, 3])
        }
        #expect(outbox.waiting == [4, 5])
    }

    @Test func `a record that comes later is found when the sender is woken`() async {
        let sender = sender()
        await running(sender) {
            let reader = await stream.reader()
            outbox.add("a", sink: "center")
            sender.wake()
            #expect(await reader.next() == [1])
        }
    }

    @Test func `what was not answered comes again on the next connection`() async {
        outbox.add("a", "a", "a", sink: "center")
        await running(sender()) {
            let first = await stream.reader()
            #expect(await first.next(3) == [1, 2, 3])
            first.answer(.taken(1...1))
            #expect(await settled.next(1) == [1])
            await first.close()
            #expect(await stream.reader().next(2) == [2, 3])
        }
        #expect(outbox.waiting == [2, 3])
    }

    @Test func `an unfit record is a dead letter and holds nobody`() async {
        outbox.add("a", "a", sink: "center")
        await running(sender()) {
            let reader = await stream.reader()
            #expect(await reader.next(2) == [1, 2])
            reader.answer(.unfit(1, reason: "unknownOwner"), .taken(2...2))
            #expect(await settled.next(2) == [1, 2])
        }
        #expect(outbox.dead == [1: "unknownOwner"])
        #expect(outbox.waiting.isEmpty)
    }

    @Test func `a reader that answers for what it has not is let go, and its records come again`() async {
        outbox.add("a", sink: "center")
        await running(sender()) {
            let first = await stream.reader()
            #expect(await first.next() == [1])
            first.answer(.taken(1...7))
            #expect(await stream.reader().next() == [1])
            #expect(first.isClosed)
        }
        #expect(outbox.settlements.isEmpty)
    }

    @Test func `an outbox that cannot be read is asked again after a second`() async {
        outbox.add("a", sink: "center")
        outbox.fail(with: .disk("no"))
        await running(sender()) {
            let reader = await stream.reader()
            await clock.sleeper(until: .seconds(1))
            outbox.fail(with: nil)
            clock.advance(by: .seconds(1))
            #expect(await reader.next() == [1])
        }
    }

    @Test func `another sink's records are not its own`() async {
        outbox.add("a", sink: "hook")
        outbox.add("a", sink: "center")
        await running(sender()) {
            #expect(await stream.reader().next() == [2])
        }
    }

    @Test func `after a thousand records the reader hears what it may forget, and once more at the end`() async {
        outbox.add("a", sink: "center")
        for _ in 0..<1001 { outbox.add("b", sink: "center") }
        let sender = sender(records: 2000)
        async let run: Void = sender.run()
        let reader = await stream.reader()
        _ = await reader.next(1002)
        reader.answer(.taken(1...1000))
        #expect(await reader.forgotten(1) == [1001])
        sender.drain(within: .seconds(5))
        reader.answer(.taken(1001...1002))
        await run
        #expect(await reader.forgotten(1) == [1003])
    }

    @Test func `a reader that takes nothing holds up no end`() async {
        outbox.add("a", sink: "center")
        stream.takeNothing()
        await running(sender()) {
            let reader = await stream.reader()
            #expect(await reader.next() == [1])
        }
        #expect(outbox.waiting == [1])
    }

    @Test func `a drain ends as soon as the reader has everything`() async {
        outbox.add("a", "b", sink: "center")
        let sender = sender()
        async let run: Void = sender.run()
        let reader = await stream.reader()
        #expect(await reader.next(2) == [1, 2])
        sender.drain(within: .seconds(5))
        reader.answer(.taken(1...2))
        await run
        #expect(outbox.waiting.isEmpty)
    }

    @Test func `a drain leaves what the reader does not take in time`() async {
        outbox.add("a", sink: "center")
        let sender = sender()
        async let run: Void = sender.run()
        #expect(await stream.reader().next() == [1])
        sender.drain(within: .seconds(5))
        await clock.sleeper(until: .seconds(5))
        clock.advance(by: .seconds(5))
        await run
        #expect(outbox.waiting == [1])
    }

    @Test func `a drain with nothing to give waits for nobody`() async {
        stream.keepAway()
        let sender = sender()
        sender.drain(within: .seconds(5))
        await sender.run()
    }

    @Test func `the sender ends when no further reader comes`() async {
        stream.end()
        await sender().run()
    }
}

/// Connections one after another, each taken by the sender and shown to the test.
private final class FakeStream: RecordStream {
    let name = "center"
    private let readers = Journal<FakeReader>()
    private let isEnded = Locked(false)
    private let isAway = Locked(false)
    private let takesRecords = Locked(true)

    func connect() async -> (any RecordConnection)? {
        // Until the task is cancelled.
        if isAway.withLock(\.self) { await Signal().wait() }
        guard !isEnded.withLock(\.self), !Task.isCancelled else { return nil }
        let reader = FakeReader(takesRecords: takesRecords.withLock(\.self))
        readers.note(reader)
        return reader
    }

    func end() { isEnded.withLock { $0 = true } }

    /// No reader comes, however long one waits.
    func keepAway() { isAway.withLock { $0 = true } }

    /// Readers from now on have no room for a record, like a process that was stopped.
    func takeNothing() { takesRecords.withLock { $0 = false } }

    /// The reader of the next connection.
    func reader() async -> FakeReader { await readers.next(1)[0] }
}

/// A connection whose reader is the test.
private final class FakeReader: RecordConnection {
    private let sent = Journal<Int64>()
    private let answersToCome: AsyncStream<[StreamAnswer]>
    private let say: AsyncStream<[StreamAnswer]>.Continuation
    private let closed = Locked(false)
    private let takesRecords: Bool
    private let wasClosed = Signal()
    private let floors = Journal<Int64>()

    init(takesRecords: Bool = true) {
        self.takesRecords = takesRecords
        (answersToCome, say) = AsyncStream.makeStream()
    }

    var isClosed: Bool { closed.withLock(\.self) }

    func send(_ record: OutboxRecord) async -> Bool {
        guard !isClosed else { return false }
        sent.note(record.number)
        guard !takesRecords else { return true }
        // A wait in the kernel does not end with its task.
        await Task { [wasClosed] in await wasClosed.wait() }.value
        return false
    }

    func answers() async -> [StreamAnswer]? {
        for await answers in answersToCome { return answers }
        return nil
    }

    func close() async {
        closed.withLock { $0 = true }
        wasClosed.raise()
        say.finish()
    }

    func forget(below number: Int64) async { floors.note(number) }

    /// The next numbers below which the reader may forget.
    func forgotten(_ count: Int) async -> [Int64] { await floors.next(count) }

    func answer(_ answers: StreamAnswer...) { say.yield(answers) }

    /// The numbers of the next records, in the order in which they came.
    func next(_ count: Int = 1) async -> [Int64] { await sent.next(count) }
}
