// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import Logging
import NotificationPayload
import PacketSockets
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// A notification of the list; CenterProtocol has a type of the same name.
typealias Listed = NotificationPage.Item

/// A centre over a store in a folder that goes with the test, at a time that stands still.
final class Bench: Sendable {
    static let topic = "com.example.chat"
    static let now: WallTime = 1_795_230_000_000
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let folder: String
    let time: BenchTime
    /// The device tokens of the host that `withLink` makes.
    let tokens = BenchTokens()
    /// The gates of that host.
    let gates: AlertGates
    /// The calls of its workers.
    let calls = WorkerCalls()
    /// The clock by which they end.
    let callClock = ManualClock()
    let center: Center
    let me: OwnerName

    /// With a key the store seals what it has.
    init(key: StoreKey? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "serving-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let store = try CenterStore(folder: folder, isDurable: false, key: key)
        time = BenchTime()
        center = Center(store, clock: time.clock, logger: Self.logger)
        me = try #require(OwnerName("me"))
        _ = try store.commit([.setOwner(me, OwnerPreferences())], at: Self.now)
        gates = AlertGates(shelf: BenchShelf())
        gates.join("center", topics: [Self.topic])
        calls.join("center", topics: [Self.topic])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var chat: InstallationKey {
        get throws { try #require(InstallationKey(owner: me, app: Self.topic)) }
    }

    /// The API of the owner.
    func api(_ clock: any Clock<Duration> = ContinuousClock()) -> CenterAPI {
        CenterAPI(center: center, owner: me, clock: clock)
    }

    /// The stream of events that the app reads.
    func stream(
        _ wishes: AppStream.Wishes = AppStream.Wishes(isInFront: false, silentPushes: false),
        of api: CenterAPI? = nil,
        write: @escaping @Sendable (String) async throws -> Void
    ) throws -> AppStream {
        AppStream(try chat, api ?? self.api(), wishes, write: write)
    }

    /// The owner's list, the newest first.
    func list() throws -> [Listed] {
        let page = try center.store.page(PageQuery(limit: 200), of: me)
        return try #require(page).items
    }

    func titles() throws -> [String] {
        try list().map { $0.content?.payload["aps"]?.object?["alert"]?.object?["title"]?.string ?? "" }
    }

    /// Owners and apps as a host names them.
    static func registry(_ authorization: CenterApp.Authorization = .granted) -> LinkRegistry {
        var app = CenterApp(topic: topic, name: "Chat")
        app.authorization = authorization
        return LinkRegistry(owners: [CenterOwner(name: "me")], apps: [app])
    }

    /// Makes a centre to which a host has named its owners and apps.
    static func with(_ registry: LinkRegistry = registry()) async throws -> Bench {
        let bench = try Bench()
        try await bench.center.adopt(registry)
        return bench
    }

    /// Makes a centre whose owner has allowed the app of the bench to notify.
    static func withPermission() async throws -> Bench {
        let bench = try Bench()
        try await bench.center.adopt(registry())
        let answer = await CallDesk(bench.center).answer(.authorize([.alert, .badge, .sound]), of: try bench.chat)
        try #require(answer == .granted(true))
        return bench
    }

    /// A record as the outbox has it.
    static func record(
        _ number: Int64,
        title: String = "Alice",
        topic: String = topic,
        aps: JSONObject = [:],
        identifier: String? = nil,
        pushType: String? = nil,
        handlingMilliseconds: Int64 = 0,
        course: RecordCourse = RecordCourse(outcome: "modified")
    ) -> OutboxRecord {
        var whole = aps
        whole["alert"] = ["title": .string(title)]
        var object: JSONObject = [
            "id": .string("push-\(number)"), "topic": .string(topic),
            "identifier": .string(identifier ?? "push-\(number)"), "date": "2026-11-21T03:00:00.123Z",
            "outcome": .string(course.outcome), "reason": course.reason.map(JSON.string) ?? .null,
            "late": .bool(course.isLate), "payload": ["aps": .object(whole)],
            "timings": ["totalMicroseconds": .integer(handlingMilliseconds * 1000)],
        ]
        object["pushType"] = pushType.map(JSON.string)
        return record(number, object.serialized)
    }

    /// A record as the outbox has it, whatever it says.
    static func record(_ number: Int64, _ bytes: [UInt8]) -> OutboxRecord {
        OutboxRecord(
            sink: "center",
            number: number,
            delivery: DeliveryName(store: "5f2c9a1e", count: number),
            deviceToken: "ab",
            record: bytes,
            attempts: 0
        )
    }

    /// The host's end of a link.
    func connection(
        _ socket: PacketSocket,
        files: (any AttachmentKeeping)? = nil,
        views: any ViewServing = NoViews()
    ) -> CenterConnection {
        CenterConnection(
            socket,
            tokens: tokens,
            gates: GateIntake(gates, of: "center"),
            files: files,
            views: views,
            clock: HostClock(callClock),
            logger: Self.logger
        )
    }

    /// Serves a host over a pair of sockets until the body returns.
    func withLink(
        _ registry: LinkRegistry = registry(),
        journal: String = "0a1b2c3d",
        files: (any AttachmentKeeping)? = nil,
        appFiles: [HostedAppFile] = [],
        views: any ViewServing = NoViews(),
        _ body: (CenterConnection) async throws -> Void
    ) async throws {
        let (host, other) = try PacketSocket.pair()
        let connection = connection(host, files: files, views: views)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [center] in await LinkSession(center, other, clock: ContinuousClock()).run() }
            do {
                try await connection.greet(LinkHello(journal: journal, floor: 0))
                try await connection.introduce(registry, appFiles)
                calls.connect("center", connection)
                try await body(connection)
            } catch {
                await connection.close()
                throw error
            }
            await connection.close()
            try await group.waitForAll()
        }
    }
}

