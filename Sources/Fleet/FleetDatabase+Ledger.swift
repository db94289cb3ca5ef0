// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// The identity of a push for its holder: where it waits.
package struct PushPlace: Hashable, Sendable {
    package let part: Partition
    package let number: Int64

    package init(_ part: Partition, _ number: Int64) {
        self.part = part
        self.number = number
    }
}

/// An envelope that is opened, under the place of its push.
package struct OpenedMark: Sendable, Equatable {
    package let place: PushPlace
    /// 16 bytes.
    package let id: [UInt8]
    /// The time at which the envelope expires, in seconds since 1970.
    package let expiry: Int64

    package init(place: PushPlace, id: [UInt8], expiry: Int64) {
        self.place = place
        self.id = id
        self.expiry = expiry
    }
}

/// The end of a push in the fleet, with the sealed record for each sink that takes it.
package struct FleetConclusion: Sendable, Equatable {
    package struct SinkRecord: Sendable, Equatable {
        package let sink: String
        package let record: [UInt8]

        package init(sink: String, record: [UInt8]) {
            self.sink = sink
            self.record = record
        }
    }

    package let place: PushPlace
    /// True if the push is one that was concluded before: it goes without a trace.
    package let isRepeat: Bool
    package let records: [SinkRecord]

    package init(place: PushPlace, isRepeat: Bool = false, records: [SinkRecord] = []) {
        self.place = place
        self.isRepeat = isRepeat
        self.records = records
    }
}

/// The end of an attempt to hand a record over.
package struct FleetSettlement: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case taken
        case again(after: Duration)
        case givenUp(reason: String)
    }

    package let place: PushPlace
    package let sink: String
    package let verdict: Verdict

    package init(place: PushPlace, sink: String, verdict: Verdict) {
        self.place = place
        self.sink = sink
        self.verdict = verdict
    }
}

/// A record that waits for a sink, as far as it is planned with.
package struct OutboxHead: Sendable, Equatable {
    package let place: PushPlace
    package let sink: String
    package let token: String
    /// Attempts that failed.
    package let attempts: Int32
    package let dueIn: Duration
    package let byteCount: Int
}

/// A record that waits for a sink, sealed.
package struct FleetRecord: Sendable, Equatable {
    package let place: PushPlace
    package let sink: String
    package let name: String
    package let token: String
    package let attempts: Int32
    package let record: [UInt8]
}

