// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB
import HostRuntime
import NotificationPayload

import struct Foundation.Date

extension Ledger {
    /// The journal's name, made with it.
    func name(_ database: Database) throws -> String {
        if let name = try String.fetchOne(database, sql: "SELECT value FROM facts WHERE name = 'name'") { return name }
        let name = Hexadecimal.encode(UInt32.random(in: .min ... .max))
        try database.execute(sql: "INSERT INTO facts VALUES ('name', ?)", arguments: [name])
        return name
    }

    func raise(_ database: Database, to number: Int64) throws {
        guard number > counts.next else { return }
        try transaction(database) {
            try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES ('floor', ?)", arguments: [number])
            if counts.first == counts.next { counts.first = number }
            counts.next = number
        }
    }

    func unfinished() throws -> [UnfinishedPush] {
        let topics = Dictionary(uniqueKeysWithValues: counts.topics.map { ($1, $0) })
        var pushes: [UnfinishedPush] = []
        pushes.reserveCapacity(counts.statistics.pushes)
        try statements.heads.each { row in
            pushes.append(
                UnfinishedPush(
                    number: row.integer(0),
                    topic: topics[row.integer(1)] ?? "",
                    deviceToken: row.text(2),
                    byteCount: Int(row.integer(3))
                )
            )
        }
        pushes.sort { $0.number < $1.number }
        return pushes
    }

    func pushes(of topic: String, after number: Int64, limit: Int) throws -> [IncomingPush] {
        guard let topicNumber = counts.topics[topic] else { return [] }
        statements.reload.bind(topicNumber, at: 1)
        statements.reload.bind(number, at: 2)
        statements.reload.bind(Int64(limit), at: 3)
        var pushes: [IncomingPush] = []
        try statements.reload.each { row in pushes.append(push(topic, row)) }
        for (place, push) in pushes.enumerated() where try !isSound(push) {
            counts.statistics.damaged += 1
            pushes[place] = push.emptied()
        }
        for place in pushes.indices { pushes[place].body = [] }
        return pushes
    }

    /// Without a payload if the body is none; with its body.
    private func push(_ topic: String, _ row: borrowing HotRow) -> IncomingPush {
        let body = row.bytes(10) { Array($0) }
        return IncomingPush(
            id: row.text(1),
            deviceToken: row.text(2),
            topic: topic,
            owner: row.isNull(11) ? OwnedApp.onlyOwner : row.text(11),
            pushType: PushType(rawValue: row.text(3)) ?? .alert,
            priority: PushPriority(rawValue: Int(row.integer(4))) ?? .immediate,
            expiration: row.isNull(5) ? nil : Date(timeIntervalSince1970: row.double(5)),
            isKept: row.integer(6) != 0,
            collapseID: row.isNull(7) ? nil : row.text(7),
            payload: (try? Payload(parsing: body.span)) ?? Payload([:]),
            body: body,
            payloadByteCount: body.count,
            receivedAt: Date(timeIntervalSince1970: row.double(8)),
            sender: row.isNull(9) ? nil : sender(row.bytes(9) { Array($0) }),
            number: row.integer(0)
        )
    }

    private func sender(_ text: [UInt8]) -> PushSender? {
        (try? JSONObject(parsing: text.span)).flatMap { PushSender($0) }
    }

    /// Tells whether a push is what was accepted, as far as its key tells; SQLite itself has no sums over what it
    /// stores.
    private func isSound(_ push: IncomingPush) throws -> Bool {
        guard !push.payload.object.isEmpty, let number = push.number else { return false }
        let keys = PushKeys(push, body: push.body)
        statements.look.bind(number, at: 1)
        // Forgotten already: nothing speaks against it.
        return try statements.look.first { $0.bytes(0) { $0.elementsEqual(keys.bytes) } } ?? true
    }

    var isMaintenanceDue: Bool { time.now - lastMaintenance >= 1000 }

    func close(_ database: Database) throws {
        isClosed = true
        defer { statements.close() }
        try transaction(database) {
            try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES ('time', ?)", arguments: [time.now])
            try mark()
        }
        try log.empty(database)
    }
}

extension IncomingPush {
    /// Returns the push without its content, which is lost.
    fileprivate func emptied() -> IncomingPush {
        IncomingPush(
            id: id,
            deviceToken: deviceToken,
            topic: topic,
            owner: owner,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            isKept: isKept,
            collapseID: collapseID,
            payload: Payload([:]),
            payloadByteCount: payloadByteCount,
            receivedAt: receivedAt,
            sender: sender,
            number: number
        )
    }
}
