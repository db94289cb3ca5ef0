// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// Retention: what is too old or too much goes, oldest first, a slice in each call.
extension CenterBooks {
    /// Removes one slice, and writes to the disk after a failure, so that its end shows; true: there is more to remove.
    func retain(at now: WallTime) throws -> Bool {
        let left = try transaction {
            if hasFailed {
                try statement("INSERT OR REPLACE INTO facts VALUES (?1, ?2)").bind(Fact.proof, [UInt8]("\(now)".utf8))
                    .run()
            }
            var slice = Slice(left: limits.slice)
            // An owner's own bounds before those of all together, which then find less to do.
            try removeAged(&slice, at: now)
            try removeBeyondInstallations(&slice, at: now)
            try removeBeyondOwners(&slice, at: now)
            try removeBeyondAll(&slice, at: now)
            try removePast(&slice, at: now)
            try forgetRemovals(&slice, at: now)
            try expireResponses(&slice, at: now)
            return slice.left
        }
        hasFailed = false
        return left == 0
    }

    /// The rows that one call may still remove.
    struct Slice {
        fileprivate(set) var left: Int

        /// Takes one row, if one may be taken.
        mutating func take() -> Bool {
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    // MARK: - Notifications

    /// An owner's oldest number stands for the oldest date: one that is dated later keeps those behind it until it ages
    /// itself.
    private func removeAged(_ slice: inout Slice, at now: WallTime) throws {
        let age = limits.age.wholeMilliseconds
        guard age > 0 else { return }
        for owner in accounts.owners.values where owner.values.stored > 0 && (owner.agesNext ?? .min) < now {
            while let oldest = try oldestHead(owner) {
                owner.agesNext = oldest.head.date + age
                guard oldest.head.date + age < now, slice.take() else { break }
                guard let installation = try installation(oldest.head.installation) else { throw Self.lost }
                try retire(oldest, of: installation, at: now)
            }
        }
    }

    private func removeBeyondInstallations(_ slice: inout Slice, at now: WallTime) throws {
        for id in crowded.sorted() {
            if let installation = try installation(id) {
                var heads = OldestHeads(self)
                while installation.values.stored > limits.perInstallation {
                    guard slice.take() else { return }
                    guard let oldest = try heads.next(of: installation) else { throw Self.lost }
                    try retire(oldest, of: installation, at: now)
                }
            }
            crowded.remove(id)
        }
    }

    private func removeBeyondOwners(_ slice: inout Slice, at now: WallTime) throws {
        let (count, bytes) = (Int64(limits.perOwner), Int64(limits.ownerBytes))
        for owner in accounts.owners.values where owner.values.stored > count || owner.values.bytes > bytes {
            var eviction = try Eviction(self, owner)
            while owner.values.stored > count, slice.take() { try eviction.removeOne(by: .count, at: now) }
            while owner.values.bytes > bytes, slice.take() { try eviction.removeOne(by: .bytes, at: now) }
        }
    }

    private func removeBeyondAll(_ slice: inout Slice, at now: WallTime) throws {
        var evictions: [Int64: Eviction] = [:]
        func removeOne(_ measure: Eviction.Measure, _ size: (OwnerValues) -> Int64) throws {
            let largest = accounts.owners.values.max { left, right in
                (size(left.values), right.id) < (size(right.values), left.id)
            }
            guard let largest else { throw Self.lost }
            var eviction = try evictions[largest.id] ?? Eviction(self, largest)
            try eviction.removeOne(by: measure, at: now)
            evictions[largest.id] = eviction
        }
        while totals.stored > limits.inAll, slice.take() { try removeOne(.count) { $0.stored } }
        while totals.bytes > limits.bytesInAll, slice.take() { try removeOne(.bytes) { $0.bytes } }
    }

    func retire(_ oldest: StoredHead, of installation: InstallationAccount, at now: WallTime) throws {
        try remove(oldest, of: installation, by: .retention, at: now)
        upkeep.owners.insert(installation.key.owner)
    }

    private func oldestHead(_ owner: OwnerAccount) throws -> StoredHead? {
        try statement("SELECT \(StoredHead.columns) FROM head WHERE owner = ?1 ORDER BY number LIMIT 1").bind(owner.id)
            .first { StoredHead($0) }
    }

    // MARK: - History and tombstones

    private func removePast(_ slice: inout Slice, at now: WallTime) throws {
        var ended: [(owner: Int64, head: StoredHead)] = []
        try statement("SELECT owner, \(StoredHead.columns) FROM history WHERE closed < ?1 ORDER BY closed LIMIT ?2")
            .bind(now - limits.history.wholeMilliseconds, slice.left).each { row in
                ended.append((row.integer(0), StoredHead(row, from: 1)))
            }
        for (id, stored) in ended where slice.take() {
            guard let owner = accounts.ownersByID[id] else { throw Self.lost }
            try remove(past: stored, of: owner)
        }
        for owner in accounts.owners.values {
            while owner.values.past > limits.perOwner, slice.take() {
                guard let oldest = try oldestPast(owner) else { throw Self.lost }
                try remove(past: oldest, of: owner)
            }
        }
    }

    func oldestPast(_ owner: OwnerAccount) throws -> StoredHead? {
        try statement("SELECT \(StoredHead.columns) FROM history WHERE owner = ?1 ORDER BY number LIMIT 1")
            .bind(owner.id).first { StoredHead($0) }
    }

    /// Forgets removed numbers; the owner's floor says up to which one.
    private func forgetRemovals(_ slice: inout Slice, at now: WallTime) throws {
        let age = limits.tombstoneAge.wholeMilliseconds
        for owner in accounts.owners.values where owner.values.tombstones > 0 {
            while owner.values.tombstones > limits.tombstones || (owner.forgetsNext ?? .min) < now {
                let oldest = try statement("SELECT number, date FROM gone WHERE owner = ?1 ORDER BY number LIMIT 1")
                    .bind(owner.id).first { (number: $0.integer(0), date: $0.integer(1)) }
                guard let oldest else { break }
                owner.forgetsNext = oldest.date + age
                guard owner.values.tombstones > limits.tombstones || oldest.date + age < now, slice.take() else {
                    break
                }
                try statement("DELETE FROM gone WHERE owner = ?1 AND number = ?2").bind(owner.id, oldest.number).run()
                accounts.change(owner) { values in
                    values.tombstones -= 1
                    values.floor = oldest.number
                }
            }
        }
    }

    // MARK: - Responses and silent pushes

    private func expireResponses(_ slice: inout Slice, at now: WallTime) throws {
        let end = now - limits.responseAge.wholeMilliseconds
        var late: [ResponseRow] = []
        try statement("SELECT \(ResponseRow.columns) FROM response WHERE stored < ?1 ORDER BY stored, id LIMIT ?2")
            .bind(end, slice.left).each { late.append(ResponseRow($0)) }
        for row in late where slice.take() { try expire(row) }
        for id in talkative.sorted() {
            if let installation = try installation(id) {
                let rows = try responses(of: installation)
                for row in rows.prefix(max(0, rows.count - limits.responses)) {
                    guard slice.take() else { return }
                    try expire(row)
                }
            }
            talkative.remove(id)
        }
        let silenced = try statement(
            "DELETE FROM silent WHERE installation IN (SELECT installation FROM silent WHERE stored < ?1 LIMIT ?2)"
        ).bind(end, slice.left).run()
        for _ in 0..<silenced { _ = slice.take() }
    }

    /// Gives a response up, and says so to whoever fetches the list.
    private func expire(_ row: ResponseRow) throws {
        if let installation = try installation(row.installation) {
            if upkeep.expired.count == limits.responses { upkeep.expired.removeFirst() }
            upkeep.expired.append(ExpiredResponse(id: row.id, installation: installation.key, number: row.number))
        }
        try deleteResponse(row)
    }
}
