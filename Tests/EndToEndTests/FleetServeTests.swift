// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// Hosts of one fleet, as real processes over a real server.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"))
struct FleetServeTests {
    private static let message = OpeningTests.message
    private static let push = #"{"aps":{"alert":"Lunch?"}}"#

    /// The next record of a host that has not this name: what a killed host had delivered may come again under it.
    private static func record(of host: RunningHost, after delivery: JSON?) async throws -> Record? {
        let record = try await host.nextRecord()
        return record?.object["delivery"] == delivery ? try await host.nextRecord() : record
    }

    @Test func `what one host accepts the other delivers, and the first one once the other is dead`() async throws {
        try await ServedFleet.with { fleet in
            let keys = try await TestKeys(in: fleet.folder)
            try await fleet.host("web1", app: keys.configuration) { holder, _ in
                try await fleet.holdsAll("web1")
                try await fleet.host("web2", app: keys.configuration) { other, _ in
                    let body = try await keys.seal(Self.message)
                    #expect(try await other.post(body) == 200)
                    let first = try #require(try await holder.nextRecord())
                    #expect(first.outcome == "opened")
                    let name = first.object["delivery"]
                    #expect(name?.string?.wholeMatch(of: /[0-9a-f]{16}-[0-9]+/) != nil)

                    #expect(kill(holder.process, SIGKILL) == 0)
                    #expect(try await other.post(try await keys.seal(Self.message)) == 200)
                    let second = try #require(try await Self.record(of: other, after: name))
                    #expect(second.outcome == "opened")
                    // Another body makes another push of the envelope that the dead host's opener had.
                    #expect(try await other.post(body + " ") == 200)
                    #expect(try await other.nextRecord()?.reason == "replayed")
                    #expect(try await other.post(body) == 200)
                    #expect(try await other.post(Self.push) == 200)
                    // The repeat has no record.
                    #expect(try await other.nextRecord()?.outcome == "original")
                }
            }
        }
    }

