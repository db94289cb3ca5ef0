// SPDX-License-Identifier: Apache-2.0

import CenterSteps
import NotificationPayload

@testable import CenterStore

/// A store in arrays, searched from end to end: what a store must do, said as simply as can be.
struct NaiveCentre {
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
        /// In the order of their numbers.
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

    let limits: CenterLimits
    var owners: [OwnerName: Owner] = [:]
    var apps: [InstallationKey: App] = [:]
    var taken: Set<RecordName> = []
    var waiting: [WaitingNotification] = []
    var pending: [StoredPending] = []
    /// The last note of each pending request's region.
    var standings: [Int64: Int64] = [:]
    var responses: [Response] = []
    var silent: [InstallationKey: (payload: [UInt8], stored: WallTime)] = [:]
    var facts: [String: [UInt8]] = [:]
    var upkeep = Upkeep()
    private var lastApp: Int64 = 0
    private var lastWaiting: Int64 = 0
    private var lastPending: Int64 = 0
    private var lastResponse: Int64 = 0

    init(limits: CenterLimits = CenterLimits()) {
        self.limits = limits
    }

    mutating func commit(_ work: [CenterWork], at now: WallTime) -> [WorkResult] {
        work.map { perform($0, at: now) }
    }

    func key(_ id: Int64) -> InstallationKey? { apps.first { $0.value.id == id }?.key }

    // MARK: - Work

    private mutating func perform(_ work: CenterWork, at now: WallTime) -> WorkResult {
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

    private mutating func arrive(_ arrival: NotificationArrival, at now: WallTime) -> WorkResult {
        let key = arrival.installation
        if let badge = arrival.badge, !(0...Int(Int32.max)).contains(badge) { return .refused(.badgeOutOfRange(badge)) }
        guard owners[key.owner] != nil else { return .refused(.unknownOwner) }
        guard let app = apps[key] else { return .refused(.unknownInstallation) }
        switch arrival.source {
        case .record(let record): if !taken.insert(record).inserted { return .repeated }
        case .waiting(let id):
            guard waiting.contains(where: { $0.id == id && $0.installation == key }) else { return .withdrawn }
            waiting.removeAll { $0.id == id }
        case .pending(let id, let next):
            guard pending.contains(where: { $0.id == id && $0.request.installation == key }) else { return .withdrawn }
            if let next { redate(id, next) } else { pending.removeAll { $0.id == id } }
        case .call: break
        }
        switch arrival.fate {
        case .listed(let content, let presentation):
            let number = owners[key.owner]?.number() ?? 0
            let former = named(content.identifier, key)?.number
            if let former { unlist(key.owner, former, .update, as: number, at: now) }
            let note = Note(
                number: number,
                installation: app.id,
                content: content,
                presentation: presentation,
                date: arrival.date
            )
            owners[key.owner]?.list.append(note)
            return .listed(number, replaces: former, badge: setBadge(arrival.badge, key))
        case .waits(let content):
            lastWaiting += 1
            waiting.append(WaitingNotification(id: lastWaiting, installation: key, stored: now, content: content))
            return .waits(lastWaiting)
        case .silent(let payload):
            silent[key] = (payload, now)
            return .noted(badge: setBadge(arrival.badge, key))
        case .unlisted: return .noted(badge: setBadge(arrival.badge, key))
        }
    }

    private mutating func respond(_ draft: ResponseDraft, at now: WallTime) -> WorkResult {
        guard let owner = owners[draft.owner] else { return .refused(.unknownOwner) }
        guard let note = owner.list.first(where: { $0.number == draft.number }), let key = key(note.installation) else {
            return .refused(.notThere(standing(draft.number, draft.owner)))
        }
        let cause: RemovalCause = draft.closing == .user ? .user : .response
        guard let removal = close(draft.owner, draft.number, cause, at: now) else { return .unchanged }
        lastResponse += 1
        responses.append(
            Response(id: lastResponse, key: key, number: draft.number, draft: draft, stored: now, content: note.content)
        )
        return .answered(response: lastResponse, removal)
    }

    private mutating func step(_ id: Int64, _ step: ResponseStep) -> WorkResult {
        guard let index = responses.firstIndex(where: { $0.id == id }) else { return .stepped(.ignored) }
        let response = responses[index]
        switch step {
        case .completed:
            responses.remove(at: index)
            return .stepped(.completed)
        case .sent where response.state == .stored:
            responses[index].state = .sent
            return .stepped(.kept(.sent, tries: response.tries))
        case .returned where response.state == .sent && response.tries == 2:
            responses.remove(at: index)
            return .stepped(.expired)
        case .returned where response.state == .sent:
            responses[index].state = .stored
            responses[index].tries += 1
            return .stepped(.kept(.stored, tries: response.tries + 1))
        case .sent, .returned: return .stepped(.ignored)
        }
    }

    private mutating func renew(_ name: OwnerName, _ former: Int64, _ flags: HeadFlags, at now: WallTime) -> Renewal? {
        guard var note = owners[name]?.list.first(where: { $0.number == former }) else { return nil }
        let number = owners[name]?.number() ?? 0
        unlist(name, former, .update, as: number, at: now)
        note.number = number
        note.presentation.flags = flags
        owners[name]?.list.append(note)
        return Renewal(former: former, number: number)
    }

    private mutating func restore(_ name: OwnerName, _ former: Int64) -> WorkResult {
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

    private mutating func forget(_ name: OwnerName, _ number: Int64?) -> WorkResult {
        guard let owner = owners[name] else { return .refused(.unknownOwner) }
        guard let number else {
            owners[name]?.history = []
            return .done
        }
        guard owner.history.contains(where: { $0.number == number }) else {
            return .refused(.notThere(standing(number, name)))
        }
        owners[name]?.history.removeAll { $0.number == number }
        return .done
    }

    private mutating func uninstall(_ key: InstallationKey, at now: WallTime) -> WorkResult {
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
        owners[key.owner]?.changed = number
        return .uninstalled(removals, changed: number)
    }

    private mutating func schedule(_ request: PendingRequest, _ limit: PendingLimit) -> WorkResult {
        let key = request.installation
        guard owners[key.owner] != nil else { return .refused(.unknownOwner) }
        guard apps[key] != nil else { return .refused(.unknownInstallation) }
        let isSame = { (other: StoredPending) in
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
        pending.append(StoredPending(id: lastPending, request: request))
        guard limit.count > 0 else { return .scheduled(lastPending, replaces: former, dropped: []) }
        func instant(_ pending: StoredPending) -> Int64 {
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

    // MARK: - Parts

    private static func cause(_ remover: CenterWork.Remover) -> RemovalCause { remover == .user ? .user : .app }

    func list(_ key: InstallationKey) -> [Note] {
        owners[key.owner]?.list.filter { $0.installation == apps[key]?.id } ?? []
    }

    private func named(_ identifier: String, _ key: InstallationKey) -> Note? {
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

    private mutating func close(
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

    private mutating func redate(_ id: Int64, _ date: DueDate) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        var request = pending[index].request
        request.date = date
        pending[index] = StoredPending(id: id, request: request)
    }

    private mutating func touch(_ key: InstallationKey) -> Int64 {
        let number = owners[key.owner]?.number() ?? 0
        apps[key]?.changed = number
        return number
    }

    private mutating func setBadge(_ badge: Int?, _ key: InstallationKey) -> Int64? {
        guard let badge, badge != apps[key]?.badge else { return nil }
        apps[key]?.badge = badge
        return touch(key)
    }
}
