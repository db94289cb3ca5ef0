// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The writing side of the store: each piece of work goes to the book whose rows it changes, in one transaction.
///
/// The books serve one thread at a time; the connection's queue sees to it.
final class CenterBooks {
    let tables: BookTables
    let accounts: AccountBook
    let heads: HeadBook
    let responses: ResponseBook
    let requests: RequestBook
    let limits: CenterLimits
    private let retention: Retention
    private let books: [any Book]
    /// The last transaction failed: only a write tells whether the next will.
    private(set) var hasFailed = false
    private(set) var isClosed = false
    /// Since the last maintenance.
    private var hasCommitted = false
    private var isAtRest = false

    init(
        _ database: Database,
        shelf: FileShelf,
        limits: CenterLimits,
        hashBits: Int,
        seal: StoreSeal? = nil
    ) throws {
        self.limits = limits
        tables = try BookTables(database, shelf: shelf, hashBits: hashBits, seal: seal)
        accounts = try AccountBook(tables, limits: limits)
        heads = try HeadBook(tables, accounts, limits: limits)
        responses = try ResponseBook(heads)
        requests = try RequestBook(tables, limits: limits)
        retention = Retention(heads, responses)
        books = [accounts, heads, responses, requests, retention, tables.files]
    }

    /// Does all of it in one transaction.
    func commit(_ work: [CenterWork], at now: WallTime) throws -> [WorkResult] {
        let results = try transaction {
            var results: [WorkResult] = []
            results.reserveCapacity(work.count)
            for piece in work { results.append(try perform(piece, at: now)) }
            return results
        }
        hasCommitted = true
        hasFailed = false
        isAtRest = false
        // What follows cannot undo it any more; a disk that fails shows in the next commit or maintenance.
        try? tables.boundLog(limits.log)
        return results
    }

    /// The state in which maintenance leaves the store.
    enum State {
        /// There is more to remove.
        case behind
        /// Work came since the last maintenance.
        case busy
        /// The first maintenance without work since the last one.
        case cameToRest
        case atRest
    }

    /// Removes one slice of what is too old or too much; at rest, also copies the log and erases what was deleted.
    func maintain(at now: WallTime) throws -> State {
        let isQuiet = !hasCommitted
        hasCommitted = false
        let isBehind = try transaction {
            // After a failure a write shows its end.
            if hasFailed {
                try tables.statement("INSERT OR REPLACE INTO facts VALUES (?1, ?2)")
                    .bind(Fact.proof, [UInt8]("\(now)".utf8)).run()
            }
            return try retention.removeSlice(at: now)
        }
        hasFailed = false
        if isBehind {
            try tables.boundLog(limits.log)
            return .behind
        }
        // While work comes, the log may grow; a copy would hold it up.
        guard isQuiet else { return .busy }
        try tables.settleLog()
        defer { isAtRest = true }
        return isAtRest ? .atRest : .cameToRest
    }

    func takeUpkeep() -> Upkeep { retention.takeUpkeep() }

    func close() throws {
        isClosed = true
        try tables.close()
    }

    /// Runs `body` as one transaction, and takes back in memory what it did there if the disk refuses.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try tables.transaction {
                let result = try body()
                try accounts.save()
                try tables.files.settle { try tables.statement($0) }
                return result
            }
            for book in books { book.committed() }
            tables.stored.seal?.committed()
            return result
        } catch {
            hasFailed = true
            for book in books { book.rolledBack() }
            tables.stored.seal?.rolledBack()
            throw error
        }
    }

    private func perform(_ work: CenterWork, at now: WallTime) throws -> WorkResult {
        switch work {
        case .arrive(let arrival): return try arrive(arrival, at: now)
        case .remove(let owner, let numbers, let remover):
            return try remove(owner, numbers: numbers, by: remover, at: now)
        case .removeNamed(let key, let identifiers): return try remove(key, identifiers: identifiers, at: now)
        case .removeAll(let key, let number, let remover):
            return try removeAll(key, upTo: number, by: remover, at: now)
        case .respond(let draft): return try respond(draft, at: now)
        case .step(let id, let step): return .stepped(try responses.step(id, step))
        case .renew(let owner, let numbers, let flags):
            return try renew(owner, numbers: numbers, flags: flags, at: now)
        case .restore(let owner, let number): return try restore(owner, number: number)
        case .forget(let owner, let number): return try forget(owner, number: number)
        case .forgetAll(let owner, let number): return try forgetAll(owner, upTo: number)
        case .seen(let owner, let number): return seen(owner, number: number)
        case .setOwner(let owner, let preferences): return try setOwner(owner, preferences)
        case .setPermission(let key, let permission): return try setPermission(key, permission)
        case .setBadge(let key, let badge): return try setBadge(key, badge)
        case .setCategories(let key, let categories): return try setCategories(key, categories)
        case .removeInstallation(let key): return try remove(key, at: now)
        case .withdrawn(let key): return try settleWithdrawal(of: key)
        case .schedule(let request, let limit): return try schedule(request, limit: limit)
        case .unschedule(let key, let identifiers): return try unschedule(key, identifiers: identifiers)
        case .redate(let id, let date):
            try requests.redate(id, date)
            return .done
        case .note(let id, let standing):
            try requests.note(region: id, standing: standing)
            return .done
        case .addCredential(let credential): return try add(credential)
        case .exchange(let code, let credential): return try exchange(code: code, for: credential, at: now)
        case .useCredential(let kind, let hash, let end): return try use(kind, hash, until: end, at: now)
        case .removeCredential(let kind, let hash): return try remove(kind, hash)
        case .dropSilent(let key, let stored): return try dropSilent(key, stored: stored)
        case .floor(let journal, let number):
            try tables.statement("DELETE FROM taken WHERE journal = ?1 AND number < ?2").bind(Int64(journal), number)
                .run()
            return .done
        case .setFact(let name, let value):
            try tables.statement("INSERT OR REPLACE INTO facts VALUES (?1, ?2)").bind(Fact.others(name), value).run()
            return .done
        }
    }
}
