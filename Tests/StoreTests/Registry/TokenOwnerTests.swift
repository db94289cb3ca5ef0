// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostRuntime
import Testing

@testable import Store

/// Device tokens of several owners, and the first owners of extensions.
@Suite(.timeLimit(.minutes(1)))
struct TokenOwnerTests {
    private typealias Fixture = RegistryFixture

    private static func token(
        _ digits: String,
        of owner: String,
        added: Date = Fixture.start
    ) -> RegisteredToken {
        RegisteredToken(
            token: digits,
            topic: Fixture.chat.topic,
            environment: .development,
            origin: .minted,
            owner: owner,
            added: added
        )
    }

    private static let extended = [HostedTokens(registration: Fixture.chat, hasExtension: true)]

    /// The first owners of a registry after a host has started on it.
    private static func firstOwners(_ folder: String, tokens: [String] = []) throws -> [String: String] {
        try Fixture.registry(
            folder,
            [HostedTokens(registration: Fixture.chat, tokens: tokens, hasExtension: true)]
        ).firstOwners
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
            let owners = try RegistryFile(folder: folder).read { try FirstOwner.all($0) }
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

    @Test func `an extension's first owner stays when the tokens go, and others have tokens beside`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"))
            let registry = try Fixture.registry(folder, Self.extended)
            #expect(registry.firstOwners == [Fixture.chat.topic: "maria"])
            let hers = try await registry.register(Fixture.chat.topic, for: "ana")
            #expect(hers.count == 64)
            try file.add(Self.token(Fixture.second, of: "me"))
            let chat = WebPushSubscription(topic: Fixture.chat.topic, senderKey: nil)
            try file.add(RegisteredSubscription(token: Fixture.second, subscription: chat, added: Fixture.start))
            let wasRemoved = try file.removeToken(Fixture.first, at: Fixture.start)
            #expect(wasRemoved)
            let owners = try Self.firstOwners(folder, tokens: ["ab"])
            #expect(owners == [Fixture.chat.topic: "maria"])
            let state = try registry.state(of: Fixture.second)
            #expect(Self.owner(state) == "me")
        }
    }

    @Test func `the owner that a former host had refused others for keeps the extension's folder`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.write {
                try $0.execute(
                    sql: "INSERT INTO extensions (topic, owner) VALUES (?, 'ana')",
                    arguments: [Fixture.chat.topic]
                )
            }
            let owners = try Self.firstOwners(folder, tokens: ["ab"])
            #expect(owners == [Fixture.chat.topic: "ana"])
        }
    }

    @Test func `the first owner is me with a token or a subscription, else who has the oldest token`() async throws {
        try await Fixture.withFolder { folder in
            let owners = try Self.firstOwners(folder)
            #expect(owners == [Fixture.chat.topic: "me"])
        }
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"))
            try file.add(Self.token(Fixture.second, of: "me"))
            let owners = try Self.firstOwners(folder)
            #expect(owners == [Fixture.chat.topic: "me"])
        }
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "maria"))
            let chat = WebPushSubscription(topic: Fixture.chat.topic, senderKey: nil)
            try file.add(RegisteredSubscription(token: Fixture.second, subscription: chat, added: Fixture.start))
            let owners = try Self.firstOwners(folder)
            #expect(owners == [Fixture.chat.topic: "me"])
        }
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Self.token(Fixture.first, of: "zoe"))
            try file.add(Self.token(Fixture.second, of: "ana", added: Fixture.start + 1))
            let owners = try Self.firstOwners(folder)
            #expect(owners == [Fixture.chat.topic: "zoe"])
        }
    }
}
