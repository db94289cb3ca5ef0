// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Foundation
import NotificationPayload
import Testing

@testable import CenterStore

/// A folder of a centre that goes with the test, and the stores opened in it one after another.
final class CenterFolder {
    let path: String
    /// The key of the stores in it; `nil` means that they seal nothing.
    var key: StoreKey?

    init(key: StoreKey? = nil) throws {
        self.key = key
        path = FileManager.default.temporaryDirectory.appending(path: "center-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var database: String { "\(path)/center.sqlite" }

    func store(
        isDurable: Bool = false,
        hashBits: Int = 63,
        _ change: (inout CenterLimits) -> Void = { _ in }
    ) throws -> CenterStore {
        var limits = CenterLimits()
        change(&limits)
        return try CenterStore(folder: path, isDurable: isDurable, limits: limits, hashBits: hashBits, key: key)
    }
}

extension StoreKey {
    /// A key of 32 equal bytes.
    static func test(_ byte: UInt8 = 7) -> StoreKey? {
        [UInt8](repeating: byte, count: 32).withUnsafeBytes { StoreKey($0) }
    }
}

/// A store with one owner, who has one app, and a second one with the same app.
struct Desk {
    static let now: WallTime = 1_795_230_000_000

    let folder: CenterFolder
    let store: CenterStore
    let me: OwnerName
    let chat: InstallationKey
    let ana: InstallationKey

    init(hashBits: Int = 63, key: StoreKey? = nil, _ change: (inout CenterLimits) -> Void = { _ in }) throws {
        folder = try CenterFolder(key: key)
        store = try folder.store(hashBits: hashBits, change)
        me = try Self.owner("me")
        chat = try Self.key("me", "com.example.chat")
        ana = try Self.key("ana", "com.example.chat")
        let work: [CenterWork] = [
            .setOwner(me, OwnerPreferences()), .setOwner(ana.owner, OwnerPreferences()),
            .setPermission(chat, Self.granted), .setPermission(ana, Self.granted),
        ]
        _ = try store.commit(work, at: Self.now)
    }

    /// The first number that the work of a test gets: two went to the owner and its app.
    static let first: Int64 = 3

    static var granted: Permission {
        var permission = Permission()
        permission.status = 2
        return permission
    }

    static func owner(_ text: String) throws -> OwnerName { try #require(OwnerName(text)) }

    static func key(_ owner: String, _ app: String) throws -> InstallationKey {
        try #require(InstallationKey(owner: try self.owner(owner), app: app))
    }

    // MARK: - Work

    func content(_ identifier: String, thread: String? = nil, text: String = "Lunch?") -> NotificationContent {
        NotificationContent(identifier: identifier, thread: thread, payload: ["aps": ["alert": .string(text)]])
    }

    func arrival(
        _ identifier: String,
        record: Int64? = nil,
        badge: Int? = nil,
        text: String = "Lunch?",
        thread: String? = nil,
        key: InstallationKey? = nil,
        date: WallTime = now
    ) -> CenterWork {
        .arrive(
            NotificationArrival(
                installation: key ?? chat,
                source: record.map { .record(RecordName(journal: 7, number: $0)) } ?? .call,
                fate: .listed(content(identifier, thread: thread, text: text), Presentation(flags: [.list, .banner])),
                date: date,
                badge: badge
            )
        )
    }

    func arrive(_ source: NotificationArrival.Source, _ fate: NotificationArrival.Fate, badge: Int? = nil) -> CenterWork
    {
        .arrive(NotificationArrival(installation: chat, source: source, fate: fate, date: Self.now, badge: badge))
    }

    func request(_ identifier: String, due: Int64?, clock: TriggerClock = .wall) -> PendingRequest {
        PendingRequest(
            installation: chat,
            clock: clock,
            date: DueDate(due: due),
            content: content(identifier)
        )
    }

    @discardableResult
    func commit(_ work: CenterWork..., at now: WallTime = now) throws -> [WorkResult] {
        try store.commit(work, at: now)
    }

    /// Maintains until nothing is left to do.
    func maintain(at now: WallTime = now) throws {
        while try store.maintain(at: now) {}
    }

    // MARK: - What there is

    /// The identifiers of the list, the newest first.
    func list(_ owner: OwnerName? = nil) throws -> [String] {
        try store.page(PageQuery(limit: 10_000), of: owner ?? me)?.items.map { $0.content?.identifier ?? "?" } ?? []
    }

    func badge() throws -> Int? { try store.installation(chat)?.badge }

    /// Runs a question as another program's connection does.
    func rows(of table: String) throws -> Int { try folder.rows(of: table) }
}