/// A shelf that keeps nothing.
struct BenchShelf: GateShelf {
    func shutGates(of reader: String) -> Set<OwnedApp> { [] }
    func keep(_ shut: Set<OwnedApp>, of reader: String) async {}
}

/// The time of a bench, which stands still until a test moves it.
final class BenchTime: Sendable {
    private struct State {
        var wall = Bench.now
        var boot: Int64 = 1_000_000
    }

    private let state = Locked(State())
    private let bootID: String

    init(bootID: String = "first") {
        self.bootID = bootID
    }

    var clock: CenterClock { clock(bootID: bootID) }

    /// The clock of the same time after a boot of that name.
    func clock(bootID: String) -> CenterClock {
        CenterClock(wall: { self.state.withLock(\.wall) }, boot: { self.state.withLock(\.boot) }, bootID: bootID)
    }

    /// Time goes by, in milliseconds, on the wall and for the machine.
    func advance(by milliseconds: Int64) {
        state.withLock { state in
            state.wall += milliseconds
            state.boot += milliseconds
        }
    }

    /// Somebody sets the clock on the wall, by so many milliseconds.
    func setWall(by milliseconds: Int64) { state.withLock { $0.wall += milliseconds } }

    /// The machine is booted: its clock begins anew.
    func reboot() { state.withLock { $0.boot = 5_000 } }
}

extension CenterConnection {
    /// Takes answers of the centre until so many records have one.
    func answers(to count: Int) async -> [StreamAnswer] {
        var answers: [StreamAnswer] = []
        var answered = 0
        while answered < count, let more = await self.answers() {
            answers += more
            answered += more.reduce(0) { sum, answer in
                switch answer {
                case .taken(let range): sum + range.count
                case .unfit: sum + 1
                }
            }
        }
        return answers
    }
}

/// A host without content extensions.
struct NoViews: ViewServing {
    func open(
        _ view: LinkView,
        _ files: [HeldFile],
        report: @escaping @Sendable (LinkViewReport) -> Void
    ) async -> UInt64? { nil }
    func pass(_ event: JSONObject, _ files: [HeldFile], to number: UInt64) async {}
    func close(_ number: UInt64) async {}
}
