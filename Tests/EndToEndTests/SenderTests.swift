// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The senders that an operator permits, and changes while the host runs: real programs, a confined host, curl and
/// openssl as sender.
@Suite(.timeLimit(.minutes(10)))
struct SenderTests {
    private let openssl: String
    private let curl: String

    init() throws {
        openssl = try #require(Programs.installed("openssl"))
        curl = try #require(Programs.installed("curl"))
    }

    private func shell(_ script: String, _ folder: TemporaryFolder) async throws -> String {
        let result = try await CommandResult.run("/bin/sh", ["-ec", "cd '\(folder.path)'\n\(script)"])
        try #require(result.status == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// `NAME.p8`, as a sender has it, and its public half.
    private func makeKey(_ name: String, _ folder: TemporaryFolder) async throws {
        _ = try await shell(
            """
            \(openssl) genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out \(name).p8 2>&1
            \(openssl) ec -in \(name).p8 -pubout -out \(name).pub.pem 2>&1
            """,
            folder
        )
    }

    /// Files of a server; new ones take the place of the old ones by a new name, as renewing programs do it.
    private func makeCertificate(_ folder: TemporaryFolder) async throws {
        _ = try await shell(
            """
            \(openssl) req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
              -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout new.key -out new.pem 2>&1
            mv new.key server.key
            mv new.pem server.pem
            """,
            folder
        )
    }

    private func configure(key: String, _ folder: TemporaryFolder) throws -> String {
        try folder.write(
            """
            listen:
              apns:
                port: 0
                certificate: server.pem
                key: server.key
                auth:
                  teams:
                    - team: DEF123GHIJ
                      keys: [{ id: \(key), public-key: \(key).pub.pem, topics: [com.example.chat] }]
            apps:
              - topic: com.example.chat
                device-tokens: ["\(RunningHost.token)"]

            """,
            to: "host.yaml"
        )
    }

    /// A provider token as openssl makes it: signed in DER.
    private func token(_ key: String, _ folder: TemporaryFolder) async throws -> String {
        try await shell(
            """
            base64url() { \(openssl) base64 -e -A | tr '+/' '-_' | tr -d '='; }
            text=$(printf '{"kid":"\(key)"}' | base64url).$(printf '{"iss":"DEF123GHIJ","iat":%d}' $(date +%s) | base64url)
            echo $text.$(printf %s $text | \(openssl) dgst -sha256 -sign \(key).p8 -binary | base64url)
            """,
            folder
        )
    }

    /// Status and body of a push's answer, trusting the certificate that lies there now.
    private func push(_ token: String?, to host: RunningHost, _ folder: TemporaryFolder) async throws -> String {
        let authorization = token.map { ["-H", "authorization: bearer \($0)"] } ?? []
        let arguments = [
            "-s", "--http2", "--cacert", folder.path + "/server.pem", "-w", "%{http_code}", "-H",
            "apns-topic: com.example.chat", "-d", #"{"aps":{"alert":{"body":"hi"}}}"#,
        ]
        let url = "https://127.0.0.1:\(host.port)/3/device/\(RunningHost.token)"
        return try await CommandResult.run(curl, arguments + authorization + [url]).output
    }

    @Test func `keys and certificate change while the host runs`() async throws {
        try await TemporaryFolder.with { folder in
            try await makeKey("FIRSTKEY01", folder)
            try await makeKey("SECONDKEY2", folder)
            try await makeCertificate(folder)
            let host = try await RunningHost(configuration: try configure(key: "FIRSTKEY01", folder))
            defer { host.terminate() }
            let first = try await token("FIRSTKEY01", folder)
            let second = try await token("SECONDKEY2", folder)
            #expect(try await push(nil, to: host, folder) == #"{"reason":"MissingProviderToken"}403"#)
            #expect(try await push(second, to: host, folder) == #"{"reason":"InvalidProviderToken"}403"#)
            #expect(try await push(first, to: host, folder) == "200")
            #expect(try await host.nextRecord()?.alert == ["body": "hi"])

            try await makeCertificate(folder)
            _ = try configure(key: "SECONDKEY2", folder)
            kill(host.process, SIGHUP)
            #expect(await host.note(containing: "certificate and senders read again") != nil)
            #expect(try await push(first, to: host, folder) == #"{"reason":"InvalidProviderToken"}403"#)
            #expect(try await push(second, to: host, folder) == "200")

            let certificate = try String(contentsOfFile: folder.path + "/server.pem", encoding: .utf8)
            _ = try folder.write("no certificate", to: "server.pem")
            kill(host.process, SIGHUP)
            let note = await host.note(containing: "certificate and senders not read again")
            #expect(note?.contains("server.pem\" has no certificate in PEM") == true)
            _ = try folder.write(certificate, to: "server.pem")
            #expect(try await push(second, to: host, folder) == "200")

            host.terminate()
            #expect(await host.exitStatus == 0)
            for part in (first + "." + second).split(separator: ".") { #expect(!host.everythingSaid.contains(part)) }
        }
    }

    @Test func `SIGHUP says what of the new file is not taken, and takes nothing of half a file`() async throws {
        try await TemporaryFolder.with { folder in
            try await makeKey("FIRSTKEY01", folder)
            try await makeKey("SECONDKEY2", folder)
            try await makeCertificate(folder)
            let file = try configure(key: "FIRSTKEY01", folder)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let host = try await RunningHost(configuration: file)
            defer { host.terminate() }
            let (first, second) = (try await token("FIRSTKEY01", folder), try await token("SECONDKEY2", folder))

            // Half a file: the new key of a file that lost its apps does not count.
            let other = try String(contentsOfFile: try configure(key: "SECONDKEY2", folder), encoding: .utf8)
            let apps = try #require(other.range(of: "apps:"))
            _ = try folder.write("state: ./state\n" + other[..<apps.lowerBound], to: "host.yaml")
            kill(host.process, SIGHUP)
            let lost = await host.note(containing: "certificate and senders not read again")
            #expect(lost?.contains("apps of the file is missing, and the host was started with 1") == true)
            #expect(try await push(first, to: host, folder) == "200")

            let changed = text.replacing("port: 0", with: "port: 1") + "\nadmin: { socket: ./admin.sock }\n"
            #expect(changed.contains("port: 1"))
            _ = try folder.write(changed, to: "host.yaml")
            kill(host.process, SIGHUP)
            let named = await host.note(containing: "host.yaml has changes that count from the next start on")
            #expect(named?.contains("configuration.keys=admin, listen.apns.port") == true)
            #expect(try await push(first, to: host, folder) == "200")
            #expect(try await push(second, to: host, folder) == #"{"reason":"InvalidProviderToken"}403"#)
        }
    }

    /// The new key stands in a file whose fault is elsewhere: in an app, in a sink, at another listener.
    @Test func `SIGHUP takes nothing of a file with which no host would start`() async throws {
        try await TemporaryFolder.with { folder in
            try await makeKey("FIRSTKEY01", folder)
            try await makeKey("SECONDKEY2", folder)
            try await makeCertificate(folder)
            _ = try await shell("cp server.pem web.pem; cp server.key web.key", folder)
            let web =
                "  web-push: { public-origin: \"https://push.example.com\", port: 0, certificate: web.pem, key: web.key }"
            func write(_ key: String, _ change: (String) -> String = { $0 }) throws -> String {
                let text = try String(contentsOfFile: try configure(key: key, folder), encoding: .utf8)
                let whole = text.replacing("apps:", with: "\(web)\napps:") + "state: ./state\n"
                return try folder.write(change(whole), to: "host.yaml")
            }
            let host = try await RunningHost(configuration: try write("FIRSTKEY01"))
            defer { host.terminate() }
            let (first, second) = (try await token("FIRSTKEY01", folder), try await token("SECONDKEY2", folder))
            let faults: [(String, (String) -> String)] = [
                (
                    "budget of app \"com.example.chat\" is \"soon\", not a duration",
                    { $0.replacing("state:", with: "    budget: soon\nstate:") }
                ),
                ("sinks of the file name the unknown sink \"pager\"", { $0 + "sinks: [pager]\n" }),
                ("unknown key \"portt\" in admin", { $0 + "admin: { portt: 1 }\n" }),
                (
                    "name the topic \"com.example.chat\" twice",
                    { $0.replacing("state:", with: "  - topic: com.example.chat\nstate:") }
                ),
                (
                    "words\" has no certificate in PEM",
                    { $0.replacing("certificate: web.pem", with: "certificate: words") }
                ),
                ("listen does not name the listener any more", { $0.replacing(web, with: "") }),
            ]
            _ = try folder.write("words", to: "words")
            for (fault, change) in faults {
                _ = try write("SECONDKEY2", change)
                kill(host.process, SIGHUP)
                let note = await host.note(containing: "certificate and senders not read again")
                #expect(note?.contains(fault) == true, "\(note ?? "no note") for \(fault)")
                #expect(try await push(second, to: host, folder) == #"{"reason":"InvalidProviderToken"}403"#)
                #expect(try await push(first, to: host, folder) == "200")
            }
            // What a confined host cannot look at any more is no fault.
            let bundle = "    extension: /nowhere/Chat.appex\nstate:"
            _ = try write("SECONDKEY2") { $0.replacing("state:", with: bundle) }
            kill(host.process, SIGHUP)
            #expect(await host.note(containing: "certificate and senders read again") != nil)
            #expect(try await push(second, to: host, folder) == "200")
        }
    }

    @Test func `a private key given by mistake is not taken`() async throws {
        try await TemporaryFolder.with { folder in
            try await makeKey("FIRSTKEY01", folder)
            let file = try configure(key: "FIRSTKEY01", folder)
            _ = try await shell("mv FIRSTKEY01.p8 FIRSTKEY01.pub.pem", folder)
            let result = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: \(file):9: public-key of key "FIRSTKEY01" of team "DEF123GHIJ" is not usable: \
                    that is a private key; keep it with the sender
                    extension-host: hint: make its public half there: openssl ec -in AuthKey.p8 -pubout

                    """
            )
        }
    }
}
