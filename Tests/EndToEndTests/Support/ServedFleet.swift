// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import HostTesting
import PostgreSQL
import TestClock

/// A fleet as its operator makes one: a server, `fleet init`, a key, and hosts with their folders.
struct ServedFleet {
    let server: DatabaseServer
    let folder: TemporaryFolder
    var key: String { folder.path + "/fleet.key" }

    /// Makes a fleet that spares nobody because its server is young.
    ///
    /// The server has no standby, so its hosts are told that it is unsafe.
    static func with<Result>(
        settings: [String: String] = [:],
        _ body: (ServedFleet) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let settings = settings.merging(["autovacuum": "off"]) { given, _ in given }
            let fleet = ServedFleet(server: try DatabaseServer(settings: settings), folder: folder)
            _ = try await fleet.run("fleet", "keygen", fleet.key)
            _ = try await fleet.run("fleet", "init", "--database", fleet.server.conninfo())
            try fleet.sql("UPDATE nestbox.fleet SET grace = 0")
            return try await body(fleet)
        }
    }

    func sql(_ script: String) throws { try server.connect().runScript(script) }

    /// Runs a command of the host's program.
    func run(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(Programs.extensionHost, arguments)
    }

    /// The lines of host.yaml for a host of that name.
    func top(_ name: String, _ more: String = "unsafe: true") -> [String] {
        [
            "state: state",
            "fleet: { database: \"\(server.conninfo())\", key: \(key), host: \(name), lease: 60s, \(more) }",
        ]
    }

    /// Runs a host while `body` runs.
    func host<Result>(
        _ name: String,
        app: [String] = [],
        top: [String] = [],
        _ body: (RunningHost, TemporaryFolder) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder, app: app, top: self.top(name) + top) {
                try await body($0, folder)
            }
        }
    }

    /// Returns once a host holds all partitions.
    func holdsAll(_ name: String) async throws {
        let held = Statement(
            "held",
            "SELECT count(*) FROM nestbox.parts JOIN nestbox.sessions USING (session) WHERE host = $1 AND NOT fenced"
        )
        let connection = try server.connect()
        while try connection.run(held, [.text(name)]).int64(0, 0) < 1024 { try await Task.turn() }
    }

    /// The number that a query of one value returns.
    func number(_ sql: String) throws -> Int64 {
        try server.connect().run(Statement("number", sql)).int64(0, 0)
    }

    /// The files of the server, its log included, in which a text stands.
    func files(with text: String) throws -> [String] {
        let needle = Data(text.utf8)
        let names = FileManager.default.enumerator(atPath: server.folder)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: server.folder + "/" + name)) else {
                return false
            }
            return bytes.range(of: needle) != nil
        }
    }
}
