// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
internal import Logging

internal import struct Foundation.Date

/// Sees to it that no envelope is opened under two places, whichever hosts had the partition one after the other.
///
/// The content of an envelope goes nowhere before the database has its mark, on two machines. Marks that come while a
/// call is under way go together with the next one.
package final class FleetOpenings: Sendable {
    package typealias Verdict = EnvelopeVerdict

    private struct Waiting: Sendable {
        let mark: OpenedMark
        let caller: CheckedContinuation<Verdict, Never>
    }

    private struct State {
        var session: FleetSession?
        var memory = OpenedMemory()
        var waiting: [Waiting] = []
        var isWriting = false
        /// True from a call that failed until one has gone through.
        var isFailing = false
    }

    /// Marks of one call.
    private static let atOnce = 256
    /// The pause after a call without an answer.
    private static let pause = Duration.milliseconds(200)

    private let line: FleetLine
    private let clock: HostClock
    private let deadlines: DeadlineQueue
    private let wallTime: @Sendable () -> Date
    private let logger: Logger
    private let fenced: @Sendable (FleetSession) -> Void
    private let thread = SerialWork(name: "fleet.openings")
    private let state = Locked(State())

    /// Makes one that holds nothing; `fenced` hears of a session that may not write any more.
    init(
        clock: HostClock,
        deadlines: DeadlineQueue,
        wallTime: @escaping @Sendable () -> Date = { Date() },
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase,
        fenced: @escaping @Sendable (FleetSession) -> Void
    ) {
        line = FleetLine(connect)
        self.clock = clock
        self.deadlines = deadlines
        self.wallTime = wallTime
        self.logger = logger
        self.fenced = fenced
    }

    func close() { line.close() }

    // MARK: What is held

    func serve(as session: FleetSession) { state.withLock { $0.session = session } }

    /// Takes in what the database knows of partitions; false: there is no room for more.
    func load(_ marks: [OpenedMark], as session: FleetSession) -> Bool {
        state.withLock { state in
            guard state.session == session, !state.memory.isFull else { return false }
            for mark in marks { state.memory.note(mark) }
            return true
        }
    }

    func forget(_ part: Partition) { state.withLock { $0.memory.forget(part) } }

    /// Forgets what has expired a day ago.
    func prune() {
        let now = Int64(wallTime().timeIntervalSince1970)
        state.withLock { $0.memory.prune(now: now) }
    }

    /// Forgets everything; whoever waits hears that the session is over.
    func clear() {
        let waiting = state.withLock { state in
            defer { (state.session, state.memory, state.waiting) = (nil, OpenedMemory(), []) }
            return state.waiting
        }
        for one in waiting { one.caller.resume(returning: .over) }
    }

    // MARK: Openings

    /// Returns when the database has the mark of an opened envelope, or it is known that it must not be shown.
    ///
    /// A database without an answer is asked again for as long as the session stands.
    package func remember(_ mark: OpenedMark) async -> Verdict {
        await withCheckedContinuation { caller in
            let (verdict, isFirst) = state.withLock { state -> (Verdict?, Bool) in
                guard state.session != nil else { return (.over, false) }
                if let place = state.memory.place(of: mark.id, in: mark.place.part), place != mark.place.number {
                    return (.replay, false)
                }
                // From now on any other push with it is a replay.
                state.memory.note(mark)
                state.waiting.append(Waiting(mark: mark, caller: caller))
                defer { state.isWriting = true }
                return (nil, !state.isWriting)
            }
            if let verdict { return caller.resume(returning: verdict) }
            if isFirst { thread.run { [self] in write() } }
        }
    }

    /// Writes what waits, call by call; on the thread.
    private func write() {
        while true {
            let next = state.withLock { state -> (session: FleetSession, marks: [OpenedMark])? in
                guard let session = state.session, !state.waiting.isEmpty else {
                    state.isWriting = false
                    return nil
                }
                return (session, state.waiting.prefix(Self.atOnce).map(\.mark))
            }
            guard let (session, marks) = next else { return }
            do throws(FleetError) {
                try line.call { database throws(FleetError) in try database.remember(marks, as: session) }
                state.withLock { $0.isFailing = false }
                answer(marks.count, .own, as: session)
            } catch .fenced, .notHolder {
                fenced(session)
                answer(marks.count, .over, as: session)
            } catch {
                note(error)
                return writeLater()
            }
        }
    }

    /// Logs an error, once until a call goes well: content of envelopes waits meanwhile.
    private func note(_ error: FleetError) {
        let isFirst = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        guard isFirst else { return }
        logger.error(
            "what was opened is not shown before the fleet's database keeps that",
            metadata: ["error": "\(error.message)", "hint": "\(error.nextStep)"]
        )
    }

    private func writeLater() {
        deadlines.schedule(at: clock.now + Self.pause) { [self] in thread.run { [self] in write() } }
    }

    /// Answers those that waited first, unless their session is over and they have heard that already.
    private func answer(_ count: Int, _ verdict: Verdict, as session: FleetSession) {
        let answered = state.withLock { state -> [Waiting] in
            guard state.session == session else { return [] }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
        for one in answered { one.caller.resume(returning: verdict) }
    }
}

extension FleetOpenings: EnvelopeMemory {
    package func remember(_ mark: EnvelopeMark, of push: IncomingPush) async -> EnvelopeVerdict {
        guard let part = Partition(push.partition), let place = push.number else { return .over }
        return await remember(OpenedMark(place: PushPlace(part, place), id: mark.id, expiry: mark.expiry))
    }
}
