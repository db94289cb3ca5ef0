// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Ingress
import NotificationPayload
import Testing

@testable import ExtensionHost

/// host.yaml: what is wrong, on which line, and what to do.
struct HostConfigurationTests {
    @discardableResult
    private func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        let folder = NSTemporaryDirectory() + "configuration-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try text.write(toFile: folder + "/host.yaml", atomically: true, encoding: .utf8)
        return try body(folder + "/host.yaml")
    }

    private static let head = "listen: { apns: { plaintext: true } }\napps:\n  - topic: com.example.chat\n"

    @Test func `the smallest file has the documented defaults`() throws {
        try withFile(Self.head) { file in
            let configuration = try HostConfiguration(file: file)
            #expect(configuration.apns?.host == "127.0.0.1")
            #expect(configuration.apns?.port == 8443)
            #expect(configuration.apns?.authentication == nil)
            #expect(configuration.apns?.environment == .development)
            #expect(configuration.apns?.conformance == .lenient)
            #expect(configuration.apns?.files == [file])
            #expect(configuration.sinks == [ConfiguredSink(StandardOutput())])
            let app = try #require(configuration.apps.first)
            #expect(app.budget == .seconds(30))
            #expect(app.wait == .seconds(30))
            #expect(app.workerLimit == 16)
            #expect(app.grace == .seconds(2))
            #expect(app.memoryLimitByteCount == 24 << 20)
            #expect(app.scratchByteCount == 64 << 20)
            #expect(app.storageByteCount == 64 << 20)
            #expect(app.viewFolders == [])
            #expect(app.interpreter == nil)
            #expect(app.language == nil)
            #expect(app.texts == LocalizedTexts())
            #expect(configuration.requiredProfile == nil)
            #expect(configuration.stateFolder == nil)
            #expect(app.accept == [.v1, .sealedBox])
            #expect(app.environment == .development)
        }
    }

    @Test func `sinks and the admin port are read, and what they need of the machine`() throws {
        let lines = """
            sinks:
              - stdout
              - file: { path: out/records.ndjson, sync: false }
              - webhook: { name: bot, url: "https://example.com/a", secret-file: s, topics: [com.example.chat], ca: c,
                           removes-tokens: false }
            admin: { port: 9000, token-file: /t }

            """
        try withFile(Self.head + lines) { file in
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let configuration = try HostConfiguration(file: file)
            let records = folder + "/out/records.ndjson"
            let webhook = ConfiguredWebhook(
                name: "bot",
                url: "https://example.com/a",
                secretFile: folder + "/s",
                topics: ["com.example.chat"],
                timeout: .seconds(10),
                concurrency: 8,
                authoritiesFile: folder + "/c",
                removesTokens: false
            )
            #expect(
                configuration.sinks == [
                    ConfiguredSink(StandardOutput()),
                    ConfiguredSink(ConfiguredFile(name: "file", path: records, synchronises: false)),
                    ConfiguredSink(webhook),
                ]
            )
            #expect(webhook.takes(topic: "com.example.chat"))
            #expect(!webhook.takes(topic: "com.example.mail"))
            #expect(configuration.admin?.tokenFile == "/t")
            #expect(configuration.reach == HostReach(ports: [9000], writableFolders: [folder + "/out"]))
            let missing = "secret file \"\(folder)/s\" of webhook \"bot\" is not readable: No such file or directory"
            #expect(throws: CommandError(missing)) { try configuration.prepareRemoteSinks() }
        }
    }

    @Test func `paths are taken from the folder of the file`() throws {
        try withFile(Self.head + "    keys: [a.key, /b.key]\n") { file in
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let configuration = try HostConfiguration(file: file)
            #expect(configuration.keyFiles == [folder + "/a.key", "/b.key"])
        }
    }

    @Test func `what an extension may write and see is read`() throws {
        let lines = """
                scratch: 8MB
                storage: 512KB
                view: [lib, /opt/fonts]
                interpreter: /usr/bin/python3
            sandbox: { require: A }
            state: ./state

            """
        try withFile(Self.head + lines) { file in
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let configuration = try HostConfiguration(file: file)
            let app = try #require(configuration.apps.first)
            #expect(app.scratchByteCount == 8 << 20)
            #expect(app.storageByteCount == 512 << 10)
            #expect(app.viewFolders == [folder + "/lib", "/opt/fonts"])
            #expect(app.interpreter == "/usr/bin/python3")
            #expect(configuration.requiredProfile == .A)
            #expect(configuration.stateFolder == folder + "/state")
        }
    }

    @Test func `texts are those of the folder in the app's language`() throws {
        let lines = "    strings: texts\n    language: de-AT\n"
        try withFile(Self.head + lines) { file in
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            for (language, text) in [("de", "Hallo"), ("en", "Hello")] {
                let place = folder + "/texts/\(language).lproj"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try Data("KEY = \"\(text)\";".utf8).write(to: URL(fileURLWithPath: place + "/Localizable.strings"))
            }
            let app = try #require(try HostConfiguration(file: file).apps.first)
            #expect(app.language == "de-AT")
            #expect(app.texts == LocalizedTexts(["KEY": "Hallo"]))
            #expect(app.hosted.texts == app.texts)
        }
    }

    @Test func `a table that is none is refused by the line that names its folder, and its own`() throws {
        try withFile(Self.head + "    strings: .\n") { file in
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            try Data("KEY = text;\nOTHER\n".utf8).write(to: URL(fileURLWithPath: folder + "/Localizable.strings"))
            #expect(
                throws: CommandError(
                    "\(file):4: strings of app \"com.example.chat\" is not usable: "
                        + "\(folder)/Localizable.strings:2: not a table of texts: \";\" is missing",
                    hint: "an entry is \"KEY\" = \"TEXT\";"
                )
            ) { try HostConfiguration(file: file) }
        }
    }

    @Test(arguments: ["0", "\"0\""])
    func `an extension without scratch may write nothing`(zero: String) throws {
        try withFile(Self.head + "    scratch: \(zero)\nstate: none\n") { file in
            let configuration = try HostConfiguration(file: file)
            #expect(configuration.apps.first?.scratchByteCount == 0)
            #expect(configuration.stateFolder == nil)
        }
    }

    @Test(arguments: [
        ("", "the file is empty"),
        ("a: [", ":2: not YAML: "),
        ("listen: 3\n", ":1: listen must be a mapping"),
        ("listen: { apns: { plaintext: true } }\n", ":1: apps of the file must be a list of at least one app"),
        (
            "listen: { apns: { plaintext: true } }\napps: []\n",
            ":2: apps of the file must be a list of at least one app"
        ),
        (head + "    budgett: 3s\n", ":4: unknown key \"budgett\" in app \"com.example.chat\""),
        (head + "    wait: soon\n", ":4: wait of app \"com.example.chat\" is \"soon\", not a duration"),
        (head + "    workers: 0\n", ":4: workers of app \"com.example.chat\" must be a number from 1 to 512"),
        (head + "    workers: 513\n", ":4: workers of app \"com.example.chat\" must be a number from 1 to 512"),
        (head + "    budget: 3\n", ":4: budget of app \"com.example.chat\" is \"3\", not a duration"),
        (head + "    budget: 3s\n    grace: 3s\n", ":5: grace of app \"com.example.chat\" must be shorter"),
        (head + "    memory: lots\n", ":4: memory of app \"com.example.chat\" is \"lots\", not a size"),
        (head + "    memory: 1025GB\n", ":4: memory of app \"com.example.chat\" is more than 1 TB"),
        (head + "    memory: 1KB\n", ":4: memory of app \"com.example.chat\" is less than 1 MB"),
        (head + "    scratch: 0MB\n", ":4: scratch of app \"com.example.chat\" is \"0MB\", not a size"),
        (head + "    storage: 0\n", ":4: storage of app \"com.example.chat\" is \"0\", not a size"),
        (head + "    view: lib\n", ":4: view of app \"com.example.chat\" must be a list"),
        (head + "    interpreter: [a]\n", ":4: interpreter of app \"com.example.chat\" must be text"),
        (head + "    strings: nowhere\n", ":4: strings of app \"com.example.chat\" is not usable: \""),
        (head + "    language: [de]\n", ":4: language of app \"com.example.chat\" must be text"),
        (head + "sandbox: { require: E }\n", ":4: require of sandbox is \"E\", not one of A, B, C, D"),
        (head + "sandbox: { profile: A }\n", ":4: unknown key \"profile\" in sandbox"),
        (head + "    isolation: none\n", ":4: isolation of app \"com.example.chat\" is \"none\", not one of"),
        (head + "    accept: [v2]\n", ":4: accept of app \"com.example.chat\" names the unknown format \"v2\""),
        (head + "    extension: ./Nowhere.appex\n", ":4: extension of app \"com.example.chat\" is not usable"),
        (head + "    device-tokens: [\"xyz\"]\n", ":4: device-tokens of app \"com.example.chat\" holds a token"),
        // Digits of full width, which Unicode calls hexadecimal and a token never has.
        (
            head + "    device-tokens: [\"\u{FF11}\u{FF12}\"]\n",
            ":4: device-tokens of app \"com.example.chat\" holds a token"
        ),
        (head + "    push-types: [sms]\n", ":4: push-types of app \"com.example.chat\" names the unknown type"),
        (head + "    push-types: []\n", ":4: push-types of app \"com.example.chat\" names no type, so that"),
        (head + "    accept: []\n", ":4: accept of app \"com.example.chat\" names no format, so that"),
        (
            head + "    device-tokens: [abcd]\n  - { topic: b, device-tokens: [\"00\", ABCD] }\n",
            ":3: apps of the file give \"com.example.chat\" and \"b\" the same device token"
        ),
        (head + "    require-sender: true\n", ":4: require-sender of app \"com.example.chat\" needs a list"),
        (head + "  - topic: com.example.chat\n", ":3: apps of the file name the topic \"com.example.chat\" twice"),
        (head + "sinks: [pager]\n", ":4: sinks of the file name the unknown sink \"pager\""),
        (head + "sinks: []\n", ":4: sinks of the file must be a list of at least one sink"),
        (head + "sinks: [stdout, stdout]\n", ":4: sinks of the file name \"stdout\" twice"),
        (head + "sinks: [file: {}]\n", ":4: path of a file sink is missing"),
        (head + "sinks: [{ webhook: { url: a } }]\n", ":4: name of a webhook is missing"),
        (
            head + "sinks: [{ webhook: { name: A, url: a } }]\n",
            ":4: name of a webhook must be at most 64 of a-z, 0-9 and -"
        ),
        (head + "sinks: [{ webhook: { name: a, url: \"https://a\" } }]\n", ":4: secret-file of a webhook is missing"),
        (
            head + "sinks: [{ webhook: { name: a, secret-file: s, url: \"http://example.com/\" } }]\n",
            ":4: url of a webhook is not encrypted"
        ),
        (
            head + "sinks: [{ webhook: { name: a, secret-file: s, url: \"https://a/\", topics: [] } }]\n",
            ":4: topics of a webhook names no topic, so that"
        ),
        (
            head + "sinks: [{ webhook: { name: a, secret-file: s, url: \"https://user@a/\" } }]\n",
            ":4: url of a webhook is no https: address"
        ),
        (
            head + "sinks: [{ webhook: { name: a, secret-file: s, url: \"https://a\", timeout: 3m } }]\n",
            ":4: timeout of a webhook must be two minutes or less"
        ),
        (head + "admin: { host: 0.0.0.0, token-file: t }\n", ":4: host of admin is not this machine"),
        (head + "admin: { port: 1 }\n", ":4: token-file of admin is missing"),
        (head + "admin: { socket: s, port: 1 }\n", ":4: port of admin is of no use with a socket"),
        (head + "state: [a]\n", ":4: state of the file must be text"),
        (
            "listen: { apns: { plaintext: true, port: 70000 } }\napps:\n  - topic: a\n",
            ":1: port of apns must be a number"
        ),
        ("listen: { apns: {} }\napps:\n  - topic: a\n", ":1: plaintext of apns and its certificate disagree"),
        ("listen: { apns: { plaintext: true, auth: jwt } }\napps:\n  - topic: a\n", ":1: auth of apns is \"jwt\""),
    ])
    func `a wrong line is refused by file, line and reason`(text: String, message: String) throws {
        try withFile(text) { file in
            let error = try #require(throws: CommandError.self) { try HostConfiguration(file: file) }
            #expect(error.message.hasPrefix(file + ":"))
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test func `a file that cannot be read is refused with the reason, and what to do`() throws {
        func expect(_ file: String, _ message: String, _ hint: String?) {
            #expect(throws: CommandError(message, hint: hint)) { try HostConfiguration(file: file) }
        }
        let missing = "name the configuration; a relative path starts in the folder of the command"
        expect("/nowhere.yaml", "\"/nowhere.yaml\" is not readable: No such file or directory", missing)
        expect("/dev/null/a", "\"/dev/null/a\" is not readable: Not a directory", missing)
        expect("/", "\"/\" is not readable: Is a directory", "name the file in it, host.yaml for example")
        try withFile("") { file in
            try Data([0x61, 0x3A, 0x20, 0xFF]).write(to: URL(fileURLWithPath: file))
            expect(file, "\(file): not UTF-8", "write the file again, as text in UTF-8")
        }
    }

    @Test func `a key that stands twice is named with the line where it stands first`() throws {
        let hint = "keep one of the two; YAML has no rule which of them counts"
        try withFile(Self.head + "    wait: 3s\n    budget: 3s\n    wait: 4s\n") { file in
            #expect(throws: CommandError("\(file):4: key \"wait\" stands twice in one mapping", hint: hint)) {
                try HostConfiguration(file: file)
            }
        }
        try withFile("state: a\nlisten: {}\nstate: b\nlisten: {}\n") { file in
            #expect(throws: CommandError("\(file):2: key \"listen\" stands twice in one mapping", hint: hint)) {
                try HostConfiguration(file: file)
            }
        }
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("2m", .seconds(120)), ("0s", nil), ("s", nil),
        ("-1s", nil), ("1h", nil), ("1.5s", nil), ("99999999999s", nil),
    ])
    func `durations have a number and a unit`(text: String, duration: Duration?) {
        #expect(Duration(amount: text) == duration)
    }
}
