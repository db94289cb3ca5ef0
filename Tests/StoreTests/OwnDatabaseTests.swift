// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing

@testable import Store

/// Registry and journal refuse a file that has the name of a host's database and is none, by every way to open them.
struct OwnDatabaseTests {
    enum Way: CaseIterable, Sendable {
        case registry, registryBeforeThreads, journal

        var name: String { self == .journal ? "journal.sqlite" : "registry.sqlite" }

        func open(_ folder: String) throws {
            switch self {
            case .registry: _ = try RegistryFile(folder: folder)
            case .registryBeforeThreads: _ = try EarlyRegistry.apps(inFolder: folder)
            case .journal: _ = try JournalFile(folder: folder).open(isDurable: true)
            }
        }

        func foreign(_ path: String) -> StoreError {
            self == .journal
                ? StoreError(.corrupt, "\"\(path)\" is a database, but no journal", hint: "name another state folder")
                : StoreError(
                    .unusable,
                    "\"\(path)\" is a database, but no registry",
                    hint: "move it away, or name another state folder"
                )
        }
    }

    /// A folder of this user's alone, and one beside it.
    private func withFolders(_ body: (_ state: String, _ other: String) throws -> Void) throws {
        let base = NSTemporaryDirectory() + "nestbox-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: base) }
        for folder in [base, base + "/state #%?", base + "/other"] {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        try body(base + "/state #%?", base + "/other")
    }

    /// Every file of a folder with its bytes; but not the index of a log, which every reader may write.
    private func contents(of folder: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        return contents
    }

    private func close(_ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    @Test(arguments: Way.allCases, ["", "-wal", "-shm", "-journal"])
    func `a link in the place of a database's file is not followed`(_ way: Way, _ suffix: String) throws {
        try withFolders { state, other in
            try way.open(other)
            let target = "\(other)/\(way.name)"
            if !FileManager.default.fileExists(atPath: target) {
                _ = FileManager.default.createFile(atPath: target, contents: Data())
                try close(target)
            }
            if !suffix.isEmpty { try FileManager.default.copyItem(atPath: target, toPath: "\(state)/\(way.name)") }
            let link = "\(state)/\(way.name)\(suffix)"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let before = try contents(of: other)
            let error = try #require(throws: StoreError.self) { try way.open(state) }
            // The journal's own look at its file comes first, and has the kernel's word.
            let told =
                way == .journal && suffix.isEmpty
                ? "\"\(link)\": Too many levels of symbolic links" : "\"\(link)\" is not what it should be: a file"
            #expect(error.message == told)
            #expect(try contents(of: other) == before)
        }
    }

    @Test(arguments: Way.allCases)
    func `a database that others may read is refused by name`(_ way: Way) throws {
        try withFolders { state, _ in
            let path = "\(state)/\(way.name)"
            _ = FileManager.default.createFile(atPath: path, contents: Data())
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let told = StoreError(.unusable, "\"\(path)\" is open to other users", hint: "chmod go= \(path)")
            #expect(throws: told) { try way.open(state) }
        }
    }

    @Test(
        arguments: Way.allCases,
        [
            "CREATE TABLE notes (text TEXT)",
            "CREATE TABLE tokens (token TEXT); PRAGMA user_version = 1",
            "CREATE TABLE notes (text TEXT); PRAGMA user_version = 1; PRAGMA application_id = 252006673",
            "PRAGMA user_version = 7", "PRAGMA application_id = 1",
        ]
    )
    func `another program's database is refused, and not a byte of it changes`(_ way: Way, _ sql: String) throws {
        try withFolders { state, _ in
            let path = "\(state)/\(way.name)"
            try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
            try close(path)
            let before = try contents(of: state)
            #expect(throws: way.foreign(path)) { try way.open(state) }
            #expect(try contents(of: state) == before)
        }
    }

    @Test(arguments: Way.allCases)
    func `another program's database that lies in its log is refused, and stays there`(_ way: Way) throws {
        try withFolders { state, other in
            let queue = try DatabaseQueue(path: "\(other)/notes")
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)")
            }
            let path = "\(state)/\(way.name)"
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: "\(other)/notes\(suffix)", toPath: path + suffix)
                try close(path + suffix)
            }
            let before = try contents(of: state)
            #expect(throws: way.foreign(path)) { try way.open(state) }
            #expect(try contents(of: state) == before)
            try queue.close()
        }
    }

    @Test func `a registry from before it had a mark goes on, and gets one`() throws {
        try withFolders { state, _ in
            let app = RegisteredApp(topic: "com.example.chat", yaml: "{}", file: "/a", added: RegistryFixture.start)
            let file = try RegistryFile(folder: state)
            _ = try file.add(app)
            try file.write {
                try $0.execute(
                    sql: """
                        DROP TABLE registrations; DROP TABLE gates; DROP TABLE owner_gates; DROP TABLE extensions;
                        ALTER TABLE tokens DROP COLUMN owner; PRAGMA user_version = 1; PRAGMA application_id = 0
                        """
                )
            }
            #expect(try EarlyRegistry.apps(inFolder: state) == [app])
            let next = try RegistryFile(folder: state)
            #expect(try next.apps() == [app])
            #expect(try next.read { try Int.fetchOne($0, sql: "PRAGMA application_id") } == 0x4E65_7372)
        }
    }
}
