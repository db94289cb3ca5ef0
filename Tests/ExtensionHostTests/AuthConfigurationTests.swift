// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostConfinement
import HostRuntime
import Ingress
import Testing

@testable import ExtensionHost

/// `auth` of host.yaml: who may send.
struct AuthConfigurationTests {
    private static let key = P256.Signing.PrivateKey()

    /// A folder with host.yaml, a public key, the private one and a certificate that is none.
    private func withFolder<Result>(_ auth: String, _ body: (String) throws -> Result) throws -> Result {
        let folder = NSTemporaryDirectory() + "auth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in [
            ("apns.pub.pem", Self.key.publicKey.pemRepresentation), ("AuthKey.p8", Self.key.pemRepresentation),
            ("cert.pem", "-----BEGIN CERTIFICATE-----\n"), ("words.pem", "hello"),
            ("host.yaml", Self.head + auth + "apps:\n  - topic: com.example.chat\n"),
        ] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        return try body(folder + "/host.yaml")
    }

    private static let head = "listen:\n  apns:\n    certificate: c.pem\n    key: k.pem\n"

    private static func team(_ key: String) -> String {
        "    auth:\n      teams:\n        - team: DEF123GHIJ\n          keys:\n            - { id: ABC123DEFG, \(key) }\n"
    }

    private static func certificate(_ text: String) -> String {
        "    auth:\n      certificates:\n        - { \(text) }\n"
    }

    @Test func `teams with their keys, and certificates`() throws {
        let digits = String(repeating: "AB", count: 32)
        let colons = [String](repeating: "AB", count: 32).joined(separator: ":")
        let auth = """
                auth:
                  teams:
                    - team: DEF123GHIJ
                      keys:
                        - id: ABC123DEFG
                          public-key: apns.pub.pem
                          environment: production
                          topics: [com.example.chat, com.example.mail]
                        - { id: SECOND, public-key: apns.pub.pem }
                  certificates:
                    - { sha256: "\(colons)", topics: [com.example.chat], environment: development }

            """
        try withFolder(auth) { file in
            let apns = try #require(try HostConfiguration(file: file).apns)
            let publicKey = try ES256PublicKey(pem: Self.key.publicKey.pemRepresentation)
            #expect(
                apns.authentication
                    == SenderAuthentication(
                        keys: [
                            .init(
                                id: "ABC123DEFG",
                                team: "DEF123GHIJ",
                                publicKey: publicKey,
                                environment: .production,
                                topics: ["com.example.chat", "com.example.mail"]
                            ),
                            .init(id: "SECOND", team: "DEF123GHIJ", publicKey: publicKey),
                        ],
                        certificates: [
                            .init(
                                fingerprint: digits.lowercased(),
                                topics: ["com.example.chat"],
                                environment: .development
                            )
                        ]
                    )
            )
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
            let key = folder + "/apns.pub.pem"
            #expect(apns.files == [file, key, key, folder + "/c.pem", folder + "/k.pem"])
            let root = try ConfigurationDocument.read(file).root
            #expect(try HostConfiguration.section(root, of: file, scope: .reload).read().apns == apns)
        }
    }

    private static let usable = "public-key: apns.pub.pem"

    @Test(arguments: [
        ("    auth: jwt\n", ":5: auth of apns is \"jwt\", neither none nor a list of senders"),
        ("    auth: [a]\n", ":5: auth must be a mapping"),
        ("    auth: {}\n", ":5: auth of apns names nobody"),
        ("    auth: { teams: [] }\n", ":5: auth of apns names nobody"),
        ("    auth: { team: a }\n", ":5: unknown key \"team\" in auth"),
        ("    auth: { teams: a }\n", ":5: teams of auth must be a list"),
        ("    auth: { teams: [{ keys: [] }] }\n", ":5: team of a team of auth is missing"),
        ("    auth: { teams: [{ team: T }] }\n", ":5: keys of a team of auth must be a list of at least one key"),
        (
            team("public-key: nowhere.pem"),
            ":9: public-key of key \"ABC123DEFG\" of team \"DEF123GHIJ\" is not readable: \""
        ),
        (team("public-key: AuthKey.p8"), " is not usable: that is a private key; keep it with the sender"),
        (team("public-key: cert.pem"), ":9: public-key of key \"ABC123DEFG\" of team \"DEF123GHIJ\" is a certificate"),
        (team("public-key: words.pem"), " has no public key of P-256 in PEM: \""),
        (team("topic: a"), ":9: unknown key \"topic\" in key \"ABC123DEFG\" of team \"DEF123GHIJ\""),
        (team("public_key: a"), ":9: unknown key \"public_key\" in key \"ABC123DEFG\""),
        (team("environment: sandbox, " + usable), " is \"sandbox\", not one of development, production"),
        (team("topics: [], " + usable), " must name at least one topic"),
        (
            team(usable) + "            - { id: ABC123DEFG, \(usable) }\n",
            "keys of a team of auth name the key \"ABC123DEFG\" twice"
        ),
        (certificate("sha256: abc, topics: [a]"), ":7: sha256 of a certificate of auth is not 64 hex digits"),
        (certificate("topics: [a]"), ":7: sha256 of a certificate of auth is missing"),
        (
            certificate("sha256: \(String(repeating: "ab", count: 32))"),
            ":7: topics of a certificate of auth is missing"
        ),
    ]) func `a wrong line is refused by file, line and key`(_ auth: String, _ message: String) throws {
        try withFolder(auth) { file in
            let error = try #require(throws: CommandError.self) { try HostConfiguration(file: file) }
            #expect(error.message.hasPrefix(file + ":"))
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test func `a private key given by mistake is answered with how to make its public half`() throws {
        try withFolder(Self.team("public-key: AuthKey.p8")) { file in
            let error = try #require(throws: CommandError.self) { try HostConfiguration(file: file) }
            #expect(error.hint?.contains("openssl ec -in AuthKey.p8 -pubout") == true)
        }
    }

    private func apns(_ text: String) throws -> HostConfiguration.APNs? {
        let folder = NSTemporaryDirectory() + "auth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/host.yaml"
        try "listen: { apns: { \(text) } }\napps:\n  - topic: a\n".write(
            toFile: file,
            atomically: true,
            encoding: .utf8
        )
        return try HostConfiguration(file: file).apns
    }

    @Test(arguments: ["0.0.0.0", "192.0.2.1", "::", "2001:db8::1", "::ffff:192.0.2.1"])
    func `an address that others reach needs senders`(_ host: String) throws {
        for auth in ["", ", auth: none"] {
            let error = try #require(throws: CommandError.self) {
                try apns("plaintext: true, host: \"\(host)\"\(auth)")
            }
            let key = auth.isEmpty ? "host" : "auth"
            #expect(error.message.contains(":1: \(key) of apns leaves \"\(host)\" open to everyone who reaches it"))
        }
    }

    @Test(arguments: [
        ("127.0.0.1", PushEnvironment.development), ("127.9.9.9", .development), ("::1", .development),
        ("localhost", .development), ("::ffff:127.0.0.1", .development), ("gateway.example", .production),
    ]) func `an environment that is not said follows the address`(_ host: String, _ expected: PushEnvironment) throws {
        #expect(try apns("plaintext: true, host: \"\(host)\"")?.environment == expected)
        #expect(try apns("plaintext: true, host: \"\(host)\", environment: production")?.environment == .production)
    }

    @Test func `an app is where its senders are, unless it says otherwise`() throws {
        let folder = NSTemporaryDirectory() + "auth-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/host.yaml"
        let text = """
            listen: { apns: { plaintext: true, environment: production } }
            apps:
              - { topic: a }
              - { topic: b, environment: development }
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try HostConfiguration(file: file).apps.map(\.environment) == [.production, .development])
    }

    @Test func `certificates need TLS`() throws {
        let error = try #require(throws: CommandError.self) {
            let digits = String(repeating: "ab", count: 32)
            return try apns("plaintext: true, auth: { certificates: [{ sha256: \(digits), topics: [a] }] }")
        }
        #expect(error.message.contains(":1: auth of apns lists certificates, which plaintext has not"))
    }
}

struct ReloadedFilesTests {
    @Test func `folders are read again, but for those above a secret`() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "reload-\(UUID().uuidString)")
            .resolvingSymlinksInPath().path
        for name in ["/tls", "/live", "/archive", "/keys"] {
            try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["/tls/a.pem", "/archive/b1.pem", "/keys/app.key", "/host.yaml"] {
            #expect(FileManager.default.createFile(atPath: folder + name, contents: Data()))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/live/b.pem",
            withDestinationPath: "../archive/b1.pem"
        )
        func places(_ file: String) -> [String] {
            ReloadedFiles.places(of: [file], awayFrom: [folder + "/keys/app.key"], home: NSHomeDirectory())
        }
        #expect(places(folder + "/tls/a.pem") == [folder + "/tls"])
        #expect(places(folder + "/live/b.pem").sorted() == [folder + "/archive", folder + "/live"])
        #expect(places(folder + "/host.yaml") == [folder + "/host.yaml"])
        #expect(places(folder + "/keys/app.pem") == [folder + "/keys/app.pem"])
        #expect(places("/etc/x.pem") == ["/etc/x.pem"])
        #expect(places(NSHomeDirectory() + "/x.pem") == [NSHomeDirectory() + "/x.pem"])
    }
}
