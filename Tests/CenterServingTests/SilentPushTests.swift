// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NotificationApp
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotifications

@testable import CenterLink
@testable import CenterServing

/// Pushes that are shown to nobody, and wake the app.
@Suite(.timeLimit(.minutes(2)))
struct SilentPushTests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
        _ = try await bench.center.install(bench.chat)
    }

    private func arrive(_ rooms: Int...) async throws {
        let key = try bench.chat
        for room in rooms {
            let payload: JSONObject = ["aps": ["content-available": 1], "room": .integer(Int64(room))]
            let arrival = NotificationArrival(
                installation: key,
                source: .call,
                fate: .silent(payload.serialized),
                date: Bench.now
            )
            bench.time.advance(by: 1)
            _ = try await bench.center.perform([.arrive(arrival)])
        }
    }

    private func isWaiting() throws -> Bool { try bench.center.store.silent(of: bench.chat) != nil }

    private func settle() async throws { while try isWaiting() { try await Task.turn() } }

    @Test func `the newest reaches the app when it has a handler, and those that come then`() async throws {
        try await bench.withApps {
            let rooms = Locked<[Int]>([])
            let app = RemoteNotifications(bench.app())
            try await arrive(1, 2)
            app.setSilentPushHandler { userInfo, done in
                rooms.withLock { $0.append(userInfo["room"] as? Int ?? 0) }
                done(.newData)
            }
            try await settle()
            #expect(rooms.withLock(\.self) == [2])
            try await arrive(3)
            try await settle()
            #expect(rooms.withLock(\.self) == [2, 3])
            #expect(try bench.list().isEmpty)
        }
    }

    @Test func `an app that finishes too late gets the next one then`() async throws {
        let clock = ManualClock()
        try await bench.withApps(clock) {
            let done = Locked<[@Sendable (RemoteNotifications.FetchResult) -> Void]>([])
            let app = RemoteNotifications(bench.app())
            app.setSilentPushHandler { _, finish in done.withLock { $0.append(finish) } }
            try await arrive(1)
            await clock.sleeper(until: .seconds(30))
            while done.withLock(\.count) < 1 { try await Task.turn() }
            clock.advance(by: .seconds(30))
            try await settle()
            try await arrive(2)
            #expect(done.withLock(\.count) == 1)
            // The place of the first is free once its answer has come, however late.
            done.withLock(\.self)[0](.failed)
            while done.withLock(\.count) < 2 { try await Task.turn() }
            done.withLock(\.self)[1](.noData)
            try await settle()
        }
    }

    @Test func `a handler that was taken back finds nothing new, and the next one is handed what comes`() async throws {
        try await bench.withApps {
            let rooms = Locked<[Int]>([])
            let center = bench.app()
            let app = RemoteNotifications(center)
            center.silentPushHandler = { _, _ in }
            // The centre thinks that there is a handler, as it does for a push that is on its way.
            app.setSilentPushHandler(nil)
            app.setSilentPushHandler { userInfo, done in
                rooms.withLock { $0.append(userInfo["room"] as? Int ?? 0) }
                done(.newData)
            }
            try await arrive(1)
            try await settle()
            try await arrive(2)
            try await settle()
            #expect(rooms.withLock(\.last) == 2)
        }
    }

    @Test func `an app that dies of a push does not get it again`() async throws {
        try await bench.withApps {
            let raw = try await RawApp(bench)
            _ = try await raw.hello()
            try raw.send(.init(.presence, body: ["inFront": false, "listens": false, "silent": true]))
            try await arrive(1)
            #expect(try await raw.receive()?.type == .silent)
            #expect(try isWaiting())
            raw.socket.shutDown()
            try await settle()
        }
    }

    @Test func `of two connections of an app one gets a push`() async throws {
        try await bench.withApps {
            let count = Locked(0)
            let apps = [RemoteNotifications(bench.app()), RemoteNotifications(bench.app())]
            for app in apps {
                app.setSilentPushHandler { _, done in
                    count.withLock { $0 += 1 }
                    done(.newData)
                }
            }
            for room in 1...20 {
                try await arrive(room)
                try await settle()
            }
            #expect(count.withLock(\.self) == 20)
        }
    }

    @Test(arguments: [("background", true), ("voip", false), ("widgets", false)])
    func `a record of another type than alert is shown to nobody`(type: String, isForApp: Bool) async throws {
        try await bench.withLink { link in
            _ = await link.send(Bench.record(1, aps: ["badge": 3], pushType: type))
            #expect(await link.answers(to: 1) == [.taken(1...1)])
        }
        #expect(try bench.list().isEmpty)
        #expect(try isWaiting() == isForApp)
        #expect(try bench.center.store.installation(bench.chat)?.badge == 0)
    }

    @Test func `a connection that has nothing to hand over rests`() async throws {
        let receiver = Counting()
        let delivery = SilentDelivery(center: bench.center, key: try bench.chat, clock: ContinuousClock())
        let task = Task { try await delivery.run(to: receiver) }
        try await arrive(1)
        try await settle()
        while receiver.handled.withLock(\.self) < 1 { try await Task.turn() }
        for _ in 0..<1000 { await Task.yield() }
        // Before the push, for it and after it.
        #expect(receiver.looks.withLock(\.self) <= 6)
        task.cancel()
        _ = try? await task.value
    }
}

/// An app that counts how often it is looked at.
private final class Counting: SilentReceiver {
    let looks = Locked(0)
    let handled = Locked(0)

    var takesSilentPushes: Bool {
        looks.withLock { $0 += 1 }
        return true
    }

    func handle(_ payload: Payload) async throws -> FetchResult? {
        handled.withLock { $0 += 1 }
        return .noData
    }
}
