// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
import NotificationPayload

/// A notification that waits for an answer of its app, which is in front.
package struct WaitingNotification: Sendable, Equatable {
    package let id: Int64
    package let installation: InstallationKey
    /// The date of its arrival.
    package let stored: WallTime
    /// `nil` means that what the disk has is damaged.
    package let content: NotificationContent?
}

extension CenterStore {
    // MARK: For an app

    /// Returns the pending requests of an app, in the order in which they were added; damaged ones are left out.
    package func pending(of key: InstallationKey) throws(DatabaseFailure) -> [StoredPending] {
        try read { reading in
            guard let id = try reading.id(key) else { return [] }
            return try reading.pending("installation = ?1 ORDER BY pending.id LIMIT ?2", id, Int64.max)
        }
    }

    /// Returns the responses of an app, in the order in which they were stored.
    package func responses(of key: InstallationKey, limit: Int) throws(DatabaseFailure) -> [StoredResponse] {
        try read { reading in
            guard let id = try reading.id(key) else { return [] }
            return try reading.responses("installation = ?1 ORDER BY response.id LIMIT ?2", id, Int64(limit))
        }
    }

    /// Returns the silent push that waits for an app, and when it was stored; `nil` means that none does.
    package func silent(of key: InstallationKey) throws(DatabaseFailure) -> (payload: [UInt8], stored: WallTime)? {
        try read { reading in
            guard let id = try reading.id(key) else { return nil }
            let select = try reading.statement(
                "SELECT stored, payload, sealed_payload FROM silent WHERE installation = ?1"
            )
            let found = try select.bind(id).first { row in
                (
                    payload: try reading.stored.silent(row, 1, of: id) { try reading.statement($0) },
                    stored: row.integer(0)
                )
            }
            return found.flatMap { found in found.payload.map { ($0, found.stored) } }
        }
    }

    /// Returns the files that the notifications, requests and responses of an app have under the identifier of a
    /// request.
    ///
    /// The history has none for an app: what its owner dismissed is gone for it.
    package func files(
        ofRequest identifier: String,
        of key: InstallationKey
    ) throws(DatabaseFailure) -> [FileShelf.File] {
        try read { reading in
            guard let id = try reading.id(key) else { return [] }
            var files: [FileShelf.File] = []
            for (table, isNamed) in [("head", true), ("pending", true), ("response", false), ("waiting", false)] {
                let select = try reading.statement(
                    """
                    SELECT \(StoredBytes.names) FROM \(table) JOIN content ON content.id = body
                    WHERE installation = ?1\(isNamed ? " AND name = ?2" : "")
                        AND EXISTS (SELECT 1 FROM file WHERE file.content = content.id)
                    """
                )
                // Two identifiers may have one hash.
                select.bind(id, at: 1)
                if isNamed { select.bind(reading.hash(identifier), at: 2) }
                try select.each { row in
                    guard let content = try reading.content(row, 0), content.identifier.isWord(identifier) else {
                        return
                    }
                    files += content.files
                }
            }
            return files
        }
    }

    // MARK: For the centre itself, of every owner

    /// Returns requests that are due on a clock before an instant, the soonest first, those of one instant in the order
    /// in which they were added; damaged ones are left out.
    package func due(
        on clock: TriggerClock,
        before instant: Int64,
        limit: Int
    ) throws(DatabaseFailure) -> [StoredPending] {
        try read { reading in
            try reading.pending(
                "clock = ?1 AND due < ?2 ORDER BY due, pending.id LIMIT ?3",
                clock.rawValue,
                instant,
                Int64(limit)
            )
        }
    }

    /// Returns requests on a clock whose numbers are larger than `id`, in their order; damaged ones are left out.
    package func pending(
        on clock: TriggerClock,
        after id: Int64,
        limit: Int
    ) throws(DatabaseFailure) -> [StoredPending] {
        try read { reading in
            try reading.pending(
                "clock = ?1 AND pending.id > ?2 ORDER BY pending.id LIMIT ?3",
                clock.rawValue,
                id,
                Int64(limit)
            )
        }
    }

    /// Returns the soonest instant at which a request is due on a clock; `nil` means that none is.
    package func nextDue(on clock: TriggerClock) throws(DatabaseFailure) -> Int64? {
        try read { reading in
            try reading.statement("SELECT due FROM pending WHERE clock = ?1 AND due IS NOT NULL ORDER BY due LIMIT 1")
                .bind(clock.rawValue).first { $0.integer(0) }
        }
    }

    /// Returns the request of a number; `nil` means that it does not wait any more, or is damaged.
    package func pending(_ id: Int64) throws(DatabaseFailure) -> StoredPending? {
        try read { try $0.pending("pending.id = ?1", id).first }
    }

