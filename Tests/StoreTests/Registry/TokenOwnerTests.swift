// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostRuntime
import Testing

@testable import Store

/// Device tokens of several owners, and extensions, which have one.
@Suite(.timeLimit(.minutes(1)))
struct TokenOwnerTests {
    private typealias Fixture = RegistryFixture

    private static func token(_ digits: String, of owner: String) -> RegisteredToken {
        RegisteredToken(
            token: digits,
            topic: Fixture.chat.topic,
            environment: .development,
            origin: .minted,
            owner: owner,
            added: Fixture.start
        )
    }

    private static let extended = [HostedTokens(registration: Fixture.chat, hasExtension: true)]

    private static func refusal(_ first: String, _ second: String) -> StoreError {
        StoreError(
            .unusable,
            "\"com.example.chat\" has an extension, which keeps data, and would serve the owners \"\(first)\" and "
                + "\"\(second)\"",
            hint:
                "an extension has one owner for good: run another host, with a state folder of its own, for the others"
        )
    }

    private static func owner(_ state: DeviceTokenState?) -> String? {
        if case .active(let registration)? = state { registration.owner } else { nil }
    }

    @Test func `a token is its owner's, and an app without an extension has tokens of several`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"))
            let own = try await registry.register(Fixture.chat.topic, for: "ana")
            #expect(try Self.owner(registry.state(of: Fixture.first)) == "maria")
            #expect(try Self.owner(registry.state(of: own)) == "ana")
            let other = try await registry.register(Fixture.chat.topic, for: "maria")
            #expect(other != own && other != Fixture.first)
            #expect(try await registry.register(Fixture.chat.topic, for: "ana") == own)
            try await registry.withdraw(Fixture.chat.topic, of: "ana")
            #expect(try Self.owner(registry.state(of: own)) == nil)
            #expect(try Self.owner(registry.state(of: other)) == "maria")
            let owners = try file.tokens(now: Fixture.start).map(\.owner)
            #expect(owners.sorted() == ["ana", "maria", "maria"])
        }
    }

    @Test func `a registry of version 3 gives its tokens and gates the owners that they had`() async throws {
        try await Fixture.withFolder { folder in
            let former = try Fixture.registry(folder)
            let own = try await former.register(Fixture.chat.topic, for: "ana")
            let file = try RegistryFile(folder: folder)
            try file.add(Fixture.token())
            try file.write {
                try $0.execute(
                    sql: """
                        ALTER TABLE tokens DROP COLUMN owner; DROP TABLE owner_gates; DROP TABLE extensions;
                        INSERT INTO gates VALUES ('desk', 'chat'); PRAGMA user_version = 3;
                        INSERT INTO tokens SELECT 'ab', 'com.example.gone', environment, origin, 1, 2 FROM tokens LIMIT 1
                        """
                )
            }
            let registry = try Fixture.registry(folder)
            #expect(try Self.owner(registry.state(of: own)) == "ana")
            #expect(try Self.owner(registry.state(of: Fixture.first)) == "me")
            #expect(registry.shutGates(of: "desk") == [OwnedApp(topic: "chat")])
            // Also of an app whose tokens were removed: its extension may have data.
            let owners = try RegistryFile(folder: folder).read { try ExtensionOwner.all($0) }
            #expect(owners == [Fixture.chat.topic: "me", "com.example.gone": "me"])
        }
    }

    @Test func `a line without a token is the only owner's`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"))
            #expect(try Fixture.registry(folder).firstToken(of: Fixture.chat.topic) == nil)
            try file.add(Self.token("ab", of: "me"))
            #expect(try Fixture.registry(folder).firstToken(of: Fixture.chat.topic) == "ab")
        }
    }

    @Test func `a token that becomes another owner's is no app's of the former`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder)
            let own = try await registry.register(Fixture.chat.topic, for: "maria")
            try RegistryFile(folder: folder).add(Self.token(own, of: "me"))
            let next = try await registry.register(Fixture.chat.topic, for: "maria")
            #expect(next != own)
            try await registry.withdraw(Fixture.chat.topic, of: "maria")
            #expect(try Self.owner(registry.state(of: own)) == "me")
        }
    }

    // MARK: Extensions

    @Test func `an extension is the first owner's, also when the tokens are gone`() async throws {
        try await Fixture.withFolder { folder in
            let registry = try Fixture.registry(folder, Self.extended)
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"), hasExtension: true)
            #expect(throws: Self.refusal("maria", "ana")) {
                try file.add(Self.token(Fixture.second, of: "ana"), hasExtension: true)
            }
            await #expect(throws: TokenRefusal.otherOwner) {
                try await registry.register(Fixture.chat.topic, for: "ana")
            }
            #expect(try file.removeToken(Fixture.first, at: Fixture.start))
            #expect(throws: Self.refusal("maria", "ana")) {
                try file.add(Self.token(Fixture.second, of: "ana"), hasExtension: true)
            }
            let chat = WebPushSubscription(topic: Fixture.chat.topic, senderKey: nil)
            #expect(throws: Self.refusal("maria", "me")) {
                try file.add(
                    RegisteredSubscription(token: Fixture.second, subscription: chat, added: Fixture.start),
                    hasExtension: true
                )
            }
            registry.refresh()
            #expect(registry.owner(ofExtensionOf: Fixture.chat.topic) == "maria")
            #expect(registry.owner(ofExtensionOf: Fixture.mail.topic) == nil)
            #expect(try await registry.register(Fixture.chat.topic, for: "maria").count == 64)
            #expect(try file.token(Fixture.second, now: Fixture.start) == nil)
        }
    }

    @Test func `a host does not start whose extension would have two owners`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"))
            try file.add(Self.token(Fixture.second, of: "ana"))
            #expect(throws: Self.refusal("ana", "maria")) { try Fixture.registry(folder, Self.extended) }
            #expect(try file.removeToken(Fixture.second, at: Fixture.start))
            let registry = try Fixture.registry(folder, Self.extended)
            #expect(registry.owner(ofExtensionOf: Fixture.chat.topic) == "maria")
            // A token of host.yaml is the only owner's.
            #expect(throws: Self.refusal("maria", "me")) {
                try Fixture.registry(
                    folder,
                    [HostedTokens(registration: Fixture.chat, tokens: [Fixture.second], hasExtension: true)]
                )
            }
        }
    }
}
