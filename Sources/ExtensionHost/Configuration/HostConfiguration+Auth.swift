// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Ingress
import Yams

extension HostConfiguration {
    /// What `auth` of a listener says, and where it was read.
    struct Senders: Equatable {
        var authentication: SenderAuthentication
        var publicKeyFiles: [String]
    }

    /// Nil for `none`, and where nothing is said.
    static func senders(_ listener: YAMLMapping) throws(CommandError) -> Senders? {
        guard let node = listener.node("auth") else { return nil }
        if let text = node.scalar?.string {
            guard text == "none" else {
                throw listener.error(
                    "auth",
                    "is \"\(text)\", neither none nor a list of senders",
                    hint: "write \"auth: none\", or \"teams\" and \"certificates\" below it"
                )
            }
            return nil
        }
        let auth = try YAMLMapping(node, file: listener.file, name: "auth", keys: ["teams", "certificates"])
        var files: [String] = []
        var keys: [SenderAuthentication.Key] = []
        for node in try auth.list("teams") {
            let team = try YAMLMapping(node, file: auth.file, name: "a team of auth", keys: ["team", "keys"])
            let name = try team.requiredString("team")
            let nodes = try team.list("keys")
            guard !nodes.isEmpty else { throw team.error("keys", "must be a list of at least one key") }
            for node in nodes {
                let (key, path) = try key(node, team: name, file: auth.file)
                guard !keys.contains(where: { $0.id == key.id }) else {
                    throw team.error("keys", "name the key \"\(key.id)\" twice")
                }
                keys.append(key)
                files.append(path)
            }
        }
        var certificates: [SenderAuthentication.Certificate] = []
        for node in try auth.list("certificates") {
            let certificate = try certificate(node, file: auth.file)
            guard !certificates.contains(where: { $0.fingerprint == certificate.fingerprint }) else {
                throw auth.error("certificates", "name one certificate twice")
            }
            certificates.append(certificate)
        }
        guard !keys.isEmpty || !certificates.isEmpty else {
            throw listener.error("auth", "names nobody", hint: "list \"teams\" or \"certificates\", or write none")
        }
        return Senders(
            authentication: SenderAuthentication(keys: keys, certificates: certificates),
            publicKeyFiles: files
        )
    }

    private static func key(
        _ node: Node,
        team: String,
        file: String
    ) throws(CommandError) -> (key: SenderAuthentication.Key, path: String) {
        let id = node.mapping?["id"]?.scalar?.string
        let name = id.map { "key \"\($0)\" of team \"\(team)\"" } ?? "a key of team \"\(team)\""
        let keys = ["id", "public-key", "environment", "topics"]
        let key = try YAMLMapping(node, file: file, name: name, keys: keys)
        let stated = try key.requiredString("id")
        guard let path = try key.path("public-key") else { throw key.error("public-key", "is missing") }
        let entry = SenderAuthentication.Key(
            id: stated,
            team: team,
            publicKey: try publicKey(key, path),
            environment: try key.choice("environment", of: PushEnvironment.self),
            topics: try topics(key)
        )
        return (entry, path)
    }

    private static func publicKey(_ key: YAMLMapping, _ path: String) throws(CommandError) -> ES256PublicKey {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw key.error("public-key", "is not readable: \"\(path)\"")
        }
        let make = "openssl ec -in AuthKey.p8 -pubout"
        do {
            return try ES256PublicKey(pem: text)
        } catch {
            switch error {
            case .privateKey:
                throw key.error(
                    "public-key",
                    "is not usable: that is a private key; keep it with the sender",
                    hint: "make its public half there: \(make)"
                )
            case .certificate:
                throw key.error("public-key", "is a certificate", hint: "list its SHA-256 under \"certificates\"")
            case .unusable:
                throw key.error(
                    "public-key",
                    "has no public key of P-256 in PEM: \"\(path)\"",
                    hint: "make it: \(make)"
                )
            }
        }
    }

    private static func certificate(
        _ node: Node,
        file: String
    ) throws(CommandError) -> SenderAuthentication.Certificate {
        let keys = ["sha256", "topics", "environment"]
        let certificate = try YAMLMapping(node, file: file, name: "a certificate of auth", keys: keys)
        // As openssl prints it, with colons, or without.
        let digits = try certificate.requiredString("sha256").lowercased().filter { $0 != ":" }
        guard digits.utf8.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw certificate.error(
                "sha256",
                "is not 64 hex digits",
                hint: "print them: openssl x509 -in client.pem -noout -fingerprint -sha256"
            )
        }
        guard let topics = try topics(certificate) else { throw certificate.error("topics", "is missing") }
        return SenderAuthentication.Certificate(
            fingerprint: digits,
            topics: topics,
            environment: try certificate.choice("environment", of: PushEnvironment.self)
        )
    }

    private static func topics(_ mapping: YAMLMapping) throws(CommandError) -> Set<String>? {
        guard let topics = try mapping.strings("topics") else { return nil }
        guard !topics.isEmpty, !topics.contains("") else {
            throw mapping.error("topics", "must name at least one topic")
        }
        return Set(topics)
    }
}

extension YAMLMapping {
    /// Empty where nothing is said.
    fileprivate func list(_ key: String) throws(CommandError) -> [Node] {
        guard let node = node(key) else { return [] }
        guard let sequence = node.sequence else { throw error(key, "must be a list") }
        return Array(sequence)
    }
}
