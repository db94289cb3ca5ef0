// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostRuntime
import Testing

@testable import Store

struct RegistryFileTests {
    private typealias Fixture = RegistryFixture

    @Test func `folder and file are made, and are their user's alone`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Fixture.token())
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder) == 0o700)
            #expect(try mode(file.path) == 0o600)
            #expect(try mode(file.path + "-wal") == 0o600)
        }
    }

    @Test(arguments: ["", "/registry.sqlite"])
    func `what is open to others is refused by name`(_ place: String) async throws {
        try await Fixture.withFolder { folder in
            _ = try RegistryFile(folder: folder)
            try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder + place)
            #expect(
                throws: StoreError(
                    .unusable,
                    "\"\(folder)\(place)\" is open to other users",
                    hint: "chmod go= \(folder)\(place)"
                )
            ) {
                try RegistryFile(folder: folder)
            }
        }
    }

    @Test func `a token comes back as it was given, and the removed one with its time to the millisecond`()
        async throws
    {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Fixture.token())
            try file.add(Fixture.token(Fixture.second, of: Fixture.mail, added: Fixture.start + 1))
            #expect(try file.removeToken(Fixture.second, at: Fixture.start + 2))
            #expect(try !file.removeToken(Fixture.second, at: Fixture.start + 3))
            #expect(
                try RegistryFile(folder: folder).tokens(now: Fixture.start) == [
                    Fixture.token(),
                    Fixture.token(
                        Fixture.second,
                        of: Fixture.mail,
                        added: Fixture.start + 1,
                        removed: Fixture.start + 2
                    ),
                ]
            )
            #expect(try file.tokens(of: Fixture.mail.topic, now: Fixture.start).map(\.token) == [Fixture.second])
        }
    }

    @Test func `a tombstone lasts ninety days, and a new registration ends it`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.add(Fixture.token())
            _ = try file.removeToken(Fixture.first, at: Fixture.start)
            let lastDay = Fixture.start + 90 * Fixture.day
            #expect(try file.token(Fixture.first, now: lastDay - 0.001)?.removed == Fixture.start)
            #expect(try file.token(Fixture.first, now: lastDay) == nil)
            #expect(try file.tokens(now: lastDay) == [])
            // Any write deletes what is forgotten.
            try file.add(Fixture.token(Fixture.second, added: lastDay))
            #expect(try file.tokens(now: Fixture.start).map(\.token) == [Fixture.second])

            _ = try file.removeToken(Fixture.second, at: lastDay)
            try file.add(Fixture.token(Fixture.second, added: lastDay + 1))
            #expect(try file.token(Fixture.second, now: lastDay) == Fixture.token(Fixture.second, added: lastDay + 1))
        }
    }

    @Test func `an app takes its tokens and subscriptions with it`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            let app = RegisteredApp(topic: Fixture.chat.topic, yaml: "topic: x", file: "/a", added: Fixture.start)
            let other = RegisteredApp(topic: Fixture.chat.topic, yaml: "topic: y", file: "/b", added: Fixture.start)
            #expect(try file.add(app))
            #expect(try !file.add(other))
            #expect(try file.apps() == [app])
            #expect(try file.add(other, replaces: true))
            #expect(try file.apps() == [other])

            try file.add(Fixture.token())
            try file.add(Fixture.token(Fixture.second, of: Fixture.mail))
            let subscription = RegisteredSubscription(
                token: Fixture.first,
                subscription: WebPushSubscription(topic: Fixture.chat.topic, senderKey: [4, 1, 2]),
                added: Fixture.start
            )
            try file.add(subscription)
            #expect(try file.subscriptions(now: Fixture.start) == [subscription])
            #expect(try file.removeApp(Fixture.chat.topic, at: Fixture.start + 1) == 2)
            #expect(try file.removeApp(Fixture.chat.topic, at: Fixture.start + 1) == nil)
            #expect(try file.apps() == [])
            #expect(try file.token(Fixture.first, now: Fixture.start)?.removed == Fixture.start + 1)
            #expect(try file.subscription(Fixture.first, now: Fixture.start)?.removed == Fixture.start + 1)
            #expect(try file.token(Fixture.second, now: Fixture.start)?.removed == nil)
        }
    }

    @Test func `a registry of a later version is left alone`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            try file.write { try $0.execute(sql: "PRAGMA user_version = 5") }
            #expect(
                throws: StoreError(
                    .tooNew,
                    "registry \"\(file.path)\" was written by a later version",
                    hint: "run that version, or start with another state folder"
                )
            ) {
                try RegistryFile(folder: folder)
            }
        }
    }

    @Test func `a file that is no database is told as damaged`() async throws {
        try await Fixture.withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let path = folder + "/registry.sqlite"
            _ = FileManager.default.createFile(
                atPath: path,
                contents: Data(repeating: 7, count: 8192),
                attributes: [.posixPermissions: 0o600]
            )
            #expect {
                try RegistryFile(folder: folder)
            } throws: { error in
                let error = error as? StoreError
                return error?.code == .corrupt && error?.message.contains("registry \"\(path)\" is damaged") == true
                    && error?.hint?.contains("move it away with apps/ and keychains/ beside it") == true
            }
        }
    }

    @Test func `a write waits for another connection's, and a look-up for nobody`() async throws {
        try await Fixture.withFolder { folder in
            let (file, other) = (try RegistryFile(folder: folder), try RegistryFile(folder: folder))
            try file.add(Fixture.token())
            try other.loseAllPatience()
            try file.write { database in
                try database.execute(sql: "DELETE FROM tokens")
                // Reads what was there before, at once.
                #expect(try other.token(Fixture.first, now: Fixture.start) == Fixture.token())
                #expect(
                    throws: StoreError(
                        .unusable,
                        "registry \"\(file.path)\" is in use: another command holds it",
                        hint: "try again"
                    )
                ) {
                    try other.add(Fixture.token(Fixture.second))
                }
            }
            #expect(try other.tokens(now: Fixture.start) == [])
        }
    }

    @Test func `every change is on the disk when its call returns`() async throws {
        try await Fixture.withFolder { folder in
            let file = try RegistryFile(folder: folder)
            #expect(try file.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
            #expect(try file.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        }
    }
}