    @Test func `a host that is told to stop hands over, and answers all the while`() async throws {
        try await ServedFleet.with { fleet in
            try await fleet.host("web1") { leaving, _ in
                try await fleet.holdsAll("web1")
                try await fleet.host("web2") { other, folder in
                    #expect(try await other.post(Self.push) == 200)
                    #expect(try await leaving.nextRecord()?.outcome == "original")
                    leaving.terminate()
                    #expect(try await other.post(#"{"aps":{"alert":"At one?"}}"#) == 200)
                    #expect(await leaving.exitStatus == 0)
                    try await fleet.holdsAll("web2")
                    let records = try await leaving.remainingRecords()
                    if records.isEmpty { #expect(try await other.nextRecord()?.outcome == "original") }
                    #expect(records.count <= 1)
                    let status = try await fleet.run("fleet", "status", "--config", folder.path + "/host.yaml")
                    #expect(status.output.contains("\nweb2  member, 1024 partitions, version "))
                    #expect(!status.output.contains("web1"))
                    // There is no standby.
                    #expect(status.status == 1)
                }
            }
        }
    }

    @Test func `an operator has another host work on what one holds`() async throws {
        try await ServedFleet.with { fleet in
            func drain(_ more: String...) async throws -> CommandResult {
                let arguments = ["fleet", "drain", "--database", fleet.server.conninfo()] + more
                return try await CommandResult.run(Programs.extensionHost, arguments)
            }
            #expect(
                try await drain("web1").errors == """
                    extension-host: error: the fleet's database: no host named "web1" is a member
                    extension-host: hint: "extension-host fleet status" tells which hosts there are

                    """
            )
            try await fleet.host("web1") { first, folder in
                try await fleet.holdsAll("web1")
                let status = { try await fleet.run("fleet", "status", "--config", folder.path + "/host.yaml").output }
                let alone = try await drain("web1")
                #expect(alone.status == 1)
                #expect(
                    alone.errors == """
                        extension-host: error: the fleet's database: no other host would work on what "web1" holds
                        extension-host: hint: start another host first, or stop this one: what is accepted then waits

                        """
                )
                try await fleet.host("web2") { _, _ in
                    while try await !status().contains("\nweb2  member") { try await Task.turn() }
                    let drained = try await drain("web1")
                    #expect(drained.output == "web1 gives back what it holds; \"fleet status\" shows how far\n")
                    #expect(try await status().contains("\nweb1  leaving, "))
                    #expect(try await first.post(Self.push) == 200)
                    #expect(try await drain("web1", "--undo").output == "web1 takes part again\n")
                    #expect(try await status().contains("\nweb1  member, "))
                }
            }
        }
    }

    @Test func `a host whose name another has is not ready, accepts for the other, and joins once that is gone`()
        async throws
    {
        try await ServedFleet.with { fleet in
            try await fleet.host("web1") { first, _ in
                try await fleet.holdsAll("web1")
                try await fleet.host("web1", top: ["admin: { socket: state/admin.sock }"]) { second, folder in
                    let status = { try await fleet.run("status", "--config", folder.path + "/host.yaml") }
                    let joining = try await status()
                    #expect(joining.status == 1)
                    #expect(joining.output.contains(" joining, up "))
                    #expect(try await second.post(Self.push) == 200)
                    #expect(try await first.nextRecord()?.outcome == "original")
                    first.terminate()
                    #expect(await first.exitStatus == 0)
                    while try await status().status != 0 { try await Task.turn() }
                    #expect(try await second.post(#"{"aps":{"alert":"At one?"}}"#) == 200)
                    #expect(try await second.nextRecord()?.outcome == "original")
                }
            }
        }
    }

    /// The extension's budget is longer than the test may take.
    @Test func `a host that leaves waits for no extension, and the other delivers what it had begun`() async throws {
        try await ServedFleet.with { fleet in
            let bundle = try fleet.folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let hangs = ["extension: \(bundle)", "budget: 30m"]
            try await fleet.host("web1", app: hangs) { leaving, _ in
                try await fleet.holdsAll("web1")
                try await fleet.host("web2") { other, _ in
                    #expect(
                        try await other.post(#"{"aps":{"alert":"Lunch?","mutable-content":1},"behave":"hang"}"#) == 200
                    )
                    while leaving.descendants(named: "Misbehaving").isEmpty { try await Task.turn() }
                    leaving.terminate()
                    #expect(try await other.nextRecord()?.outcome == "original")
                    #expect(await leaving.exitStatus == 0)
                    #expect(try await leaving.remainingRecords().isEmpty)
                }
            }
        }
    }

    @Test func `a token that is minted or removed anywhere is so for the next request everywhere`() async throws {
        try await ServedFleet.with { fleet in
            try await fleet.host("web1") { first, folder in
                func token(_ arguments: String...) async throws -> CommandResult {
                    try await CommandResult.run(
                        Programs.extensionHost,
                        ["token", arguments[0], "--config", folder.path + "/host.yaml"] + arguments.dropFirst()
                    )
                }
                let top = try await fleet.host("web2") { second, _ in
                    #expect(try await second.post(Self.push, token: "abcd") == 400)
                    let minted = try await token("new", "--topic", "com.example.chat")
                    let text = minted.output.trimmingCharacters(in: .newlines)
                    #expect(try await second.post(Self.push, token: text) == 200)
                    #expect(try await token("remove", text).status == 0)
                    #expect(try await second.post(Self.push, token: text) == 410)
                    #expect(try await first.post(Self.push, token: text) == 410)
                    #expect(try await token("new", "--topic", "com.example.chat", "--token", text).status == 0)
                    #expect(try await second.post(Self.push, token: text) == 200)

                    // No one host's file decides over a token that stands there.
                    let list = try await token("list", "--json", "--reveal")
                    let rows = try list.output.split(separator: "\n").map {
                        try JSONObject(parsing: Array($0.utf8).span)
                    }
                    #expect(Set(rows.compactMap { $0["token"]?.string }) == [RunningHost.token, text])
                    let name = rows.first { $0["token"]?.string == RunningHost.token }?["name"]?.string ?? ""
                    #expect(try await token("remove", name).output == "removed \(name)\n")
                    #expect(try await token("remove", name).errors.contains("is removed already"))
                    #expect(try await first.post(Self.push) == 410)
                    return second.everythingNoted
                }
                #expect(!top.contains("removed from the fleet"))
                try await fleet.host("web2") { again, _ async throws in
                    #expect(try await again.post(Self.push) == 410)
                    #expect(
                        again.everythingNoted.contains(
                            "device tokens of \"com.example.chat\" that were removed from the fleet, and stay so: 1"
                        )
                    )
                }
            }
        }
    }

    @Test func `a record that one host gave up is listed, sent again and dropped beside another`() async throws {
        let secret = String(repeating: "s", count: 40)
        try await ServedFleet.with { fleet in
            chmod(try fleet.folder.write(secret, to: "secret"), 0o600)
            try await WebhookReceiver.with(folder: fleet.folder.path, secret: secret) { receiver in
                let hook = """
                    sinks: [stdout, webhook: { name: hook, url: "http://127.0.0.1:\(receiver.port)/status/400", \
                    secret-file: \(fleet.folder.path)/secret }]
                    """
                try await fleet.host("web1", top: [hook]) { holder, _ in
                    try await fleet.holdsAll("web1")
                    try await fleet.host("web2", top: [hook]) { _, folder async throws in
                        try await Self.work(receiver, holder, beside: folder)
                    }
                }
            }
        }
    }

    private static func work(
        _ receiver: WebhookReceiver,
        _ holder: RunningHost,
        beside folder: TemporaryFolder
    ) async throws {
        func letters(_ arguments: String...) async throws -> String {
            let command = ["dead-letters", arguments[0], "--config", folder.path + "/host.yaml"]
            return try await CommandResult.run(Programs.extensionHost, command + arguments.dropFirst()).output
        }
        let record = try #require(try await holder.deliver(push))
        let delivery = try #require(record.object["delivery"]?.string)
        #expect(try await receiver.next().map(\.delivery) == [delivery])
        while try await letters("list").isEmpty { try await Task.turn() }
        #expect(try await letters("list").hasSuffix("  hook  \(delivery)  1  status 400\n"))
        let line = try JSONObject(parsing: Array(try await letters("list", "--json").utf8).span)
        #expect(line["record"]?.object == record.object)

        #expect(try await letters("replay", "--delivery", delivery) == "1\n")
        #expect(try await receiver.next().map(\.delivery) == [delivery])
        while try await letters("list").isEmpty { try await Task.turn() }
        #expect(try await letters("drop", "--sink", "hook") == "1\n")
        #expect(try await letters("list") == "")
    }

    @Test func `the server has no word of what was sealed`() async throws {
        try await ServedFleet.with { fleet in
            let keys = try await TestKeys(in: fleet.folder)
            let canary = "canary\(UInt64.random(in: .min ... .max))"
            let webhook = """
                sinks: [stdout, webhook: { name: hook, url: "http://127.0.0.1:1/", secret-file: \(fleet.folder.path)/secret }]
                """
            _ = try fleet.folder.write(String(repeating: "s", count: 40), to: "secret")
            chmod(fleet.folder.path + "/secret", 0o600)
            try await fleet.host("web1", app: keys.configuration, top: [webhook]) { host, _ in
                let body = try await keys.seal(#"{"aps":{"alert":{"title":"\#(canary)"}}}"#)
                let record = try #require(try await host.deliver(body))
                #expect(record.alert?["title"]?.string == canary)
                let waiting = { try fleet.number("SELECT count(*) FROM nestbox.outbox") }
                while try waiting() == 0 { try await Task.turn() }
                try fleet.sql("CHECKPOINT")
                #expect(try fleet.files(with: canary) == [])
                // What is looked for is found where it is: the topic is no secret.
                #expect(try !fleet.files(with: "com.example.chat").isEmpty)
                #expect(!host.everythingNoted.contains(canary))
            }
        }
    }

    // MARK: What keeps a host out

    /// Returns what a host says that does not start.
    private static func refusal(in folder: TemporaryFolder, top: [String]) async throws -> String {
        do {
            try await RunningHost.with(folder, top: top) { host in
                _ = Issue.record("the host started: \(host.port)")
            }
            return ""
        } catch let ended as RunningHost.HostEnded {
            return ended.errors.joined(separator: "\n").replacing(folder.path, with: "FOLDER")
        }
    }

    @Test(
        arguments: [
            (["fsync": "on"], "has no synchronous standby", "start one, and name it in synchronous_standby_names"),
            (["fsync": "off"], "has \"fsync\" off", "set fsync = on"),
            (["fsync": "on", "full_page_writes": "off"], "has \"full_page_writes\" off", "set full_page_writes = on"),
        ] as [([String: String], String, String)]
    )
    func `a server that may lose what was accepted is refused`(
        settings: [String: String],
        weakness: String,
        nextStep: String
    ) async throws {
        try await ServedFleet.with(settings: settings) { fleet in
            let said = try await TemporaryFolder.with {
                try await Self.refusal(in: $0, top: fleet.top("web1", "weight: 1"))
            }
            #expect(
                said.hasSuffix(
                    """
                    extension-host: error: the fleet's database \(weakness), so what was accepted may be lost
                    extension-host: hint: \(nextStep); "unsafe: true" serves all the same
                    """
                )
            )
        }
    }

    @Test func `what is missing or of no use in a fleet is said before anything is served`() async throws {
        try await ServedFleet.with { fleet in
            let entry =
                "fleet: { database: \"\(fleet.server.conninfo())\", key: \(fleet.key), host: web1, unsafe: true }"
            let none = fleet.server.conninfo(database: "template1")
            let cases: [(top: [String], said: String)] = [
                (
                    [entry],
                    """
                    extension-host: error: FOLDER/host.yaml:6: fleet of the file has no folder for what stays on this host
                    extension-host: hint: add "state: ./state" to the file
                    """
                ),
                (
                    ["state: state", entry.replacing(fleet.key, with: "none.key")],
                    """
                    extension-host: error: fleet key "FOLDER/none.key" is not readable: no such file or directory
                    extension-host: hint: copy it from another host; "extension-host fleet keygen" makes that of a new fleet
                    """
                ),
                (
                    ["state: state", entry.replacing(fleet.server.conninfo(), with: none)],
                    """
                    extension-host: error: the fleet's database: there is no fleet in it
                    extension-host: hint: make one with "extension-host fleet init"
                    """
                ),
                (
                    ["state: state", entry, "sinks: [stdout, center: { socket: center/link.sock }]"],
                    """
                    extension-host: error: FOLDER/host.yaml:7: fleet of the file has no notification centre: a centre \
                    belongs to one host
                    extension-host: hint: leave out the sink "center", or serve it from a host without "fleet"
                    """
                ),
            ]
            for (top, said) in cases {
                let answer = try await TemporaryFolder.with { try await Self.refusal(in: $0, top: top) }
                #expect(answer.hasSuffix(said), "\(answer)")
            }
        }
    }

    @Test func `what a host alone has kept is not left behind: it does not start before that is moved`() async throws {
        let secret = String(repeating: "s", count: 40)
        try await ServedFleet.with { fleet in
            chmod(try fleet.folder.write(secret, to: "secret"), 0o600)
            func hook(_ port: Int, _ path: String) -> String {
                "sinks: [webhook: { name: hook, url: \"http://127.0.0.1:\(port)\(path)\", "
                    + "secret-file: \(fleet.folder.path)/secret }]"
            }
            try await WebhookReceiver.with(folder: fleet.folder.path, secret: secret) { receiver in
                try await TemporaryFolder.with { folder async throws in
                    func run(_ arguments: String...) async throws -> CommandResult {
                        let configuration = ["--config", folder.path + "/host.yaml"]
                        return try await CommandResult.run(Programs.extensionHost, arguments + configuration)
                    }
                    var minted = ""
                    // A record that was given up, and one that nobody takes.
                    for (port, path) in [(receiver.port, "/status/400"), (1, "/")] {
                        let top = ["state: state", hook(port, path)]
                        try await RunningHost.with(folder, top: top) { host async throws in
                            #expect(try await host.post(Self.push + String(repeating: " ", count: port % 7)) == 200)
                            #expect(await host.note(containing: "sink.name=hook") != nil)
                            minted = try await run("token", "new", "--topic", "com.example.chat").output
                                .trimmingCharacters(in: .newlines)
                        }
                    }
                    let delivery = try #require(try await receiver.next().first?.delivery)
                    let top = fleet.top("web1") + [hook(receiver.port, "/")]
                    let refusal = try await Self.refusal(in: folder, top: top)
                    #expect(
                        refusal.hasSuffix(
                            """
                            extension-host: error: state "FOLDER/state" has 0 accepted pushes and 1 records of a time \
                            without "fleet"
                            extension-host: hint: move them with "extension-host fleet import", or give the fleet's host \
                            another folder
                            """
                        ),
                        "\(refusal)"
                    )
                    let moved = try await run("fleet", "import")
                    #expect(moved.output == "moved 2 device tokens, 0 pushes, 1 records, 1 dead letters\n")
                    #expect(moved.errors == "")
                    #expect(
                        try await run("fleet", "import").output
                            == "moved 0 device tokens, 0 pushes, 0 records, 0 dead letters\n"
                    )
                    try await RunningHost.with(folder, top: top) { host async throws in
                        let record = try #require(try await receiver.next().first)
                        #expect(record.delivery.hasSuffix("-2"))
                        #expect(record.delivery.prefix(8) == delivery.prefix(8))
                        #expect(
                            try await run("dead-letters", "list").output.contains(
                                "  hook  \(delivery)  1  status 400\n"
                            )
                        )
                        #expect(try await host.post(#"{"aps":{"alert":"At one?"}}"#, token: minted) == 200)
                    }
                }
            }
        }
    }
}
