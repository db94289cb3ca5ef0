// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// Retention: what is too old or too much goes, oldest first, a slice in each call.
final class Retention: Book {
    private let tables: BookTables
    private let accounts: AccountBook
    private let heads: HeadBook
    private let responses: ResponseBook
    private let limits: CenterLimits
    /// The news of maintenance, until somebody fetches them.
    private var upkeep = Undoable(Upkeep())

    init(_ heads: HeadBook, _ responses: ResponseBook) {
        (tables, accounts, limits) = (heads.tables, heads.accounts, heads.limits)
        self.heads = heads
        self.responses = responses
    }

    func committed() { upkeep.commit() }

    func rolledBack() { upkeep.rollBack() }

    /// Returns the news since the last call; called between two transactions.
    func takeUpkeep() -> Upkeep {
        defer { upkeep = Undoable(Upkeep()) }
        return upkeep.value
    }

    /// Removes one slice; true: there is more to remove.
    func removeSlice(at now: WallTime) throws -> Bool {
        var slice = RetentionSlice(left: limits.slice)
        // An owner's own bounds before those of all together, which then find less to do.
        try removeAged(&slice, at: now)
        try removeBeyondInstallations(&slice, at: now)
        try removeBeyondOwners(&slice, at: now)
        try removeBeyondAll(&slice, at: now)
        try removePast(&slice, at: now)
        try forgetRemovals(&slice, at: now)
        let end = now - limits.responseAge.wholeMilliseconds
        note(try responses.expire(storedBefore: end, &slice))
        try dropSilent(storedBefore: end, &slice)
        try dropCredentials(endedBefore: now)
        return slice.left == 0
    }

    // MARK: - Notifications

    /// Removes what is too old.
    ///
    /// An owner's oldest number stands for the oldest date: one that is dated later keeps those behind it until it ages
    /// itself.
    private func removeAged(_ slice: inout RetentionSlice, at now: WallTime) throws {
        let age = limits.age.wholeMilliseconds
        guard age > 0 else { return }
        for owner in accounts.owners where owner.values.stored > 0 && (owner.agesNext ?? .min) < now {
            while let oldest = try heads.oldest(of: owner) {
                owner.agesNext = oldest.head.date + age
                guard oldest.head.date + age < now, slice.take() else { break }
                guard let installation = try accounts.installation(oldest.head.installation) else {
                    throw DatabaseError.lostRow
                }
                try retire(oldest, of: installation, at: now)
            }
        }
    }

    private func removeBeyondInstallations(_ slice: inout RetentionSlice, at now: WallTime) throws {
        for id in heads.crowded {
            if let installation = try accounts.installation(id) {
                var oldest = OldestHeads(tables)
                while installation.values.stored > limits.perInstallation {
                    guard slice.take() else { return }
                    guard let head = try oldest.next(of: installation) else { throw DatabaseError.lostRow }
                    try retire(head, of: installation, at: now)
                }
            }
            heads.thinned(id)
        }
    }

    private func removeBeyondOwners(_ slice: inout RetentionSlice, at now: WallTime) throws {
        let (count, bytes) = (Int64(limits.perOwner), Int64(limits.ownerBytes))
        for owner in accounts.owners where owner.values.stored > count || owner.values.bytes > bytes {
            var eviction = try eviction(from: owner)
            while owner.values.stored > count, slice.take() {
                try remove(eviction.next(by: .count), of: owner, at: now)
            }
            while owner.values.bytes > bytes, slice.take() { try remove(eviction.next(by: .bytes), of: owner, at: now) }
        }
    }

    private func removeBeyondAll(_ slice: inout RetentionSlice, at now: WallTime) throws {
        var evictions: [Int64: Eviction] = [:]
        func removeOne(_ measure: Eviction.Measure, _ size: (OwnerValues) -> Int64) throws {
            let largest = accounts.owners.max { left, right in
                (size(left.values), right.id) < (size(right.values), left.id)
            }
            guard let largest else { throw DatabaseError.lostRow }
            var eviction = try evictions[largest.id] ?? eviction(from: largest)
            try remove(eviction.next(by: measure), of: largest, at: now)
            evictions[largest.id] = eviction
        }
        while accounts.totals.stored > limits.inAll, slice.take() { try removeOne(.count) { $0.stored } }
        while accounts.totals.bytes > limits.bytesInAll, slice.take() { try removeOne(.bytes) { $0.bytes } }
    }

