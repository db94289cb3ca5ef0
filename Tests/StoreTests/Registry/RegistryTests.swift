// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostRuntime
import TestClock
import Testing

@testable import Store

struct RegistryTests {
    private typealias Fixture = RegistryFixture

    private static func configured(_ tokens: String...) -> HostedTokens {
        HostedTokens(registration: Fixture.chat, tokens: tokens)
    }

    @Test func `tokens of the configuration are active, in their app's environment`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(
                folder,
                [
                    Self.configured(Fixture.second, Fixture.first), HostedTokens(registration: Fixture.mail),
                ]
            )
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
            #expect(try registry.state(of: "ef") == nil)
            #expect(registry.app(forTopic: "com.example.chat.voip") == Fixture.chat)
            #expect(registry.app(forTopic: "com.example.mail") == Fixture.mail)
            #expect(registry.app(forTopic: "com.example.nobody") == nil)
            #expect(registry.firstToken(of: Fixture.chat.topic) == Fixture.second)
            #expect(registry.firstToken(of: Fixture.mail.topic) == nil)
        }
    }

    @Test func `a token that left the configuration is removed, and one that returns is active`() async throws {
        try await Fixture.withFolder { folder in
            _ = try Fixture.registry(folder, [Self.configured(Fixture.first, Fixture.second)])
            let later = try Fixture.registry(folder, [Self.configured(Fixture.first)], at: Fixture.start + 60)
            #expect(later.removedCount == 1)
            #expect(try later.state(of: Fixture.first) == .active(Fixture.chat))
            #expect(try later.state(of: Fixture.second) == .removed(Fixture.chat, at: Fixture.start + 60))
            let last = try Fixture.registry(
                folder,
                [Self.configured(Fixture.first, Fixture.second)],
                at: Fixture.start + 120
            )
            #expect(last.removedCount == 0)
            #expect(try last.state(of: Fixture.second) == .active(Fixture.chat))
        }
    }

    @Test func `a minted token outlives its mention in the configuration, but not its app`() async throws {
        try await Fixture.withFolder { folder in
            try RegistryFile(folder: folder).add(Fixture.token())
            _ = try Fixture.registry(folder, [Self.configured(Fixture.first)])
            let unmentioned = try Fixture.registry(folder, [Self.configured()])
            #expect(try unmentioned.state(of: Fixture.first) == .active(Fixture.chat))
            let without = try Fixture.registry(folder, [HostedTokens(registration: Fixture.mail)])
            #expect(without.removedCount == 1)
            #expect(
                try without.state(of: Fixture.first)
                    == .removed(
                        .init(
                            topic: Fixture.chat.topic,
                            environment: .development,
                            pushTypes: Set(PushType.allCases)
                        ),
                        at: Fixture.start
                    )
            )
        }
    }

    @Test func `while the app of a token is registered and not run yet, its senders are to come again`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let file = try RegistryFile(folder: folder)
            _ = try file.add(
                RegisteredApp(topic: Fixture.mail.topic, yaml: "", file: "/a", added: Fixture.start)
            )
            try file.add(Fixture.token(of: Fixture.mail))
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(of: Fixture.first) }
            // From memory as from the file.
            registry.refresh()
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(of: Fixture.first) }
            _ = try file.removeToken(Fixture.first, at: Fixture.start)
            registry.refresh()
            guard case .removed? = try registry.state(of: Fixture.first) else {
                Issue.record("a token that was removed is not so")
                return
            }
            try file.add(Fixture.token(of: Fixture.mail))
            let later = try Fixture.registry(
                folder,
                [HostedTokens(registration: Fixture.chat), HostedTokens(registration: Fixture.mail)]
            )
            #expect(try later.state(of: Fixture.first) == .active(Fixture.mail))
        }
    }

    @Test func `a token of an app that is registered and not run yet stays`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            _ = try file.add(
                RegisteredApp(topic: Fixture.mail.topic, yaml: "", file: "/a", added: Fixture.start)
            )
            try file.add(Fixture.token(of: Fixture.mail))
            #expect(try Fixture.registry(folder).removedCount == 0)
            #expect(try file.token(Fixture.first, now: Fixture.start)?.removed == nil)
        }
    }

    @Test func `a token that another process has just minted is taken at once`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let other = try RegistryFile(folder: folder)
            #expect(try registry.state(of: Fixture.first) == nil)
            try other.add(Fixture.token())
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
            _ = try other.removeToken(Fixture.first, at: Fixture.start)
            #expect(try registry.state(of: Fixture.first) == .removed(Fixture.chat, at: Fixture.start))
            registry.refresh()
            try other.add(Fixture.token())
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
        }
    }

    @Test(.timeLimit(.minutes(5))) func `what another process removes is noticed within a second`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder, [Self.configured(Fixture.first)])
            let clock = ManualClock()
            let running = Task { await registry.run(clock: HostClock(clock)) }
            await clock.sleeper(until: .seconds(1))
            _ = try RegistryFile(folder: folder).removeToken(Fixture.first, at: Fixture.start + 5)
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
            clock.advance(to: .seconds(1))
            await clock.sleeper(until: .seconds(2))
            #expect(try registry.state(of: Fixture.first) == .removed(Fixture.chat, at: Fixture.start + 5))
            running.cancel()
            await running.value
        }
    }

    @Test func `a host removes what is gone, and knows it at once`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder, [Self.configured(Fixture.first)])
            #expect(try await registry.removeToken(Fixture.first))
            #expect(try await !registry.removeToken(Fixture.first))
            #expect(try registry.state(of: Fixture.first) == .removed(Fixture.chat, at: Fixture.start))
        }
    }

    @Test func `a registry that is gone takes nobody's word away, and its copy is read when it is back`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder, [Self.configured(Fixture.first)])
            let path = folder + "/registry.sqlite"
            try FileManager.default.removeItem(atPath: path)
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(of: Fixture.second) }
            registry.refresh()
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(of: Fixture.second) }
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(ofSubscription: Fixture.second) }
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }

            let another = try RegistryFile(folder: folder + "/other")
            try another.add(Fixture.token(Fixture.second))
            try DatabaseQueue(path: another.path).writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try FileManager.default.copyItem(atPath: another.path, toPath: path)
            registry.refresh()
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
            #expect(try registry.state(of: Fixture.second) == .active(Fixture.chat))
            #expect(try registry.state(of: "ef") == nil)
        }
    }

    @Test func `a registry that is damaged while it is used answers no more than it knows`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder, [Self.configured(Fixture.first)])
            let path = folder + "/registry.sqlite"
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
            try FileManager.default.removeItem(atPath: path)
            _ = FileManager.default.createFile(
                atPath: path,
                contents: Data(repeating: 7, count: whole.count),
                attributes: [.posixPermissions: 0o600]
            )
            registry.refresh()
            #expect(try registry.state(of: Fixture.first) == .active(Fixture.chat))
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(of: "ef") }
        }
    }

    @Test func `subscriptions are answered as tokens are`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let file = try RegistryFile(folder: folder)
            let chat = WebPushSubscription(topic: Fixture.chat.topic, senderKey: [4] + Array(repeating: 1, count: 64))
            let mail = WebPushSubscription(topic: Fixture.mail.topic)
            #expect(try registry.state(ofSubscription: Fixture.first) == nil)
            try file.add(.init(token: Fixture.first, subscription: chat, added: Fixture.start))
            try file.add(.init(token: Fixture.second, subscription: mail, added: Fixture.start))
            #expect(try registry.state(ofSubscription: Fixture.first) == .active(chat))
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(ofSubscription: Fixture.second) }
            registry.refresh()
            #expect(try registry.state(ofSubscription: Fixture.first) == .active(chat))
            #expect(throws: DeviceTokensUnavailable()) { try registry.state(ofSubscription: Fixture.second) }
            _ = try file.removeSubscription(Fixture.first, at: Fixture.start)
            registry.refresh()
            #expect(try registry.state(ofSubscription: Fixture.first) == .removed)
            #expect(try registry.state(of: Fixture.first) == nil)
        }
    }

    // MARK: Tokens that apps ask for

    @Test func `an app that registers has the same token after a restart, until it withdraws it`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let token = try await registry.register(Fixture.chat.topic, for: "me")
            #expect(token.count == 64)
            #expect(try registry.state(of: token) == .active(Fixture.chat))
            let next = try Fixture.registry(folder, at: Fixture.start + 60)
            #expect(try await next.register(Fixture.chat.topic, for: "me") == token)
            let other = try await next.register(Fixture.chat.topic, for: "you")
            #expect(other != token)
            try await next.withdraw(Fixture.chat.topic, of: "me")
            #expect(try next.state(of: token) == .removed(Fixture.chat, at: Fixture.start + 60))
            let yours = DeviceTokenTable.Registration(
                topic: Fixture.chat.topic,
                environment: Fixture.chat.environment,
                pushTypes: Fixture.chat.pushTypes,
                owner: "you"
            )
            #expect(try next.state(of: other) == .active(yours))
            let new = try await next.register(Fixture.chat.topic, for: "me")
            #expect(![token, other].contains(new))
            // Nothing to withdraw is no fault.
            try await next.withdraw(Fixture.mail.topic, of: "me")
        }
    }

    @Test func `a token that was removed otherwise is replaced at the next registration`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let token = try await registry.register(Fixture.chat.topic, for: "me")
            #expect(try await registry.removeToken(token))
            #expect(try await registry.register(Fixture.chat.topic, for: "me") != token)
        }
    }

    @Test(arguments: ["com.example.nobody", "com.example.chat.voip"])
    func `what the host does not run as an app gets no token`(topic: String) async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            await #expect(throws: TokenRefusal.unknownApp) { try await registry.register(topic, for: "me") }
        }
    }

    @Test func `an app whose environment changed has another token, and the former one is removed`() async throws {
        try await Fixture.withFolder { folder in
            let token = try await Fixture.registry(folder).register(Fixture.chat.topic, for: "me")
            let moved = DeviceTokenTable.Registration(
                topic: Fixture.chat.topic,
                environment: .production,
                pushTypes: [.alert]
            )
            let registry = try Fixture.registry(folder, [HostedTokens(registration: moved)], at: Fixture.start + 60)
            let new = try await registry.register(moved.topic, for: "me")
            #expect(new != token)
            #expect(try registry.state(of: new) == .active(moved))
            guard case .removed? = try registry.state(of: token) else {
                Issue.record("the former token is good")
                return
            }
        }
    }

    @Test func `an app that registers and withdraws without end leaves sixteen tombstones`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            for _ in 0..<40 {
                _ = try await registry.register(Fixture.chat.topic, for: "me")
                try await registry.withdraw(Fixture.chat.topic, of: "me")
            }
            let file = try RegistryFile(folder: folder)
            #expect(try file.tokens(now: Fixture.start).count <= 17)
            #expect(
                try file.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM registrations") ?? 0 } <= 17
            )
        }
    }

    private static let chatApp = OwnedApp(topic: "chat")
    private static let mailApp = OwnedApp(topic: "mail", owner: "maria")

    @Test func `alerts that are off are known to the next host, by their readers`() async throws {
        try await Fixture.withFolder { folder in
            let first = try Fixture.registry(folder)
            #expect(first.shutGates(of: "desk").isEmpty)
            await first.keep([Self.chatApp, Self.mailApp], of: "desk")
            await first.keep([Self.chatApp], of: "kiosk")
            await first.keep([Self.mailApp], of: "desk")
            let second = try Fixture.registry(folder)
            #expect(second.shutGates(of: "desk") == [Self.mailApp])
            #expect(second.shutGates(of: "kiosk") == [Self.chatApp])
        }
    }

    @Test func `a registry of version 1 takes registrations and gates`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            let tables = "DROP TABLE registrations; DROP TABLE gates; "
            try file.write { try $0.execute(sql: tables + "PRAGMA user_version = 1") }
            let registry = try Fixture.registry(folder)
            #expect(try await registry.register(Fixture.chat.topic, for: "me").count == 64)
            await registry.keep([Self.chatApp], of: "desk")
            #expect(registry.shutGates(of: "desk") == [Self.chatApp])
        }
    }
}
