// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
package import Logging

/// Keeps a host in the fleet: joins, beats once a second, and does what its board decides.
///
/// A session that is fenced, or hears nothing for too long, ends, and a new one begins, with what the former held
/// unless others have taken it. An error of the database is logged once until what failed goes well.
package final class FleetMembership: Sendable {
    private struct State {
        var session: FleetSession?
        var holding: Set<Partition> = []
        var quiet: [Partition] = []
        var isDraining = false
        var isFenced = false
        /// The errors that were logged last, by what was asked, until it goes well.
        var failures: [Call: FleetError] = [:]
    }

    /// The calls on the control connection whose errors are told apart.
    private enum Call { case join, beat, step }

    /// A session on its way: what is decided, and what is left to do.
    private struct Course {
        var board: FleetBoard
        var steps: [FleetBoard.Step] = []
        var nextBeat: Duration
        /// True from the drain until the database knows of it.
        var owesDrain = false
        var hasDrained = false
        /// True while an operator wants others to work on what this host holds.
        var isLeaving = false
        /// The number of times that records of each partition were put on their way again, as far as is known.
        var revivals: [Partition: Int64]?
        /// Everything of which it was said that there is too much, and when there last was.
        var pressure: [Pressure: Duration] = [:]

        /// Has nothing left to do but to end, which may be decided already.
        mutating func wasFenced() {
            let end = board.wasFenced()
            if !end.isEmpty { steps = end }
        }
    }

    private enum Ending { case departed, over }

    private static let beat = Duration.seconds(1)
    /// The time without too much of anything after which the log says that there is room again.
    private static let pressureMemory = Duration.seconds(30)

    private let member: FleetMember
    private let work: any PartitionWork
    private let rules: FleetBoard.Rules
    private let clock: HostClock
    private let metrics: FleetMetrics
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
        metrics: FleetMetrics = HostMetrics().fleet,
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase
    ) {
        self.member = member
        self.work = work
        var rules = rules
        rules.lease = member.lease
        self.rules = rules
        self.clock = clock
        self.metrics = metrics
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
        var wasMember = false
        while !Task.isCancelled {
            guard let session = await join(again: wasMember) else { break }
            if await run(session) == .departed { break }
            wasMember = true
        }
        await control.close()
    }

    /// Joins as soon as the database lets it; nil: the host drains.
    ///
    /// A host that was a member tries once in a drain too, to give back what its former session holds.
    private func join(again: Bool) async -> FleetSession? {
        while !Task.isCancelled, again || !state.withLock({ $0.isDraining }) {
            switch await control.join(member) {
            case .success(let session):
                state.withLock { state in
                    (state.session, state.isFenced, state.quiet, state.failures) = (session, false, [], [:])
                }
                logger.notice("joined the fleet", metadata: ["fleet.host": "\(member.host)"])
                return session
            case .failure(let error):
                note(error, of: .join)
                if state.withLock({ $0.isDraining }) { return nil }
                await clock.sleep(until: clock.now + Self.beat, orUntil: news)
            }
        }
        return nil
    }

    private func run(_ session: FleetSession) async -> Ending {
        var ending: Ending?
        await withDiscardingTaskGroup { group in
            let board = FleetBoard(session: session.number, rules: rules, now: clock.now)
            var course = Course(board: board, nextBeat: clock.now)
            while ending == nil, !Task.isCancelled {
                hear(&course)
                await keepUp(session, &course)
                guard let step = course.steps.first else {
                    state.withLock { $0.holding = course.board.holding }
                    await clock.sleep(until: course.nextBeat, orUntil: news)
                    continue
                }
                course.steps.removeFirst()
                if case .stop(let parts) = step {
                    for part in parts {
                        group.addTask {
                            await self.work.stop(part)
                            self.state.withLock { $0.quiet.append(part) }
                            self.news.raise()
                        }
                    }
                } else {
                    ending = await perform(step, session, &course)
                }
            }
            if ending != .departed { await work.end() }
        }
        state.withLock { state in
            state.session = nil
            state.holding = []
        }
        return ending ?? .over
    }

    /// Takes in what was said to the membership since the last time.
    private func hear(_ course: inout Course) {
        let (quiet, isDraining, isFenced) = state.withLock { state in
            defer { state.quiet = [] }
            return (state.quiet, state.isDraining, state.isFenced)
        }
        if isDraining, !course.hasDrained {
            (course.hasDrained, course.owesDrain, course.nextBeat) = (true, true, clock.now)
            course.steps += course.board.drain(now: clock.now)
        }
        course.steps += course.board.areQuiet(quiet)
        if isFenced { course.wasFenced() }
    }

    /// Does what time asks for: the beat, and the end of a session or a drain, before any other step.
    private func keepUp(_ session: FleetSession, _ course: inout Course) async {
        if clock.now >= course.nextBeat {
            course.nextBeat = clock.now + Self.beat
            await beat(session, &course)
            if course.owesDrain {
                let answer = await control.ask { database throws(FleetError) in try database.drain(session) }
                if heard(answer, of: .step) != nil { course.owesDrain = false }
            }
        }
        course.steps = course.board.tick(now: clock.now) + course.steps
    }

    /// Says that the session lives, and has the board look at what the database says.
    private func beat(_ session: FleetSession, _ course: inout Course) async {
        let pressure = work.pressure
        note(pressure, &course)
        let answer = await control.ask { [clock] database throws(FleetError) in
            let sent = clock.now
            let members = try database.beat(session, pressure: pressure)
            let snapshot = FleetSnapshot(members: members, holdings: try database.holders())
            return (sent, snapshot, try database.revivals())
        }
        if case .failure(.fenced) = answer {
            course.wasFenced()
        } else if let (sent, snapshot, revivals) = heard(answer, of: .beat) {
            note(snapshot, of: session, &course)
            course.steps += course.board.look(snapshot, sent: sent, now: clock.now)
            // What is held from the first beat on, or taken later, is read whole.
            if let known = course.revivals {
                let revived = revivals.filter { known[$0.key] != $0.value && course.board.holding.contains($0.key) }
                if !revived.isEmpty { work.look(at: Set(revived.keys), as: session) }
            }
            course.revivals = revivals
        }
    }

    private func perform(
        _ step: FleetBoard.Step,
        _ session: FleetSession,
        _ course: inout Course
    ) async -> Ending? {
        switch step {
        case .take(let parts, let holder):
            let answer = await control.ask { database throws(FleetError) in
                try database.take(parts, from: holder, as: session)
            }
            if case .failure(.fenced) = answer {
                course.wasFenced()
            } else {
                // Without an answer, or if the holder lives after all, the next look says what is.
                let taken = heard(answer, of: .step) ?? []
                metrics.taken.with(holder == nil ? "free" : "gone").increment(by: taken.count)
                course.steps += course.board.took(taken, of: parts)
            }
        case .begin(let parts):
            logger.notice("partitions taken", metadata: ["fleet.partitions": "\(parts.count)"])
            work.begin(parts, as: session)
        case .stop: break
        case .release(let parts):
            let answer = await control.ask { database throws(FleetError) in try database.release(parts, as: session) }
            if case .failure(.fenced) = answer {
                course.wasFenced()
            } else if heard(answer, of: .step) != nil {
                course.steps += course.board.released(parts)
            }
        case .depart:
            // Nothing is at work any more when others may begin.
            await work.end()
            let answer = await control.ask { database throws(FleetError) in try database.depart(session) }
            if heard(answer, of: .step) != nil { logger.notice("left the fleet") }
            return .departed
        case .end(let end):
            metrics.sessionsEnded.with(end == .fenced ? "fenced" : "unheard").increment()
            logger.warning("session of the fleet ended", metadata: ["fleet.end": "\(end)"])
            return .over
        }
        return nil
    }

    /// Says once what an operator wants of this host.
    private func note(_ snapshot: FleetSnapshot, of session: FleetSession, _ course: inout Course) {
        let isLeaving = snapshot.members.contains { $0.session == session.number && $0.isLeaving }
        guard !course.hasDrained, isLeaving != course.isLeaving else { return }
        course.isLeaving = isLeaving
        logger.notice(
            isLeaving
                ? "an operator has others work on what this host holds: it gives everything back, and accepts for them"
                : "an operator has this host take part again"
        )
    }

    /// Says once that there is too much of something, and once that there has been room for a while.
    private func note(_ pressure: Set<Pressure>, _ course: inout Course) {
        let before = course.pressure
        for word in pressure { course.pressure[word] = clock.now }
        for new in pressure.filter({ before[$0] == nil }).sorted(by: { $0.text < $1.text }) {
            logger.error(
                "too much waits in this host's partitions: such pushes for them are refused",
                metadata: new.metadata
            )
        }
        course.pressure = course.pressure.filter { clock.now - $0.value < Self.pressureMemory }
        if course.pressure.isEmpty, !before.isEmpty { logger.notice("this host's partitions have room again") }
    }

    // MARK: Answers

    /// The value of an answer; an error is logged, once until a call of its kind goes well.
    private func heard<Value>(_ answer: Result<Value, FleetError>, of call: Call) -> Value? {
        switch answer {
        case .success(let value):
            if state.withLock({ $0.failures.removeValue(forKey: call) }) != nil {
                logger.notice("the fleet's database does what it should again")
            }
            return value
        case .failure(.holderAlive): return nil
        case .failure(let error):
            note(error, of: call)
            return nil
        }
    }

    private func note(_ error: FleetError, of call: Call) {
        guard state.withLock({ $0.failures.updateValue(error, forKey: call) }) != error else { return }
        logger.error(
            "the fleet's database does not do what it should",
            metadata: ["error": "\(error.message)", "hint": "\(error.nextStep)"]
        )
    }
}

extension Pressure {
    fileprivate var metadata: Logger.Metadata {
        switch self {
        case .everything: [:]
        case .topic(let name): ["push.topic": "\(name)"]
        case .sink(let name): ["sink.name": "\(name)"]
        }
    }
}
