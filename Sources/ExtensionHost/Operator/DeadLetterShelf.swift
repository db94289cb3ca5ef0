// SPDX-License-Identifier: Apache-2.0

import Fleet
import Foundation
import HostRuntime
import Store

/// The dead letters that a command works on: those of a host's own journal, or those of a fleet.
protocol DeadLetterShelf {
    /// True if the name may be that of a push here.
    func names(_ delivery: DeliveryName) -> Bool
    /// Hands over each of a selection, in the order of sinks and pushes or of partitions; a record that cannot be read
    /// is empty.
    func forEach(_ selection: DeadLetterSelection, _ body: (DeadLetter) -> Void) throws(CommandError)
    /// Puts the dead letters of a selection on their way again; returns how many there were.
    func replay(_ selection: DeadLetterSelection) throws(CommandError) -> Int
    /// Forgets the dead letters of a selection; returns how many there were.
    func drop(_ selection: DeadLetterSelection) throws(CommandError) -> Int
}

/// The dead letters of a host that serves alone.
struct JournalLetters: DeadLetterShelf {
    private static let page = 500
    private let letters: DeadLetters

    init(folder: String) throws(CommandError) {
        do throws(StoreError) { letters = try DeadLetters(folder: folder) } catch { throw CommandError(error) }
    }

    func names(_ delivery: DeliveryName) -> Bool { letters.names(delivery) }

    func forEach(_ selection: DeadLetterSelection, _ body: (DeadLetter) -> Void) throws(CommandError) {
        var last: DeadLetter?
        while true {
            let page: [DeadLetter]
            do throws(StoreError) {
                page = try letters.list(selection, after: last, limit: Self.page)
            } catch {
                throw CommandError(error)
            }
            for letter in page { body(letter) }
            guard let end = page.last, page.count == Self.page else { return }
            last = end
        }
    }

    func replay(_ selection: DeadLetterSelection) throws(CommandError) -> Int {
        do throws(StoreError) { return try letters.replay(selection) } catch { throw CommandError(error) }
    }

    func drop(_ selection: DeadLetterSelection) throws(CommandError) -> Int {
        do throws(StoreError) { return try letters.drop(selection) } catch { throw CommandError(error) }
    }
}

/// The dead letters of all hosts of a fleet, whose records its keys open.
struct FleetLetters: DeadLetterShelf {
    /// Rows that a call reads or moves.
    private static let page: Int32 = 500
    private let database: FleetDatabase
    private let reader: FleetRecordReader

    init(_ fleet: FleetConfiguration) throws(CommandError) {
        reader = FleetRecordReader(try fleet.keys())
        do throws(FleetError) { database = try FleetDatabase(fleet.database) } catch { throw CommandError(error) }
    }

    func names(_ delivery: DeliveryName) -> Bool { true }

    func forEach(_ selection: DeadLetterSelection, _ body: (DeadLetter) -> Void) throws(CommandError) {
        var last: DeadRecord?
        while true {
            let page: [DeadRecord]
            do throws(FleetError) {
                page = try database.operations.deadRecords(
                    of: selection.sink,
                    named: selection.delivery?.description,
                    after: last,
                    limit: Self.page
                )
            } catch {
                throw CommandError(error)
            }
            for record in page { body(DeadLetter(record, reader)) }
            guard let end = page.last, page.count == Int(Self.page) else { return }
            last = end
        }
    }

    func replay(_ selection: DeadLetterSelection) throws(CommandError) -> Int {
        try each { database throws(FleetError) in
            try database.operations.reviveDead(
                of: selection.sink,
                named: selection.delivery?.description,
                limit: Self.page
            )
        }
    }

    func drop(_ selection: DeadLetterSelection) throws(CommandError) -> Int {
        try each { database throws(FleetError) in
            try database.operations.dropDead(
                of: selection.sink,
                named: selection.delivery?.description,
                limit: Self.page
            )
        }
    }

    /// Moves rows call by call until there are no more.
    private func each(_ move: (FleetDatabase) throws(FleetError) -> Int) throws(CommandError) -> Int {
        var count = 0
        while true {
            let moved: Int
            do throws(FleetError) { moved = try move(database) } catch { throw CommandError(error) }
            count += moved
            if moved < Int(Self.page) { return count }
        }
    }
}

extension DeadLetter {
    fileprivate init(_ dead: DeadRecord, _ reader: FleetRecordReader) {
        let delivery = DeliveryName(dead.name) ?? DeliveryName(store: "0", count: dead.place.number)
        self.init(
            sink: dead.sink,
            number: dead.place.number,
            delivery: delivery,
            deviceToken: "",
            record: reader.record(of: dead) ?? [],
            attempts: Int(dead.attempts),
            reason: dead.reason,
            date: Date(timeIntervalSince1970: Double(dead.died) / 1000)
        )
    }
}
