// SPDX-License-Identifier: Apache-2.0

import Fleet

/// A fleet in memory: a database by the rules of the schema, hosts with their boards, and a course of accidents drawn
/// from a seed.
///
/// Time is virtual. The database's clock may jump, the hosts' own do not. A host's steps wait in a line and are done
/// one by one, so that what they rest on may be long out of date by then.
struct SimulatedFleet {
    struct Session {
        let host: Int
        /// The runs of the host before it; sessions of one run follow one another.
        let run: Int
        var isFenced = false
        var isLeaving = false
        var hasLock = true
        /// The time of the last beat, by the database's clock.
        var beat: Duration
    }

    struct Holding {
        var holder: Int64?
        var epoch: Int64 = 0
    }

    final class Host {
        let name: String
        var session: Int64?
        var board: FleetBoard
        var steps: [FleetBoard.Step] = []
        var nextBeat: Duration
        /// The database's answer on its way: by the time it is read, the host may have taken or released.
        var late: (snapshot: FleetSnapshot, sent: Duration)?
        /// The host does nothing until then.
        var pausedUntil: Duration = .zero
        /// Partitions at work, and until when.
        var work: [Partition: Duration] = [:]
        /// The crashes so far.
        var run = 0

        init(name: String, now: Duration) {
            self.name = name
            board = FleetBoard(session: -1, now: now)
            nextBeat = now
        }
    }

    static let lease = Duration.seconds(5)
    let parts: [Partition]
    var hosts: [Host]
    var numbers: Numbers
    var now: Duration = .zero
    /// The database's clock is ahead of time by so much.
    var offset: Duration = .zero
    /// Within ten seconds of it nobody is dead.
    var awake: Duration = .zero
    var sessions: [Int64: Session] = [:]
    var table: [Partition: Holding]
    var next: Int64 = 1
    /// The session that began work on a partition, by epoch.
    var begun: [Partition: [Int64: Int64]] = [:]
    var faults: [String] = []
    var takes = 0
    var ends = 0

