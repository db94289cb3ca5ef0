// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A centre that listens on a port, asked as a browser and a program would ask it.
@Suite(.timeLimit(.minutes(10)))
struct CenterWebTests {
    /// The name and the port of a centre, and a code of it.
    private struct Link {
        let authority: String
        let code: String

        init(_ folder: TemporaryFolder) async throws {
            var link = ""
            // The port is open a moment after the socket.
            while !link.contains("#") {
                link = try await folder.centerCommand("sign-in").output.trimmingCharacters(in: .whitespacesAndNewlines)
                try Task.checkCancellation()
            }
            authority = String(try #require(link.split(separator: "/").dropFirst().first))
            code = String(try #require(link.split(separator: "#sign-in=").last))
        }

        var port: String { String(authority.split(separator: ":").last ?? "") }
    }

    /// Asks with curl; returns the status and the body.
    private static func ask(_ link: Link, _ path: String, _ options: String...) async throws -> (String, String) {
        let curl = try #require(Programs.installed("curl"))
        let target = ["http://\(link.authority)/v1/\(path)", "--resolve", "\(link.authority):127.0.0.1"]
        let result = try await CommandResult.run(curl, ["-s", "-w", "\n%{http_code}"] + target + options)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (lines.last ?? "", lines.dropLast().joined(separator: "\n"))
    }

    @Test func `a link signs a browser in once, and what is not of its page is refused`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--http", "0"])
            let link = try await Link(folder)
            let lock = try await folder.centerCommand("sign-in", "--lock").output
            #expect(lock.hasPrefix("http://\(link.authority)/lock#sign-in="))
            let jar = folder.path + "/cookies"
            let body = ["-H", "content-type: application/json", "-d", #"{"code":"\#(link.code)"}"#]
            #expect(try await Self.ask(link, "front").0 == "401")
            #expect(try await Self.ask(link, "sessions", body[0], body[1], body[2], body[3], "-c", jar).0 == "201")
            #expect(try await Self.ask(link, "sessions", body[0], body[1], body[2], body[3]).0 == "401")
            let front = try await Self.ask(link, "front", "-b", jar)
            #expect(front.0 == "200" && front.1.contains(#""stacks":[]"#))
            let change = ["-X", "DELETE", "-H", "origin: http://\(link.authority)"]
            #expect(
                try await Self.ask(link, "notifications", "-b", jar, change[0], change[1], change[2], change[3]).0
                    == "200"
            )
            let foreign = try await Self.ask(
                link,
                "notifications",
                "-b",
                jar,
                "-X",
                "DELETE",
                "-H",
                "origin: http://evil.example"
            )
            #expect(foreign.0 == "403" && foreign.1.contains(#""reason":"origin""#))
            let rebound = try await Self.ask(link, "front", "-b", jar, "-H", "host: evil.example:\(link.port)")
            #expect(rebound.0 == "403" && rebound.1.contains(#""reason":"hostName""#))
            let sessions = try await folder.centerCommand("sessions").output
            let session = try JSONObject(parsing: Array(sessions.utf8).span)
            let id = try #require(session["id"]?.string)
            #expect(try await folder.centerCommand("sessions", "--end", id).status == 0)
            #expect(try await Self.ask(link, "front", "-b", jar).0 == "401")
            #expect(center.terminate() == 0)
        }
    }

    /// The files that a browser asks for at an address of their own.
    private static let roots: Set<String> = ["sw.js", "manifest.webmanifest", "icon.svg", "unseen.svg"]

    /// The page's folder of the sources.
    private static func folder(_ test: String = #filePath) -> URL {
        let root = URL(fileURLWithPath: test).deletingLastPathComponent().deletingLastPathComponent()
        return root.deletingLastPathComponent().appending(path: "Sources/CPage/Files")
    }

    /// The names of what lies in the page's folder of the sources, and the paths of what has an address for good.
    private static func pageFiles() throws -> Set<String> {
        let all = try FileManager.default.contentsOfDirectory(atPath: folder().path)
        let names = Set(all).subtracting(["openapi.json"])
        return Set(
            names.map { name in
                if name.hasSuffix(".html") { return name == "index.html" ? "/" : "/lock" }
                return roots.contains(name) ? "/" + name : name
            }
        )
    }

