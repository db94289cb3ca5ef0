// SPDX-License-Identifier: Apache-2.0

private import Locking
package import Logging

/// Hands the records that wait for a stream over, at least once, in the order of their pushes' numbers.
///
/// The outbox is read from its beginning each time, less what the reader has: a record that is settled is no longer
/// there, and a push that ends after a later one is found before it. A connection that ends forgets what the reader
/// had; it comes again on the next one, under the same name.
package final class StreamSender: Sendable {
    private let stream: any RecordStream
    private let journal: any StreamReading
    private let settle: OutboxSender.Settle
    private let limits: StreamWindow.Limits
    private let clock: HostClock
    private let logger: Logger
    private let window: Locked<StreamWindow>
    private let news = Signal()
    /// The time that `drain` leaves; `nil` before it was called.
    private let drainLimit = Locked<Duration?>(nil)
    private let ending = Signal()
    private let drained = Signal()
    /// The thread that asks the journal, which blocks.
    private let reader: SerialWork

    /// Settlements after which the reader is told how much it may forget.
    package static let forgetInterval = 1000

    /// The wait after a journal that cannot be read.
    package static let pause = Duration.seconds(1)

    /// Makes one; `run` starts it.
    ///
    /// `settle` returns when the settlements are on the disk.
    package init(
        stream: any RecordStream,
        journal: any StreamReading,
        settle: @escaping OutboxSender.Settle,
        limits: StreamWindow.Limits = StreamWindow.Limits(),
        clock: HostClock,
        logger: Logger
    ) {
        self.stream = stream
        self.journal = journal
        self.settle = settle
        self.limits = limits
        self.clock = clock
        var logger = logger
        logger[metadataKey: "sink.name"] = "\(stream.name)"
        self.logger = logger
        window = Locked(StreamWindow(limits))
        reader = SerialWork(name: "outbox.\(stream.name)")
    }

    /// The number of records that the reader has and has not answered for.
    package var inFlightCount: Int { window.withLock { $0.count } }

    /// Records were added to the journal: look now.
    package func wake() { news.raise() }

    /// Serves one connection after another, until no further one comes, `drain` is over or the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.serveAll() }
            group.addTask { await self.untilDrained() }
            await group.next()
            group.cancelAll()
        }
    }

    /// `run` returns when the reader has everything, and after `limit` at the latest; the rest stays in the journal.
    package func drain(within limit: Duration) {
        drainLimit.withLock { $0 = limit }
        ending.raise()
        news.raise()
    }

    private func untilDrained() async {
        await ending.wait()
        guard !Task.isCancelled, let limit = drainLimit.withLock({ $0 }) else { return }
        if inFlightCount == 0, await isEmpty() { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in try? await clock.sleep(until: clock.now + limit) }
            group.addTask { [drained] in await drained.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// True if the journal has nothing for the reader; one that cannot be read has nothing that could go.
    private func isEmpty() async -> Bool {
        guard case .success(let records) = await look() else { return true }
        return records.isEmpty
    }

    private func serveAll() async {
        while !Task.isCancelled, let connection = await stream.connect() {
            window.withLock { $0 = StreamWindow(limits) }
            await serve(connection)
        }
    }

    /// Returns when the connection has ended and all that was answered on it is on the disk.
    private func serve(_ connection: any RecordConnection) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.hear(connection) }
            group.addTask { await self.feed(connection) }
            group.addTask {
                await connection.serve()
                await Signal().wait()
            }
            // A reader that takes nothing holds the others up: a cancelled task ends the connection first.
            group.addTask {
                await Signal().wait()
                await connection.close()
            }
            await group.next()
            await connection.close()
            group.cancelAll()
        }
    }

    // MARK: - Records

    private func feed(_ connection: any RecordConnection) async {
        while !Task.isCancelled {
            let records: [OutboxRecord]
            switch await look() {
            case .success(let found): records = found
            case .failure(let error):
                logger.error("outbox not readable", metadata: ["error": "\(error)"])
                guard (try? await clock.sleep(until: clock.now + Self.pause)) != nil else { return }
                continue
            }
            if records.isEmpty {
                if drainLimit.withLock({ $0 }) != nil, inFlightCount == 0 { drained.raise() }
                await news.wait()
            }
            for record in records {
                window.withLock { $0.add(record) }
                guard await connection.send(record) else { return }
            }
        }
    }

    /// Takes from the journal what the reader has not, as far as there is room.
    private func look() async -> Result<[OutboxRecord], JournalError> {
        let (room, inFlight) = window.withLock { ($0.room, $0.numbers) }
        guard let room else { return .success([]) }
        return await onReader { journal, stream throws(JournalError) in
            try journal.waiting(for: stream.name, except: inFlight, limit: room.records, byteCount: room.byteCount)
        }
    }

    private func onReader<Value: Sendable>(
        _ ask: @escaping @Sendable (any StreamReading, any RecordStream) throws(JournalError) -> Value
    ) async -> Result<Value, JournalError> {
        await reader.result { [journal, stream] in
            Result { () throws(JournalError) in try ask(journal, stream) }
        }
    }

    // MARK: - Answers

    private func hear(_ connection: any RecordConnection) async {
        var memory = ReaderMemory()
        while let answers = await connection.answers() {
            let settled = Result { () throws(StreamWindow.Violation) in
                try window.withLock { window throws(StreamWindow.Violation) in
                    try window.settle(answers, of: stream.name)
                }
            }
            switch settled {
            case .success(let settlements):
                note(settlements, named: window.withLock { $0.names(of: settlements) })
                await settle(settlements)
                // Only now: until they are on the disk, the outbox has them.
                window.withLock { $0.remove(settlements) }
                memory.add(settlements.map(\.number))
                if memory.isDue(drain: drainLimit.withLock { $0 } != nil && inFlightCount == 0) {
                    await shorten(&memory, of: connection)
                }
                news.raise()
            case .failure(let violation):
                logger.error("reader of records broke the rules", metadata: ["answer": "\(violation.answer)"])
                return
            }
        }
    }

    /// Has the reader forget what cannot come again.
    private func shorten(_ memory: inout ReaderMemory, of connection: any RecordConnection) async {
        let least = await onReader { journal, stream throws(JournalError) in try journal.leastOpen(for: stream.name) }
        // A journal that cannot be read is asked again after as many more.
        guard case .success(let least) = least, let floor = memory.floor(leastOpen: least) else { return }
        await connection.forget(below: floor)
    }

    private func note(_ settlements: [Settlement], named names: [DeliveryName]) {
        for (settlement, name) in zip(settlements, names) {
            guard case .dead(let reason) = settlement.verdict else { continue }
            logger.warning("record given up", metadata: ["push.delivery": "\(name)", "reason": "\(reason)"])
        }
    }
}
