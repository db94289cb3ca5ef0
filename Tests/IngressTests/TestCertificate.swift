// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A certificate for 127.0.0.1 and its key, made once a run by the openssl command.
struct TestCertificate: Sendable {
    let certificate: String
    let key: String
    /// A key that belongs to another certificate, which is for the same names.
    let otherKey: String
    let otherCertificate: String
    /// A certificate that belongs to nobody's server.
    let stranger: String
    let strangerKey: String

    static let shared: Result<TestCertificate, any Error> = Result { try make() }

    struct ToolError: Error {
        let arguments: [String]
        let status: Int32
    }

    private static func make() throws -> TestCertificate {
        let folder = NSTemporaryDirectory() + "ingress-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["server", "other", "stranger"] {
            try openssl([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ])
        }
        return TestCertificate(
            certificate: "\(folder)/server.pem",
            key: "\(folder)/server.key",
            otherKey: "\(folder)/other.key",
            otherCertificate: "\(folder)/other.pem",
            stranger: "\(folder)/stranger.pem",
            strangerKey: "\(folder)/stranger.key"
        )
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ToolError(arguments: arguments, status: process.terminationStatus)
        }
    }
}