extension FleetDatabase {
    private static let known = Statement("nestbox_known", "SELECT * FROM nestbox.known($1, $2, $3, $4, $5, $6)")
    private static let remember = Statement("nestbox_remember", "SELECT nestbox.remember($1, $2, $3, $4, $5, $6)")
    private static let conclude = Statement(
        "nestbox_conclude",
        "SELECT nestbox.conclude($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    )
    private static let settle = Statement("nestbox_settle", "SELECT nestbox.settle($1, $2, $3, $4, $5, $6, $7, $8)")
    private static let heads = Statement("nestbox_heads", "SELECT * FROM nestbox.outbox_heads($1, $2, $3, $4, $5, $6)")
    private static let records = Statement("nestbox_records", "SELECT * FROM nestbox.records($1, $2, $3, $4, $5)")
    private static let prune = Statement("nestbox_prune", "SELECT nestbox.prune($1, $2, $3, $4, $5, $6)")

    /// Returns the keys of what was concluded in some partitions before a place of each, the newest of each first.
    package func seen(
        in parts: [Partition: Int64],
        each limit: Int32,
        as session: FleetSession
    ) throws(FleetError) -> [(place: PushPlace, keys: [UInt8])] {
        try known(in: parts, isOpened: false, limit, session) { place, _, keys in (place, keys) }
    }

    /// Returns which envelopes were opened in some partitions before a place of each, the newest of each first.
    package func opened(
        in parts: [Partition: Int64],
        each limit: Int32,
        as session: FleetSession
    ) throws(FleetError) -> [OpenedMark] {
        try known(in: parts, isOpened: true, limit, session) { OpenedMark(place: $0, id: $2, expiry: $1) }
    }

    private func known<Value>(
        in parts: [Partition: Int64],
        isOpened: Bool,
        _ limit: Int32,
        _ session: FleetSession,
        _ value: (PushPlace, Int64, [UInt8]) -> Value
    ) throws(FleetError) -> [Value] {
        let asked: [Parameter] = [
            .int16s(parts.map(\.key.number)), .int64s(parts.map(\.value)), .boolean(isOpened), .int32(limit),
        ]
        return try call(Self.known, parameters(of: session) + asked) { rows, row throws(DatabaseError) in
            value(try rows.place(row, 0), try rows.int64(row, 2), try rows.bytes(row, 3))
        }
    }

    /// Keeps which envelopes are being opened; nobody may hear what is in them before this returns.
    package func remember(_ marks: [OpenedMark], as session: FleetSession) throws(FleetError) {
        try run(
            Self.remember,
            parameters(of: session) + [
                .int16s(marks.map(\.place.part.number)), .int64s(marks.map(\.place.number)),
                .byteArrays(marks.map(\.id)), .int64s(marks.map(\.expiry)),
            ]
        )
    }

    /// Ends pushes and puts their records into the outbox, all or none; returns how many had not ended before.
    package func conclude(_ ends: [FleetConclusion], as session: FleetSession) throws(FleetError) -> Int {
        let records = ends.flatMap { end in end.records.map { (place: end.place, record: $0) } }
        let asked: [Parameter] = [
            .int16s(ends.map(\.place.part.number)), .int64s(ends.map(\.place.number)),
            .booleans(ends.map(\.isRepeat)), .int16s(records.map(\.place.part.number)),
            .int64s(records.map(\.place.number)), .texts(records.map(\.record.sink)),
            .byteArrays(records.map(\.record.record)),
        ]
        return try one(Self.conclude, parameters(of: session) + asked) { rows, row throws(DatabaseError) in
            Int(try rows.int32(row, 0))
        }
    }

    /// Writes what became of attempts, all or none.
    package func settle(_ settlements: [FleetSettlement], as session: FleetSession) throws(FleetError) {
        let asked: [Parameter] = [
            .int16s(settlements.map(\.place.part.number)), .texts(settlements.map(\.sink)),
            .int64s(settlements.map(\.place.number)), .int16s(settlements.map(\.verdict.number)),
            .int64s(settlements.map(\.verdict.wait)), .texts(settlements.map(\.verdict.reason)),
        ]
        try run(Self.settle, parameters(of: session) + asked)
    }

    /// Returns what waits for sinks in some partitions, in the order of places and sinks, behind one of both.
    ///
    /// A record that is put there later may have a smaller place.
    package func outbox(
        of parts: [Partition],
        after place: Int64,
        _ sink: String,
        limit: Int32,
        as session: FleetSession
    ) throws(FleetError) -> [OutboxHead] {
        let asked: [Parameter] = [.int16s(parts.map(\.number)), .int64(place), .text(sink), .int32(limit)]
        return try call(
            Self.heads,
            parameters(of: session) + asked
        ) { rows, row throws(DatabaseError) in
            OutboxHead(
                place: PushPlace(try rows.partition(row, 0), try rows.int64(row, 2)),
                sink: try rows.text(row, 1),
                token: try rows.text(row, 3),
                attempts: try rows.int32(row, 4),
                dueIn: .milliseconds(try rows.int64(row, 5)),
                byteCount: Int(try rows.int32(row, 6))
            )
        }
    }

    /// Returns the records of some heads, but those that are gone, in the order of their places.
    package func records(
        _ heads: [(place: PushPlace, sink: String)],
        as session: FleetSession
    ) throws(FleetError) -> [FleetRecord] {
        try call(
            Self.records,
            parameters(of: session) + [
                .int16s(heads.map(\.place.part.number)), .texts(heads.map(\.sink)),
                .int64s(heads.map(\.place.number)),
            ]
        ) { rows, row throws(DatabaseError) in
            FleetRecord(
                place: PushPlace(try rows.partition(row, 0), try rows.int64(row, 2)),
                sink: try rows.text(row, 1),
                name: try rows.text(row, 3),
                token: try rows.text(row, 4),
                attempts: try rows.int32(row, 5),
                record: try rows.bytes(row, 6)
            )
        }
    }

    /// Forgets keys of an age, and envelopes that expired so long ago, at most `limit` of both in each partition;
    /// returns how many.
    package func prune(
        _ parts: [Partition],
        age: Duration,
        expired: Duration,
        each limit: Int32,
        as session: FleetSession
    ) throws(FleetError) -> Int {
        let asked: [Parameter] = [
            .int16s(parts.map(\.number)), .int64(age.components.seconds), .int64(expired.components.seconds),
            .int32(limit),
        ]
        return try one(Self.prune, parameters(of: session) + asked) { rows, row throws(DatabaseError) in
            Int(try rows.int32(row, 0))
        }
    }
}

extension FleetSettlement.Verdict {
    fileprivate var number: Int16 {
        switch self {
        case .taken: 0
        case .again: 1
        case .givenUp: 2
        }
    }

    fileprivate var wait: Int64 {
        if case .again(let wait) = self { Int64(wait / .milliseconds(1)) } else { 0 }
    }

    fileprivate var reason: String {
        if case .givenUp(let reason) = self { reason } else { "" }
    }
}

extension Rows {
    /// The partition in one column and the number in the next.
    fileprivate func place(_ row: Int, _ column: Int) throws(DatabaseError) -> PushPlace {
        PushPlace(try partition(row, column), try int64(row, column + 1))
    }
}
