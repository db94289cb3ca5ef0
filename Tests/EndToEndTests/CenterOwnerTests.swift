// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import Testing

/// A centre with several owners: sockets of each, and commands that ask for one of them.
@Suite(.timeLimit(.minutes(4)))
struct CenterOwnerTests {
    private static func facts(_ path: String) throws -> stat {
        var facts = stat()
        try #require(lstat(path, &facts) == 0, "\(path)")
        return facts
    }

    private static func mode(_ path: String) throws -> mode_t { try facts(path).st_mode & 0o777 }

    /// Has an app of an owner send a notification to the list.
    private static func send(_ folder: TemporaryFolder, owner: String, _ title: String) async throws {
        let curl = try #require(Programs.installed("curl"))
        let place = owner == "me" ? "" : "owners/\(owner)/"
        let socket = "\(folder.path)/center/\(place)http.sock"
        let call = #"{"call":"authorize","options":["alert","provisional"]}"#
        let asked = try await CommandResult.run(
            curl,
            ["-s", "--unix-socket", socket, "http://nestbox/v1/app/com.example.backup/calls"]
                + ["-H", "content-type: application/json", "-d", call]
        )
        #expect(asked.output.contains(#""granted":true"#), "\(asked.output)")
        let sent = try await folder.centerCommand("send", "--owner", owner, "com.example.backup", title)
        #expect(sent.status == 0, "\(sent.errors)")
    }

