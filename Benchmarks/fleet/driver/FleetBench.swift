// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Foundation
import Locking
import PostgreSQL

/// The cost of a push to the servers of a fleet, from its acceptance to the answer of its one sink, in batches.
///
///   fleet-bench HOSTS BATCH BATCHES TOKENS
///
/// A primary and a synchronous standby on one disk, both written through. Each host takes its share of the partitions
/// and does the four writes of a push, a batch at a time, of 2 KB bodies and records. Prints, for the functions of the
/// schema and for the same statements without fence, secret and answer by one writer of the tables: processor time of
/// both servers a push in microseconds, bytes of log a push, pushes a second.
@main
enum FleetBench {
    struct Work: Sendable {
        let hosts: Int
        let batch: Int
        let batches: Int
        let tokens: Int

        var pushes: Int { hosts * batch * batches }
    }

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        guard numbers.count == 4, CommandLine.arguments.count == 5, numbers.allSatisfy({ $0 > 0 }) else {
            FileHandle.standardError.write(
                Data("fleet-bench: error: usage: fleet-bench HOSTS BATCH BATCHES TOKENS\n".utf8)
            )
            exit(2)
        }
        let work = Work(hosts: numbers[0], batch: numbers[1], batches: numbers[2], tokens: numbers[3])
        let site = try Site(tokens: work.tokens)
        let (host, owner) = (site.conninfo, site.ownerConninfo)
        let functions = try await site.measured(work.pushes) {
            try await run(work) { try serve($0, work, conninfo: host) }
        }
        print("functions \(functions)")
        let bare = try await site.measured(work.pushes) {
            try await run(work) { try write($0, work, conninfo: owner) }
        }
        print("bare \(bare)")
    }

    static let body = [UInt8](repeating: 0x61, count: 2_048)

    static func token(_ number: Int) -> String { String(format: "%064x", number) }

    /// Has each host do its work on a thread of its own.
    private static func run(_ work: Work, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in 0..<work.hosts {
                group.addTask {
                    try await SerialWork(name: "host").result { Result { try body(host) } }.get()
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: By functions

    private static func serve(_ host: Int, _ work: Work, conninfo: String) throws {
        let database = try FleetDatabase(conninfo, patience: .seconds(60))
        let session = try database.join(FleetMember(host: "\(host)", version: "1", lease: .seconds(600)))
        let parts = Partition.all.filter { Int($0.number) % work.hosts == host }
        let free = parts.map { FleetSnapshot.Holding(part: $0, holder: nil, epoch: 0) }
        _ = try database.take(free, from: nil, as: session)
        // Tokens whose partitions the host holds.
        let tokens = (0..<work.tokens).lazy.map(token).filter { parts.contains(Partition(token: $0)) }
        var devices = Array(tokens.prefix(work.batch * 16))
        devices.shuffle()
        for round in 0..<work.batches {
            let offers = (0..<work.batch).map { index in
                OfferedPush(
                    topic: "com.example.chat",
                    token: devices[(round * work.batch + index) % devices.count],
                    app: "com.example.chat",
                    environment: "production",
                    name: "\(session.number)-\(round * work.batch + index)",
                    keys: Array(repeating: 7, count: 32),
                    head: #"{"id":"6f1c","priority":10,"received":1700000000}"#,
                    body: body
                )
            }
            let places = zip(offers, try database.accept(offers)).compactMap { offer, verdict in
                if case .stored(let place) = verdict { PushPlace(Partition(token: offer.token), place) } else { nil }
            }
            precondition(places.count == work.batch, "each token is known")
            let asked = Dictionary(grouping: places, by: \.part).map {
                ($0.key, ($0.value.map(\.number).min() ?? 1) - 1)
            }
            _ = try database.waiting(in: asked.map { (part: $0.0, after: $0.1) }, each: Int32(work.batch), as: session)
            let id = Array(repeating: UInt8(9), count: 16)
            try database.remember(places.map { OpenedMark(place: $0, id: id, expiry: 2_000_000_000) }, as: session)
            let ends = places.map { FleetConclusion(place: $0, records: [.init(sink: "hook", record: body)]) }
            let ended = try database.conclude(ends, as: session)
            precondition(ended == work.batch, "each push is the session's")
            try database.settle(
                places.map { FleetSettlement(place: $0, sink: "hook", verdict: .taken) },
                as: session
            )
        }
        try database.depart(session)
    }

    // MARK: By statements alone

    private static func write(_ host: Int, _ work: Work, conninfo: String) throws {
        let connection = try Connection(conninfo, application: "bench")
        let accept = Statement(
            "accept",
            """
            INSERT INTO nestbox.waiting (part, place, topic, token, owner, name, keys, head, body)
            SELECT part, place, 'com.example.chat', token, 'me', name, keys, '{}', body
            FROM unnest($1::smallint[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bytea[])
                AS p(part, place, token, name, keys, body)
            """
        )
        let read = Statement("read", "SELECT * FROM nestbox.waiting WHERE part = ANY ($1::smallint[]) AND place >= $2")
        let remember = Statement(
            "remember",
            """
            INSERT INTO nestbox.opened (part, place, id, expiry)
            SELECT part, place, '\\x00112233445566778899aabbccddeeff', 2000000000
            FROM unnest($1::smallint[], $2::bigint[]) AS p(part, place)
            """
        )
        let conclude = Statement(
            "conclude",
            """
            WITH ended AS (
                DELETE FROM nestbox.waiting w USING unnest($1::smallint[], $2::bigint[]) AS p(part, place)
                WHERE w.part = p.part AND w.place = p.place RETURNING w.part, w.place, w.keys, w.name, w.token
            ), noted AS (
                INSERT INTO nestbox.seen (part, place, at, keys) SELECT part, place, 1700000000, keys FROM ended
            )
            INSERT INTO nestbox.outbox (part, sink, place, name, token, due, record)
            SELECT part, 'hook', place, name, token, now(), $3 FROM ended
            """
        )
        let settle = Statement(
            "settle",
            """
            DELETE FROM nestbox.outbox o USING unnest($1::smallint[], $2::bigint[]) AS p(part, place)
            WHERE o.part = p.part AND o.place = p.place
            """
        )
        for round in 0..<work.batches {
            let first = Int64(host) << 40 | Int64(round * work.batch)
            let parts = (0..<work.batch).map { Int16(($0 * 7 + host) % 1024) }
            let places = (0..<work.batch).map { first + Int64($0) }
            let keys: [Parameter] = [.int16s(parts), .int64s(places)]
            try connection.run(
                accept,
                keys + [
                    .texts(places.map { token(Int($0 & 0xFFFF)) }), .texts(places.map { "\(host)-\($0)" }),
                    .byteArrays(places.map { _ in Array(repeating: 7, count: 32) }),
                    .byteArrays(places.map { _ in body }),
                ],
                within: .seconds(60)
            )
            try connection.run(read, [.int16s(parts), .int64(first)], within: .seconds(60))
            try connection.run(remember, keys, within: .seconds(60))
            try connection.run(conclude, keys + [.bytes(body)], within: .seconds(60))
            try connection.run(settle, keys, within: .seconds(60))
        }
    }
}
