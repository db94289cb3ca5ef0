// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Yams

@testable import ExtensionHost

/// The changed keys of host.yaml that a running host names as not taken.
struct ConfigurationReloadTests {
    private static let file = """
        listen:
          apns:
            host: 127.0.0.1
            port: 8443
            certificate: server.pem
            key: server.key
            environment: development
            conformance: lenient
            auth:
              teams: [{ team: DEF123GHIJ, keys: [{ id: KEY0000001, public-key: a.pem }] }]
          web-push: { public-origin: "https://push.example.com", port: 8444, certificate: a.pem, key: a.key }
          ndjson: { stdin: true, socket: ./push.sock, users: [root] }
        state: ./state
        sandbox: { require: A }
        admin: { host: 127.0.0.1, port: 9464, token-file: token }
        sinks:
          - stdout
          - file: { path: records.jsonl }
        apps:
          - topic: com.example.chat
            extension: Chat.appex
            device-tokens: [abcd, ef01]
            keys: [a.key]
            budget: 30s
            senders: [{ name: Alice, public-key: x }]
            web-push: { title: Chat, fallback: Message }
          - topic: com.example.mail
            memory: 24MB
        """

    private static let taken = [
        "listen.apns.certificate", "listen.apns.key", "listen.apns.auth", "listen.web-push.certificate",
        "listen.web-push.key",
    ]

    private func value(_ text: String) throws -> ConfigurationValue {
        ConfigurationValue(try #require(try Yams.compose(yaml: text)))
    }

    private func untaken(_ text: String) throws -> [String] {
        ConfigurationReload.untaken(try value(Self.file), try value(text), taken: Self.taken)
    }

    @Test(
        arguments: [
            ("port: 8443", "port: 9443", ["listen.apns.port"]),
            ("environment: development", "environment: production", ["listen.apns.environment"]),
            ("public-origin: \"https://push", "public-origin: \"https://web", ["listen.web-push.public-origin"]),
            ("users: [root]", "users: [root, daemon]", ["listen.ndjson.users"]),
            ("state: ./state", "state: ./other", ["state"]),
            ("{ require: A }", "{ require: B }", ["sandbox.require"]),
            ("port: 9464", "port: 9465", ["admin.port"]),
            ("  - stdout\n", "", ["sinks"]),
            ("budget: 30s", "budget: 31s", ["apps[\"com.example.chat\"].budget"]),
            ("    budget: 30s\n", "", ["apps[\"com.example.chat\"].budget"]),
            ("abcd, ef01", "abcd", ["apps[\"com.example.chat\"].device-tokens"]),
            (
                "name: Alice", "name: Bob",
                ["apps[\"com.example.chat\"].senders[\"Alice\"]", "apps[\"com.example.chat\"].senders[\"Bob\"]"]
            ),
            ("fallback: Message", "fallback: Mail", ["apps[\"com.example.chat\"].web-push.fallback"]),
            ("  - topic: com.example.mail\n    memory: 24MB", "", ["apps[\"com.example.mail\"]"]),
            (
                "topic: com.example.mail", "topic: com.example.post",
                ["apps[\"com.example.mail\"]", "apps[\"com.example.post\"]"]
            ),
            ("certificate: server.pem", "certificate: new.pem", []),
            ("KEY0000001", "KEY0000002", []),
            ("certificate: a.pem, key: a.key", "certificate: b.pem, key: b.key", []),
            ("port: 8443", "port: \"8443\" # the same", []),
        ] as [(String, String, [String])]
    )
    func `a change that nobody takes is named`(old: String, new: String, keys: [String]) throws {
        #expect(Self.file.contains(old))
        #expect(try untaken(Self.file.replacing(old, with: new, maxReplacements: 1)) == keys)
    }

    @Test func `the same file has no change, and the apps in another order are one`() throws {
        #expect(try untaken(Self.file) == [])
        let apps = "[{ topic: a, memory: 1MB }, { topic: b }]"
        let turned = "[{ topic: b }, { memory: 1MB, topic: a }]"
        #expect(try ConfigurationValue.differences(value("apps: \(apps)"), value("apps: \(turned)")) == ["apps"])
    }

    /// Every value of the file in turn, whatever keys the file will have: one that is changed and not taken is named.
    @Test func `no key of the file can change in silence`() throws {
        let old = try value(Self.file)
        let leaves = Self.leaves(of: old)
        #expect(leaves.count > 30)
        for (path, changed) in leaves {
            let isTaken = Self.taken.contains { path == $0 || path.hasPrefix($0 + ".") }
            let named = ConfigurationReload.untaken(old, changed, taken: Self.taken)
            #expect(named.isEmpty == isTaken, "\(path)")
        }
    }

    /// The paths of all texts, each with the whole in which that one is another.
    private static func leaves(of value: ConfigurationValue) -> [(String, ConfigurationValue)] {
        switch value {
        case .text(let text): return [("", .text(text + "x"))]
        case .list(let list):
            return list.indices.flatMap { index in
                leaves(of: list[index]).map { path, changed in
                    var list = list
                    list[index] = changed
                    return ("[\(index)].\(path)", .list(list))
                }
            }
        case .mapping(let keys):
            return keys.flatMap { key, value in
                leaves(of: value).map { path, changed in
                    var keys = keys
                    keys[key] = changed
                    return (path.isEmpty ? key : "\(key).\(path)", .mapping(keys))
                }
            }
        }
    }
}
