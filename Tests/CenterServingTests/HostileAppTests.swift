// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationApp
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotifications

@testable import CenterServing

/// Apps that break the rules of their socket: each loses its connection, and nobody else anything.
@Suite(.timeLimit(.minutes(2)))
struct HostileAppTests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func crowd(_ count: Int) async throws -> [RawApp] {
        var apps: [RawApp] = []
        for _ in 0..<count { apps.append(try await RawApp(bench)) }
        return apps
    }

    @Test(arguments: [
        [],  // Ends the socket without a word.
        [0x81],
        [0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d],  // A message of the centre's.
        [0x82, 0, 0, 0, 0, 0, 0, 0, 1, 0x7b, 0x7d],  // A call before hello.
        [0x81, 0, 0, 0, 0, 0, 0, 0, 0, 0x7b],
        [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d],
    ])
    func `a packet that the table does not allow ends the connection`(bytes: [UInt8]) async throws {
        try await bench.withApps {
            let app = bench.app()
            #expect(try await app.requestAuthorization(options: [.alert]))
            let hostile = try await RawApp(bench)
            if bytes.isEmpty { hostile.socket.shutDown() } else { hostile.send(bytes: bytes) }
            #expect(try await hostile.receive() == nil)
            #expect(await app.notificationSettings().authorizationStatus == .authorized)
        }
    }

    @Test(arguments: [
        AppPacket(.hello, body: ["protocol": 1, "bundleIdentifier": "com.example.chat"]),
        AppPacket(.call, id: 0, body: ["call": "settings"]), AppPacket(.call, id: 1, body: ["call": "everything"]),
        AppPacket(.completed, id: 1), AppPacket(.presence, body: ["inFront": true]),
        AppPacket(.call, id: 1, body: ["call": "removePending", "identifiers": [1]]),
    ])
    func `after hello it is the same`(packet: AppPacket) async throws {
        try await bench.withApps {
            let hostile = try await RawApp(bench)
            #expect(try await hostile.hello()?.type == .welcome)
            try hostile.send(packet)
            #expect(try await hostile.receive() == nil)
        }
    }

    @Test func `an app that comes and goes while nobody reads says where it is, and not each time that it was`()
        async throws
    {
        let centre = HostileCentre(try PacketListener(path: bench.appSocket))
        let app = bench.app()
        let notifications = RemoteNotifications(app)
        notifications.isInFront = true
        let said = await centre.presences {
            for number in 1...5000 { notifications.isInFront = number.isMultiple(of: 2) }
            app.getNotificationSettings { _ in }
        }
        #expect(said.last == true)
        #expect(said.count < 2000)
    }

    @Test func `a packet longer than any may be ends the connection`() async throws {
        try await bench.withApps {
            let hostile = try await RawApp(bench)
            hostile.send(bytes: [UInt8](repeating: 0x81, count: 65_537))
            let answer = try await hostile.receive()
            #expect(answer == nil)
        }
    }

    @Test func `the seventeenth connection of an app is refused, and another app's is not`() async throws {
        try await bench.withApps {
            let apps = try await crowd(16)
            for app in apps { #expect(try await app.hello()?.type == .welcome) }
            let refused = try await RawApp(bench)
            let rejection = try #require(try await refused.hello())
            #expect(rejection.type == .rejected)
            #expect(rejection.body["reason"]?.string == "tooManyConnections")
            #expect(try await refused.receive() == nil)
            let other = try await RawApp(bench)
            #expect(try await other.hello("com.example.other")?.type == .welcome)
        }
    }

    @Test func `a connection that says nothing ends after 10 s, and one that said hello does not`() async throws {
        let clock = ManualClock()
        try await bench.withApps(clock) {
            let greeted = try await RawApp(bench)
            #expect(try await greeted.hello()?.type == .welcome)
            await clock.sleeper(until: .seconds(10))
            let silent = try await RawApp(bench)
            while clock.sleepCount < 2 { try await Task.turn() }
            clock.advance(by: .seconds(10))
            #expect(try await silent.receive() == nil)
            try greeted.send(AppPacket(.call, id: 1, body: ["call": "settings"]))
            #expect(try await greeted.receive()?.type == .answer)
        }
    }

    @Test func `of a crowd that says nothing as many are kept as may be told why they are refused`() async throws {
        try await bench.withApps {
            let silent = try await crowd(80)
            let late = try await RawApp(bench)
            #expect(try await late.receive() == nil)
            withExtendedLifetime(silent) {}
        }
    }

    @Test func `an app that reads nothing loses its connection, and another is answered`() async throws {
        let text = String(repeating: "x", count: 60_000)
        let large = NotificationCategory(identifier: "large", summaryFormat: text)
        #expect(await CallDesk(bench.center).answer(.setCategories([large]), of: try bench.chat) == .done)
        try await bench.withApps {
            let deaf = try await RawApp(bench)
            #expect(try await deaf.hello()?.type == .welcome)
            for id in 1...16 { try deaf.send(AppPacket(.call, id: UInt64(id), body: ["call": "categories"])) }
            let app = bench.app("com.example.other")
            #expect(await app.notificationSettings().authorizationStatus == .notDetermined)
            while deaf.socket.isConnected { try await Task.turn() }
        }
    }

    @Test func `no more than 64 connections of an owner are served`() async throws {
        try await bench.withApps(ManualClock()) {
            let silent = try await crowd(60)
            let apps = try await crowd(4)
            for (number, app) in apps.enumerated() {
                #expect(try await app.hello("com.example.app\(number)")?.type == .welcome)
            }
            let refused = try await RawApp(bench)
            #expect(try await refused.hello("com.example.late")?.body["reason"]?.string == "tooManyConnections")
            withExtendedLifetime(silent) {}
        }
    }

    @Test func `a response that the app holds when it goes waits for it again`() async throws {
        try await bench.withApps {
            let app = bench.app()
            #expect(try await app.requestAuthorization(options: [.alert]))
            let content = UNMutableNotificationContent()
            content.title = "A"
            try await app.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
            let number = try #require(try bench.list().first?.head.number)
            let draft = ResponseDraft(owner: bench.me, number: number, action: "default")
            _ = try await bench.center.perform([.respond(draft)])
            for tries in 0..<3 {
                let raw = try await RawApp(bench)
                #expect(try await raw.hello()?.type == .welcome)
                let presence: JSONObject = ["inFront": false, "listens": true, "silent": false]
                try raw.send(AppPacket(.presence, body: presence))
                let response = try #require(try await raw.receive())
                #expect(response.type == .response)
                #expect(response.body["action"]?.string == "default")
                let kept = try bench.center.store.responses(of: bench.chat, limit: 1).first
                #expect(kept?.tries == tries)
                raw.socket.shutDown()
                while try bench.center.store.responses(of: bench.chat, limit: 1).first?.tries == tries {
                    try await Task.turn()
                }
            }
            // After three attempts it is given up.
            #expect(try bench.center.store.responses(of: bench.chat, limit: 1).isEmpty)
        }
    }
}
