// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import CenterStore
package import DatabaseFile
private import Locking
package import Logging
package import UserNotificationCenter

/// A notification centre: what it keeps, what it decides, and who hears of it.
///
/// Every change goes through `perform`, which returns when it is on the disk and every watcher of its owner is told.
/// Reads go to the store, from any thread.
package final class Center: Sendable {
    package let store: CenterStore
    let logger: Logger
    private let commits: CommitQueue
    private let positions = OwnerPositions()
    private let permissions: Permissions
    private let directory = Locked(CenterDirectory())
    private let now: @Sendable () -> WallTime

    /// `now` tells the time of the clock on the wall.
    package init(_ store: CenterStore, now: @escaping @Sendable () -> WallTime, logger: Logger) {
        self.store = store
        self.now = now
        self.logger = logger
        commits = CommitQueue(store, now: now)
        permissions = Permissions(store)
    }

    /// Keeps the store in order until the task is cancelled: once a second by `clock`.
    package func maintain(_ clock: some Clock<Duration>) async {
        while !Task.isCancelled {
            do {
                let now = now()
                let isBehind = try await commits.perform { store throws(DatabaseFailure) in try store.maintain(at: now)
                }
                let upkeep = try await commits.perform { store throws(DatabaseFailure) in try store.takeUpkeep() }
                for owner in upkeep.owners {
                    if let record = try store.owner(owner) { positions.raise(owner, to: record.position) }
                }
                if isBehind { continue }
            } catch {
                logger.error("store not maintained", metadata: ["error": "\(error)"])
            }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    /// Closes the store; nothing may be asked of the centre afterwards.
    package func close() async throws(DatabaseFailure) {
        try await commits.perform { store throws(DatabaseFailure) in try store.close() }
    }

    // MARK: Changes

    /// Does all of it, or nothing when it fails; the results are in the order of the work.
    package func perform(_ work: [CenterWork]) async throws(DatabaseFailure) -> [WorkResult] {
        let results = try await commits.commit(work)
        for (work, result) in zip(work, results) {
            if let owner = work.owner, let number = result.lastNumber { positions.raise(owner, to: number) }
        }
        return results
    }

    /// Takes the owners and apps of a host in place of those that are known, and makes owners that are new.
    package func adopt(_ registry: LinkRegistry) async throws(DatabaseFailure) {
        var work: [CenterWork] = []
        for owner in registry.owners {
            guard let name = OwnerName(owner.name), try store.owner(name) == nil else { continue }
            var preferences = OwnerPreferences()
            preferences.language = owner.language
            preferences.zone = owner.zone
            work.append(.setOwner(name, preferences))
        }
        _ = try await perform(work)
        directory.withLock { $0 = CenterDirectory(registry) }
    }

    /// Makes an owner unless there is one of the name.
    package func adopt(owner name: String) async throws(DatabaseFailure) {
        guard let owner = OwnerName(name), try store.owner(owner) == nil else { return }
        _ = try await perform([.setOwner(owner, OwnerPreferences())])
    }

    /// The work that a record is, with the installation before it if it is the app's first; throws why it is none.
    func work(for record: LinkRecord, named name: RecordName) throws -> [CenterWork] {
        let (key, app) = try directory.withLock { directory throws(UnfitReason) in
            try directory.installation(owner: record.owner, topic: record.topic)
        }
        var work: [CenterWork] = []
        let permission: AppPermission
        if let known = try permissions.permission(of: key) {
            permission = known
        } else {
            permission = AppPermission(of: app)
            work.append(.setPermission(key, permission.stored))
        }
        let rule = RecordRule(app: app, permission: permission, now: now())
        return work + [.arrive(rule.arrival(of: record, named: name, at: key))]
    }

    /// An owner decides about an app: what it allows from now on, or the reason for which nothing changed.
    package func decide(_ event: AppPermission.Event, _ key: InstallationKey) async throws(DatabaseFailure) -> Decided {
        // An app that was there once can be decided about while no host is connected.
        let known = try permissions.permission(of: key)
        let app = directory.withLock { $0.app(key.app) }
        guard var permission = known ?? app.map(AppPermission.init(of:)) else { return .unknownApp }
        switch permission.apply(event) {
        case .tooLate: return .tooLate(permission)
        case .unchanged: return .decided(permission)
        case .answer, .ask, .wait, .conclude, .changed: break
        }
        guard case .refused? = try await perform([.setPermission(key, permission.stored)]).first else {
            permissions.note(permission, of: key)
            return .decided(permission)
        }
        return .unknownApp
    }

    /// The effect of an owner's decision.
    package enum Decided: Sendable, Equatable {
        case decided(AppPermission)
        /// Somebody else has decided.
        case tooLate(AppPermission)
        case unknownApp
    }

    // MARK: Watching

    /// Returns when an owner's series has a number after this one, or the task is cancelled.
    package func wait(for owner: OwnerName, after position: Int64) async {
        await positions.wait(for: owner, after: position)
    }

    /// The number of those who wait.
    package var watcherCount: Int { positions.watcherCount }

    /// The name that people know an app by; its topic, unless the configuration has a name.
    package func name(of topic: String) -> String {
        directory.withLock { $0.app(topic)?.name } ?? topic
    }

    package var currentTime: WallTime { now() }
}
