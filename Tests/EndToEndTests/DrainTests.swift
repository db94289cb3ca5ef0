// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Sampling
import Testing

/// SIGTERM while a client keeps hundreds of requests in flight, and while a host drains already.
@Suite(.timeLimit(.minutes(10)))
struct DrainTests {
    enum Sender: String, CaseIterable, CustomTestStringConvertible {
        case h2c, tls, http1
        /// Goes on opening streams after the first GOAWAY.
        case h2cPastGoodbye, tlsPastGoodbye

        var testDescription: String { rawValue }
        var isTLS: Bool { [.tls, .tlsPastGoodbye].contains(self) }

        var options: [String] {
            switch self {
            case .h2c, .tls: []
            case .http1: ["--http1", "--in-flight", "50"]
            case .h2cPastGoodbye, .tlsPastGoodbye: ["--past-goodbye"]
            }
        }
    }

    struct Drain: CustomTestStringConvertible {
        let sender: Sender
        /// The number of records that there are when the drain begins.
        let moment: Int

        var testDescription: String { "\(sender) at \(moment)" }
    }

    private static let drains = Sender.allCases.flatMap { sender in
        [1, 400].map { Drain(sender: sender, moment: $0) }
    }
    private static let pythons = PythonClient.pythons(with: "hpack, hyperframe, cryptography")
    private static let tokens = (0..<32).map { String(format: "%02x", $0) + RunningHost.token.dropFirst(2) }

    private func configuration(_ sender: Sender, _ provider: Provider) async throws -> String {
        let key = try await provider.makeKey("CHATKEY001")
        let senders = "auth: { teams: [{ team: \(Provider.team), keys: [\(key)] }] }"
        return try provider.folder.write(
            """
            listen: { apns: { port: 0, \(sender.isTLS ? "\(provider.security), \(senders)" : "plaintext: true") } }
            state: state
            apps:
              - topic: com.example.chat
                device-tokens: [\(Self.tokens.map { "\"\($0)\"" }.joined(separator: ", "))]

            """,
            to: "host.yaml"
        )
    }

    /// Sends until the host ends the connection; returns what the client says.
    private func load(_ sender: Sender, _ port: Int, _ provider: Provider) async throws -> JSONObject {
        let security = [
            "--ca", provider.serverCertificate, "--key", provider.file("CHATKEY001.p8"), "--key-id", "CHATKEY001",
            "--team", Provider.team,
        ]
        let result = try await PythonClient(try #require(Self.pythons.first), "drained_client.py").run(
            ["--port", "\(port)", "--topic", "com.example.chat"] + Self.tokens.flatMap { ["--token", $0] }
                + (sender.isTLS ? security : []) + sender.options,
            input: ""
        )
        try #require(result.status == 0, "\(result.errors)")
        return try JSONObject(parsing: Array(result.output.utf8).span)
    }

    @Test(
        .enabled(if: !pythons.isEmpty, "needs python3-h2: scripts/setup installs it"),
        arguments: Sample.of(drains, atMost: 5, "drains", kind: \.sender.rawValue)
    )
    func `what was read is answered, and each answer 200 has one record`(_ drain: Drain) async throws {
        let (sender, moment) = (drain.sender, drain.moment)
        try await TemporaryFolder.with { folder in
            let provider = try await Provider(in: folder)
            let file = try await configuration(sender, provider)
            let host = try await RunningHost(configuration: file, options: [])
            defer { host.terminate() }
            async let load = load(sender, host.port, provider)
            // In the middle of it, as the first records show.
            var records: [Record] = []
            while records.count < moment, let record = try await host.nextRecord() { records.append(record) }
            let start = ContinuousClock.now
            host.terminate()
            #expect(await host.exitStatus == 0)
            let time = ContinuousClock.now - start
            records += try await host.remainingRecords()
            let own = records.count
            let answers = try await load
            let accepted = try #require(answers["accepted"]?.array).compactMap(\.string)

            let next = try await RunningHost(configuration: file, options: [])
            defer { next.terminate() }
            while records.count < accepted.count, let record = try await next.nextRecord() { records.append(record) }
            next.terminate()
            #expect(await next.exitStatus == 0)
            records += try await next.remainingRecords()

            let beyond = try #require(answers["beyond"]?.integer)
            print(
                "drain, \(sender.rawValue): \(accepted.count) accepted, \(beyond) beyond the last GOAWAY,",
                "\(own) records here and \(records.count - own) from the next host, ended after \(time)"
            )
            #expect(accepted.count >= moment)
            #expect(Set(records.compactMap { $0.object["id"]?.string }) == Set(accepted))
            #expect(records.count == accepted.count)
            #expect(answers["unanswered"] == [])
            if sender == .http1 {
                #expect(answers["refused"]?.object?.members.allSatisfy { $0.key == "503" } == true, "\(answers)")
            } else {
                #expect(answers["refused"] == [:])
                #expect(answers["reset"] == [:])
                try checkGoodbyes(answers)
            }
            #expect(time < .seconds(20))
        }
    }

    @Test func `SIGTERM limits a drain that the end of standard input began`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let start = #"{"token":"\#(RunningHost.token)","headers":{"apns-topic":"com.example.chat"},"payload":"#
            let line = start + ExtensionTests.body("silent") + "}\n"
            let lines = try folder.write(String(repeating: line, count: 8), to: "lines.ndjson")
            let configuration = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true }, ndjson: { stdin: true } }
                state: state
                apps:
                  - topic: com.example.chat
                    device-tokens: ["\(RunningHost.token)"]
                    extension: \(bundle)
                    budget: 5s
                    grace: 1s

                """,
                to: "host.yaml"
            )
            let host = try await RunningHost(
                configuration: configuration,
                command: ["/bin/sh", "-c", "exec \"$0\" \"$@\" < '\(lines)'", Programs.extensionHost],
                options: []
            )
            defer { host.terminate() }
            // By now the input has ended: its lines were read at once, and the first one took five seconds.
            #expect(try await host.nextRecord()?.reason == "budgetExceeded")
            host.terminate()
            #expect(await host.exitStatus == 0)
            // Pushes of one device wait for each other: two more may have been at work.
            #expect(try await host.remainingRecords().count < 7)
        }
    }

    /// The first names no stream, the last none below an answered one; neither is for an error.
    private func checkGoodbyes(_ answers: JSONObject) throws {
        let goodbyes = try #require(answers["goodbyes"]?.array).compactMap(\.array)
        let highest = try #require(answers["highest"]?.integer)
        #expect(goodbyes.count == 2)
        #expect(goodbyes.first == [.integer(Int64(Int32.max)), 0])
        #expect(goodbyes.last?.last == 0)
        let last = try #require(goodbyes.last?.first?.integer)
        #expect((highest..<Int64(Int32.max)).contains(last))
    }
}
