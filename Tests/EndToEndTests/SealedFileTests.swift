// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Files that a sealed payload names: from their server, through the opener, to the record.
@Suite(.timeLimit(.minutes(10)))
struct SealedFileTests {
    /// A sender, its server, and an app whose bundle lists that server by address.
    private struct Bench {
        let folder: TemporaryFolder
        let server: WebServer
        let keys: TestKeys
        let bundle: String

        static func with(
            hosts: (WebServer) -> [String] = { ["127.0.0.1:\($0.tlsPort)"] },
            certified names: String = "IP:127.0.0.1",
            attributes: String = "",
            _ body: (Bench) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/www",
                    withIntermediateDirectories: false
                )
                try await WebServer.with(folder, certified: names) { server in
                    let list = hosts(server).map { "<string>\($0)</string>" }.joined()
                    let bundle = try folder.makeBundle(
                        "Misbehaving",
                        program: Programs.misbehavingExtension,
                        attributes: "<key>NetworkHosts</key><array>\(list)</array>" + attributes
                    )
                    try await body(
                        Bench(folder: folder, server: server, keys: try await TestKeys(in: folder), bundle: bundle)
                    )
                }
            }
        }

        /// Seals a file for the server, behind a part of the path; returns its entry.
        func seal(
            _ id: String,
            _ bytes: [UInt8] = picture(1008),
            type: String = "image/png",
            at place: String = "",
            host: String? = nil
        ) async throws -> JSONObject {
            let file = folder.path + "/" + id
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            let host = host ?? "https://127.0.0.1:\(server.tlsPort)"
            let result = try await CommandResult.run(
                Programs.sealPayload,
                [
                    "attach", file, "-o", folder.path + "/www/" + id, "--id", id, "--type", type, "--name", "n",
                    "--url", "\(host)/\(place)\(id)?canary-query",
                ]
            )
            #expect(result.status == 0, "\(result.errors)")
            return try JSONObject(parsing: Array(result.output.utf8).span)
        }

        func run(
            _ entries: [JSONObject],
            _ arguments: [String] = [],
            behave: String = "none",
            authority: String? = "/server.pem"
        ) async throws -> HostRun {
            let content: JSONObject = [
                "aps": ["alert": ["title": "t", "body": "b"]], "behave": .string(behave),
                "attachments": .array(entries.map(JSON.object)),
            ]
            let body = try await keys.seal(String(decoding: content.serialized, as: UTF8.self), ["--pad", "none"])
            let push = try folder.write(body, to: "push.json")
            let run = try await HostRun(
                bundle,
                push,
                // What holds no deadline waits for a machine that is busy with other tests.
                ["--key", keys.recipient] + (arguments.contains("--budget") ? [] : ["--budget", "5m"]) + arguments,
                authority: authority.map { folder.path + $0 }
            )
            for entry in entries {
                let key = try #require(entry["key"]?.string)
                #expect(!run.errors.contains(key))
                #expect(!String(decoding: run.record.serialized, as: UTF8.self).contains(key))
            }
            #expect(!run.errors.contains("canary-query"))
            #expect(run.record["payload"]?.object?["attachments"] == nil)
            return run
        }
    }

    /// A file that begins as a PNG does.
    private static func picture(_ count: Int) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return signature + (0..<count - signature.count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    }

    private static func kept(_ run: HostRun) -> [JSONObject] {
        (run.record["attachments"]?.array ?? []).compactMap(\.object).map { attachment in
            var attachment = attachment
            attachment["path"] = nil
            return attachment
        }
    }

    private static func refused(_ run: HostRun) -> [String] {
        (run.record["refusedAttachments"]?.array ?? []).compactMap(\.object).map { refused in
            "\(refused["identifier"]?.string ?? "") \(refused["reason"]?.string ?? "")"
        }
    }

    @Test func `files are fetched, opened and attached`() async throws {
        try await Bench.with { bench in
            let small = try await bench.seal("small")
            let large = try await bench.seal("large-one", Self.picture(3_000_000), type: "public.png")
            let run = try await bench.run([small, large])
            #expect(run.record["outcome"] == "modified", "\(run.errors)")
            #expect(
                Self.kept(run) == [
                    ["identifier": "small", "type": "public.png", "size": 1008],
                    ["identifier": "large-one", "type": "public.png", "size": 3_000_000],
                ]
            )
            #expect(Self.refused(run) == [])
            #expect(run.errors.contains("network.host=127.0.0.1:\(bench.server.tlsPort)"))
            #expect(!run.errors.contains("large-one"))
        }
    }

    @Test func `a file that cannot be had is left out, and the notification is not`() async throws {
        let hosts = { (server: WebServer) in ["127.0.0.1:\(server.tlsPort)", "localhost:\(server.tlsPort)"] }
        try await Bench.with(hosts: hosts) { bench in
            let good = try await bench.seal("good")
            var foreign = try await bench.seal("foreign")
            foreign["key"] = good["key"]
            var short = try await bench.seal("short", Self.picture(900))
            let file = bench.folder.path + "/www/short"
            try Data(Data(contentsOf: URL(fileURLWithPath: file)).dropLast()).write(to: URL(fileURLWithPath: file))
            short["name"] = nil
            let run = try await bench.run([
                good, foreign, short, try await bench.seal("broken", at: "cut/"),
                try await bench.seal("moved", at: "moved/"), try await bench.seal("text", Array("text".utf8)),
            ])
            #expect(run.record["outcome"] == "modified", "\(run.errors)")
            #expect(Self.kept(run) == [["identifier": "good", "type": "public.png", "size": 1008]])
            #expect(
                Self.refused(run) == [
                    "foreign notOpened", "short wrongSize", "broken notFetched", "moved notFetched",
                    "text wrongContent",
                ]
            )
        }
    }

    @Test func `nothing is fetched from elsewhere, nor what would be refused`() async throws {
        let hosts = { (server: WebServer) in ["localhost:\(server.tlsPort)"] }
        try await Bench.with(hosts: hosts) { bench in
            let port = bench.server.tlsPort
            let run = try await bench.run([
                try await bench.seal("address"),
                try await bench.seal("loopback", host: "https://localhost:\(port)"),
                try await bench.seal("plain", host: "http://localhost:\(port)"),
                try await bench.seal("person", host: "https://a@localhost:\(port)"),
                try await bench.seal("text", type: "text/plain", host: "https://localhost:\(port)"),
                try await bench.seal("huge", Self.picture(10 << 20 | 1), host: "https://localhost:\(port)"),
            ])
            #expect(run.record["outcome"] == "modified", "\(run.errors)")
            #expect(Self.kept(run) == [])
            #expect(
                Self.refused(run) == [
                    "address notListed", "loopback notListed", "plain badEntry", "person badEntry", "text unknownType",
                    "huge tooLarge",
                ]
            )
        }
    }

    @Test func `a server that says nothing ends with the budget`() async throws {
        try await Bench.with { bench in
            let slow = try await bench.seal("slow", at: "half/")
            let good = try await bench.seal("good")
            let run = try await bench.run([slow, good], ["--budget", "8s", "--grace", "2s"])
            #expect(run.record["outcome"] == "modified", "\(run.errors)")
            #expect(Self.kept(run).map { $0["identifier"] } == ["good"])
            #expect(Self.refused(run) == ["slow outOfTime"])
            let total = try #require(run.record["timings"]?.object?["totalMicroseconds"]?.integer)
            #expect((8_000_000...30_000_000).contains(total))
        }
    }

    @Test func `a server whose certificate nobody signed is not asked for a file`() async throws {
        try await Bench.with { bench in
            let run = try await bench.run([try await bench.seal("good")], authority: nil)
            #expect(Self.refused(run) == ["good notFetched"])
        }
    }

    @Test(arguments: [
        ("DNS:localhost", []), ("DNS:*.localhost,DNS:local,IP:127.0.0.1", ["good notFetched"]),
    ])
    func `a name needs a certificate for that name`(names: String, refused: [String]) async throws {
        let hosts = { (server: WebServer) in ["localhost:\(server.tlsPort)", "127.0.0.1:\(server.tlsPort)"] }
        try await Bench.with(hosts: hosts, certified: names) { bench in
            let file = try await bench.seal("good", host: "https://localhost:\(bench.server.tlsPort)")
            #expect(Self.refused(try await bench.run([file])) == refused)
        }
    }

    @Test(arguments: [("abort", "original"), ("attach", "modified")])
    func `the files are there without the extension, and its own come before them`(
        behave: String,
        outcome: String
    ) async throws {
        try await Bench.with { bench in
            let run = try await bench.run([try await bench.seal("good")], behave: behave)
            #expect(run.record["outcome"]?.string == outcome, "\(run.errors)")
            #expect(Self.kept(run).map { $0["identifier"] } == [behave == "attach" ? "picture" : "good"])
        }
    }

    // MARK: Before the extension

    private static let before = "<key>SealedAttachments</key><string>before</string>"

    /// Describes a file as the extension does: id, type, size and FNV-1a digest.
    private static func described(_ id: String, _ bytes: [UInt8]) -> String {
        let digest = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\(id) public.png \(bytes.count) \(digest)"
    }

    private static func body(_ run: HostRun) -> String? {
        run.record["payload"]?.object?["aps"]?.object?["alert"]?.object?["body"]?.string
    }

    @Test(arguments: ["A", "C"], ["digest", "spoil"])
    func `an extension that asks for them reads the files and hands them on`(
        profile: String,
        behave: String
    ) async throws {
        try await Bench.with(attributes: Self.before) { bench in
            let small = try await bench.seal("small")
            let large = try await bench.seal("large-one", Self.picture(3_000_000))
            let run = try await bench.run([small, large], ["--profile", profile], behave: behave)
            #expect(run.record["outcome"] == "modified", "\(run.errors)")
            #expect(
                Self.body(run)
                    == Self.described("small", Self.picture(1008)) + "; "
                    + Self.described("large-one", Self.picture(3_000_000))
            )
            #expect(
                Self.kept(run) == [
                    ["identifier": "small", "type": "public.png", "size": 1008],
                    ["identifier": "large-one", "type": "public.png", "size": 3_000_000],
                ]
            )
            #expect(Self.refused(run) == [])
            #expect(run.record["worker"]?.object?["sandbox"]?.string?.hasPrefix(profile) == true)
        }
    }

    @Test(arguments: [
        ("dropFiles", "modified", []), ("abort", "original", ["good"]), ("attach", "modified", ["picture"]),
        ("none", "modified", ["good"]),
    ])
    func `an extension that has the files decides on them, unless it fails`(
        behave: String,
        outcome: String,
        kept: [String]
    ) async throws {
        try await Bench.with(attributes: Self.before) { bench in
            let run = try await bench.run([try await bench.seal("good")], behave: behave)
            #expect(run.record["outcome"]?.string == outcome, "\(run.errors)")
            #expect(Self.kept(run).map { $0["identifier"]?.string } == kept)
        }
    }

    @Test func `a server that says nothing holds the extension up for half of its time`() async throws {
        try await Bench.with(attributes: Self.before) { bench in
            let slow = try await bench.seal("slow", at: "half/")
            let good = try await bench.seal("good")
            let run = try await bench.run([slow, good], ["--budget", "16s", "--grace", "4s"], behave: "digest")
            #expect(run.record["outcome"] == "modified", "\(run.errors)")
            #expect(Self.body(run) == Self.described("good", Self.picture(1008)))
            #expect(Self.kept(run).map { $0["identifier"] } == ["good"])
            #expect(Self.refused(run) == ["slow outOfTime"])
            let total = try #require(run.record["timings"]?.object?["totalMicroseconds"]?.integer)
            #expect((16_000_000...45_000_000).contains(total))
        }
    }
}
