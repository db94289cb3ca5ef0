// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A centre with TLS, asked as browsers and programs of other machines would ask it.
@Suite(.timeLimit(.minutes(10)))
struct CenterTLSTests {
    private static let name = "nestbox.test"

    /// Makes a certificate for the name, and its key; returns their paths.
    private static func certificate(_ folder: TemporaryFolder, _ file: String) async throws -> (String, String) {
        let (certificate, key) = ("\(folder.path)/tls/\(file).pem", "\(folder.path)/tls/\(file).key")
        try? FileManager.default.createDirectory(atPath: folder.path + "/tls", withIntermediateDirectories: false)
        let made = try await CommandResult.run(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=\(file)", "-addext",
                "subjectAltName=DNS:\(name),IP:127.0.0.1",
            ]
        )
        try #require(made.status == 0)
        try #require(chmod(key, 0o600) == 0)
        return (certificate, key)
    }

    /// The way to a centre's port.
    private struct Door: Sendable {
        let authority: String
        let port: UInt16
        let certificate: String

        /// Asks with curl, which trusts one certificate alone; returns all that is printed, and curl's exit status.
        func ask(
            _ path: String,
            trusting certificate: String? = nil,
            _ options: String...
        ) async throws -> (text: String, status: Int32) {
            let curl = try #require(Programs.installed("curl"))
            let result = try await CommandResult.run(
                curl,
                [
                    "-s", "-i", "--max-time", "60", "--cacert", certificate ?? self.certificate, "--connect-to",
                    "\(authority):127.0.0.1:\(port)", "https://\(authority)\(path)",
                ] + options
            )
            return (result.output, result.status)
        }
    }

    /// A centre that speaks TLS, at a port that it has chosen.
    private struct Served {
        let center: RunningCenter
        let door: Door
        let key: String
        let folder: TemporaryFolder
        var certificate: String { door.certificate }
        var authority: String { door.authority }

        init(_ folder: TemporaryFolder, host: String = "127.0.0.1") async throws {
            self.folder = folder
            let (certificate, key) = try await CenterTLSTests.certificate(folder, "served")
            let files = ["--certificate", certificate, "--key", key]
            // A router in front has the port that browsers name, so that the centre's own may be any.
            let origin = ["--host", host, "--public-origin", "https://\(CenterTLSTests.name):8443"]
            center = try await RunningCenter(folder, options: ["--http", "0"] + files + origin)
            self.key = key
            let port = try Self.port(of: center.process.processIdentifier)
            door = Door(authority: "\(CenterTLSTests.name):8443", port: port, certificate: certificate)
        }

        /// The port of a process that listens on one: its descriptors name sockets, and the kernel lists those.
        private static func port(of process: pid_t) throws -> UInt16 {
            let folder = "/proc/\(process)/fd"
            let sockets = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            for table in ["tcp", "tcp6"] {
                for line in try String(contentsOfFile: "/proc/\(process)/net/\(table)", encoding: .utf8).split(
                    separator: "\n"
                ) {
                    let fields = line.split(separator: " ")
                    guard fields.count > 9, fields[3] == "0A", sockets.contains("socket:[\(fields[9])]"),
                        let port = UInt16(fields[1].suffix(4), radix: 16)
                    else { continue }
                    return port
                }
            }
            throw NotServing(line: "no port")
        }

        func code() async throws -> String {
            var link = ""
            while !link.contains("#") {
                link = try await folder.centerCommand("sign-in").output.trimmingCharacters(in: .whitespacesAndNewlines)
                try Task.checkCancellation()
            }
            #expect(link.hasPrefix("https://\(authority)/#sign-in="))
            return String(try #require(link.split(separator: "=").last))
        }
    }

    @Test func `a browser signs in over TLS, and what is not of its page is refused`() async throws {
        try await TemporaryFolder.with { folder in
            let served = try await Served(folder)
            let json = ["-H", "content-type: application/json", "-d", #"{"code":"\#(try await served.code())"}"#]
            let signed = try await served.door.ask("/v1/sessions", json[0], json[1], json[2], json[3])
            #expect(signed.text.hasPrefix("HTTP/1.1 201"))
            let cookie = try #require(signed.text.split(separator: "\r\n").first { $0.hasPrefix("set-cookie: ") })
            #expect(cookie.hasPrefix("set-cookie: __Host-nestbox="))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000"))
            let secret = cookie.dropFirst("set-cookie: ".count).prefix { $0 != ";" }
            let shown = "cookie: \(secret)"
            let front = try await served.door.ask("/v1/front", "-H", shown)
            #expect(front.text.hasPrefix("HTTP/1.1 200"))
            let clear = "cookie: " + secret.dropFirst("__Host-".count)
            let former = try await served.door.ask("/v1/front", "-H", clear)
            #expect(former.text.hasPrefix("HTTP/1.1 401"))
            for origin in ["https://evil.example", "http://\(served.authority)", "https://\(Self.name)"] {
                let foreign = try await served.door.ask(
                    "/v1/notifications",
                    "-X",
                    "DELETE",
                    "-H",
                    shown,
                    "-H",
                    "origin: \(origin)"
                )
                #expect(foreign.text.hasPrefix("HTTP/1.1 403") && foreign.text.contains(#""reason":"origin""#))
            }
            for host in ["evil.example:8443", Self.name, "\(served.authority).evil.example", "127.0.0.1:8443"] {
                let rebound = try await served.door.ask("/v1/front", "-H", shown, "-H", "host: \(host)")
                #expect(rebound.text.hasPrefix("HTTP/1.1 403") && rebound.text.contains(#""reason":"hostName""#))
                let elsewhere = try await served.door.ask("/", "-H", "host: \(host)")
                #expect(elsewhere.text.hasPrefix("HTTP/1.1 403"))
            }
            let page = try await served.door.ask("/")
            #expect(page.text.hasPrefix("HTTP/1.1 200") && !page.text.contains("strict-transport-security"))
            // No HTTP/2 is agreed on, and nothing in the clear is answered.
            let upgraded = try await served.door.ask("/", "--http2")
            #expect(upgraded.text.hasPrefix("HTTP/1.1 200"))
            let curl = try #require(Programs.installed("curl"))
            let plain = try await CommandResult.run(curl, ["-s", "http://127.0.0.1:\(served.door.port)/"])
            #expect(plain.status != 0 && plain.output.isEmpty)
            #expect(served.center.terminate() == 0)
        }
    }

    @Test func `a program with a token reads the stream over TLS at every address of the machine`() async throws {
        try await TemporaryFolder.with { folder in
            let served = try await Served(folder, host: "0.0.0.0")
            let made = try await folder.centerCommand("token", "--new", "display", "--scope", "read")
            let bearer = "authorization: Bearer " + made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let seen = folder.path + "/seen"
            let door = served.door
            async let stream = door.ask("/v1/events?after=0", "-N", "-o", seen, "-H", bearer)
            while (try? String(contentsOfFile: seen, encoding: .utf8))?.contains("retry:") != true {
                try await Task.turn()
            }
            _ = try await folder.centerCommand("settings", "language=es")
            while (try? String(contentsOfFile: seen, encoding: .utf8))?.contains(#""language":"es""#) != true {
                try await Task.turn()
            }
            #expect(served.center.terminate() == 0)
            _ = try await stream
        }
    }

    @Test func `SIGHUP takes a renewed certificate, and a bad one leaves the former`() async throws {
        try await TemporaryFolder.with { folder in
            let served = try await Served(folder)
            _ = try await served.code()
            let (renewed, key) = try await Self.certificate(folder, "renewed")
            func renew(_ from: (certificate: String, key: String)) throws {
                for (source, target) in [(from.certificate, served.certificate), (from.key, served.key)] {
                    // As whoever renews it does: a new file under the old name.
                    try #require(rename(source, target) == 0)
                }
                try #require(kill(served.center.process.processIdentifier, SIGHUP) == 0)
            }
            let former = folder.path + "/former.pem"
            try FileManager.default.copyItem(atPath: served.certificate, toPath: former)
            let next = folder.path + "/next.pem"
            try FileManager.default.copyItem(atPath: renewed, toPath: next)
            let early = try await served.door.ask("/", trusting: next)
            #expect(early.status == 60)
            try renew((renewed, key))
            while try await served.door.ask("/", trusting: next).status != 0 { try Task.checkCancellation() }
            let outdated = try await served.door.ask("/", trusting: former)
            #expect(outdated.status == 60)
            let said = await served.center.said(until: "read again\n")
            #expect(said.hasSuffix("notification-center: certificate and key read again\n"))
            let (other, _) = try await Self.certificate(folder, "other")
            try renew((other, served.key))
            let refused = await served.center.said(until: "hint: name the key the certificate was made with\n")
            #expect(
                refused == """
                    notification-center: error: key "\(served.key)" does not belong to certificate \
                    "\(served.certificate)"; the former certificate stays
                    notification-center: hint: name the key the certificate was made with

                    """
            )
            let kept = try await served.door.ask("/", trusting: next)
            #expect(kept.status == 0)
            #expect(served.center.terminate() == 0)
        }
    }

    // MARK: Refusals

    /// Starts a centre that must not serve; returns what it says.
    private func refusal(_ folder: TemporaryFolder, _ options: [String]) async throws -> String {
        let result = try await CommandResult.run(
            Programs.notificationCenter,
            ["serve", "--folder", folder.path + "/center"] + options
        )
        #expect(result.status == 1)
        return result.errors
    }

    private static func said(_ error: String, _ hint: String) -> String {
        "notification-center: error: \(error)\nnotification-center: hint: \(hint)\n"
    }

    @Test(arguments: [
        (
            ["--http", "0", "--host", "0.0.0.0"],
            "cannot listen on \"0.0.0.0\" in the clear: whoever is on the way would read notifications and cookies",
            "add --certificate, --key and --public-origin, or listen on 127.0.0.1"
        ),
        (
            ["--http", "0", "--host", "::"],
            "cannot listen on \"::\" in the clear: whoever is on the way would read notifications and cookies",
            "add --certificate, --key and --public-origin, or listen on 127.0.0.1"
        ),
        (
            ["--http", "0", "--host", "127.evil.example"], "\"127.evil.example\" is no address",
            "name one of IPv4 or IPv6; 0.0.0.0 and :: are all"
        ),
        (
            ["--host", "127.0.0.1"], "--host is about the port, and there is none", "name one: --http 8787"
        ),
        (
            ["--http", "0", "--public-origin", "https://a.example"], "--certificate and --key are missing for TLS",
            "--certificate, --key and --public-origin go together"
        ),
        (
            ["--http", "0", "--certificate", "a", "--key", "b"], "--public-origin is missing for TLS",
            "--certificate, --key and --public-origin go together"
        ),
    ])
    func `what would be open in the clear is refused`(options: [String], error: String, hint: String) async throws {
        try await TemporaryFolder.with { folder in
            let said = try await refusal(folder, options)
            #expect(said == Self.said(error, hint))
        }
    }

    @Test func `certificate, key and origin are refused with what is wrong`() async throws {
        try await TemporaryFolder.with { folder in
            let (certificate, key) = try await Self.certificate(folder, "a")
            let (_, otherKey) = try await Self.certificate(folder, "b")
            let (link, open) = (folder.path + "/link", folder.path + "/open.key")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: key)
            try FileManager.default.copyItem(atPath: key, toPath: open)
            try #require(chmod(open, 0o640) == 0)
            let pipe = folder.path + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let origin = "https://a.example"
            // In the place of the key it is to be refused for what it is.
            try #require(chmod(certificate, 0o600) == 0)
            let rows: [(String, String, String, String, String)] = [
                (
                    certificate, otherKey, origin,
                    "key \"\(otherKey)\" does not belong to certificate \"\(certificate)\"",
                    "name the key the certificate was made with"
                ),
                (
                    certificate, link, origin, "cannot read key \"\(link)\": it is a symbolic link",
                    "name the file itself, or have it copied here at each renewal"
                ),
                (
                    certificate, open, origin, "cannot read key \"\(open)\": other users can open it",
                    "chmod 600 \(open)"
                ),
                (
                    certificate, pipe, origin, "cannot read key \"\(pipe)\": it is no file",
                    "name a file in PEM with the certificate's private key"
                ),
                (
                    folder.path + "/none", key, origin, "cannot read certificate \"\(folder.path)/none\": no such file",
                    "name a file in PEM with the certificate and its chain"
                ),
                (
                    key, key, origin, "certificate \"\(key)\" is a private key",
                    "put the certificate chain there and the key under \"key\""
                ),
                (
                    certificate, certificate, origin, "key \"\(certificate)\" is a certificate",
                    "put the private key there and the chain under \"certificate\""
                ),
                (
                    certificate, key, "http://a.example",
                    "the public origin \"http://a.example\" cannot be used: it does not begin with https://",
                    "write it as https://NAME or https://NAME:PORT"
                ),
                (
                    certificate, key, "https://a.example/",
                    "the public origin \"https://a.example/\" cannot be used: something stands behind the name and the port",
                    "leave out the path and its slash"
                ),
                (
                    certificate, key, "https://A.example",
                    "the public origin \"https://A.example\" cannot be used: its name is none that a browser sends",
                    "write it in small letters, other ones as xn--…"
                ),
                (
                    certificate, key, "https://a.example:443",
                    "the public origin \"https://a.example:443\" cannot be used: its port is none that a browser sends",
                    "name 1 to 65535, and leave :443 out"
                ),
            ]
            for (certificate, key, origin, error, hint) in rows {
                let options = ["--http", "0", "--certificate", certificate, "--key", key, "--public-origin", origin]
                let said = try await refusal(folder, options)
                #expect(said == Self.said(error, hint))
            }
        }
    }
}
