// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
package import Logging

/// The work on partitions, as a membership has it done.
package protocol PartitionWork: Sendable {
    /// Loads what waits in partitions and starts it, for a session that holds them from now on.
    func begin(_ parts: [FleetSnapshot.Holding], as session: FleetSession) async
    /// Starts nothing of a partition any more, and returns when nothing of it is at work.
    func stop(_ part: Partition) async
    /// Cuts off what is at work: the session is over, and nothing of it counts any more. What waits in `stop` returns.
    func end() async
}

/// Keeps a host in the fleet: joins, beats once a second, and does what its board decides.
///
/// A session that is fenced, or hears nothing for too long, ends, and a new one begins. Errors of the database are
/// logged once until it answers again.
package final class FleetMembership: Sendable {
    private struct State {
        var session: FleetSession?
        var holding: Set<Partition> = []
        var quiet: [Partition] = []
        var isDraining = false
        var isFenced = false
        /// The last error that was logged, until the database answers.
        var failure: FleetError?
    }

    private static let beat = Duration.seconds(1)

    private let member: FleetMember
    private let work: any PartitionWork
    private let rules: FleetBoard.Rules
    private let clock: HostClock
    private let logger: Logger
    private let control: FleetControl
    private let state = Locked(State())
    private let news = Signal()

    /// Makes a membership of a host; `run` joins.
    ///
    /// `connect` makes the control connection, on a thread that may block.
    package init(
        _ member: FleetMember,
        work: any PartitionWork,
        rules: FleetBoard.Rules = FleetBoard.Rules(),
        clock: HostClock,
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase
    ) {
        self.member = member
        self.work = work
        var rules = rules
        rules.lease = member.lease
        self.rules = rules
        self.clock = clock
        self.logger = logger
        control = FleetControl(connect)
    }

    /// The session under which the host writes now; nil while it has none.
    package var session: FleetSession? { state.withLock(\.session) }

    /// Partitions that the session holds, as far as it knows.
    package var holding: Set<Partition> { state.withLock(\.holding) }

    /// Begins to give back everything; `run` returns when that is done, or its time is over.
    package func drain() {
        state.withLock { $0.isDraining = true }
        news.raise()
    }

    /// Hears that the database refused a write of the session, on another connection than the membership's.
    package func wasFenced(_ session: FleetSession) {
        state.withLock { if $0.session == session { $0.isFenced = true } }
        news.raise()
    }

    /// Is a member until `drain` is done or the task is cancelled, which ends the session as a crash would.
    package func run() async {
        while !Task.isCancelled {
            guard let session = await join() else { break }
            if await run(session) == .departed { break }
        }
        await control.close()
    }

    private func join() async -> FleetSession? {
        while !Task.isCancelled, !state.withLock({ $0.isDraining }) {
            switch await control.join(member) {
            case .success(let session):
                state.withLock { state in
                    (state.session, state.isFenced, state.quiet, state.failure) = (session, false, [], nil)
                }
                logger.notice("joined the fleet", metadata: ["fleet.host": "\(member.host)"])
                return session
            case .failure(let error):
                note(error)
                await wait(until: clock.now + Self.beat)
            }
        }
        return nil
    }

    private enum Ending { case departed, over }

    private func run(_ session: FleetSession) async -> Ending {
        var ending: Ending?
        await withDiscardingTaskGroup { group in
            var board = FleetBoard(session: session.number, rules: rules, now: clock.now)
            var nextBeat = clock.now
            var hasDrained = false
            while ending == nil, !Task.isCancelled {
                var steps: [FleetBoard.Step] = []
                if clock.now >= nextBeat {
                    nextBeat = clock.now + Self.beat
                    steps += await beat(session, &board)
                }
                let (quiet, isDraining, isFenced) = state.withLock { state in
                    defer { state.quiet = [] }
                    return (state.quiet, state.isDraining, state.isFenced)
                }
                if isFenced { steps += board.wasFenced() }
                if isDraining, !hasDrained {
                    hasDrained = true
                    _ = await control.ask { database throws(FleetError) in try database.drain(session) }
                    steps += board.drain(now: clock.now)
                }
                for part in quiet { steps += board.isQuiet(part) }
                steps += board.tick(now: clock.now)
                var next = steps[...]
                while ending == nil, let step = next.popFirst() {
                    let (more, end) = await perform(step, session, &board) { part in
                        group.addTask {
                            await self.work.stop(part)
                            self.state.withLock { $0.quiet.append(part) }
                            self.news.raise()
                        }
                    }
                    next += more
                    ending = end
                }
                state.withLock { $0.holding = board.holding }
                if ending == nil { await wait(until: nextBeat) }
            }
            // Also after a drain whose time was over: what is still at work is the next holder's.
            await work.end()
        }
        state.withLock { state in
            state.session = nil
            state.holding = []
        }
        return ending ?? .over
    }

    /// Says that the session lives, and has the board look at what the database says.
    private func beat(_ session: FleetSession, _ board: inout FleetBoard) async -> [FleetBoard.Step] {
        let sent = clock.now
        let answer = await control.ask { database throws(FleetError) in
            FleetSnapshot(members: try database.beat(session), holdings: try database.holders())
        }
        switch answer {
        case .success(let snapshot):
            if state.withLock({ state in
                defer { state.failure = nil }
                return state.failure != nil
            }) {
                logger.notice("the fleet's database answers again")
            }
            return board.look(snapshot, sent: sent, now: clock.now)
        case .failure(.fenced): return board.wasFenced()
        case .failure(let error):
            note(error)
            return []
        }
    }

    private func perform(
        _ step: FleetBoard.Step,
        _ session: FleetSession,
        _ board: inout FleetBoard,
        stop: (Partition) -> Void
    ) async -> (more: [FleetBoard.Step], end: Ending?) {
        switch step {
        case .take(let parts, let holder):
            let answer = await control.ask { database throws(FleetError) in
                try database.take(parts, from: holder, as: session)
            }
            switch answer {
            case .success(let taken): return (board.took(taken, of: parts), nil)
            case .failure(.fenced): return (board.wasFenced(), nil)
            case .failure(let error):
                // Somebody whose beat came in time after all, or no answer: the next look says what is.
                if error != .holderAlive { note(error) }
                return (board.took([], of: parts), nil)
            }
        case .begin(let parts):
            logger.notice("partitions taken", metadata: ["fleet.partitions": "\(parts.count)"])
            await work.begin(parts, as: session)
            return ([], nil)
        case .stop(let parts):
            for part in parts { stop(part) }
            return ([], nil)
        case .release(let parts):
            let answer = await control.ask { database throws(FleetError) in try database.release(parts, as: session) }
            switch answer {
            case .success, .failure(.notHolder): return (board.released(parts), nil)
            case .failure(.fenced): return (board.wasFenced(), nil)
            case .failure(let error):
                note(error)
                return ([], nil)
            }
        case .depart:
            _ = await control.ask { database throws(FleetError) in try database.depart(session) }
            logger.notice("left the fleet")
            return ([], .departed)
        case .end(let end):
            logger.warning("session of the fleet ended", metadata: ["fleet.end": "\(end)"])
            return ([], .over)
        }
    }

    private func note(_ error: FleetError) {
        let isNew = state.withLock { state in
            defer { state.failure = error }
            return state.failure != error
        }
        guard isNew else { return }
        logger.error(
            "the fleet's database does not do what it should",
            metadata: ["error": "\(error.message)", "hint": "\(error.nextStep)"]
        )
    }

    private func wait(until instant: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in try? await clock.sleep(until: instant) }
            group.addTask { [news] in await news.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}
