// SPDX-License-Identifier: Apache-2.0

/// The queues of openings for the opener, and the verdict on its deaths: a value that decides and does nothing.
///
/// Every app has a queue of its own, and the queues are served in turn, so an app that sends much waits for itself.
/// When the opener dies, whatever it had in hand is suspected: each suspect is handed to the next opener alone, and one
/// that is alone in hand when a second opener dies is the culprit. So no message is in hand at more than two deaths, a
/// bystander loses nothing but the time, and the app of a culprit pauses while the others go on.
/// Source: ARCHITECTURE.md, "Every process can die".
struct OpeningDesk {
    /// Openings in hand at once: two batches of the opener, one at work and one in its socket.
    static let window = 128
    /// Openings of one app that wait; one more is refused.
    static let waitingLimit = 1024
    /// Apps in a row, each with a culprit and no answer between them, from which on the opener itself is at fault.
    static let ownFaultAppCount = 3
    /// The time that an app must go without a culprit after its pause for its blame to be forgotten.
    static let forgettingTime: Duration = .seconds(60)

    /// Something that the opener has and has not answered for.
    private struct Handed {
        let id: UInt64
        /// The app's place in `queues`.
        let app: Int
        let at: Duration
        let isFile: Bool
        /// A former opener died over it, or its app is on probation: nothing else is in hand beside it.
        let isAlone: Bool
        /// A second death would be the culprit's.
        let wasSuspected: Bool
        /// The push has given up; nothing is to be told or tried again.
        var isAbandoned = false
    }

    private struct Queue {
        let app: String
        /// Taken back from an opener that died; they come before the others.
        var suspects: [UInt64] = []
        var fresh: [UInt64] = []
        var inHandCount = 0

        var waitingCount: Int { suspects.count + fresh.count }
    }

    private struct Blame {
        /// Culprits without sixty quiet seconds between them.
        var count = 0
        var pausedUntil: Duration = .zero
        /// The start of the quiet time after which the blame is forgotten.
        var quietSince: Duration
        /// True while the app's next message is handed alone, and is the culprit if that opener dies.
        var isOnProbation = true
    }

    /// A queue for each app that ever had an opening; apps are named by their places here, so an opening hashes one
    /// name.
    private var queues: [Queue] = []
    private var places: [String: Int] = [:]
    /// Apps with something that waits; the first has its turn.
    private var turns: [Int] = []
    /// In the order in which the opener got it.
    private var inHand: [Handed] = []
    private var blames: [Int: Blame] = [:]
    /// Apps with a culprit since the last answer.
    private var fruitlessApps: Set<Int> = []
    /// Openers in a row that ended by their own fault, without an answer between them.
    private(set) var failedStarts = 0

    var inHandCount: Int { inHand.count }
    var waitingCount: Int { queues.reduce(0) { $0 + $1.waitingCount } }
    /// The instant at which the opener got what it has had for longest; nil when it has nothing.
    var oldestHandedAt: Duration? { inHand.first?.at }

    /// The stage of an opening between `take` and its conclusion.
    enum Stage: Equatable, CaseIterable {
        /// The opening waits for its app's turn.
        case waiting
        /// The opener has it.
        case inHand
        /// The opener has it, and its push has given up: nothing is to be told or tried again.
        case abandoned
        /// A former opener died over it: it waits for the next one, before the others of its app, and is handed alone.
        case takenBack
    }

    /// `nil` means that the opening is concluded, or was never taken.
    func stage(of id: UInt64) -> Stage? {
        if let handed = inHand.first(where: { $0.id == id && !$0.isFile }) {
            return handed.isAbandoned ? .abandoned : .inHand
        }
        for queue in queues {
            if queue.suspects.contains(id) { return .takenBack }
            if queue.fresh.contains(id) { return .waiting }
        }
        return nil
    }

    /// Tells whether the opener has this opening; false for one that waits.
    func hasInHand(_ id: UInt64) -> Bool { inHand.contains { $0.id == id && !$0.isFile } }

    /// Returns the instant at which an app's pause ends; nil when the app does not pause.
    func pause(of app: String, now: Duration) -> Duration? {
        places[app].flatMap { pause(ofAppAt: $0, now: now) }
    }

