// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Foundation
import GatewayTap

/// The certificate of a listener in Apple's place and its authority, which openssl makes.
///
/// The authority is bound by name constraints to `push.apple.com` and what is below, and to no address. Both end after
/// 30 days. Source: RFC 5280 section 4.2.1.10.
struct TapCertificates {
    private static let days = 30

    private let openssl: String
    private let now = Date()

    /// - Throws: `CommandError` without openssl.
    init() throws(CommandError) {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let programs = folders.split(separator: ":").map { "\($0)/openssl" }
        guard let openssl = programs.first(where: FileManager.default.isExecutableFile) else {
            throw CommandError("openssl is not installed", hint: "Debian: apt-get install openssl")
        }
        self.openssl = openssl
    }

    /// The day on which certificates that are made now end, as ISO 8601 writes it.
    var lastDay: String {
        now.addingTimeInterval(TimeInterval(Self.days) * 86_400).formatted(.iso8601.year().month().day())
    }

    /// Makes `ca.pem`, `server.pem` and `server.key` in a folder; the authority's key is gone when this returns.
    func make(in folder: String) throws(CommandError) {
        try write(authority, to: folder + "/authority.cnf")
        try write(server, to: folder + "/server.cnf")
        try request("authority.cnf", "ca", [], in: folder)
        try request("server.cnf", "server", ["-CA", folder + "/ca.pem", "-CAkey", folder + "/ca.key"], in: folder)
        do {
            try FileManager.default.removeItem(atPath: folder + "/ca.key")
        } catch {
            throw CommandError("the authority's key cannot be removed: \(error.localizedDescription)")
        }
    }

    private func write(_ text: String, to path: String) throws(CommandError) {
        do {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        } catch {
            throw CommandError("\"\(path)\" cannot be written: \(error.localizedDescription)")
        }
    }

    private func request(
        _ configuration: String,
        _ name: String,
        _ signer: [String],
        in folder: String
    ) throws(CommandError) {
        let result = try ChildProgram(
            path: openssl,
            arguments: [
                "req", "-x509", "-config", "\(folder)/\(configuration)", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-sha256", "-days", "\(Self.days)", "-keyout",
                "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
            ] + signer,
            // None of its settings may come from the caller's environment.
            environment: ["OPENSSL_CONF": "/dev/null"],
            errors: .joined
        ).run()
        guard result.status == 0 else {
            let last = String(decoding: result.output, as: UTF8.self).split(separator: "\n").last {
                $0.contains("error")
            }
            throw CommandError(
                "openssl made no certificate: \(last.map(String.init) ?? "status \(result.status)")",
                hint: "openssl 3.0 or later is needed; \"openssl version\" says which one is here"
            )
        }
    }

    private var authority: String {
        """
        [req]
        distinguished_name = name
        prompt = no
        x509_extensions = extensions
        [name]
        CN = Nestbox tap \(Int(now.timeIntervalSince1970))
        [extensions]
        basicConstraints = critical, CA:TRUE, pathlen:0
        keyUsage = critical, keyCertSign
        subjectKeyIdentifier = hash
        nameConstraints = critical, permitted;DNS:push.apple.com, excluded;IP:0.0.0.0/0.0.0.0, \
        excluded;IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0

        """
    }

    private var server: String {
        """
        [req]
        distinguished_name = name
        prompt = no
        x509_extensions = extensions
        [name]
        CN = api.push.apple.com
        [extensions]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        subjectAltName = \(PushServerName.all.map { "DNS:\($0.key)" }.joined(separator: ", "))

        """
    }
}
