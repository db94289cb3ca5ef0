// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A sender's own keys and certificates, and the server's certificate that it trusts, made with openssl in a folder.
struct Provider {
    static let team = "DEF123GHIJ"

    let folder: TemporaryFolder
    /// The path of the certificate of a server that is called localhost and 127.0.0.1.
    let serverCertificate: String

    /// Makes the certificate of the server.
    init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        serverCertificate = folder.path + "/server.pem"
        _ = try await makeCertificate("server", names: "DNS:localhost,IP:127.0.0.1")
    }

    /// `certificate:` and `key:` of a listener.
    var security: String { "certificate: server.pem, key: server.key" }

    func file(_ name: String) -> String { folder.path + "/" + name }

    /// Makes `ID.p8`, as a sender has it; returns the key's line of a configuration.
    func makeKey(_ id: String, _ lines: String = "") async throws -> String {
        try await openssl("genpkey", "-algorithm", "EC", "-pkeyopt", Self.curve, "-out", file("\(id).p8"))
        try await openssl("ec", "-in", file("\(id).p8"), "-pubout", "-out", file("\(id).pub.pem"))
        return "{ id: \(id), public-key: \(id).pub.pem\(lines.isEmpty ? "" : ", " + lines) }"
    }

    /// Makes `NAME.pem` and `NAME.key`; returns the certificate's SHA-256 as openssl prints it.
    func makeCertificate(_ name: String, names: String = "DNS:sender") async throws -> String {
        try await openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            Self.curve,
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=\(name)",
            "-addext",
            "subjectAltName=\(names)",
            "-keyout",
            file("\(name).key"),
            "-out",
            file("\(name).pem")
        )
        let print = try await openssl("x509", "-in", file("\(name).pem"), "-noout", "-fingerprint", "-sha256")
        return print.split(separator: "=").last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
    }

    private static let curve = "ec_paramgen_curve:prime256v1"

    @discardableResult
    private func openssl(_ arguments: String...) async throws -> String {
        let program = try #require(Programs.installed("openssl"))
        let made = try await CommandResult.run(program, arguments)
        try #require(made.status == 0, "\(made.errors)")
        return made.output
    }
}

/// A program of `Tests/Clients` and the Python that has what it imports.
struct PythonClient {
    let python: String
    let program: String

    /// The system's Python, whose modules the distribution packs.
    static let system = Programs.installed("python3")
    /// The one that `scripts/clients` makes.
    static let environment: String? = {
        let python = Programs.root + "/.build/clients/bin/python"
        return FileManager.default.isExecutableFile(atPath: python) ? python : nil
    }()

    /// Returns the paths of those of both Pythons that can import `modules`.
    static func pythons(with modules: String) -> [String] {
        [system, environment].compactMap { $0 }.filter { python in
            let check = Process()
            check.executableURL = URL(fileURLWithPath: python)
            check.arguments = ["-c", "import \(modules)"]
            check.standardError = FileHandle.nullDevice
            guard (try? check.run()) != nil else { return false }
            check.waitUntilExit()
            return check.terminationStatus == 0
        }
    }

    init(_ python: String, _ name: String) {
        self.python = python
        program = Programs.root + "/Tests/Clients/\(name)"
    }

    func run(
        _ arguments: [String],
        input: String,
        environment: [String: String] = [:]
    ) async throws -> CommandResult {
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        return try await CommandResult.run(python, [program] + arguments, input: input, environment: all)
    }
}

/// The program of `Tests/Clients` that sends a list of requests with httpx.
struct HTTPXClient {
    struct Answer {
        let name: String
        let status: Int
        let reason: String?
        /// The time at which a token was removed, in milliseconds; `nil` in other answers.
        let timestamp: Int64?
        let headers: JSONObject
        let version: String?
    }

    static let pythons = PythonClient.pythons(with: "httpx, h2, cryptography")

    let base: String
    var certificate: String?
    var keys: JSONObject = [:]
    var certificates: JSONObject = [:]

    /// Sends them all; the answers come in their order.
    func send(_ requests: [JSONObject], python: String? = pythons.first) async throws -> [Answer] {
        let work: JSONObject = [
            "requests": .array(requests.map { .object($0) }), "keys": .object(keys),
            "certificates": .object(certificates),
        ]
        let result = try await PythonClient(try #require(python), "httpx_client.py").run(
            ["--base", base] + (certificate.map { ["--ca", $0] } ?? []),
            input: String(decoding: Payload(work).serialized, as: UTF8.self)
        )
        try #require(result.status == 0, "\(result.errors)")
        return try result.output.split(separator: "\n").map { line in
            let answer = try JSONObject(parsing: Array(line.utf8).span)
            return Answer(
                name: answer["name"]?.string ?? "",
                status: Int(answer["status"]?.integer ?? 0),
                reason: answer["reason"]?.string,
                timestamp: answer["timestamp"]?.integer,
                headers: answer["headers"]?.object ?? [:],
                version: answer["version"]?.string
            )
        }
    }
}
