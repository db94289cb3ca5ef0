// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import TestClock

/// An outbox in memory, by the rules of its readers, on the test's clock.
final class FakeOutbox: OutboxReading, StreamReading {
    private struct Row {
        var record: OutboxRecord
        var due: Duration
    }

    private struct State {
        var rows: [Row] = []
        var dead: [Int64: String] = [:]
        var settlements: [Settlement] = []
        var failure: JournalError?
        var lookCount = 0
    }

    let name = "5f2c9a1e"
    private let clock: ManualClock
    private let state = Locked(State())

    init(clock: ManualClock) {
        self.clock = clock
    }

    /// Numbers are 1 and up, in the order of the devices.
    func add(_ devices: String..., sink: String = "hook") {
        state.withLock { state in
            for device in devices {
                let number = Int64(state.rows.count + state.dead.count + 1)
                let record = OutboxRecord(
                    sink: sink,
                    number: number,
                    delivery: delivery(of: number),
                    deviceToken: device,
                    record: [],
                    attempts: 0
                )
                state.rows.append(Row(record: record, due: .zero))
            }
        }
    }

    func delivery(of number: Int64) -> DeliveryName { DeliveryName(store: name, count: number) }

    var waiting: [Int64] { state.withLock { $0.rows.map(\.record.number) } }
    var dead: [Int64: String] { state.withLock { $0.dead } }
    var settlements: [Settlement] { state.withLock { $0.settlements } }
    var lookCount: Int { state.withLock { $0.lookCount } }

    func fail(with failure: JournalError?) {
        state.withLock { $0.failure = failure }
    }

    func settle(_ settlements: [Settlement]) {
        let now = clock.now.offset
        state.withLock { state in
            state.settlements += settlements
            for settlement in settlements {
                guard
                    let index = state.rows.firstIndex(where: {
                        $0.record.number == settlement.number && $0.record.sink == settlement.sink
                    })
                else { continue }
                switch settlement.verdict {
                case .delivered: state.rows.remove(at: index)
                case .dead(let reason):
                    state.dead[settlement.number] = reason
                    state.rows.remove(at: index)
                case .retry(let wait, _):
                    state.rows[index].due = now + wait
                    state.rows[index].record = state.rows[index].record.failedOnceMore
                }
            }
        }
    }

    func leastOpen(for sink: String) throws(JournalError) -> Int64? {
        state.withLock { state in
            state.rows.filter { $0.record.sink == sink }.map(\.record.number).min()
        }
    }

    func due(for sink: String, limit: Int) throws(JournalError) -> [OutboxRecord] {
        let now = clock.now.offset
        let result = state.withLock { state -> Result<[OutboxRecord], JournalError> in
            state.lookCount += 1
            if let failure = state.failure { return .failure(failure) }
            var devices: Set<String> = []
            let oldest = state.rows.filter {
                $0.record.sink == sink && devices.insert($0.record.deviceToken).inserted
            }
            return .success(Array(oldest.filter { $0.due <= now }.map(\.record).prefix(limit)))
        }
        return try result.get()
    }

    func waiting(
        for sink: String,
        except: Set<Int64>,
        limit: Int,
        byteCount: Int
    ) throws(JournalError) -> [OutboxRecord] {
        let result = state.withLock { state -> Result<[OutboxRecord], JournalError> in
            state.lookCount += 1
            if let failure = state.failure { return .failure(failure) }
            let records = state.rows.map(\.record).filter { $0.sink == sink && !except.contains($0.number) }
            return .success(Array(records.sorted { $0.number < $1.number }.prefix(limit)))
        }
        return try result.get()
    }
}

extension OutboxRecord {
    fileprivate var failedOnceMore: OutboxRecord {
        OutboxRecord(
            sink: sink,
            number: number,
            delivery: delivery,
            deviceToken: deviceToken,
            record: record,
            attempts: attempts + 1
        )
    }
}

/// Answers as it is told and remembers what it was given.
final class FakeRemoteSink: RemoteSink {
    let name: String
    private let answer: @Sendable (OutboxRecord) async -> Sending
    private let journal = Journal<Int64>()

    init(_ name: String = "hook", _ answer: @escaping @Sendable (OutboxRecord) async -> Sending = { _ in .delivered }) {
        self.name = name
        self.answer = answer
    }

    func send(_ record: OutboxRecord) async -> Sending {
        journal.note(record.number)
        return await answer(record)
    }

    /// The numbers of the next attempts, in the order in which they began.
    func next(_ count: Int = 1) async -> [Int64] { await journal.next(count) }
    func rest() async -> [Int64] { await journal.rest() }
}

/// Attempts that last until the test ends them.
final class Gate: Sendable {
    private enum Attempt {
        case waiting(CheckedContinuation<Sending, Never>)
        case ended(Sending)
    }

    private let attempts = Locked<[Int64: Attempt]>([:])

    func wait(for record: OutboxRecord) async -> Sending {
        let cancelled = Sending.failed(reason: "cancelled", after: nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = attempts.withLock { attempts -> Sending? in
                    if case .ended(let sending)? = attempts.removeValue(forKey: record.number) { return sending }
                    if Task.isCancelled { return cancelled }
                    attempts[record.number] = .waiting(continuation)
                    return nil
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            open(record.number, cancelled)
        }
    }

    func open(_ number: Int64, _ sending: Sending = .delivered) {
        let waiter = attempts.withLock { attempts -> CheckedContinuation<Sending, Never>? in
            if case .waiting(let waiter)? = attempts.removeValue(forKey: number) { return waiter }
            attempts[number] = .ended(sending)
            return nil
        }
        waiter?.resume(returning: sending)
    }
}