    private func eviction(from owner: OwnerAccount) throws -> Eviction {
        Eviction(heads, owner, try accounts.installations(of: owner))
    }

    private func remove(_ victim: Eviction.Victim, of owner: OwnerAccount, at now: WallTime) throws {
        switch victim {
        case .past(let past): try forget(past, of: owner)
        case .listed(let head, let installation): try retire(head, of: installation, at: now)
        }
    }

    private func retire(_ oldest: StoredHead, of installation: InstallationAccount, at now: WallTime) throws {
        try heads.remove(oldest, of: installation, by: .retention, at: now)
        upkeep.value.owners.insert(installation.key.owner)
        upkeep.value.removed += 1
    }

    // MARK: - History and tombstones

    private func removePast(_ slice: inout RetentionSlice, at now: WallTime) throws {
        let ended = try heads.past(closedBefore: now - limits.history.wholeMilliseconds, atMost: slice.left)
        for (id, stored) in ended where slice.take() {
            guard let owner = accounts.owner(id) else { throw DatabaseError.lostRow }
            try forget(stored, of: owner)
        }
        for owner in accounts.owners {
            while owner.values.past > limits.perOwner, slice.take() {
                guard let oldest = try heads.oldestPast(of: owner) else { throw DatabaseError.lostRow }
                try forget(oldest, of: owner)
            }
        }
    }

    private func forget(_ past: StoredHead, of owner: OwnerAccount) throws {
        try heads.remove(past: past, of: owner)
        upkeep.value.forgetful.insert(owner.name)
    }

    /// Forgets removed numbers; the owner's floor says up to which one.
    private func forgetRemovals(_ slice: inout RetentionSlice, at now: WallTime) throws {
        let age = limits.tombstoneAge.wholeMilliseconds
        for owner in accounts.owners where owner.values.tombstones > 0 {
            while owner.values.tombstones > limits.tombstones || (owner.forgetsNext ?? .min) < now {
                let oldest = try tables.statement(
                    "SELECT number, date FROM gone WHERE owner = ?1 ORDER BY number LIMIT 1"
                ).bind(owner.id).first { (number: $0.integer(0), date: $0.integer(1)) }
                guard let oldest else { break }
                owner.forgetsNext = oldest.date + age
                guard owner.values.tombstones > limits.tombstones || oldest.date + age < now, slice.take() else {
                    break
                }
                try tables.statement("DELETE FROM gone WHERE owner = ?1 AND number = ?2").bind(owner.id, oldest.number)
                    .run()
                accounts.change(owner) { values in
                    values.tombstones -= 1
                    values.floor = oldest.number
                }
            }
        }
    }

    // MARK: - Responses and silent pushes

    /// Tells whoever fetches the list which responses were given up; of very many, the latest.
    private func note(_ expired: [ExpiredResponse]) {
        upkeep.value.expired.append(contentsOf: expired)
        let surplus = upkeep.value.expired.count - limits.responses
        if surplus > 0 { upkeep.value.expired.removeFirst(surplus) }
    }

    /// Removes what nobody can use any more: few rows, because each owner has a bounded number.
    private func dropCredentials(endedBefore now: WallTime) throws {
        for kind in Credential.Kind.allCases {
            try tables.statement("DELETE FROM \(kind.rawValue) WHERE ends <= ?1").bind(now).run()
        }
    }

    private func dropSilent(storedBefore end: WallTime, _ slice: inout RetentionSlice) throws {
        let silenced = try tables.statement(
            "DELETE FROM silent WHERE installation IN (SELECT installation FROM silent WHERE stored < ?1 LIMIT ?2)"
        ).bind(end, slice.left).run()
        for _ in 0..<silenced { _ = slice.take() }
    }
}

/// The rows that one call of retention may still remove.
struct RetentionSlice {
    private(set) var left: Int

    /// Takes one row, if one may be taken.
    mutating func take() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