    @Test func `the page comes from the program, with nothing allowed that is not its own`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--http", "0"])
            let link = try await Link(folder)
            let curl = try #require(Programs.installed("curl"))
            func get(_ path: String, _ options: String...) async throws -> String {
                let target = ["http://\(link.authority)\(path)", "--resolve", "\(link.authority):127.0.0.1"]
                return try await CommandResult.run(curl, ["-s", "-i"] + target + options).output
            }
            let index = try await get("/")
            #expect(index.hasPrefix("HTTP/1.1 200") && index.contains("content-type: text/html; charset=utf-8"))
            for header in [
                "content-security-policy: default-src 'none'; script-src 'self';", "require-trusted-types-for 'script'",
                "trusted-types centre", "frame-ancestors 'none'", "cross-origin-opener-policy: same-origin",
                "x-content-type-options: nosniff",
            ] { #expect(index.contains(header), "\(header)") }
            // The two pages and the sources of their modules name all files that there are, and no others. A page
            // makes the name of its words.
            let assets = try #require(index.firstMatch(of: /\/assets\/[0-9a-f]{16}\//).map { String($0.output) })
            let files = try Self.pageFiles()
            var names = ["/", "/lock"] + files.filter { $0.hasPrefix("words-") }
            var seen: Set<String> = []
            while let name = names.popLast() {
                guard seen.insert(name).inserted else { continue }
                let file = try await get(name.hasPrefix("/") ? name : assets + name)
                #expect(file.hasPrefix("HTTP/1.1 200"), "\(name)")
                let isForGood = file.contains("cache-control: public, max-age=31536000, immutable\r\n")
                #expect(isForGood == !name.hasPrefix("/"), "\(name)")
                let source =
                    name.hasSuffix(".js")
                    ? try String(contentsOf: Self.folder().appending(path: name), encoding: .utf8) : ""
                for text in (file + source).split(separator: "\"") {
                    if let asset = text.wholeMatch(
                        of: /(?:\.\/|\/assets\/[0-9a-f]+\/)?([a-z0-9-]+\.(?:js|css|svg|woff2))/
                    ) {
                        names.append(String(asset.output.1))
                    } else if text.wholeMatch(of: /\/[a-z-]+\.(js|svg|webmanifest)/) != nil {
                        names.append(String(text))
                    }
                }
            }
            #expect(seen == files)
            let script = assets + "page.js"
            #expect(try await get(script).contains("content-encoding") == false)
            let packed = try await get(script, "-H", "accept-encoding: gzip", "-o", "/dev/null", "-D", "-")
            #expect(packed.contains("content-encoding: gzip\r\n") && packed.contains("vary: accept-encoding\r\n"))
            // A page asks for one script, in which its modules are.
            let whole = try await get(script, "--compressed")
            #expect(whole.contains("\n}\nconst module1 = {};\n{\n"))
            #expect(!whole.contains("\nimport ") && !whole.contains("\nexport "))
            for name in ["/page.js", "/assets/page.js", "/assets/0123456789abcdef/page.js", assets, assets + "sw.js"] {
                #expect(try await get(name).hasPrefix("HTTP/1.1 404"), "\(name)")
            }
            let tag = try #require(index.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }).dropFirst(6)
            #expect(try await get("/", "-H", "if-none-match: \(tag)").hasPrefix("HTTP/1.1 304"))
            #expect(try await get("/", "-H", "host: evil.example:\(link.port)").hasPrefix("HTTP/1.1 403"))
            #expect(try await get("/../host.yaml", "--path-as-is").hasPrefix("HTTP/1.1 404"))
            #expect(try await get(script, "-X", "POST").hasPrefix("HTTP/1.1 405"))
            let socket = try await CommandResult.run(
                curl,
                ["-s", "-i", "--unix-socket", folder.path + "/center/http.sock", "http://nestbox/"]
            )
            #expect(socket.output.hasPrefix("HTTP/1.1 404"))
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a program with a token reads the stream, through a kill of the centre`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder, options: ["--http", "0"])
            let made = try await folder.centerCommand("token", "--new", "display", "--scope", "read")
            let bearer = "authorization: Bearer " + made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            center.kill()
            center = try await RunningCenter(folder, options: ["--http", "0"])
            let link = try await Link(folder)
            let seen = folder.path + "/seen"
            let curl = try #require(Programs.installed("curl"))
            let target = "http://127.0.0.1:\(link.port)/v1/events?after=0"
            let arguments = ["-s", "-N", "-o", seen, "-H", bearer, target]
            async let stream = CommandResult.run(curl, arguments)
            _ = try await folder.centerCommand("settings", "language=es")
            while (try? String(contentsOfFile: seen, encoding: .utf8))?.contains(#""language":"es""#) != true {
                try await Task.turn()
            }
            #expect(try await Self.ask(link, "notifications", "-X", "DELETE", "-H", bearer).0 == "403")
            // A token that is removed takes its stream with it.
            let token = try JSONObject(parsing: Array(try await folder.centerCommand("token").output.utf8).span)
            let id = try #require(token["id"]?.string)
            #expect(try await folder.centerCommand("token", "--remove", id).status == 0)
            _ = try await stream
            #expect(try await Self.ask(link, "front", "-H", bearer).0 == "401")
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a port of which somebody has one address is not taken`() async throws {
        let socket = Glibc.socket(AF_INET6, CInt(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        // A machine without ::1 has nothing to take.
        guard isBound else { return }
        let port = address.sin6_port.bigEndian
        try await TemporaryFolder.with { folder in
            let refused = try await CommandResult.run(
                Programs.notificationCenter,
                ["serve", "--folder", folder.path + "/center", "--http", "\(port)"]
            )
            #expect(refused.status == 1)
            #expect(refused.errors.contains("error: cannot listen on port \(port): Address already in use\n"))
        }
    }

    @Test func `a port that somebody has is an error with its reason`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--http", "0"])
            let port = try await Link(folder).port
            let second = try await CommandResult.run(
                Programs.notificationCenter,
                ["serve", "--folder", folder.path + "/other", "--http", port]
            )
            #expect(second.status == 1)
            #expect(
                second.errors.hasSuffix(
                    """
                    notification-center: error: cannot listen on port \(port): Address already in use
                    notification-center: hint: name another port, or 0 for one that is free

                    """
                )
            )
            #expect(center.terminate() == 0)
        }
    }
}
