// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Glibc
package import PostgreSQL

/// A PostgreSQL server of Debian's in a temporary folder, that ends and leaves nothing when this process does.
///
/// The server listens on a socket in its folder alone, and whoever may enter that folder is let in. As root it runs as
/// the user `postgres`, because PostgreSQL refuses to be root. Nothing is written through to the disk unless
/// `isDurable`.
package final class DatabaseServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// The folder of the server's programs of the newest version that is installed; nil means that none is.
    package static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let found = versions.compactMap(Int.init).filter {
            FileManager.default.fileExists(atPath: "\(root)/\($0)/bin/initdb")
        }
        return found.max().map { "\(root)/\($0)/bin" }
    }()

    package static let missing = "no PostgreSQL server (Debian: postgresql)"

    package let folder: String
    private let keeper: Process
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a server with these settings, as a standby of `primary` if there is one.
    package init(
        settings: [String: String] = [:],
        isDurable: Bool = false,
        standbyOf primary: DatabaseServer? = nil
    ) throws {
        guard let programs = Self.programs else { throw Failure(Self.missing) }
        var template = Array("/tmp/nestbox-database-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("no temporary folder") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = settings
        if !isDurable { settings["fsync"] = settings["fsync"] ?? "off" }
        let user = geteuid() == 0 ? "postgres" : ""
        keeper = Process()
        keeper.executableURL = URL(fileURLWithPath: "/bin/bash")
        keeper.arguments =
            ["-c", Self.script, "database-server", folder, programs, user, primary?.folder ?? ""]
            + settings.map { "\($0.key) = '\($0.value)'" }.sorted()
        keeper.standardInput = input
        keeper.standardOutput = output
        try keeper.run()
        try expectReady()
    }

    /// Returns when the keeper says that it is ready, and throws what it says instead.
    private func expectReady() throws {
        var answer = ""
        while !answer.hasSuffix("ready\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw Failure(answer) }
            answer += String(decoding: piece, as: UTF8.self)
        }
    }

    private func order(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Array("\(command)\n".utf8))
        try expectReady()
    }

    deinit { stop() }

    /// Ends the server as a crash would, and removes its folder.
    package func stop() {
        try? input.fileHandleForWriting.close()
        keeper.waitUntilExit()
    }

    /// The connection string of a role; the server's superuser is `postgres`.
    package func conninfo(role: String = "postgres", database: String = "postgres") -> String {
        "host=\(folder) user=\(role) dbname=\(database)"
    }

    package func connect(role: String = "postgres", database: String = "postgres") throws(DatabaseError) -> Connection {
        try Connection(conninfo(role: role, database: database), application: "tests")
    }

    /// The number of the server's first process.
    package func processID() throws -> pid_t {
        let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let number = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw Failure("postmaster.pid has no number")
        }
        return number
    }

    /// Sends a signal to the server's first process and to all that it has started.
    package func signal(_ signal: Int32) throws {
        let first = try processID()
        let children = try? String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)
        let all = [first] + (children ?? "").split(separator: " ").compactMap { pid_t($0) }
        for process in all { kill(process, signal) }
    }

    /// Starts a server that was ended by `SIGKILL` once more, in the same folder.
    ///
    /// A dead process may stay in the list until somebody asks for its end, and the next server would take its number
    /// in its files for that of one that runs: they go once the process runs no more.
    package func restart() throws {
        let process = try processID()
        while Self.isRunning(process) {}
        try order("start")
    }

    private static func isRunning(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        let state = text.split(separator: ") ").last?.first
        return state != "Z" && state != "X"
    }

    /// Makes a primary of a standby.
    package func promote() throws { try order("promote") }

    /// Keeps the server: says `ready` or what went wrong, does what it reads, and ends the server with its input.
    ///
    /// The server is no child of this process: it would inherit what Foundation knows the end of a child by.
    private static let script = """
        set -eu
        folder=$1 programs=$2 user=$3 primary=$4
        shift 4
        cd /
        as=()
        if [ -n "$user" ]; then
            chown "$user:" "$folder"
            as=(setpriv "--reuid=$user" "--regid=$user" --clear-groups)
        fi
        run() { ${as[@]+"${as[@]}"} "$@"; }
        end() {
            # A process that was stopped by a signal would not hear that it is to end.
            first=$(head -n 1 "$folder/data/postmaster.pid" 2>/dev/null || true)
            [ -z "$first" ] || kill -CONT "$first" $(pgrep --parent "$first") 2>/dev/null || true
            run "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
            forget
            rm -rf "$folder"
        }
        # A server that was killed leaves a piece of shared memory, which the seventh line of its file names, and the
        # files that say that it runs.
        forget() {
            local key memory
            if read -r key memory < <(sed -n 7p "$folder/data/postmaster.pid" 2>/dev/null) && [ -n "$memory" ]; then
                ipcrm --shmem-id "$memory" 2>/dev/null || true
            fi
            rm -f "$folder/data/postmaster.pid" "$folder/.s.PGSQL.5432.lock"
        }
        trap end EXIT
        start() {
            if [ -z "$primary" ]; then
                run "$programs/initdb" --no-sync --no-instructions --username postgres --auth trust --encoding UTF8 \\
                    --locale C --pgdata "$folder/data"
            else
                run "$programs/pg_basebackup" --no-sync --checkpoint fast --write-recovery-conf --host "$primary" \\
                    --username postgres --pgdata "$folder/data"
            fi
            for setting in "listen_addresses = ''" "unix_socket_directories = '$folder'" "max_connections = 40" \\
                "shared_buffers = 32MB" "dynamic_shared_memory_type = mmap" "logging_collector = off" "$@"; do
                printf '%s\\n' "$setting" >>"$folder/data/postgresql.auto.conf"
            done
            control start
        }
        control() { run "$programs/pg_ctl" -w -D "$folder/data" -l "$folder/log" "$1"; }
        try() {
            if "$@" >"$folder/said" 2>&1 </dev/null; then
                echo ready
            else
                cat "$folder/said" "$folder/log" 2>/dev/null
                exit 1
            fi
        }
        try start "$@"
        while read -r command; do
            [ "$command" != start ] || forget
            try control "$command"
        done
        """
}