    /// xorshift64*: the same course for the same seed.
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 0x2545_F491_4F6C_DD1D
        }
    }

    init(hosts: Int, parts: Int, seed: UInt64) {
        self.parts = Partition.all.prefix(parts).map { $0 }
        table = Dictionary(uniqueKeysWithValues: self.parts.map { ($0, Holding()) })
        numbers = Numbers(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        self.hosts = (0..<hosts).map { Host(name: "host-\($0)", now: .zero) }
        for index in self.hosts.indices { join(index) }
    }

    // MARK: The database

    var clock: Duration { now + offset }

    func isDead(_ session: Int64) -> Bool {
        guard let known = sessions[session] else { return true }
        if known.isFenced { return true }
        guard clock >= awake + .seconds(10) else { return false }
        let silence = clock - max(known.beat, awake)
        return silence > Self.lease || (!known.hasLock && silence > .seconds(2))
    }

    /// Returns whether the session of a host that runs holds a partition.
    func isHeld(_ part: Partition) -> Bool {
        let holder = table[part]?.holder
        return hosts.contains { $0.session != nil && $0.session == holder }
    }

    private func mayWrite(_ session: Int64?) -> Bool {
        guard let session, let known = sessions[session] else { return false }
        return !known.isFenced
    }

    private mutating func join(_ index: Int) {
        let host = hosts[index]
        // Of some sessions the host does not hear that they have begun, and joins once more.
        repeat { host.session = begin(index, run: host.run) } while Int.random(in: 0..<10, using: &numbers) == 0
        var rules = FleetBoard.Rules()
        rules.lease = Self.lease
        host.board = FleetBoard(session: host.session ?? 0, rules: rules, now: now)
        host.steps = []
        host.late = nil
        host.work = [:]
        host.nextBeat = now
    }

    /// Begins a session of a host, with what those before it in the same run hold.
    private mutating func begin(_ index: Int, run: Int) -> Int64 {
        let former = sessions.filter { $0.value.host == index && $0.value.run == run && !$0.value.isFenced }.keys
        for session in former { sessions[session]?.isFenced = true }
        for part in parts {
            guard let known = table[part], let holder = known.holder, former.contains(holder) else { continue }
            table[part] = Holding(holder: next, epoch: known.epoch + 1)
        }
        sessions[next] = Session(host: index, run: run, beat: clock)
        defer { next += 1 }
        return next
    }

    private func snapshot() -> FleetSnapshot {
        FleetSnapshot(
            members: sessions.sorted { $0.key < $1.key }.filter { !$0.value.isFenced }.map { number, session in
                FleetSnapshot.Member(
                    session: number,
                    host: hosts[session.host].name,
                    isDead: isDead(number),
                    isLeaving: session.isLeaving
                )
            },
            holdings: parts.map { part in
                let holding = table[part] ?? Holding()
                return FleetSnapshot.Holding(part: part, holder: holding.holder, epoch: holding.epoch)
            }
        )
    }

    private mutating func take(
        _ wanted: [FleetSnapshot.Holding],
        from holder: Int64?,
        _ session: Int64
    ) -> [FleetSnapshot.Holding] {
        if let holder {
            guard isDead(holder) else { return [] }
            sessions[holder]?.isFenced = true
        }
        guard mayWrite(session) else { return [] }
        var taken: [FleetSnapshot.Holding] = []
        for holding in wanted {
            guard let known = table[holding.part], known.epoch == holding.epoch, known.holder == holder else {
                continue
            }
            table[holding.part] = Holding(holder: session, epoch: known.epoch + 1)
            taken.append(FleetSnapshot.Holding(part: holding.part, holder: session, epoch: known.epoch + 1))
            takes += 1
        }
        return taken
    }

    // MARK: Hosts

    /// Lets some time pass, and something happen to somebody.
    mutating func step() {
        now += .milliseconds(Int.random(in: 0...200, using: &numbers))
        let index = Int.random(in: hosts.indices, using: &numbers)
        let host = hosts[index]
        switch Int.random(in: 0..<400, using: &numbers) {
        case 0: crash(index)
        case 1: host.pausedUntil = now + .seconds(Int.random(in: 1...60, using: &numbers))
        case 2: offset += .seconds(Int.random(in: -600...600, using: &numbers))
        case 3: restartDatabase()
        case 4: drain(index)
        case 5: host.nextBeat = now + .seconds(Int.random(in: 1...8, using: &numbers))
        default: run(index, hasAccidents: true)
        }
    }

    /// Time passes and nothing bad happens.
    mutating func rest(_ time: Duration) {
        for host in hosts { host.pausedUntil = min(host.pausedUntil, now) }
        let end = now + time
        while now < end {
            now += .milliseconds(50)
            for index in hosts.indices { run(index, hasAccidents: false) }
        }
    }

    private mutating func crash(_ index: Int) {
        let host = hosts[index]
        if let session = host.session { sessions[session]?.hasLock = false }
        host.session = nil
        host.steps = []
        host.work = [:]
        host.run += 1
    }

    /// All locks and beats are lost at once, and connections with them.
    private mutating func restartDatabase() {
        awake = clock
        // Those that live have their locks again with their next beat.
        for session in Array(sessions.keys) { sessions[session]?.hasLock = false }
        let clock = clock
        for session in Array(sessions.keys) { sessions[session]?.beat = clock }
    }

    private mutating func drain(_ index: Int) {
        let host = hosts[index]
        guard mayWrite(host.session), let session = host.session else { return }
        sessions[session]?.isLeaving = true
        host.steps += host.board.drain(now: now)
    }

    private mutating func run(_ index: Int, hasAccidents: Bool) {
        let host = hosts[index]
        guard now >= host.pausedUntil else { return }
        guard host.session != nil else { return join(index) }
        for (part, end) in host.work where end <= now {
            host.work[part] = nil
            host.steps += host.board.areQuiet([part])
        }
        if now >= host.nextBeat { beat(host, hasAccidents: hasAccidents) }
        host.steps += host.board.tick(now: now)
        if !hasAccidents || Int.random(in: 0..<3, using: &numbers) == 0 { read(host) }
        while !host.steps.isEmpty {
            perform(host.steps.removeFirst(), host, index)
            // With accidents the next step may come much later, or never.
            check(host)
            if hasAccidents, Bool.random(using: &numbers) { return }
        }
    }

    private mutating func beat(_ host: Host, hasAccidents: Bool) {
        host.nextBeat = now + .seconds(1)
        guard let session = host.session, sessions[session]?.isFenced == false else {
            host.steps += host.board.wasFenced()
            return
        }
        // The beat is lost on its way, or its answer on the way back.
        let luck = hasAccidents ? Int.random(in: 0..<10, using: &numbers) : 9
        if luck == 0 { return }
        let clock = clock
        sessions[session]?.beat = clock
        sessions[session]?.hasLock = true
        // A clock that was set back must not keep anybody alive.
        awake = min(awake, clock)
        for (other, known) in sessions where known.beat > clock { sessions[other]?.beat = clock }
        if luck == 1 { return }
        host.late = (snapshot(), now)
        if !hasAccidents { read(host) }
    }

    private func read(_ host: Host) {
        guard let (snapshot, sent) = host.late else { return }
        host.late = nil
        host.steps += host.board.look(snapshot, sent: sent, now: now)
    }

    private mutating func perform(_ step: FleetBoard.Step, _ host: Host, _ index: Int) {
        guard let session = host.session else { return }
        switch step {
        case .take(let parts, let holder):
            let taken = take(parts, from: holder, session)
            if sessions[session]?.isFenced != false {
                host.steps += host.board.wasFenced()
            } else if Int.random(in: 0..<20, using: &numbers) == 0 {
                // It was done, and nobody hears of it.
                host.steps += host.board.took([], of: parts)
            } else {
                host.steps += host.board.took(taken, of: parts)
            }
        case .begin(let parts):
            for holding in parts {
                if let other = begun[holding.part]?[holding.epoch], other != session {
                    faults.append("partition \(holding.part.number): \(other) and \(session) in epoch \(holding.epoch)")
                }
                begun[holding.part, default: [:]][holding.epoch] = session
                host.work[holding.part] = now + .milliseconds(Int.random(in: 0...3000, using: &numbers))
            }
        case .stop(let parts):
            for part in parts where host.work[part] == nil { host.steps += host.board.areQuiet([part]) }
        case .release(let parts):
            guard mayWrite(session) else {
                host.steps += host.board.wasFenced()
                return
            }
            let fate = Int.random(in: 0..<10, using: &numbers)
            // It is not done, or it is done and nobody hears of it.
            if fate == 0 { return }
            for part in parts where table[part]?.holder == session {
                table[part] = Holding(holder: nil, epoch: (table[part]?.epoch ?? 0) + 1)
            }
            if fate == 1 { return }
            host.steps += host.board.released(parts)
        case .depart:
            ends += 1
            if mayWrite(session) {
                for part in parts where table[part]?.holder == session {
                    table[part] = Holding(holder: nil, epoch: (table[part]?.epoch ?? 0) + 1)
                }
                sessions[session]?.isFenced = true
            }
            join(index)
        case .end:
            ends += 1
            sessions[session]?.hasLock = false
            join(index)
        }
    }

    /// Looks whether a session holds what it believes to hold, unless it was fenced and does not know yet.
    private mutating func check(_ host: Host) {
        guard let session = host.session, sessions[session]?.isFenced == false else { return }
        // What is on its way back may be back, and nobody has heard of it.
        for part in host.board.working where table[part]?.holder != session {
            faults.append("\(host.name) believes to hold partition \(part.number)")
        }
    }

    /// Sessions that were fenced and hold nothing are of no interest any more.
    mutating func sweep() {
        let holders = Set(table.values.compactMap(\.holder))
        sessions = sessions.filter { number, session in
            !session.isFenced || holders.contains(number) || hosts[session.host].session == number
        }
        for part in parts {
            let epoch = table[part]?.epoch ?? 0
            begun[part] = begun[part]?.filter { $0.key > epoch - 1000 }
        }
    }
}
