// SPDX-License-Identifier: Apache-2.0

/// A store that writes the turns of a queue, each as one transaction.
///
/// Calls block, and come from one thread at a time.
package protocol PushWriting: Sendable {
    /// Does all of it in one transaction, which is on the disk when this returns, or nothing.
    ///
    /// `admit` is asked in the order of `arrivals` about each push that is not known yet; one that it turns away leaves
    /// nothing behind.
    func commit(
        _ work: JournalWork,
        admit: (IncomingPush) -> Bool
    ) throws(JournalError) -> [Arrival]

    /// Does work that can wait for a quiet time: checkpoint, retention; after a failure a write that proves the disk.
    ///
    /// Takes at most some tens of milliseconds while all is well; true when there is more to do.
    func maintain() throws(JournalError) -> Bool

    /// Remote sinks for which so many records wait, or so many bytes of them; from memory.
    func fullSinks(records: Int, byteCount: Int) -> Set<String>
}

extension PushWriting {
    /// Names no sink: a store that many hosts share says with each arrival that there is no room.
    package func fullSinks(records: Int, byteCount: Int) -> Set<String> { [] }
}

/// The pushes that wait in a store and are not in the queue's memory yet.
package protocol PushReading: Sendable {
    /// Returns the name of a push that is stored under a number; nil if the store does not know it.
    func delivery(of number: Int64) -> DeliveryName?

    /// Pushes of one topic without an outcome, in their order, that the queue has not loaded: those whose numbers are
    /// larger than `number`.
    ///
    /// May block.
    func pushes(of topic: String, after number: Int64, limit: Int) throws(JournalError) -> [IncomingPush]
}

/// The store in which pushes end that others took in, too.
package protocol PushLedger: PushWriting, PushReading {
    /// Pushes that it has given to the queue and that have not ended.
    var count: Int { get }
}

/// The records that wait for remote sinks which take one at a time, each device's in order.
package protocol OutboxReading: Sendable {
    /// Records that a remote sink should get now, each device's oldest only, in the order of their pushes.
    ///
    /// Blocks, and may be called from any thread, beside the writer.
    func due(for sink: String, limit: Int) throws(JournalError) -> [OutboxRecord]
}

/// The records that wait for streams, which take all of them in the order of their pushes.
package protocol StreamReading: Sendable {
    /// Records that wait for a sink, but those of these numbers, in the order of their pushes' numbers.
    ///
    /// Returns as many as fit both bounds, but the first whatever its length if `except` is empty. May be called from
    /// any thread, beside the writer.
    func waiting(
        for sink: String,
        except: Set<Int64>,
        limit: Int,
        byteCount: Int
    ) throws(JournalError) -> [OutboxRecord]

    /// Returns the least number of a push whose record a sink is still to get; `nil` means that there is none.
    ///
    /// The push has no outcome yet, or its record waits. Dead letters are left out, though somebody may send them
    /// again. May be called from any thread, beside the writer.
    func leastOpen(for sink: String) throws(JournalError) -> Int64?
}

/// The store of one host, for accepted pushes and for records on their way: SQLite's.
package protocol PushJournal: PushWriting, PushReading, OutboxReading, StreamReading {
    /// Eight hex digits, made with the journal: a reader of records knows by them whose numbers it is given.
    var name: String { get }

    /// All pushes without an outcome, in the order of their numbers, bodies left out.
    func unfinished() throws(JournalError) -> [UnfinishedPush]

    /// Numbers given from now on are at least `number`.
    func raise(to number: Int64) throws(JournalError)
}

/// The work of one transaction.
package struct JournalWork: Sendable {
    package var arrivals: [IncomingPush] = []
    package var conclusions: [Conclusion] = []
    package var settlements: [Settlement] = []

    package init() {}

    package var isEmpty: Bool { arrivals.isEmpty && conclusions.isEmpty && settlements.isEmpty }
}

/// The result of a transaction for one arrival.
package enum Arrival: Sendable, Equatable {
    /// The push is on the disk, under this number.
    case stored(number: Int64)
    /// The push is stored, and starts when it is read: here, or on another host.
    case accepted
    /// The push's device token is unknown, or another app's.
    case badToken(BadToken)
    /// Known before: `id` is that of the first.
    case repeated(id: String)
    /// The push's id came lately with another body, and the push wants that to be an error; nothing of it is kept.
    case otherBody
    /// Nothing is kept, and the push is not `admit`'s: too much waits where it would, and its sender tries it later.
    case noRoom
    /// `admit` said no.
    case turnedAway
}

/// The reason for which nobody may send to a device token.
package enum BadToken: Sendable, Equatable {
    case unknown
    /// The token was removed at that time, in milliseconds since 1970.
    case removed(at: Int64)
    case ofAnotherApp
    case ofAnotherEnvironment
}

/// The end of a push: it is forgotten but for its key, and its record waits for the remote sinks.
package struct Conclusion: Sendable {
    package let number: Int64
    /// The record as one line of JSON without a line feed; nil: no remote sink takes it.
    package let record: [UInt8]?
    package let deviceToken: String
    package let sinks: [String]

    package init(number: Int64, record: [UInt8]?, deviceToken: String, sinks: [String]) {
        self.number = number
        self.record = record
        self.deviceToken = deviceToken
        self.sinks = sinks
    }
}

/// One record for one remote sink, until it took it or is given up.
package struct OutboxRecord: Sendable, Equatable {
    package let sink: String
    /// The push's number, by which records of one sink are in order.
    package let number: Int64
    package let delivery: DeliveryName
    package let deviceToken: String
    package let record: [UInt8]
    /// Attempts that failed.
    package let attempts: Int

    package init(
        sink: String,
        number: Int64,
        delivery: DeliveryName,
        deviceToken: String,
        record: [UInt8],
        attempts: Int
    ) {
        self.sink = sink
        self.number = number
        self.delivery = delivery
        self.deviceToken = deviceToken
        self.record = record
        self.attempts = attempts
    }
}

/// The result of an attempt to hand a record to a remote sink, as the journal keeps it.
package struct Settlement: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case delivered
        /// Again after this time; later records of the device wait behind it.
        case retry(after: Duration, reason: String)
        /// A dead letter: kept, listed, replayable, and no longer in the way.
        case dead(reason: String)
    }

    package let sink: String
    package let number: Int64
    package let verdict: Verdict

    package init(sink: String, number: Int64, verdict: Verdict) {
        self.sink = sink
        self.number = number
        self.verdict = verdict
    }
}

/// A push that a former process accepted and did not conclude, as far as the queue counts it.
package struct UnfinishedPush: Sendable, Equatable {
    package let number: Int64
    package let topic: String
    package let deviceToken: String
    package let byteCount: Int

    package init(number: Int64, topic: String, deviceToken: String, byteCount: Int) {
        self.number = number
        self.topic = topic
        self.deviceToken = deviceToken
        self.byteCount = byteCount
    }
}
