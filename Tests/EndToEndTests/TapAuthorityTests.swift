// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import Testing

/// The files of `tap make-ca`: who is vouched for, for how long, and what is left when it cannot be made.
@Suite(.timeLimit(.minutes(10)))
struct TapAuthorityTests {
    private func make(_ folder: String, _ options: String...) async throws -> CommandResult {
        try await CommandResult.run(Programs.extensionHost, ["tap", "make-ca", folder] + options)
    }

    private func openssl(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run(try #require(Programs.installed("openssl")), arguments)
    }

    private func files(_ folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let pairs = try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func `the certificate is for Apple's three names alone, and the authority for what is below them`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            let made = try await make(path)
            try #require(made.status == 0, "\(made.errors)")
            #expect(made.output.hasPrefix("\(path): ca.pem, bundle.pem, server.pem, server.key; they end on "))
            // The authority's key is nowhere: nobody makes a second certificate.
            let names = try files(path).keys.sorted()
            #expect(names == ["bundle.pem", "ca.pem", "server.key", "server.pem"])
            var status = stat()
            stat(path + "/server.key", &status)
            #expect(status.st_mode & 0o777 == 0o600)
            for name in ["api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com"] {
                let verified = try await openssl(
                    "verify",
                    "-CAfile",
                    "\(path)/ca.pem",
                    "-purpose",
                    "sslserver",
                    "-verify_hostname",
                    name,
                    "\(path)/server.pem"
                )
                #expect(verified.status == 0, "\(name): \(verified.output)\(verified.errors)")
            }
            let stranger = try await openssl(
                "verify",
                "-CAfile",
                "\(path)/ca.pem",
                "-verify_hostname",
                "push.apple.com",
                "\(path)/server.pem"
            )
            #expect(stranger.status != 0)
            let limits = try await openssl(
                "x509",
                "-in",
                "\(path)/ca.pem",
                "-noout",
                "-ext",
                "nameConstraints,basicConstraints"
            ).output
            #expect(
                limits.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == [
                    "X509v3 Basic Constraints: critical", "CA:TRUE, pathlen:0", "X509v3 Name Constraints: critical",
                    "Permitted:", "DNS:push.apple.com", "Excluded:", "IP:0.0.0.0/0.0.0.0",
                    "IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0",
                ]
            )
            for days in [29, 31] {
                let end = try await openssl("x509", "-in", "\(path)/server.pem", "-checkend", "\(days * 86_400)")
                #expect(end.status == (days < 30 ? 0 : 1))
            }
        }
    }

    @Test func `the bundle is the machine's authorities and the new one behind them`() async throws {
        try await TemporaryFolder.with { folder in
            // Without an end of line, as some files are.
            let system = try folder.write("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", to: "system.pem")
            let path = folder.path + "/tap/"
            let made1 = try await make(path, "--system-bundle", system)
            #expect(made1.status == 0)
            let made = try files(path)
            let expected =
                try Data(contentsOf: URL(fileURLWithPath: system)) + Data("\n".utf8) + (made["ca.pem"] ?? Data())
            #expect(made["bundle.pem"] == expected)
        }
    }

    @Test func `made again, all four are new`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            let made2 = try await make(path)
            #expect(made2.status == 0)
            let first = try files(path)
            let made3 = try await make(path)
            #expect(made3.status == 0)
            let second = try files(path)
            #expect(first.keys.sorted() == second.keys.sorted())
            for (name, data) in second { #expect(first[name] != data, "\(name)") }
        }
    }

    @Test func `what a killed one left is taken away, with the key in it`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            try FileManager.default.createDirectory(atPath: path + "/.making", withIntermediateDirectories: true)
            _ = try folder.write("a key", to: "tap/.making/ca.key")
            let made = try await make(path)
            #expect(made.status == 0, "\(made.errors)")
            let names = try files(path).keys.sorted()
            #expect(names == ["bundle.pem", "ca.pem", "server.key", "server.pem"])
        }
    }

    @Test func `a command that is killed behind the signature leaves no file in its place, and the next one mends it`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let (path, real) = (folder.path + "/tap", try #require(Programs.installed("openssl")))
            let script =
                "#!/bin/sh\n'\(real)' \"$@\" || exit\ncase \"$*\" in *ca.key*server*|*-CAkey*) kill -9 $PPID ;; esac\n"
            let program = try folder.write(script, to: "openssl")
            #expect(chmod(program, 0o755) == 0)
            let environment = ProcessInfo.processInfo.environment.merging(["PATH": folder.path + ":/usr/bin:/bin"]) {
                $1
            }
            let killed = try await CommandResult.run(
                Programs.extensionHost,
                ["tap", "make-ca", path],
                environment: environment
            )
            #expect(killed.status != 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(left == [".making"])
            #expect(FileManager.default.fileExists(atPath: path + "/.making/ca.key"))
            let made = try await make(path)
            #expect(made.status == 0, "\(made.errors)")
            let names = try files(path).keys.sorted()
            #expect(names == ["bundle.pem", "ca.pem", "server.key", "server.pem"])
        }
    }

    @Test func `a folder with other files is refused, and stays as it was`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            _ = try folder.write("mine", to: "tap/notes.txt")
            let refused = try await make(path)
            #expect(refused.status == 1)
            #expect(
                refused.errors == """
                    extension-host: error: "\(path)" has "notes.txt", which this command did not make
                    extension-host: hint: name a folder that is empty, or is not there

                    """
            )
            let left = try files(path)
            #expect(left == ["notes.txt": Data("mine".utf8)])
        }
    }

    @Test func `without the machine's authorities nothing is made`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            let refused = try await make(path, "--system-bundle", folder.path + "/none.pem")
            #expect(refused.status == 1)
            #expect(
                refused.errors == """
                    extension-host: error: "\(folder.path)/none.pem" has no certificates in PEM, or is not readable
                    extension-host: hint: Debian: apt-get install ca-certificates; elsewhere name the file with \
                    --system-bundle

                    """
            )
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `another one at work in the folder is waited for by the person`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
            let refused = try await make(path)
            #expect(refused.status == 1)
            #expect(
                refused.errors == """
                    extension-host: error: another make-ca is at work in "\(path)"
                    extension-host: hint: wait for its end, or name another folder

                    """
            )
            let left = try files(path)
            #expect(left.isEmpty)
        }
    }

    @Test func `a key that a group may read stays so when it is made again`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/tap"
            let made4 = try await make(path)
            #expect(made4.status == 0)
            #expect(chmod(path + "/server.key", 0o644) == 0)
            let made5 = try await make(path)
            #expect(made5.status == 0)
            var status = stat()
            stat(path + "/server.key", &status)
            // For others it is never readable.
            #expect(status.st_mode & 0o777 == 0o640)
        }
    }

    @Test func `a file in the folder's place is an error`() async throws {
        try await TemporaryFolder.with { folder in
            let path = try folder.write("", to: "tap")
            let refused = try await make(path)
            #expect(refused.status == 1)
            #expect(refused.errors.hasPrefix("extension-host: error: \"\(path)\" is no folder that can be read\n"))
        }
    }
}
