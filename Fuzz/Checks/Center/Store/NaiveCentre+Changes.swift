// SPDX-License-Identifier: Apache-2.0

import CenterStore

/// Notifications that come back or go for good, apps that are removed, and requests.
extension NaiveCentre {
    mutating func renew(_ name: OwnerName, _ former: Int64, _ flags: HeadFlags, at now: WallTime) -> Renewal? {
        guard var note = owners[name]?.list.first(where: { $0.number == former }) else { return nil }
        let number = owners[name]?.number() ?? 0
        unlist(name, former, .update, as: number, at: now)
        note.number = number
        note.presentation.flags = flags
        owners[name]?.list.append(note)
        return Renewal(former: former, number: number)
    }

    mutating func restore(_ name: OwnerName, _ former: Int64) -> WorkResult {
        guard let owner = owners[name] else { return .refused(.unknownOwner) }
        guard var note = owner.history.first(where: { $0.number == former }), let key = key(note.installation) else {
            return .refused(.notThere(standing(former, name)))
        }
        if let newer = named(note.content.identifier, key) { return .refused(.replaced(by: newer.number)) }
        owners[name]?.history.removeAll { $0.number == former }
        note.number = owners[name]?.number() ?? 0
        note.presentation.flags.remove(.banner)
        note.presentation.until = nil
        note.closed = 0
        owners[name]?.list.append(note)
        return .renewed([Renewal(former: former, number: note.number)])
    }

    mutating func forget(_ name: OwnerName, _ number: Int64) -> WorkResult {
        guard let owner = owners[name] else { return .refused(.unknownOwner) }
        guard owner.history.contains(where: { $0.number == number }) else {
            return .refused(.notThere(standing(number, name)))
        }
        owners[name]?.history.removeAll { $0.number == number }
        return .done
    }

    mutating func uninstall(_ key: InstallationKey, at now: WallTime) -> WorkResult {
        guard let app = apps[key] else { return .refused(.unknownInstallation) }
        let removals = list(key).map(\.number).map { number in
            unlist(key.owner, number, .user, as: owners[key.owner]?.number() ?? 0, at: now)
        }
        owners[key.owner]?.history.removeAll { $0.installation == app.id }
        responses.removeAll { $0.key == key }
        pending.removeAll { $0.request.installation == key }
        waiting.removeAll { $0.installation == key }
        silent[key] = nil
        apps[key] = nil
        let number = owners[key.owner]?.number() ?? 0
        owners[key.owner]?.gone.append(Tombstone(number: number, target: .min, cause: .uninstalled, date: now))
        return .uninstalled(removals, changed: number)
    }

    mutating func schedule(_ request: PendingRequest, _ limit: PendingLimit) -> WorkResult {
        let key = request.installation
        guard owners[key.owner] != nil else { return .refused(.unknownOwner) }
        guard apps[key] != nil else { return .refused(.unknownInstallation) }
        let isSame = { (other: Pending) in
            other.request.installation == key && other.request.content.identifier == request.content.identifier
        }
        let former = pending.first(where: isSame)?.id
        guard former != nil || pending.count < limits.pending else {
            return .refused(.tooManyPending(limit: limits.pending))
        }
        let regions = pending.filter { other in
            other.request.installation == key && other.request.box != nil && other.id != former
        }
        guard request.box == nil || regions.count < limits.regions else {
            return .refused(.tooManyRegions(limit: limits.regions))
        }
        pending.removeAll(where: isSame)
        lastPending += 1
        pending.append(Pending(id: lastPending, request: request))
        guard limit.count > 0 else { return .scheduled(lastPending, replaces: former, dropped: []) }
        func instant(_ pending: Pending) -> Int64 {
            guard let due = pending.request.date.due else { return .max }
            return pending.request.clock == .boot ? due + limit.wallMinusBoot : due
        }
        let soonest = pending.filter { $0.request.installation == key }
            .sorted { (instant($0), $0.id) < (instant($1), $1.id) }
        let dropped = soonest.dropFirst(limit.count)
            .map { DroppedRequest(id: $0.id, identifier: $0.request.content.identifier) }
        pending.removeAll { request in dropped.contains { $0.id == request.id } }
        return .scheduled(lastPending, replaces: former, dropped: dropped)
    }
}
