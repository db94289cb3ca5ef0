// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Yams

@testable import ExtensionHost

/// The schema of host.yaml: what it says of keys holds, and everything that is written of keys comes from it.
struct HostSchemaTests {
    private let place = ConfigurationPlace(
        file: "/host.yaml",
        mapping: "test",
        key: "test",
        line: 1,
        neighbours: Node("")
    )

    @Test(arguments: HostSchema.keys.filter { $0.description.keys().isEmpty }.map(\.path))
    func `the example of a key is read, and is not the default`(path: String) throws {
        let key = try #require(HostSchema.keys(named: path).first)
        #expect(try key.description.exampleIsAnotherValue(place))
    }

    @Test func `a key has one row, and a sentence that ends`() {
        let keys = HostSchema.keys
        #expect(keys.map(\.path).firstTwice { $0 } == nil)
        for key in keys {
            let sentence = key.description.sentence
            #expect(sentence.hasSuffix("."), "\(key.path)")
            #expect(sentence.first?.isUppercase == true, "\(key.path)")
            #expect(!sentence.contains("|") && !key.description.type.contains("|"), "\(key.path)")
        }
    }

    @Test func `each row sets a property of its own`() {
        func properties<Mapping: ConfigurationMapping>(_ type: Mapping.Type) -> [PartialKeyPath<Mapping>] {
            Mapping.rows.map(\.property)
        }
        #expect(properties(AppConfiguration.self).firstTwice { $0 } == nil)
        #expect(properties(HostConfiguration.self).firstTwice { $0 } == nil)
        #expect(properties(APNsListener.self).firstTwice { $0 } == nil)
        #expect(properties(ConfiguredWebhook.self).firstTwice { $0 } == nil)
    }

    @Test func `certificates and senders are what SIGHUP takes`() {
        #expect(
            HostSchema.keys.filter(\.isReloaded).map(\.path).filter { !$0.hasPrefix("listen.apns.auth.") } == [
                "listen.apns.certificate", "listen.apns.key", "listen.apns.auth", "listen.web-push.certificate",
                "listen.web-push.key",
            ]
        )
        #expect(HostSchema.keys(named: "sha256").map(\.isReloaded) == [true])
        #expect(
            HostSchema.reloaded(below: "listen.apns")
                == ["listen.apns.certificate", "listen.apns.key", "listen.apns.auth"]
        )
    }

    @Test func `the page of host yaml is what the schema says`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let written = try String(contentsOf: root.appendingPathComponent("docs/host.yaml.md"), encoding: .utf8)
        #expect(
            written == ConfigurationReference.page,
            "extension-host config explain --format markdown > docs/host.yaml.md"
        )
    }

    @Test func `a key is explained with its type, default, example and reload`() {
        #expect(
            ConfigurationReference.text(HostSchema.keys(named: "grace")) == """
                apps[].grace
                  How long before the end of the budget the extension gets its last call.
                  type     duration: 500ms, 30s, 2m
                  default  2s, at most half of budget
                  example  grace: 5s
                  SIGHUP   a new value counts from the next start on
                """
        )
        #expect(
            HostSchema.keys(named: "port").map(\.path) == ["listen.apns.port", "listen.web-push.port", "admin.port"]
        )
    }

    @Test(arguments: [
        ("budgett", "budget"), ("bugdet", "budget"), ("public_key", "public-key"), ("xyz", nil), ("kes", "keys"),
    ])
    func `the nearest name is guessed`(word: String, guess: String?) {
        #expect(NearestName.of(word, among: ["budget", "grace", "keys", "public-key"]) == guess)
    }
}

/// The errors in a configuration file, reported all at once.
struct ConfigurationFaultsTests {
    private func errors(_ text: String) throws -> [CommandError] {
        let root = try #require(try Yams.compose(yaml: text))
        do throws(ConfigurationFaults) {
            _ = try HostConfiguration.section(root, of: "host.yaml").read()
            return []
        } catch {
            return error.errors
        }
    }

    @Test func `every error is said, in the order of the lines`() throws {
        let text = """
            sinks: [pager]
            listen: { apns: { port: x, plaintext: maybe } }
            apps:
              - topic: a
                budgett: 3s
                wait: soon
              - { topic: b, grace: 40s, require-sender: true }
            """
        #expect(
            try errors(text).map(\.message) == [
                "host.yaml:1: sinks of the file name the unknown sink \"pager\"",
                "host.yaml:2: port of apns must be a number from 0 to 65535",
                "host.yaml:2: plaintext of apns must be true or false",
                "host.yaml:5: unknown key \"budgett\" in app \"a\"",
                "host.yaml:6: wait of app \"a\" is \"soon\", not a duration",
                "host.yaml:7: require-sender of app \"b\" needs a list of senders",
                "host.yaml:7: grace of app \"b\" must be shorter than the budget of 30s",
            ]
        )
    }

    @Test func `a misspelt key is answered with the nearest`() throws {
        let error = try #require(try errors("listen: { ndjson: { stdin: true } }\nsink: [stdout]\nstate: s\n").first)
        #expect(
            error
                == CommandError(
                    "host.yaml:2: unknown key \"sink\" in the file",
                    hint: "did you mean \"sinks\"? known keys are listen, state, fleet, apps, sinks, sandbox, admin"
                )
        )
    }

    @Test func `a misspelt key that has to be there is told of once`() throws {
        let text = "listen: { ndjson: { stdin: true } }\napps: [{ topik: a }]\n"
        #expect(try errors(text).map(\.message) == ["host.yaml:2: unknown key \"topik\" in an app"])
    }

    @Test(arguments: [
        (Duration.milliseconds(1500), "1500ms"), (.seconds(30), "30s"), (.seconds(60), "60s"), (.seconds(120), "2m"),
    ]) func `a duration is written as it is read`(duration: Duration, text: String) {
        #expect(duration.amount == text)
        #expect(Duration(amount: text) == duration)
    }

    @Test(arguments: [(UInt64(512) << 10, "512KB"), (24 << 20, "24MB"), (1 << 30, "1GB"), (1537 << 10, "1537KB")])
    func `a size is written as it is read`(count: UInt64, text: String) {
        #expect(count.byteAmount == text)
        #expect(UInt64(byteAmount: text) == count)
    }
}
