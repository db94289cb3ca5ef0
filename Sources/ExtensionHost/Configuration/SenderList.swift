// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Ingress
import Yams

/// The senders that may use a listener, and the files that their public keys come from.
struct SenderList: Equatable {
    var authentication: SenderAuthentication
    var publicKeyFiles: [String]

    fileprivate init(_ written: WrittenSenders) throws(ConfigurationFaults) {
        var keys: [SenderAuthentication.Key] = []
        publicKeyFiles = []
        for team in written.teams {
            for key in team.keys {
                guard !keys.contains(where: { $0.id == key.id }) else {
                    throw ConfigurationFaults(team, "name the key \"\(key.id)\" twice")
                }
                if let read = key.authentication(of: team.name) { keys.append(read) }
                publicKeyFiles.append(key.publicKeyFile)
            }
        }
        authentication = SenderAuthentication(keys: keys, certificates: written.certificates.map(\.authentication))
    }
}

extension ConfigurationType where Value == SenderList? {
    /// A list of the senders that may use a listener, or the word `none`.
    static var senders: Self {
        let list = ConfigurationType<WrittenSenders>.mapping()
        var type = Self("mapping, or `none`", example: "none", text: { $0 == nil ? "none" : "" }) {
            node,
            place throws(ConfigurationFaults) in
            if let text = node.scalar?.string {
                guard text == "none" else {
                    throw place.fault(
                        "is \"\(text)\", neither none nor a list of senders",
                        hint: "write \"auth: none\", or \"teams\" and \"certificates\" below it"
                    )
                }
                return nil
            }
            let written = try list.read(node, place)
            guard !written.teams.isEmpty || !written.certificates.isEmpty else {
                throw place.fault("names nobody", hint: "list \"teams\" or \"certificates\", or write none")
            }
            return try SenderList(written)
        }
        type.keys = list.keys
        return type
    }
}

// MARK: as it is written

/// `auth` of host.yaml.
private struct WrittenSenders: ConfigurationMapping {
    var teams: [WrittenTeam] = []
    var certificates: [WrittenCertificate] = []

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "teams",
            .mappings { _, _ in "a team of auth" },
            \.teams,
            "Teams that sign provider tokens, each with its public keys."
        )
        ConfigurationRow(
            "certificates",
            .mappings { _, _ in "a certificate of auth" },
            \.certificates,
            "Client certificates, each by its fingerprint."
        )
    }

    mutating func judge(_ auth: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        guard certificates.firstTwice(\.fingerprint) == nil else {
            throw auth.fault(\.certificates, "name one certificate twice")
        }
    }
}

/// A team of `auth`.
private struct WrittenTeam: ConfigurationMapping {
    var name = ""
    var keys: [WrittenKey] = []
    /// The place of the keys, to name one that another team has too.
    var placeOfKeys: ConfigurationPlace?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "team",
            .text,
            \.name,
            "The team's id, as in its provider tokens.",
            required: true,
            example: "DEF123GHIJ"
        )
        ConfigurationRow("keys", keyList, \.keys, "The team's keys, at least one.")
    }

    mutating func judge(_ team: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        guard !keys.isEmpty else { throw team.fault(\.keys, "must be a list of at least one key") }
        placeOfKeys = team.place(of: \.keys)
    }
}

extension ConfigurationFaults {
    /// Says what is wrong with the keys of a team.
    fileprivate init(_ team: WrittenTeam, _ what: String) {
        self = team.placeOfKeys?.fault(what) ?? ConfigurationFaults()
    }
}

extension WrittenTeam {
    /// A key is called by its id and its team, as far as they are written.
    private static var keyList: ConfigurationType<[WrittenKey]> {
        .mappings { node, place in
            let team = place.neighbours.mapping?["team"]?.scalar?.string ?? "?"
            return node.mapping?["id"]?.scalar.map { "key \"\($0.string)\" of team \"\(team)\"" }
                ?? "a key of team \"\(team)\""
        }
    }
}

/// A key of a team.
private struct WrittenKey: ConfigurationMapping {
    var id = ""
    var publicKeyFile = ""
    var environment: PushEnvironment?
    var topics: Set<String>?
    private var publicKey: ES256PublicKey?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "id",
            .text,
            \.id,
            "The key's id, as in provider tokens.",
            required: true,
            example: "ABC123DEFG"
        )
        ConfigurationRow(
            "public-key",
            .path,
            \.publicKeyFile,
            "The public half of the key, in PEM: `openssl ec -in AuthKey.p8 -pubout`.",
            required: true,
            example: "tls/apns.pub.pem"
        )
        ConfigurationRow(
            "environment",
            .choice,
            \.environment,
            "The APNs environment that the key serves.",
            standard: "both"
        )
        ConfigurationRow("topics", .topics, \.topics, "The topics that the key serves.", standard: "all")
    }

    mutating func judge(_ key: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        guard let text = try? String(contentsOfFile: publicKeyFile, encoding: .utf8) else {
            throw key.fault(\.publicKeyFile, "is not readable: \"\(publicKeyFile)\"")
        }
        let make = "openssl ec -in AuthKey.p8 -pubout"
        do {
            publicKey = try ES256PublicKey(pem: text)
        } catch {
            switch error {
            case .privateKey:
                throw key.fault(
                    \.publicKeyFile,
                    "is not usable: that is a private key; keep it with the sender",
                    hint: "make its public half there: \(make)"
                )
            case .certificate:
                throw key.fault(
                    \.publicKeyFile,
                    "is a certificate",
                    hint: "list its SHA-256 under \"certificates\""
                )
            case .unusable:
                throw key.fault(
                    \.publicKeyFile,
                    "has no public key of P-256 in PEM: \"\(publicKeyFile)\"",
                    hint: "make it: \(make)"
                )
            }
        }
    }

    func authentication(of team: String) -> SenderAuthentication.Key? {
        publicKey.map {
            SenderAuthentication.Key(id: id, team: team, publicKey: $0, environment: environment, topics: topics)
        }
    }
}

/// A client certificate of `auth`.
private struct WrittenCertificate: ConfigurationMapping {
    var fingerprint = ""
    var topics: Set<String> = []
    var environment: PushEnvironment?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "sha256",
            fingerprintType,
            \.fingerprint,
            "The SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it, with colons or without.",
            required: true,
            example: String(repeating: "ab", count: 32)
        )
        ConfigurationRow("topics", .topics, \.topics, "The topics that the certificate serves.", required: true)
        ConfigurationRow(
            "environment",
            .choice,
            \.environment,
            "The APNs environment that the certificate serves.",
            standard: "both"
        )
    }

    var authentication: SenderAuthentication.Certificate {
        SenderAuthentication.Certificate(fingerprint: fingerprint, topics: topics, environment: environment)
    }
}

extension WrittenCertificate {
    private static var fingerprintType: ConfigurationType<String> {
        .text.map("64 hex digits", text: { $0 }) { text, place throws(ConfigurationFaults) in
            let digits = text.lowercased().filter { $0 != ":" }
            guard digits.utf8.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw place.fault(
                    "is not 64 hex digits",
                    hint: "print them: openssl x509 -in client.pem -noout -fingerprint -sha256"
                )
            }
            return digits
        }
    }
}

extension ConfigurationType where Value == Set<String> {
    fileprivate static var topics: Self {
        ConfigurationType<[String]>.texts.map(
            "list of topics",
            example: "[com.example.chat]",
            text: { $0.sorted().listed }
        ) { topics, place throws(ConfigurationFaults) in
            guard !topics.isEmpty, !topics.contains("") else { throw place.fault("must name at least one topic") }
            return Set(topics)
        }
    }
}
