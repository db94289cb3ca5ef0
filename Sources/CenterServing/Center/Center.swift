// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import CenterStore
package import DatabaseFile
internal import Locking
package import Logging
internal import NotificationPayload
package import UserNotificationCenter

/// A notification centre: what it keeps, what it decides, and who hears of it.
///
/// Every change goes through `perform`, which returns when it is on the disk and every watcher of its owner is told.
/// Reads go to the store, from any thread.
package final class Center: Sendable {
    package let store: CenterStore
    let logger: Logger
    let commits: CommitQueue
    private let positions: OwnerPositions
    private let permissions: StoreCache<InstallationKey, AppPermission>
    private let owners: StoreCache<OwnerName, OwnerWishes>
    private let directory = Locked(CenterDirectory())
    let clock: CenterClock
    /// The numbers of what happens here.
    let metrics = CenterMetrics()
    /// The signal that a request was added which may be the soonest.
    let requestsChanged = Signal()
    /// The signal that an owner wants something else of its hours.
    let wishesChanged = Signal()
    /// The deliveries that wait for responses which no number tells of.
    let responseWatchers = Watchers()
    /// The apps that hear of responses now.
    let listeningApps = ListeningApps()
    let silentPushes = SilentPushes()
    /// The views of content extensions that watchers have open.
    package let views = ContentViews()
    /// The host that gives apps their device tokens.
    let host = ConnectedHost()
    /// The order of what the host is asked about tokens.
    let registrations = Registrations()
    /// The name and port under which browsers reach the centre; `nil` means that it listens on no port.
    let site = Locked<Site?>(nil)
    /// Streams that end with the credential that opened them.
    let credentialWatchers = Watchers()
    /// The memory of the watch over regions.
    let regionMemory = Locked(RegionMemory())
    /// The events that many watchers ask for at once.
    let eventPieces = EventPieces()
    /// The looks of apps, for lists and events.
    let looks = OwnerLooks()
    /// The stacks and apps of owners, for front pages.
    let pictures = OwnerPictures()
    /// Events that only who watches now is told.
    let announcements = Announcements()
    /// The apps whose extensions begin or cease to run.
    let gateNews = GateNews()
    /// The pauses between lines of the log about requests that an app has too many of.
    let dropNews = NewsPause()
    /// The connections of apps that are told of tokens, and of a person's wish to see their settings.
    let appNews = AppNews()
    /// The apps that are asked before anything of them is shown.
    let foreground = ForegroundApps()
    /// The bytes that apps have sent and not attached yet.
    let uploads: Uploads
    /// Judges them, on a thread that may wait.
    let uploadIntake: FileIntake
    /// The icons and sounds of apps.
    let appFiles: AppFiles
    /// Responses that an app has no more, although the store says so: the disk failed.
    private let orphans = Locked<Set<Int64>>([])

    package init(_ store: CenterStore, clock: CenterClock, logger: Logger) {
        self.store = store
        self.clock = clock
        self.logger = logger
        uploads = Uploads(store.files)
        appFiles = AppFiles(store.files)
        uploadIntake = FileIntake(store.files)
        commits = CommitQueue(store, clock, metrics)
        positions = OwnerPositions(announcements)
        permissions = StoreCache(limit: 10_000) { key throws(DatabaseFailure) in
            try store.installation(key).map { AppPermission(stored: $0.permission) }
        }
        owners = StoreCache(limit: 1000) { name throws(DatabaseFailure) in
            try store.owner(name).map { OwnerWishes(stored: $0.preferences) }
        }
        metrics.watch(self)
    }

    /// Keeps the store in order until the task is cancelled: once a second by `clock`.
    package func maintain(_ clock: some Clock<Duration>) async {
        while !Task.isCancelled {
            do {
                let now = self.clock.wall()
                // Also while the disk is full: it may be these that fill it.
                uploads.expire(at: now)
                let isBehind = try await commits.perform { store throws(DatabaseFailure) in try store.maintain(at: now)
                }
                let upkeep = try await commits.perform { store throws(DatabaseFailure) in try store.takeUpkeep() }
                metrics.count(upkeep)
                upkeep.log(to: logger)
                for owner in upkeep.forgetful { announcements.tellForgotten(owner) }
                for owner in upkeep.owners {
                    if let record = try store.owner(owner) {
                        positions.raise(owner, to: record.position, at: self.clock.measure())
                    }
                }
                if isBehind { continue }
                let left = orphans.withLock { orphans in
                    defer { orphans = [] }
                    return orphans.sorted()
                }
                if !left.isEmpty { await giveBack(left) }
            } catch {
                logger.error("store not maintained", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    // MARK: Changes

    /// Does all of it, or nothing when it fails; the results are in the order of the work.
    package func perform(_ work: [CenterWork]) async throws(DatabaseFailure) -> [WorkResult] {
        // Counted before they are written: what is decided meanwhile comes behind them.
        let waits = work.compactMap(\.waiting)
        foreground.wait(waits)
        let results: [WorkResult]
        do { results = try await commits.commit(work) } catch {
            for key in waits { foreground.settle(key, count: 1) }
            throw error
        }
        tell(work, results)
        return results
    }

    /// Tells whoever waits for it what a commit has done.
    func tell(_ work: [CenterWork], _ results: [WorkResult]) {
        for owner in Set(work.compactMap(\.lookOwner)) { looks.change(owner) }
        let time = clock.measure()
        for (owner, number) in CenterWork.lastNumbers(of: work, results) {
            positions.raise(owner, to: number, at: time)
        }
        views.follow(work, results)
        if results.contains(where: \.endsAttempt) { responseWatchers.raise() }
        for key in Set(work.compactMap(\.silent)) { silentPushes.watchers.raise(key) }
        for (work, result) in zip(work, results) where !result.isWaiting {
            if let key = work.waiting { foreground.settle(key, count: 1) }
        }
        if work.contains(where: { $0.waiting != nil }) { foreground.hasNews.raise() }
    }

    /// Takes responses back that an app has no more; those that cannot be written now are kept for `maintain`.
    func giveBack(_ responses: [Int64], of key: InstallationKey? = nil) async {
        do {
            let results = try await perform(responses.map { .step(response: $0, .returned) })
            logger.givenUp(results.count { $0 == .stepped(.expired) }, of: key)
        } catch {
            orphans.withLock { $0.formUnion(responses) }
        }
    }

    /// Takes the apps of a host in place of those that are known.
    ///
    /// Owners are the centre's own to make: one that only a host names has nobody who could read.
    package func adopt(_ registry: LinkRegistry) async throws(DatabaseFailure) {
        for owner in registry.owners {
            guard let name = OwnerName(owner.name), try owners.value(of: name) == nil else { continue }
            logger.warning("the host has an owner whom the centre does not serve", metadata: ["owner": "\(name)"])
        }
        LookNews(center: self).tell(of: directory.withLock { $0.adopt(registry) })
        commits.name(metrics.notifications.counts(of: registry.apps.map(\.topic)))
    }

    /// Makes an owner unless there is one of the name.
    package func adopt(owner name: String) async throws(DatabaseFailure) {
        guard let owner = OwnerName(name), try store.owner(owner) == nil else { return }
        _ = try await perform([.setOwner(owner, OwnerPreferences())])
    }

    /// Has the store know the apps of records before the records are decided about.
    ///
    /// Every app goes through the one place that changes permissions, so that no owner's decision is overwritten
    /// meanwhile.
    func installApps(of records: [LinkRecord]) async throws(DatabaseFailure) {
        let keys = directory.withLock { directory in
            Set(records.compactMap { try? directory.installation(owner: $0.owner, topic: $0.topic).0 })
        }
        for key in keys { _ = try await install(key) }
    }

    /// The work that a record is; throws why it is none.
    func work(for record: LinkRecord, named name: RecordName) throws -> CenterWork {
        let (key, app) = try directory.withLock { directory throws(UnfitReason) in
            try directory.installation(owner: record.owner, topic: record.topic)
        }
        guard try owners.value(of: key.owner) != nil else { throw UnfitReason.unknownOwner }
        let rule = RecordRule(delivery: try deliveryRule(for: key, app))
        return .arrive(rule.arrival(of: record, named: name, at: key))
    }

    /// The installation that a host speaks of; `nil` means that the owner or the app is unknown.
    func installation(owner: String, topic: String) throws(DatabaseFailure) -> InstallationKey? {
        guard let key = directory.withLock({ try? $0.installation(owner: owner, topic: topic).0 }) else { return nil }
        return try owners.value(of: key.owner) == nil ? nil : key
    }

    /// An owner decides about an app: what it allows from now on, or the reason for which nothing changed.
    package func decide(_ event: AppPermission.Event, _ key: InstallationKey) async throws(DatabaseFailure) -> Decided {
        // An app that was there once can be decided about while no host is connected.
        guard try permissions.value(of: key) != nil || knows(key) else { return .unknownApp }
        guard let (permission, action) = try await change(key, { $0.apply(event) }) else { return .unknownApp }
        if case .tooLate = action { return .tooLate(permission) }
        return .decided(permission)
    }

    /// An app asks for permission; returns its permission then, with a question if the owner is asked.
    ///
    /// `nil` means that the owner has as many apps as it may.
    func ask(_ options: AuthorizationOptions, _ key: InstallationKey) async throws(DatabaseFailure) -> AppPermission? {
        let isGranted = app(key).authorization == .granted
        return try await change(key) { $0.apply(.authorize(options, isGrantedByOperator: isGranted)) }?.0
    }

    /// Has the store know an app, and returns its permission; `nil` means that the owner has as many apps as it may.
    func install(_ key: InstallationKey) async throws(DatabaseFailure) -> AppPermission? {
        let (permission, isStored) = try standing(of: key)
        if isStored { return permission }
        return try await change(key) { _ in .unchanged }?.0
    }

    /// Changes the permission of an app, one change after the other: each begins with what the last one left.
    ///
    /// `nil` means that the store refuses the app: its owner is unknown, or has as many as it may.
    private func change(
        _ key: InstallationKey,
        _ body: @escaping @Sendable (inout AppPermission) -> AppPermission.Action
    ) async throws(DatabaseFailure) -> (AppPermission, AppPermission.Action)? {
        let (permission, action, result) = try await commits.perform { [self] store throws(DatabaseFailure) in
            var (permission, isStored) = try standing(of: key)
            let former = isStored ? permission : nil
            let action = body(&permission)
            guard permission != former else { return (permission, action, WorkResult.unchanged) }
            let result = try store.commit([.setPermission(key, permission.stored)], at: clock.wall()).first
            if case .refused? = result { return (permission, action, result ?? .unchanged) }
            permissions.note(permission, of: key)
            // The looks change before anybody is told of a number that is committed later.
            looks.change(key.owner)
            return (permission, action, result ?? .unchanged)
        }
        if case .refused = result { return nil }
        if let number = result.lastNumber {
            positions.raise(key.owner, to: number, at: clock.measure())
            gateNews.add(key)
        }
        return (permission, action)
    }

    /// The store has no permission of an app any more.
    func forgetPermission(of key: InstallationKey) { permissions.forget(key) }

    // MARK: Apps

    /// The app as the configuration has it; one that it does not name is asked for, and allowed nothing else.
    func app(_ key: InstallationKey) -> CenterApp {
        directory.withLock { $0.app(key) } ?? CenterApp(topic: key.app, name: key.app)
    }

    /// The permission of an app, also before anything of it is stored.
    func permission(of key: InstallationKey) throws(DatabaseFailure) -> AppPermission {
        try standing(of: key).permission
    }

    /// The permission of an app, and whether the store has it: an operator may grant what nobody has decided yet.
    private func standing(
        of key: InstallationKey
    ) throws(DatabaseFailure) -> (permission: AppPermission, isStored: Bool) {
        let app = app(key)
        guard let known = try permissions.value(of: key) else { return (AppPermission(of: app), false) }
        guard known.phase == .notDetermined, app.authorization == .granted else { return (known, true) }
        return (AppPermission(of: app), false)
    }

    /// The rule by which a notification of an app is shown now.
    func deliveryRule(for key: InstallationKey) throws(DatabaseFailure) -> DeliveryRule {
        try deliveryRule(for: key, app(key))
    }

    private func deliveryRule(for key: InstallationKey, _ app: CenterApp) throws(DatabaseFailure) -> DeliveryRule {
        var rule = DeliveryRule(app: app, permission: try permission(of: key), now: clock.wall())
        rule.wishes = try wishes(of: key.owner)
        rule.foreground = foreground.answer(of: key)
        return rule
    }

    /// The wishes of an owner about the language, the hours and the quiet of its notifications.
    func wishes(of owner: OwnerName) throws(DatabaseFailure) -> OwnerWishes {
        try owners.value(of: owner) ?? OwnerWishes()
    }

    /// Changes the wishes of an owner, one change after the other; `nil` means that there is no such owner.
    func changeWishes(
        of owner: OwnerName,
        _ changes: JSONObject
    ) async throws(DatabaseFailure) -> Result<OwnerWishes, PreferenceFault>? {
        let (result, number) = try await commits.perform {
            [self] store throws(DatabaseFailure) -> (Result<OwnerWishes, PreferenceFault>?, Int64?) in
            guard let record = try store.owner(owner) else { return (nil, nil) }
            var wishes = OwnerWishes(stored: record.preferences)
            do throws(PreferenceFault) { try wishes.apply(changes) } catch { return (.failure(error), nil) }
            let done = try store.commit([.setOwner(owner, wishes.stored)], at: clock.wall()).first
            owners.note(wishes, of: owner)
            return (.success(wishes), done?.lastNumber)
        }
        if let number { positions.raise(owner, to: number, at: clock.measure()) }
        wishesChanged.raise()
        // Also where the zone was this one already: whoever asks again after a failure has the dates follow.
        if case .success = result, changes["zone"] != nil {
            try await FloatingDates(center: self, owners: [owner]).redate()
        }
        return result
    }

    /// Changes the switches that an owner has for an app; `nil` means that there is no such app.
    func changeSettings(
        of key: InstallationKey,
        _ changes: JSONObject
    ) async throws(DatabaseFailure) -> Result<AppPermission, PreferenceFault>? {
        guard try permissions.value(of: key) != nil || knows(key) else { return nil }
        var tried = try permission(of: key)
        do throws(PreferenceFault) { try tried.settings.apply(changes) } catch { return .failure(error) }
        return try await change(key) { permission in
            // Judged above: the same members are as good of any other state.
            try? permission.settings.apply(changes)
            return .changed
        }.map { .success($0.0) }
    }

    // MARK: Watching

    /// Returns when an owner's series has a number after this one, or the task is cancelled.
    package func wait(for owner: OwnerName, after position: Int64) async {
        await positions.wait(for: owner, after: position)
    }

    /// The owner's last number of which anybody was told, and when; 0 before the first.
    func position(of owner: OwnerName) -> OwnerPositions.Position { positions.position(of: owner) }

    /// The number of those who wait, or read events.
    package var watcherCount: Int { positions.watcherCount + announcements.watcherCount }

    /// True if the configuration of the host that is or was connected names the app for this owner.
    func knows(_ key: InstallationKey) -> Bool { directory.withLock { $0.app(key) } != nil }

    /// The name that people know an app by; its topic, unless the configuration has a name.
    package func name(of key: InstallationKey) -> String {
        directory.withLock { $0.app(key)?.name } ?? key.app
    }
}
