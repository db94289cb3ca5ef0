// SPDX-License-Identifier: Apache-2.0

package import CenterStore
private import NotificationPayload

/// A store in arrays, searched from end to end: what a store must do, said as simply as can be.
package struct NaiveCentre {
    struct Note: Equatable {
        var number: Int64
        var installation: Int64
        var content: NotificationContent
        var presentation: Presentation
        var date: WallTime
        var closed: WallTime = 0

        var byteCount: Int { content.stored.count + content.files.reduce(0) { $0 + Int($1.byteCount) } }
    }

    struct Tombstone {
        let number: Int64
        let target: Int64
        let cause: RemovalCause
        let date: WallTime
    }

    struct Owner {
        let name: OwnerName
        var position: Int64 = 0
        var floor: Int64 = 0
        var seen: Int64 = 0
        var preferences = OwnerPreferences()
        var changed: Int64 = 0
        /// The elements stand in the order of their numbers.
        var list: [Note] = []
        var history: [Note] = []
        var gone: [Tombstone] = []

        mutating func number() -> Int64 {
            position += 1
            return position
        }

        var byteCount: Int { (list + history).reduce(0) { $0 + $1.byteCount } }
    }

    struct App {
        let id: Int64
        var permission = Permission()
        var badge = 0
        var changed: Int64 = 0
        var categories: [UInt8]?
    }

    struct Pending: Equatable {
        let id: Int64
        var request: PendingRequest
    }

    struct Waiting: Equatable {
        let id: Int64
        let installation: InstallationKey
        let stored: WallTime
        let content: NotificationContent?
    }

    struct Response {
        let id: Int64
        let key: InstallationKey
        let number: Int64
        let draft: ResponseDraft
        var state = ResponseState.stored
        var tries = 0
        let stored: WallTime
        let content: NotificationContent
    }

    /// All that maintenance did of which somebody may want to know.
    package struct Work: Equatable {
        var expired: [[Int64]] = []
        var owners: Set<OwnerName> = []
    }

    let limits: CenterLimits
    var owners: [OwnerName: Owner] = [:]
    var apps: [InstallationKey: App] = [:]
    var taken: Set<RecordName> = []
    var waiting: [Waiting] = []
    var pending: [Pending] = []
    /// The last note of each pending request's region.
    var standings: [Int64: Int64] = [:]
    var responses: [Response] = []
    var silent: [InstallationKey: (payload: [UInt8], stored: WallTime)] = [:]
    var facts: [String: [UInt8]] = [:]
    var upkeep = Work()
    var lastApp: Int64 = 0
    var lastWaiting: Int64 = 0
    var lastPending: Int64 = 0
    var lastResponse: Int64 = 0

    package init(limits: CenterLimits = CenterLimits()) {
        self.limits = limits
    }

    package mutating func commit(_ work: [CenterWork], at now: WallTime) -> [WorkResult] {
        work.map { perform($0, at: now) }
    }

    func key(_ id: Int64) -> InstallationKey? { apps.first { $0.value.id == id }?.key }

    // MARK: - Work

    mutating func perform(_ work: CenterWork, at now: WallTime) -> WorkResult {
        switch work {
        case .arrive(let arrival): return arrive(arrival, at: now)
        case .remove(let name, let numbers, let remover):
            guard owners[name] != nil else { return .refused(.unknownOwner) }
            return .removed(numbers.compactMap { close(name, $0, Self.cause(remover), at: now) })
        case .removeNamed(let key, let identifiers):
            guard apps[key] != nil else { return .refused(.unknownInstallation) }
            return .removed(
                identifiers.compactMap { named($0, key).flatMap { close(key.owner, $0.number, .app, at: now) } }
            )
        case .removeAll(let key, let number, let remover):
            guard apps[key] != nil else { return .refused(.unknownInstallation) }
            let numbers = list(key).map(\.number).filter { $0 <= number ?? .max }
            return .removed(numbers.compactMap { close(key.owner, $0, Self.cause(remover), at: now) })
        case .respond(let draft): return respond(draft, at: now)
        case .step(let id, let step): return self.step(id, step)
        case .renew(let name, let numbers, let flags):
            guard owners[name] != nil else { return .refused(.unknownOwner) }
            return .renewed(numbers.compactMap { renew(name, $0, flags, at: now) })
        case .restore(let name, let number): return restore(name, number)
        case .forget(let name, let number): return forget(name, number)
        case .forgetAll(let name, let number):
            guard owners[name] != nil else { return .refused(.unknownOwner) }
            owners[name]?.history.removeAll { $0.number <= number ?? .max }
            return .done
        // No step makes them: CredentialTests has them all.
        case .addCredential, .exchange, .useCredential, .removeCredential: return .done
        case .seen(let name, let number):
            guard var owner = owners[name] else { return .refused(.unknownOwner) }
            guard min(number, owner.position) > owner.seen else { return .unchanged }
            owner.seen = min(number, owner.position)
            owner.changed = owner.number()
            owners[name] = owner
            return .changed(owner.changed)
        case .setOwner(let name, let preferences):
            if owners[name]?.preferences == preferences { return .unchanged }
            var owner = owners[name] ?? Owner(name: name)
            owner.preferences = preferences
            owner.changed = owner.number()
            owners[name] = owner
            return .changed(owner.changed)
        case .setPermission(let key, let permission):
            guard owners[key.owner] != nil else { return .refused(.unknownOwner) }
            if apps[key]?.permission == permission { return .unchanged }
            if apps[key] == nil {
                let count = apps.keys.count { $0.owner == key.owner }
                if count >= limits.installations { return .refused(.tooManyInstallations(limit: limits.installations)) }
                lastApp += 1
            }
            var app = apps[key] ?? App(id: lastApp)
            app.permission = permission
            apps[key] = app
            return .changed(touch(key))
        case .setBadge(let key, let badge):
            if !(0...Int(Int32.max)).contains(badge) { return .refused(.badgeOutOfRange(badge)) }
            guard apps[key] != nil else { return .refused(.unknownInstallation) }
            return setBadge(badge, key).map { .changed($0) } ?? .unchanged
        case .setCategories(let key, let categories):
            guard var app = apps[key] else { return .refused(.unknownInstallation) }
            if app.categories == categories { return .unchanged }
            app.categories = categories
            apps[key] = app
            return .changed(touch(key))
        case .removeInstallation(let key): return uninstall(key, at: now)
        case .withdrawn: return .done
        case .schedule(let request, let limit): return schedule(request, limit)
        case .unschedule(let key, let identifiers):
            guard apps[key] != nil else { return .refused(.unknownInstallation) }
            let mine = pending.filter { $0.request.installation == key }
            let named = identifiers.map { $0.flatMap { name in mine.filter { $0.request.content.identifier == name } } }
            var ids: [Int64] = []
            for id in (named ?? mine).map(\.id) where !ids.contains(id) { ids.append(id) }
            pending.removeAll { ids.contains($0.id) }
            return .unscheduled(ids)
        case .redate(let id, let date):
            redate(id, date)
            return .done
        case .note(let id, let standing):
            if pending.contains(where: { $0.id == id && $0.request.box != nil }) { standings[id] = standing }
            return .done
        case .dropSilent(let key, let stored):
            guard apps[key] != nil else { return .refused(.unknownInstallation) }
            if silent[key]?.stored == stored { silent[key] = nil }
            return .done
        case .floor(let journal, let number):
            taken = taken.filter { $0.journal != journal || $0.number >= number }
            return .done
        case .setFact(let name, let value):
            facts[name] = value
            return .done
        }
    }

    // MARK: - Parts

    static func cause(_ remover: CenterWork.Remover) -> RemovalCause { remover == .user ? .user : .app }

    func list(_ key: InstallationKey) -> [Note] {
        owners[key.owner]?.list.filter { $0.installation == apps[key]?.id } ?? []
    }

    func named(_ identifier: String, _ key: InstallationKey) -> Note? {
        list(key).first { $0.content.identifier == identifier }
    }

    func standing(_ number: Int64, _ name: OwnerName) -> Standing {
        guard let owner = owners[name] else { return .unknown }
        if owner.list.contains(where: { $0.number == number }) { return .listed }
        return owner.gone.first { $0.target == number }.map { .gone($0.cause, by: $0.number) } ?? .unknown
    }

    @discardableResult
    mutating func unlist(
        _ name: OwnerName,
        _ target: Int64,
        _ cause: RemovalCause,
        as number: Int64,
        at now: WallTime
    ) -> Removal {
        owners[name]?.list.removeAll { $0.number == target }
        owners[name]?.gone.append(Tombstone(number: number, target: target, cause: cause, date: now))
        return Removal(target: target, number: number)
    }

    mutating func close(
        _ name: OwnerName,
        _ target: Int64,
        _ cause: RemovalCause,
        at now: WallTime
    ) -> Removal? {
        guard var note = owners[name]?.list.first(where: { $0.number == target }) else { return nil }
        let removal = unlist(name, target, cause, as: owners[name]?.number() ?? 0, at: now)
        guard cause != .app, limits.history > .zero else { return removal }
        if cause == .response { note.presentation.flags.insert(.answered) }
        note.closed = now
        owners[name]?.history.append(note)
        return removal
    }

    mutating func redate(_ id: Int64, _ date: DueDate) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        pending[index].request.date = date
    }

    mutating func touch(_ key: InstallationKey) -> Int64 {
        let number = owners[key.owner]?.number() ?? 0
        apps[key]?.changed = number
        return number
    }

    mutating func setBadge(_ badge: Int?, _ key: InstallationKey) -> Int64? {
        guard let badge, badge != apps[key]?.badge else { return nil }
        apps[key]?.badge = badge
        return touch(key)
    }
}
