// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB
import HostRuntime
import NotificationPayload

import struct Foundation.Date

extension Ledger {
    /// One transaction.
    ///
    /// Ends before beginnings: their pages are used again at once.
    func commit(_ database: Database, _ work: JournalWork, admit: (IncomingPush) -> Bool) throws -> [Arrival] {
        try transaction(database) {
            for conclusion in work.conclusions { try conclude(conclusion) }
            for settlement in work.settlements { try settle(settlement) }
            if !work.conclusions.isEmpty, counts.oldest == nil {
                counts.oldest = try statements.oldest.first { ($0.integer(0), $0.integer(1)) }
            }
            var arrivals: [Arrival] = []
            arrivals.reserveCapacity(work.arrivals.count)
            let now = time.now
            for push in work.arrivals { arrivals.append(try arrive(push, at: now, admit: admit)) }
            try mark()
            return arrivals
        }
    }

    // MARK: - Arrivals

    private func arrive(_ push: IncomingPush, at now: Int64, admit: (IncomingPush) -> Bool) throws -> Arrival {
        let body = push.body.isEmpty ? push.payload.serialized : push.body
        let keys = PushKeys(push, body: body)
        if let id = try first(keys.identity, at: 0) {
            counts.statistics.repeatedByIdentity += 1
            return .repeated(id: id)
        }
        if let content = keys.content, let id = try first(content, at: 16) {
            counts.statistics.repeatedByContent += 1
            return .repeated(id: id)
        }
        let isChanged = recent.has(push, otherThan: keys.identity)
        if isChanged, push.refusesOtherBody {
            counts.statistics.changed += 1
            return .otherBody
        }
        guard admit(push) else { return .turnedAway }
        recent.note(push, keys.identity)
        if isChanged { counts.statistics.changed += 1 }
        let number = counts.next
        try store(push, body, number, at: now)
        try note(push, keys, number)
        counts.next = number + 1
        counts.oldest = counts.oldest ?? (number, now)
        counts.statistics.keys += keys.bytes.count / 16
        counts.statistics.pushes += 1
        counts.statistics.byteCount += body.count
        return .stored(number: number)
    }

    /// The id of the push that has this key.
    private func first(_ key: PushKey, at offset: Int) throws -> String? {
        var id: String?
        _ = try index.first(key) { number in
            statements.look.bind(number, at: 1)
            id =
                try statements.look.first { row in
                    let isIt = row.bytes(0) { $0.count >= offset + 16 && PushKey($0, at: offset) == key }
                    return isIt ? row.identifier(1) : nil
                } ?? nil
            return id != nil
        }
        return id
    }

    private func store(_ push: IncomingPush, _ body: [UInt8], _ number: Int64, at now: Int64) throws {
        let store = statements.store
        store.bind(number, at: 1)
        store.bind(try self.number(of: push.topic, in: \.topics, statements.topic), at: 2)
        store.bind(push.deviceToken, at: 3)
        store.bind(Int64(body.count), at: 4)
        store.bind(now, at: 5)
        store.bind(push.id, at: 6)
        store.bind(push.pushType.rawValue, at: 7)
        store.bind(Int64(push.priority.rawValue), at: 8)
        store.bind(push.isKept ? 1 : 0, at: 9)
        store.bind(push.expiration?.timeIntervalSince1970, at: 10)
        store.bind(push.collapseID, at: 11)
        store.bind(push.receivedAt.timeIntervalSince1970, at: 12)
        store.bind(push.sender.map { String(decoding: $0.json.serialized, as: UTF8.self) }, at: 13)
        store.bind(push.owner == OwnedApp.onlyOwner ? nil : push.owner, at: 14)
        try store.run(binding: body, at: 15)
    }

    private func note(_ push: IncomingPush, _ keys: PushKeys, _ number: Int64) throws {
        let note = statements.note
        note.bind(number, at: 1)
        note.bind(keys.bytes, at: 2)
        if let id = UUIDBytes(push.id) { note.bind(id.bytes, at: 3) } else { note.bind(push.id, at: 3) }
        try note.run()
        index.insert(keys.identity, number: number)
        if let content = keys.content { index.insert(content, number: number) }
    }

    // MARK: - Ends

    private func conclude(_ conclusion: Conclusion) throws {
        statements.size.bind(conclusion.number, at: 1)
        // None: it is concluded already, and so is its record under way.
        guard let byteCount = try statements.size.first({ Int($0.integer(0)) }) else { return }
        statements.conclude.bind(conclusion.number, at: 1)
        try statements.conclude.run()
        counts.statistics.pushes -= 1
        counts.statistics.byteCount -= byteCount
        if counts.oldest?.number == conclusion.number { counts.oldest = nil }
        guard let record = conclusion.record else { return }
        for name in conclusion.sinks {
            let sink = try number(of: name, in: \.sinks, statements.sink)
            let post = statements.post
            post.bind(JournalSchema.place(sink: sink, number: conclusion.number), at: 1)
            post.bind(sink, at: 2)
            post.bind(conclusion.number, at: 3)
            post.bind(conclusion.deviceToken, at: 4)
            post.bind(Int64(record.count), at: 5)
            guard try post.run(binding: record, at: 6) == 1 else { continue }
            counts.statistics.sinks[name, default: .init()].waiting += 1
            counts.statistics.sinks[name, default: .init()].waitingByteCount += record.count
        }
    }

    private func settle(_ settlement: Settlement) throws {
        guard let sink = counts.sinks[settlement.sink] else { return }
        let place = JournalSchema.place(sink: sink, number: settlement.number)
        statements.posted.bind(place, at: 1)
        // None: it is settled already.
        guard let (token, byteCount) = try statements.posted.first({ ($0.text(0), Int($0.integer(1))) }) else { return }
        switch settlement.verdict {
        case .retry(let delay, _):
            statements.postpone.bind(place, at: 1)
            statements.postpone.bind(time.now + delay.milliseconds, at: 2)
            try statements.postpone.run()
            return
        case .dead(let reason):
            statements.bury.bind(place, at: 1)
            statements.bury.bind(reason, at: 2)
            statements.bury.bind(time.now, at: 3)
            statements.bury.bind(Date().timeIntervalSince1970, at: 4)
            try statements.bury.run()
            counts.statistics.sinks[settlement.sink, default: .init()].dead += 1
        case .delivered: break
        }
        statements.unpost.bind(place, at: 1)
        try statements.unpost.run()
        statements.promote.bind(sink, at: 1)
        statements.promote.bind(token, at: 2)
        try statements.promote.run()
        counts.statistics.sinks[settlement.sink, default: .init()].waiting -= 1
        counts.statistics.sinks[settlement.sink, default: .init()].waitingByteCount -= byteCount
    }
}

extension HotRow {
    /// A push's id, as `seen` keeps it.
    func identifier(_ index: CInt) -> String {
        isText(index) ? text(index) : bytes(index) { UUIDBytes($0).text }
    }
}
