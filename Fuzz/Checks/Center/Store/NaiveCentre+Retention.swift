// SPDX-License-Identifier: Apache-2.0

private import CenterSteps
package import CenterStore

extension NaiveCentre {
    /// All that maintenance does, one notification after the other.
    package mutating func maintain(at now: WallTime) {
        for name in owners.keys { removeAged(name, at: now) }
        for key in apps.keys.sorted(by: { id($0) < id($1) }) {
            while list(key).count > limits.perInstallation { retireOldest(of: key, at: now) }
        }
        for name in owners.keys {
            while count(name) > limits.perOwner { retireOne(of: name, at: now) { $0.list($1).count } }
            while bytes(name) > limits.ownerBytes { retireByBytes(of: name, at: now) }
        }
        while owners.keys.reduce(0, { $0 + count($1) }) > limits.inAll {
            guard let name = first(by: count) else { break }
            retireOne(of: name, at: now) { $0.list($1).count }
        }
        while owners.keys.reduce(0, { $0 + bytes($1) }) > limits.bytesInAll {
            guard let name = first(by: bytes) else { break }
            retireByBytes(of: name, at: now)
        }
        for name in owners.keys {
            owners[name]?.history.removeAll { $0.closed < now - limits.history.wholeMilliseconds }
            owners[name]?.history.sort { $0.number < $1.number }
            while let owner = owners[name], owner.history.count > limits.perOwner {
                owners[name]?.history.removeFirst()
            }
            while let owner = owners[name], let oldest = owner.gone.first,
                owner.gone.count > limits.tombstones
                    || oldest.date + limits.tombstoneAge.wholeMilliseconds < now
            {
                owners[name]?.gone.removeFirst()
                owners[name]?.floor = oldest.number
            }
        }
        expire(at: now)
    }

    /// Returns what maintenance did since the last call.
    package mutating func takeUpkeep() -> Work {
        defer { upkeep = Work() }
        return upkeep
    }

    private func id(_ key: InstallationKey) -> Int64 { apps[key]?.id ?? 0 }
    private func count(_ name: OwnerName) -> Int { owners[name]?.list.count ?? 0 }
    private func bytes(_ name: OwnerName) -> Int { owners[name]?.byteCount ?? 0 }

    /// The owner with the most; of equal ones the one that was made first.
    private func first(by size: (OwnerName) -> Int) -> OwnerName? {
        let most = owners.keys.map(size).max()
        return CenterSteps.owners.first { owners[$0] != nil && size($0) == most }
    }

    private mutating func removeAged(_ name: OwnerName, at now: WallTime) {
        while let oldest = owners[name]?.list.first, oldest.date + limits.age.wholeMilliseconds < now {
            retire(name, oldest.number, at: now)
        }
    }

    private mutating func retire(_ name: OwnerName, _ target: Int64, at now: WallTime) {
        let number = owners[name]?.number() ?? 0
        unlist(name, target, .retention, as: number, at: now)
        upkeep.owners.insert(name)
    }

    private mutating func retireOldest(of key: InstallationKey, at now: WallTime) {
        guard let oldest = list(key).first else { return }
        retire(key.owner, oldest.number, at: now)
    }

    private mutating func retireOne(of name: OwnerName, at now: WallTime, _ size: (NaiveCentre, InstallationKey) -> Int)
    {
        let keys = apps.keys.filter { $0.owner == name }.sorted { id($0) < id($1) }
        let most = keys.map { size(self, $0) }.max()
        guard let largest = keys.first(where: { size(self, $0) == most }) else { return }
        retireOldest(of: largest, at: now)
    }

    private mutating func retireByBytes(of name: OwnerName, at now: WallTime) {
        owners[name]?.history.sort { $0.number < $1.number }
        if owners[name]?.history.isEmpty == false {
            owners[name]?.history.removeFirst()
        } else {
            retireOne(of: name, at: now) { $0.list($1).reduce(0) { $0 + $1.byteCount } }
        }
    }

    private mutating func expire(at now: WallTime) {
        let end = now - limits.responseAge.wholeMilliseconds
        for response in responses.filter({ $0.stored < end }) { giveUp(response) }
        for key in apps.keys.sorted(by: { id($0) < id($1) }) {
            let mine = responses.filter { $0.key == key }
            for response in mine.dropLast(limits.responses) { giveUp(response) }
        }
        silent = silent.filter { $0.value.stored >= end }
    }

    private mutating func giveUp(_ response: Response) {
        responses.removeAll { $0.id == response.id }
        upkeep.expired = (upkeep.expired + [[response.id, response.number]]).suffix(limits.responses)
    }
}

extension NaiveCentre.Work {
    /// Takes what a store did.
    package init(_ upkeep: Upkeep) {
        expired = upkeep.expired.map { [$0.id, $0.number] }
        owners = upkeep.owners
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