    private func pause(ofAppAt place: Int, now: Duration) -> Duration? {
        blames[place].flatMap { $0.pausedUntil > now ? $0.pausedUntil : nil }
    }

    private mutating func place(of app: String) -> Int {
        if let place = places[app] { return place }
        queues.append(Queue(app: app))
        places[app] = queues.count - 1
        return queues.count - 1
    }

    // MARK: What comes and goes

    /// Puts an opening into its app's queue; false when that is full.
    mutating func take(_ id: UInt64, of app: String) -> Bool {
        let place = place(of: app)
        guard queues[place].waitingCount < Self.waitingLimit else { return false }
        queues[place].fresh.append(id)
        if queues[place].waitingCount == 1 { turns.append(place) }
        return true
    }

    /// The next opening to be handed to an opener that is ready; nil when none may be now.
    mutating func next(now: Duration) -> UInt64? {
        guard !turns.isEmpty, inHand.count < Self.window, inHand.last?.isAlone != true else { return nil }
        forgetBlames(now: now)
        var eligibleCount = 0
        for app in turns where pause(ofAppAt: app, now: now) == nil { eligibleCount += 1 }
        let share = Self.window / max(1, eligibleCount)
        var first: Int?
        var firstBelowShare: Int?
        for (turn, app) in turns.enumerated() where pause(ofAppAt: app, now: now) == nil {
            if mustBeAlone(app) { return inHand.isEmpty ? hand(turnAt: turn, now: now, alone: true) : nil }
            if first == nil { first = turn }
            if firstBelowShare == nil, queues[app].inHandCount < max(1, share) { firstBelowShare = turn }
        }
        return (firstBelowShare ?? first).map { hand(turnAt: $0, now: now, alone: false) }
    }

    /// Tells whether it is worth waiting for a turn with a piece of a file.
    ///
    /// A piece of an app on probation must be alone in hand, which under a steady load of other apps never happens; a
    /// wait for it would hold up everybody's files.
    func takesFiles(of app: String, now: Duration) -> Bool {
        guard let place = places[app] else { return true }
        return pause(ofAppAt: place, now: now) == nil && (blames[place]?.isOnProbation != true || inHand.isEmpty)
    }

    /// Notes that a piece of a file is handed now; false, and nothing noted, when it may not be.
    mutating func handFile(_ id: UInt64, of app: String, now: Duration) -> Bool {
        let place = place(of: app)
        let isAlone = blames[place]?.isOnProbation ?? false
        guard pause(ofAppAt: place, now: now) == nil, inHand.last?.isAlone != true, !isAlone || inHand.isEmpty else {
            return false
        }
        queues[place].inHandCount += 1
        inHand.append(
            Handed(id: id, app: place, at: now, isFile: true, isAlone: isAlone, wasSuspected: isAlone)
        )
        return true
    }

    /// Takes an opening of `next` out of hand again, since it could not be sent: it fits no packet.
    mutating func notHanded(_ id: UInt64) {
        _ = remove(id, isFile: false)
    }

    /// The opener answered; false for what it does not have.
    mutating func answered(_ id: UInt64, isFile: Bool = false) -> Bool {
        guard let handed = remove(id, isFile: isFile) else { return false }
        fruitlessApps = []
        failedStarts = 0
        // An answer beside others says nothing of an app that is tried.
        if handed.isAlone { blames[handed.app]?.isOnProbation = false }
        return true
    }

    /// A push has given up: its opening waits no more, or is nobody's any more while the opener still has it.
    mutating func gaveUp(_ id: UInt64, of app: String) {
        if let place = inHand.firstIndex(where: { $0.id == id && !$0.isFile }) {
            inHand[place].isAbandoned = true
            return
        }
        guard let place = places[app] else { return }
        queues[place].suspects.removeAll { $0 == id }
        queues[place].fresh.removeAll { $0 == id }
        if queues[place].waitingCount == 0 { turns.removeAll { $0 == place } }
    }

    // MARK: Deaths

