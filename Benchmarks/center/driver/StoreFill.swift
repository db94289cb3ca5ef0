// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Foundation
import NotificationPayload

/// The store of a centre, made directly and without waiting for the disk, before a centre has it.
///
/// The watched owner has as much as an owner may have: 50 stacks of 100 notifications, which are older, and 500 stacks
/// of 10.
struct StoreFill {
    static let count = 300_000
    static let watchedCount = 10_000
    /// Notifications of the watched owner that are in stacks of ten.
    static let newCount = 5000
    static let pendingCount = 10_000
    private static let groupCount = 1000
    private static let hour: Int64 = 3_600_000

    private let store: CenterStore

    /// Opens the store of a folder, or makes one with owners and apps.
    init(_ folder: String) throws {
        store = try CenterStore(folder: folder, isDurable: false)
        var permission = Permission()
        permission.status = 2
        permission.settings = Accounts.permission
        let owners = try Accounts.owners.map(Self.name)
        guard try store.owner(owners[0]) == nil else { return }
        _ = try store.commit(owners.map { .setOwner($0, OwnerPreferences()) }, at: Self.now)
        for owner in owners {
            let keys = try Accounts.apps.map { try Self.key(owner, $0) }
            _ = try store.commit(keys.map { .setPermission($0, permission) }, at: Self.now)
        }
    }

    /// The last number of the watched owner.
    var position: Int64 {
        get throws { try store.owner(try Self.name(Accounts.watched))?.position ?? 0 }
    }

    /// Stores notifications of all owners in turn, and requests that are due from an hour on.
    func fill() throws {
        let period = Self.count / Self.watchedCount
        for start in stride(from: 0, to: Self.count, by: Self.groupCount) {
            let work = try (start..<start + Self.groupCount).map { number in
                guard number % period == 0 else {
                    let owner = Accounts.others[number % Accounts.others.count]
                    return try arrival(
                        number,
                        owner,
                        app: number / Accounts.others.count,
                        thread: "room-\(number / 9000)"
                    )
                }
                let place = number / period
                let recent = place - (Self.watchedCount - Self.newCount)
                let thread = recent < 0 ? "old-\(place / 10 % 5)" : "new-\(recent / 100)"
                return try arrival(number, Accounts.watched, app: place, thread: thread)
            }
            try commit(work)
        }
        for start in stride(from: 0, to: Self.pendingCount, by: Self.groupCount) {
            try commit(
                try (start..<start + Self.groupCount).map { number in
                    let owner = Accounts.owners[number % Accounts.owners.count]
                    let due = Self.now + Self.hour + Int64(number) * 8000
                    return try request("later-\(number)", owner, app: number, due: due)
                }
            )
        }
    }

    /// Removes all notifications of the watched owner, so that what comes pushes nothing out.
    func clearWatched() throws {
        let owner = try Self.name(Accounts.watched)
        try commit(try Accounts.apps.map { .removeAll(try Self.key(owner, $0), upTo: nil, by: .app) })
    }

    /// Stores requests of the watched owner that are due at these times.
    func schedule(at times: [Int64]) throws {
        try commit(
            try times.enumerated().map { number, due in
                try request("due-\(due)", Accounts.watched, app: number, due: due)
            }
        )
    }

    /// Closes the store, and waits until the disk has all of it: what is measured next does not pay for this.
    func close() throws {
        try store.close()
        sync()
    }

    private func commit(_ work: [CenterWork]) throws {
        for result in try store.commit(work, at: Self.now) {
            if case .refused(let reason) = result { throw BenchError("the store refuses a row: \(reason)") }
        }
    }

    private func arrival(_ number: Int, _ owner: String, app: Int, thread: String) throws -> CenterWork {
        .arrive(
            NotificationArrival(
                installation: try Self.key(try Self.name(owner), Accounts.apps[app % Accounts.apps.count]),
                source: .call,
                fate: .listed(
                    try Self.content("stored-\(number)", thread: thread, trigger: ["type": "push"]),
                    Presentation(flags: [.banner, .list, .lock, .sound, .remote], until: Self.now + 30_000)
                ),
                date: Self.now
            )
        )
    }

    private func request(_ identifier: String, _ owner: String, app: Int, due: Int64) throws -> CenterWork {
        .schedule(
            PendingRequest(
                installation: try Self.key(try Self.name(owner), Accounts.apps[app % Accounts.apps.count]),
                clock: .wall,
                date: DueDate(due: due),
                content: try Self.content(identifier, thread: "later", trigger: nil)
            ),
            limit: PendingLimit(count: 0, wallMinusBoot: 0)
        )
    }

    private static func content(
        _ identifier: String,
        thread: String,
        trigger: JSONObject?
    ) throws -> NotificationContent {
        NotificationContent(
            identifier: identifier,
            thread: thread,
            trigger: trigger,
            payload: try BenchRecord.payloadObject(thread: thread)
        )
    }

    private static func name(_ text: String) throws -> OwnerName {
        guard let name = OwnerName(text) else { throw BenchError("\"\(text)\" is no owner") }
        return name
    }

    private static func key(_ owner: OwnerName, _ app: String) throws -> InstallationKey {
        guard let key = InstallationKey(owner: owner, app: app) else { throw BenchError("\"\(app)\" is no app") }
        return key
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
