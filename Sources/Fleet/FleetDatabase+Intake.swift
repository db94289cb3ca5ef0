// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// A push as a host offers it to the fleet's database.
package struct OfferedPush: Sendable, Equatable {
    /// The push's topic, with the suffix of its type.
    package let topic: String
    /// The device token in lower-case hex digits.
    package let token: String
    /// The bundle identifier that the token must belong to, and its environment, which is empty if either will do.
    package let app: String
    package let environment: String
    /// The push's name for ever: no two have the same, whichever host took them.
    package let name: String
    /// The keys by which a repeat is known, 16 or 32 bytes.
    package let keys: [UInt8]
    /// All that is known of the push beside its body, as JSON.
    package let head: String
    package let body: [UInt8]

    package init(
        topic: String,
        token: String,
        app: String,
        environment: String,
        name: String,
        keys: [UInt8],
        head: String,
        body: [UInt8]
    ) {
        self.topic = topic
        self.token = token
        self.app = app
        self.environment = environment
        self.name = name
        self.keys = keys
        self.head = head
        self.body = body
    }
}

/// The answer of the database to one push.
package enum IntakeVerdict: Sendable, Equatable {
    /// The push is on two machines; its place says in which order it is worked on.
    case stored(place: Int64)
    case unknownToken
    /// The token was removed at that time, in milliseconds since 1970.
    case removedToken(at: Int64)
    case tokenOfAnotherApp
    case tokenOfAnotherEnvironment
}

/// A push that waits, as its holder reads it.
package struct WaitingPush: Sendable, Equatable {
    package let part: Partition
    package let place: Int64
    package let topic: String
    package let token: String
    /// The owner of the device token.
    package let owner: String
    package let name: String
    package let keys: [UInt8]
    package let head: String
    package let body: [UInt8]

    /// Bytes of what grows with the push.
    package var byteCount: Int { head.utf8.count + body.count }
}

/// A push that waits, as far as it is counted.
package struct WaitingHead: Sendable, Equatable {
    package let part: Partition
    package let place: Int64
    package let topic: String
    package let token: String
    package let byteCount: Int
}

extension FleetDatabase {
    private static let accept = Statement(
        "nestbox_accept",
        "SELECT * FROM nestbox.accept($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    )
    private static let pressure = Statement("nestbox_pressure", "SELECT * FROM nestbox.pressure()")
    private static let read = Statement("nestbox_read", "SELECT * FROM nestbox.read_waiting($1, $2, $3, $4, $5)")
    private static let backlog = Statement("nestbox_backlog", "SELECT * FROM nestbox.backlog($1, $2, $3, $4, $5)")

    /// Stores what may come in, and returns the answer to each; 2^20 pushes at most in a call, which refuses more.
    package func accept(_ pushes: [OfferedPush]) throws(FleetError) -> [IntakeVerdict] {
        let verdicts = try call(
            Self.accept,
            [
                .int16s(pushes.map { Partition(token: $0.token).number }), .texts(pushes.map(\.topic)),
                .texts(pushes.map(\.token)), .texts(pushes.map(\.app)), .texts(pushes.map(\.environment)),
                .texts(pushes.map(\.name)), .byteArrays(pushes.map(\.keys)), .texts(pushes.map(\.head)),
                .byteArrays(pushes.map(\.body)),
            ]
        ) { rows, row throws(DatabaseError) -> IntakeVerdict in
            switch try rows.int16(row, 1) {
            case 0: return .stored(place: try rows.int64(row, 0))
            case 1: return .unknownToken
            case 2: return .removedToken(at: try rows.int64(row, 2))
            case 3: return .tokenOfAnotherApp
            case 4: return .tokenOfAnotherEnvironment
            case let other: throw .malformed("there is no verdict \(other)")
            }
        }
        guard verdicts.count == pushes.count else {
            throw .database(.malformed("\(verdicts.count) verdicts on \(pushes.count) pushes"))
        }
        return verdicts
    }

    /// Returns what sessions have too much of, and which partitions they hold.
    ///
    /// A word of another host that this program does not know is no fault of the call.
    package func pressure() throws(FleetError) -> FleetDoor {
        let rows = try call(Self.pressure, []) { rows, row throws(DatabaseError) in
            FleetDoor.Row(
                session: try rows.int64(row, 0),
                part: try rows.optionalInt64(row, 1).flatMap { Partition(Int16(clamping: $0)) },
                pressure: try rows.optionalText(row, 2).flatMap(Pressure.init)
            )
        }
        return FleetDoor(rows)
    }

    /// Returns what waits in some partitions behind a place of each, in the order of places; `each` of a partition.
    package func waiting(
        in parts: [(part: Partition, after: Int64)],
        each limit: Int32,
        as session: FleetSession
    ) throws(FleetError) -> [WaitingPush] {
        try call(
            Self.read,
            parameters(of: session) + [.int16s(parts.map(\.part.number)), .int64s(parts.map(\.after)), .int32(limit)]
        ) { rows, row throws(DatabaseError) in
            WaitingPush(
                part: try rows.partition(row, 0),
                place: try rows.int64(row, 1),
                topic: try rows.text(row, 2),
                token: try rows.text(row, 3),
                owner: try rows.text(row, 4),
                name: try rows.text(row, 5),
                keys: try rows.bytes(row, 6),
                head: try rows.text(row, 7),
                body: try rows.bytes(row, 8)
            )
        }
    }

    /// Returns what waits in some partitions behind a place, without its content, in the order of places.
    package func backlog(
        of parts: [Partition],
        after place: Int64,
        limit: Int32,
        as session: FleetSession
    ) throws(FleetError) -> [WaitingHead] {
        try call(
            Self.backlog,
            parameters(of: session) + [.int16s(parts.map(\.number)), .int64(place), .int32(limit)]
        ) { rows, row throws(DatabaseError) in
            WaitingHead(
                part: try rows.partition(row, 0),
                place: try rows.int64(row, 1),
                topic: try rows.text(row, 2),
                token: try rows.text(row, 3),
                byteCount: Int(try rows.int32(row, 4))
            )
        }
    }
}
