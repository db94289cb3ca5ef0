// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

extension CenterBooks {
    /// One transaction.
    func commit(_ work: [CenterWork], at now: WallTime) throws -> [WorkResult] {
        try transaction {
            var results: [WorkResult] = []
            results.reserveCapacity(work.count)
            for piece in work { results.append(try perform(piece, at: now)) }
            return results
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
        case .step(let id, let step): return try self.step(id, step)
        case .renew(let owner, let numbers, let flags):
            return try renew(owner, numbers: numbers, flags: flags, at: now)
        case .restore(let owner, let number): return try restore(owner, number: number, at: now)
        case .seen(let owner, let number): return seen(owner, number: number)
        case .setOwner(let owner, let preferences): return try setOwner(owner, preferences)
        case .setPermission(let key, let permission): return try setPermission(key, permission)
        case .setBadge(let key, let badge): return try setBadge(key, badge)
        case .setCategories(let key, let categories): return try setCategories(key, categories)
        case .removeInstallation(let key): return try remove(key, at: now)
        case .schedule(let request, let limit): return try schedule(request, limit: limit)
        case .unschedule(let key, let identifiers): return try unschedule(key, identifiers: identifiers)
        case .redate(let id, let date):
            try redate(id, date)
            return .done
        case .dropSilent(let key, let stored): return try dropSilent(key, stored: stored)
        case .floor(let journal, let number):
            try statement("DELETE FROM taken WHERE journal = ?1 AND number < ?2").bind(Int64(journal), number).run()
            return .done
        case .setFact(let name, let value):
            try statement("INSERT OR REPLACE INTO facts VALUES (?1, ?2)").bind(Fact.others(name), value).run()
            return .done
        }
    }
}