    @Test func `each owner has sockets of its own, and a command asks for one of them`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--owner", "me", "--owner", "ana"])
            let place = folder.path + "/center"
            for path in ["", "/owners", "/owners/ana"] { #expect(try Self.mode(place + path) == 0o700) }
            let sockets = ["/app.sock", "/http.sock", "/link.sock", "/metrics.sock"]
            for path in sockets + ["/owners/ana/app.sock", "/owners/ana/http.sock"] {
                #expect(try Self.mode(place + path) == 0o600)
            }
            try await Self.send(folder, owner: "me", "for me")
            try await Self.send(folder, owner: "ana", "for ana")
            for (options, own, other) in [
                ([], "for me", "for ana"), (["--owner", "me"], "for me", "for ana"),
                (["--owner", "ana"], "for ana", "for me"),
            ] {
                let list = try await CommandResult.run(
                    Programs.notificationCenter,
                    ["list", "--folder", place] + options
                )
                #expect(list.output.contains(own) && !list.output.contains(other), "\(list.output)")
            }
            #expect(center.terminate() == 0)
            #expect(!FileManager.default.fileExists(atPath: place + "/owners/ana/http.sock"))
            // Who is served no more keeps what there is.
            let next = try await RunningCenter(folder)
            let refused = try await folder.centerCommand("list", "--owner", "ana")
            #expect(refused.status == 1)
            #expect(next.terminate() == 0)
            let again = try await RunningCenter(folder, options: ["--owner", "ana"])
            #expect(try await folder.centerCommand("list", "--owner", "ana").output.contains("for ana"))
            #expect(again.terminate() == 0)
        }
    }

    @Test func `the port tells owners apart by their credentials`() async throws {
        try await TemporaryFolder.with { folder in
            let options = ["--owner", "me", "--owner", "ana", "--http", "0"]
            let center = try await RunningCenter(folder, options: options)
            let curl = try #require(Programs.installed("curl"))
            var link = ""
            // The port is open a moment after the sockets.
            while !link.contains("#") {
                link = try await folder.centerCommand("sign-in", "--owner", "ana").output
                try Task.checkCancellation()
            }
            let port = try #require(link.split(separator: ":").last?.split(separator: "/").first)
            for owner in ["me", "ana"] {
                let made = try await folder.centerCommand("token", "--owner", owner, "--new", "a", "--scope", "read")
                let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
                let told = try await CommandResult.run(
                    curl,
                    ["-s", "-H", "authorization: Bearer \(token)", "http://127.0.0.1:\(port)/v1"]
                )
                #expect(told.output.contains(#""owner":"\#(owner)""#), "\(told.output)")
                let tokens = try await folder.centerCommand("token", "--owner", owner).output
                #expect(tokens.split(separator: "\n").count == 1)
            }
            #expect(center.terminate() == 0)
            // A credential of an owner who is served no more is none.
            let made = try await Self.tokenOfUnserved(folder, curl)
            #expect(made == "401")
        }
    }

    /// The status that a token of `ana` has at the port of a centre that serves `me` alone.
    private static func tokenOfUnserved(_ folder: TemporaryFolder, _ curl: String) async throws -> String {
        let former = try await RunningCenter(folder, options: ["--owner", "ana"])
        let made = try await folder.centerCommand("token", "--owner", "ana", "--new", "b", "--scope", "read")
        let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(former.terminate() == 0)
        let center = try await RunningCenter(folder, options: ["--http", "0"])
        var link = ""
        while !link.contains("#") {
            link = try await folder.centerCommand("sign-in").output
            try Task.checkCancellation()
        }
        let port = try #require(link.split(separator: ":").last?.split(separator: "/").first)
        let told = try await CommandResult.run(
            curl,
            ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "authorization: Bearer \(token)"]
                + ["http://127.0.0.1:\(port)/v1"]
        )
        #expect(center.terminate() == 0)
        return told.output
    }

    @Test func `an owner whom nobody serves is refused, with those who are served`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--owner", "ana", "--owner", "kitchen"])
            let place = folder.path + "/center"
            let refused = try await folder.centerCommand("list", "--owner", "eve")
            #expect(
                refused.errors == """
                    notification-center: error: no centre answers on "\(place)/owners/eve/http.sock"
                    notification-center: hint: start it: notification-center serve --folder \(place) --owner eve, or name \
                    another owner: ana, kitchen

                    """
            )
            #expect(center.terminate() == 0)
        }
    }

    @Test(arguments: [
        (["--owner", "ana", "--owner", "ana"], 2, "--owner names one owner twice"),
        (["--owner", "../ana"], 2, "The value '../ana' is invalid for '--owner <name[=user]>'"),
        (["--owner", "Ana"], 2, "The value 'Ana' is invalid for '--owner <name[=user]>'"),
        (
            (0...16).flatMap { ["--owner", "o\($0)"] }, 2,
            "--owner names 17 owners, and a centre has 16 at most"
        ),
        (
            ["--owner", "ana", "--owner", "me", "--gpsd", "127.0.0.1:2947"], 2,
            "--gpsd says where one owner is, and --owner names several: use PUT /v1/position"
        ),
        (
            ["--owner", "ana=no-such-user"], 1,
            #"there is no user "no-such-user", to whom owner "ana" is to belong"#
        ),
    ])
    func `owners that cannot be served are refused`(options: [String], status: Int32, message: String) async throws {
        try await TemporaryFolder.with { folder in
            let refused = try await CommandResult.run(
                Programs.notificationCenter,
                ["serve", "--folder", folder.path + "/center"] + options
            )
            #expect(refused.status == status)
            #expect(refused.errors.contains("notification-center: error: \(message)\n"), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/center"))
        }
    }

    /// Only root can give sockets to another user and ask as one.
    @Test(.enabled(if: geteuid() == 0))
    func `the sockets of a user of the system are for that user alone`() async throws {
        let setpriv = try #require(Programs.installed("setpriv"))
        let curl = try #require(Programs.installed("curl"))
        try await TemporaryFolder.with { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path)
            let center = try await RunningCenter(folder, options: ["--owner", "me", "--owner", "ana=nobody"])
            let place = folder.path + "/center"
            let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
            for path in ["", "/owners", "/owners/ana"] { #expect(try Self.mode(place + path) == 0o711) }
            for path in ["/owners/ana/app.sock", "/owners/ana/http.sock"] {
                let facts = try Self.facts(place + path)
                #expect(facts.st_uid == nobody && facts.st_mode & 0o777 == 0o600)
            }
            // Others pass through the folder, and find nothing that they may open.
            for name in try FileManager.default.contentsOfDirectory(atPath: place) where name != "owners" {
                #expect(try Self.mode(place + "/" + name) & 0o077 == 0, "\(name)")
            }
            func ask(_ user: uid_t, _ socket: String) async throws -> CommandResult {
                try await CommandResult.run(
                    setpriv,
                    ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", curl, "-s", "--unix-socket"]
                        + [place + socket, "http://nestbox/v1"]
                )
            }
            let own = try await ask(nobody, "/owners/ana/http.sock")
            #expect(own.output.contains(#""owner":"ana""#), "\(own.errors)")
            // The one who runs the centre may look after it.
            #expect(try await ask(0, "/owners/ana/http.sock").output.contains(#""owner":"ana""#))
            #expect(try await ask(nobody, "/http.sock").status == 7)
            #expect(try await ask(65_533, "/owners/ana/http.sock").status == 7)
            // The kernel's word for the peer holds where the mode does not.
            chmod(place + "/owners/ana/http.sock", 0o666)
            let stranger = try await ask(65_533, "/owners/ana/http.sock")
            #expect(stranger.status != 0 && stranger.output.isEmpty)
            #expect(center.terminate() == 0)
        }
    }
}
