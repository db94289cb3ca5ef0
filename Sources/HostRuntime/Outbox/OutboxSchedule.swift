// SPDX-License-Identifier: Apache-2.0

/// Decides which records of a remote sink go now, and when to look for others.
///
/// One record of a device at a time, in the order of its pushes. A sink that fails several times in a row is left alone
/// for a while that doubles up to `longestPause`, then tried with one record: an endpoint that is down costs it and the
/// journal next to nothing, and records that were not tried have not used up an attempt.
package struct OutboxSchedule: ~Copyable {
    /// A change in the state of a sink, caused by a failure or a success.
    package enum Turn: Equatable {
        case failing
        case recovered
    }

    package static let failuresBeforePause = 5
    package static let firstPause = Duration.seconds(1)
    package static let longestPause = Duration.seconds(60)
    /// However quiet it is, so that nothing is forgotten whose time nobody here knows: what a former process left.
    package static let longestSilence = Duration.seconds(60)
    /// The journal counts whole milliseconds, from the moment of its transaction.
    private static let slack = Duration.milliseconds(5)
    private static let retryLimit = 1024

    private let concurrency: Int
    private let policy: RetryPolicy
    /// Devices with a record under way, up to the end of the transaction that settles it.
    private var devices: Set<String> = []
    /// Let go while the journal was being asked: its answer about them may be old.
    private var releasedDuringLook: Set<String> = []
    /// Doubled by each look: what a former process left waits at most about twice as long as it should.
    private var silence = Duration.milliseconds(500)
    private var failuresInARow = 0
    private var pauseEnd = Duration.zero
    /// The instant until which the other side asked to be left alone.
    private var wishEnd = Duration.zero
    /// The instants at which failed records are due again, soonest first; beyond the limit the latest are found in time
    /// all the same.
    private var retries: [Duration] = []

    package init(concurrency: Int, policy: RetryPolicy) {
        self.concurrency = concurrency
        self.policy = policy
    }

    package var inFlightCount: Int { devices.count }
    private var isFailing: Bool { failuresInARow >= Self.failuresBeforePause }
    private var room: Int { (isFailing ? 1 : concurrency) - devices.count }

    /// Begins a look into the journal, and returns the number of records to ask for; nil: none can go now.
    package mutating func beginLook(at now: Duration) -> Int? {
        retries.removeFirst(retries.prefix { $0 <= now }.count)
        guard room > 0, now >= pauseEnd else { return nil }
        releasedDuringLook = []
        silence = min(silence * 2, Self.longestSilence)
        // The journal tells of devices with a record under way as well.
        return room + devices.count
    }

    /// Returns the records of the journal's answer that go now.
    package mutating func start(_ due: [OutboxRecord]) -> [OutboxRecord] {
        var started: [OutboxRecord] = []
        for record in due where room > 0 && !releasedDuringLook.contains(record.deviceToken) {
            if devices.insert(record.deviceToken).inserted { started.append(record) }
        }
        return started
    }

    /// Decides what becomes of a record after an attempt, and tells whether the sink began to fail or has recovered.
    package mutating func ended(
        _ record: OutboxRecord,
        _ sending: Sending,
        at now: Duration,
        random: Double
    ) -> (verdict: Settlement.Verdict, turn: Turn?) {
        switch sending {
        case .delivered: return (.delivered, succeeded())
        case .refused(let reason): return (.dead(reason: reason), succeeded())
        case .gone(let reason): return (.dead(reason: reason), succeeded())
        case .failed(let reason, let wish):
            let turn = failed(at: now, wish: wish)
            let attempts = record.attempts + 1
            guard attempts < policy.maximumAttempts else {
                return (.dead(reason: "\(reason), after \(attempts) attempts"), turn)
            }
            let wait = policy.wait(afterAttempts: attempts, wish: wish, random: random)
            return (.retry(after: wait, reason: reason), turn)
        }
    }

    /// The settlement is on the disk, or there is none: the device's next record may go.
    package mutating func release(_ record: OutboxRecord, retryAfter wait: Duration?, at now: Duration) {
        devices.remove(record.deviceToken)
        releasedDuringLook.insert(record.deviceToken)
        guard let wait else { return }
        let instant = now + wait + Self.slack
        retries.insert(instant, at: retries.firstIndex { $0 > instant } ?? retries.count)
        if retries.count > Self.retryLimit { retries.removeLast() }
    }

    /// The journal could not be asked.
    package mutating func pause(at now: Duration) {
        pauseEnd = max(pauseEnd, now + Self.firstPause)
    }

    /// Returns when to look again if nothing happens before.
    package func nextLook(at now: Duration) -> Duration {
        var next = now + silence
        if let retry = retries.first { next = min(next, retry) }
        return pauseEnd > now ? pauseEnd : next
    }

    private mutating func succeeded() -> Turn? {
        defer {
            failuresInARow = 0
            pauseEnd = wishEnd
        }
        return isFailing ? .recovered : nil
    }

    private mutating func failed(at now: Duration, wish: Duration?) -> Turn? {
        let isPaused = now < pauseEnd
        if let wish {
            wishEnd = max(wishEnd, now + min(wish, policy.longest))
            pauseEnd = max(pauseEnd, wishEnd)
        }
        // What was under way beside the one that began the pause says nothing new.
        guard !isPaused else { return nil }
        failuresInARow += 1
        guard isFailing else { return nil }
        let doublings = min(failuresInARow - Self.failuresBeforePause, 10)
        pauseEnd = max(pauseEnd, now + min(Self.firstPause * (1 << doublings), Self.longestPause))
        return failuresInARow == Self.failuresBeforePause ? .failing : nil
    }
}