    /// The consequences of the opener's death.
    struct Verdict: Equatable {
        /// Openings that end without an answer.
        var concluded: [UInt64] = []
        /// The app whose message ended the opener, with the end of its pause; `nil` when that is not known.
        var culprit: Culprit?
        /// The time to wait before another opener is started.
        var restartPause: Duration = .zero

        struct Culprit: Equatable {
            let app: String
            /// Culprits of the app since its blame was last forgotten.
            let count: Int
            let pausedUntil: Duration
        }
    }

    /// The opener is gone or as good as gone; `wasSilent` when it was killed because it did not answer.
    mutating func openerDied(wasSilent: Bool = false, now: Duration) -> Verdict {
        let lost = inHand
        inHand = []
        for handed in lost { queues[handed.app].inHandCount -= 1 }
        var verdict = Verdict()
        if lost.isEmpty {
            failedStarts += 1
        } else if lost.count == 1, let only = lost.first, only.wasSuspected || wasSilent {
            if !only.isFile, !only.isAbandoned { verdict.concluded = [only.id] }
            verdict.culprit = blame(only.app, now: now)
            fruitlessApps.insert(only.app)
            if fruitlessApps.count >= Self.ownFaultAppCount { failedStarts += 1 }
        } else {
            suspect(lost, now: now)
        }
        verdict.restartPause = restartPause
        return verdict
    }

    /// At once after a death over a message; otherwise at once, after 100 ms, then after 1, 2, 4 … 60 seconds.
    private var restartPause: Duration {
        switch failedStarts {
        case 0, 1: .zero
        case 2: .milliseconds(100)
        default: .seconds(min(60, 1 << min(6, failedStarts - 3)))
        }
    }

    /// Each is tried again alone; a file that was there is not, but its app's next one is alone.
    private mutating func suspect(_ lost: [Handed], now: Duration) {
        for handed in lost.reversed() {
            if handed.isFile || handed.isAbandoned {
                var blame = blames[handed.app] ?? Blame(quietSince: now)
                blame.isOnProbation = true
                blames[handed.app] = blame
                continue
            }
            queues[handed.app].suspects.insert(handed.id, at: 0)
            if queues[handed.app].waitingCount == 1 { turns.append(handed.app) }
        }
    }

    private mutating func blame(_ app: Int, now: Duration) -> Verdict.Culprit {
        var blame = blames[app] ?? Blame(quietSince: now)
        blame.count += 1
        blame.pausedUntil = now + .seconds(min(60, 1 << min(6, blame.count - 1)))
        blame.quietSince = blame.pausedUntil
        blame.isOnProbation = true
        blames[app] = blame
        return .init(app: queues[app].app, count: blame.count, pausedUntil: blame.pausedUntil)
    }

    private mutating func forgetBlames(now: Duration) {
        guard !blames.isEmpty else { return }
        blames = blames.filter { now < $0.value.quietSince + Self.forgettingTime }
    }

    // MARK: Turns

    private func mustBeAlone(_ app: Int) -> Bool {
        !queues[app].suspects.isEmpty || blames[app]?.isOnProbation == true
    }

    /// Hands what is first in the queue of the app at this turn, and puts the app behind the others.
    private mutating func hand(turnAt turn: Int, now: Duration, alone: Bool) -> UInt64 {
        let app = turns.remove(at: turn)
        let isSuspect = !queues[app].suspects.isEmpty
        let id = isSuspect ? queues[app].suspects.removeFirst() : queues[app].fresh.removeFirst()
        queues[app].inHandCount += 1
        if queues[app].waitingCount > 0 { turns.append(app) }
        let wasSuspected = isSuspect || blames[app]?.isOnProbation == true
        inHand.append(Handed(id: id, app: app, at: now, isFile: false, isAlone: alone, wasSuspected: wasSuspected))
        return id
    }

    private mutating func remove(_ id: UInt64, isFile: Bool) -> Handed? {
        guard let place = inHand.firstIndex(where: { $0.id == id && $0.isFile == isFile }) else { return nil }
        let handed = inHand.remove(at: place)
        queues[handed.app].inHandCount -= 1
        return handed
    }
}
