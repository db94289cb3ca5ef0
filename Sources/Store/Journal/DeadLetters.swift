// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
import GRDB
package import HostRuntime

package import struct Foundation.Date

/// A record that a remote sink never took.
package struct DeadLetter: Sendable, Equatable {
    package let sink: String
    /// The push's number, by which dead letters of one sink are in order.
    package let number: Int64
    package let delivery: DeliveryName
    package let deviceToken: String
    /// One line of JSON without a line feed.
    package let record: [UInt8]
    /// Attempts that failed.
    package let attempts: Int
    /// The reason for which the last attempt failed.
    package let reason: String
    /// The date at which the record was given up, by the clock on the wall.
    package let date: Date

    package init(
        sink: String,
        number: Int64,
        delivery: DeliveryName,
        deviceToken: String,
        record: [UInt8],
        attempts: Int,
        reason: String,
        date: Date
    ) {
        self.sink = sink
        self.number = number
        self.delivery = delivery
        self.deviceToken = deviceToken
        self.record = record
        self.attempts = attempts
        self.reason = reason
        self.date = date
    }
}

/// A selection of dead letters, by sink and by push.
package struct DeadLetterSelection: Sendable, Equatable {
    /// `nil` means every sink.
    package var sink: String?
    /// `nil` means every push.
    package var delivery: DeliveryName?

    package init(sink: String? = nil, delivery: DeliveryName? = nil) {
        self.sink = sink
        self.delivery = delivery
    }
}

/// The dead letters of a journal, for a command that runs beside the host or without one.
///
/// Works in transactions of some milliseconds, for which the host's writer waits. The host finds out at its
/// next maintenance, within a second or so: it counts again, and has its senders look.
package final class DeadLetters: Sendable {
    /// Rows a transaction moves at most.
    private static let slice = 500

    private let journalName: String
    private let file: JournalFile
    private let database: DatabaseQueue

    /// Opens the journal that is there; `unusable` if there is none.
    package init(folder: String) throws(StoreError) {
        file = JournalFile(folder: folder)
        database = try file.open(isDurable: true, creating: false)
        do {
            journalName = try database.unsafeRead { database in
                try String.fetchOne(database, sql: "SELECT value FROM facts WHERE name = 'name'") ?? ""
            }
        } catch {
            throw StoreError(error, path: file.path)
        }
    }

    /// Returns whether a name is one of this journal's: no other selects anything here.
    package func names(_ delivery: DeliveryName) -> Bool { delivery.store == journalName }

    /// Up to so many in the order of sinks and numbers, after one of a former list.
    package func list(
        _ selection: DeadLetterSelection = DeadLetterSelection(),
        after last: DeadLetter? = nil,
        limit: Int
    ) throws(StoreError) -> [DeadLetter] {
        try access { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT name, number, token, record, attempts, reason, date FROM dead JOIN sinks ON id = sink
                    WHERE \(Self.condition) AND (name, number) > (?, ?) ORDER BY name, number LIMIT ?
                    """,
                arguments: arguments(selection) + [last?.sink ?? "", last?.number ?? 0, limit]
            )
            return rows.map { row in
                DeadLetter(
                    sink: row[0],
                    number: row[1],
                    delivery: DeliveryName(store: journalName, count: row[1]),
                    deviceToken: row[2],
                    record: row.bytes(3),
                    attempts: row[4],
                    reason: row[5],
                    date: Date(timeIntervalSince1970: row[6])
                )
            }
        }
    }

    /// Puts them back on their way, before later records of their devices, with no attempts counted; how many.
    package func replay(_ selection: DeadLetterSelection) throws(StoreError) -> Int {
        try each(selection) { database, places in
            let devices = try Row.fetchAll(
                database,
                sql: "SELECT DISTINCT sink, token FROM dead WHERE place IN \(places)"
            )
            try database.execute(
                sql: """
                    INSERT INTO outbox SELECT place, sink, number, token, 0, NULL, length(record), record FROM dead
                    WHERE place IN \(places) ON CONFLICT DO NOTHING
                    """
            )
            for device in devices { try Self.reorder(database, device[0], device[1]) }
        }
    }

    /// Forgets the dead letters of a selection; returns how many there were.
    package func drop(_ selection: DeadLetterSelection) throws(StoreError) -> Int {
        try each(selection) { _, _ in }
    }

    /// Lets go of the journal.
    package func close() {
        try? database.close()
    }

    /// Has the device's oldest be due, and nothing behind it.
    private static func reorder(_ database: Database, _ sink: Int64, _ token: String) throws {
        let first = "(SELECT number FROM outbox WHERE sink = ?1 AND token = ?2 ORDER BY number LIMIT 1)"
        try database.execute(
            sql: "UPDATE outbox SET due = NULL WHERE sink = ?1 AND token = ?2 AND number > \(first)",
            arguments: [sink, token]
        )
        try database.execute(
            sql: "UPDATE outbox SET due = 0 WHERE sink = ?1 AND token = ?2 AND number = \(first) AND due IS NULL",
            arguments: [sink, token]
        )
    }

    /// Takes them out of the table, slice by slice, after `body` has seen where they are.
    private func each(
        _ selection: DeadLetterSelection,
        _ body: (Database, _ places: String) throws -> Void
    ) throws(StoreError) -> Int {
        var count = 0
        while true {
            let moved = try access { database in
                var moved = 0
                try database.inTransaction(.immediate) {
                    let places = try Int64.fetchAll(
                        database,
                        sql: "SELECT place FROM dead JOIN sinks ON id = sink WHERE \(Self.condition) LIMIT ?",
                        arguments: arguments(selection) + [Self.slice]
                    )
                    let list = "(\(places.map(String.init).joined(separator: ", ")))"
                    try body(database, list)
                    try database.execute(sql: "DELETE FROM dead WHERE place IN \(list)")
                    moved = places.count
                    return .commit
                }
                return moved
            }
            count += moved
            if moved < Self.slice { return count }
        }
    }

    private func access<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try database.writeWithoutTransaction(body)
        } catch {
            throw StoreError(error, path: file.path)
        }
    }

    private static let condition = "(?1 IS NULL OR name = ?1) AND (?2 IS NULL OR number = ?2)"

    private func arguments(_ selection: DeadLetterSelection) -> StatementArguments {
        // No push has the number -1: the name of another journal selects nothing.
        [selection.sink, selection.delivery.map { names($0) ? $0.count : -1 }]
    }
}