    /// Returns the requests of an owner that wait for a region or a beacon, in the order in which they were added.
    package func regions(of owner: OwnerName) throws(DatabaseFailure) -> [StoredRegion] {
        try read { reading in
            var regions: [StoredRegion] = []
            try reading.statement(
                """
                SELECT region.pending, box, state, repeats, rule FROM region JOIN pending ON pending.id = region.pending
                WHERE region.owner = (SELECT id FROM owner WHERE name = ?1) ORDER BY region.pending
                """
            ).bind(owner.text).each { row in
                regions.append(
                    StoredRegion(
                        id: row.integer(0),
                        box: row.blob(1),
                        standing: row.integer(2),
                        repeats: row.integer(3) != 0,
                        rule: row.blob(4)
                    )
                )
            }
            return regions
        }
    }

    /// Returns responses of all apps whose numbers are larger than `id`, in their order: after a restart.
    package func responses(after id: Int64, limit: Int) throws(DatabaseFailure) -> [StoredResponse] {
        try read { try $0.responses("response.id > ?1 ORDER BY response.id LIMIT ?2", id, Int64(limit)) }
    }

    /// Returns the response to a notification of an app, by the notification's number; `nil` means that there is none,
    /// or that the app is done with it.
    package func response(to number: Int64, of key: InstallationKey) throws(DatabaseFailure) -> StoredResponse? {
        try read { reading in
            guard let id = try reading.id(key) else { return nil }
            return try reading.responses("installation = ?1 AND number = ?2", id, number).first
        }
    }

    /// Returns waiting notifications whose numbers are larger than `id`, in their order: after a restart.
    package func waiting(after id: Int64, limit: Int) throws(DatabaseFailure) -> [WaitingNotification] {
        try read { reading in
            var waiting: [WaitingNotification] = []
            try reading.statement(
                """
                SELECT waiting.id, owner.name, topic, waiting.stored, \(StoredBytes.names) FROM waiting
                JOIN installation ON installation.id = installation JOIN owner ON owner.id = owner
                JOIN app ON app.id = app JOIN content ON content.id = body
                WHERE waiting.id > ?1 ORDER BY waiting.id LIMIT ?2
                """
            ).bind(id, limit).each { row in
                waiting.append(
                    WaitingNotification(
                        id: row.integer(0),
                        installation: InstallationKey(row, from: 1),
                        stored: row.integer(3),
                        content: try reading.content(row, 4)
                    )
                )
            }
            return waiting
        }
    }
}

extension CenterReading {
    fileprivate func pending(_ condition: String, _ values: Int64...) throws -> [StoredPending] {
        var requests: [StoredPending] = []
        let select = try statement(
            """
            SELECT pending.id, owner.name, topic, clock, due, anchor, repeats, rule, \(StoredBytes.names),
                (SELECT box FROM region WHERE region.pending = pending.id)
            FROM pending
            JOIN installation ON installation.id = installation JOIN owner ON owner.id = owner
            JOIN app ON app.id = app JOIN content ON content.id = body WHERE \(condition)
            """
        )
        for (index, value) in values.enumerated() { select.bind(value, at: CInt(index + 1)) }
        try select.each { row in
            guard let clock = TriggerClock(rawValue: row.integer(3)), let content = try content(row, 8) else { return }
            let request = PendingRequest(
                installation: InstallationKey(row, from: 1),
                clock: clock,
                date: DueDate(due: row.optionalInteger(4), anchor: row.blob(5)),
                repeats: row.integer(6) != 0,
                rule: row.blob(7),
                content: content,
                box: row.isNull(11) ? nil : row.blob(11)
            )
            requests.append(StoredPending(id: row.integer(0), request: request))
        }
        return requests
    }

    fileprivate func responses(_ condition: String, _ values: Int64...) throws -> [StoredResponse] {
        var responses: [StoredResponse] = []
        let select = try statement(
            """
            SELECT response.id, owner.name, topic, number, action, state, tries, response.stored,
                \(StoredBytes.names), response.installation, text, sealed_text,
                (SELECT date FROM history WHERE history.owner = owner.id AND history.number = response.number)
            FROM response JOIN installation ON installation.id = installation JOIN owner ON owner.id = owner
            JOIN app ON app.id = app JOIN content ON content.id = body WHERE \(condition)
            """
        )
        for (index, value) in values.enumerated() { select.bind(value, at: CInt(index + 1)) }
        try select.each { row in
            responses.append(
                StoredResponse(
                    id: row.integer(0),
                    installation: InstallationKey(row, from: 1),
                    number: row.integer(3),
                    action: row.text(4),
                    text: try stored.text(row, 12, of: row.integer(11)) { try statement($0) },
                    state: ResponseState(rawValue: row.integer(5)) ?? .stored,
                    tries: Int(row.integer(6)),
                    stored: row.integer(7),
                    delivered: row.optionalInteger(14),
                    content: try content(row, 8)
                )
            )
        }
        return responses
    }
}

extension InstallationKey {
    /// Reads owner and app.
    fileprivate init(_ row: borrowing HotRow, from index: CInt) {
        self.init(owner: OwnerName(stored: row.text(index)), stored: row.text(index + 1))
    }
}
