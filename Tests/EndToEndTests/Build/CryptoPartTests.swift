// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

@testable import ExtensionBuild

/// The part of the extension SDK that is built for extensions that use cryptography alone.
@Suite(.timeLimit(.minutes(5)))
struct CryptoPartTests {
    private static let sdk = Programs.folder + "/extension-sdk"
    private static let files = [
        "NotificationService.swift": Project.service(
            "content.title = SHA256.hash(data: Data(\"abc\".utf8)).map { String($0, radix: 16) }.joined()",
            imports: "import CryptoKit"
        )
    ]
    private static let digest = "ba7816bf8f1cfea414140de5dae2223b0361a396177a9cb410ff61f2015ad"

    /// A checkout whose program is the real one, whose SDK has no cryptography, and whose script takes the part that
    /// the real SDK has.
    private static func layOut(_ project: Project, script: String) async throws -> String {
        let folder = project.folder.path
        let text = """
            #!/bin/sh
            echo "asked for $*" >&2
            [ "$1" = --with-crypto ] || exit 2
            \(script)
            """
        let command = #"""
            set -e
            mkdir -p "$1/.build/triple/debug/extension-sdk" "$1/scripts"
            ln "$2/extension-host" "$1/.build/triple/debug/" || cp "$2/extension-host" "$1/.build/triple/debug/"
            ln -s "$2/extension-sdk/modules" "$2/extension-sdk/libExtensionSDK.a" "$1/.build/triple/debug/extension-sdk/"
            printf '%s\n' "$3" >"$1/scripts/extension-sdk"
            chmod +x "$1/scripts/extension-sdk"
            """#
        let made = try await CommandResult.run("/bin/sh", ["-c", command, "sh", folder, Programs.folder, text])
        try #require(made.status == 0, "\(made.errors)")
        return folder + "/.build/triple/debug/extension-host"
    }

    private static func build(_ project: Project, _ program: String, _ options: String...) async throws -> CommandResult
    {
        let arguments = ["build", project.sources, "-o", project.bundle, "--identifier", "com.example.chat.service"]
        return try await CommandResult.run(program, arguments + options)
    }

    @Test func `an import of CryptoKit has the checkout build that part once, whether linked in one piece or not`()
        async throws
    {
        try await Project.with(Self.files) { project in
            let program = try await Self.layOut(project, script: "ln -s '\(Self.sdk)/crypto' \"$2/\"")
            let folder = project.folder.path + "/.build/triple/debug/extension-sdk"
            let built = try await Self.build(project, program)
            #expect(
                built.errors == """
                    extension-host: \(project.sources)/NotificationService.swift:2 names CryptoKit: \
                    its part of the extension SDK is built now, once
                    asked for --with-crypto \(folder)
                    extension-host: made \(project.bundle)

                    """
            )
            #expect(try await project.run().alert?["title"] == .string(Self.digest))
            let shared = try await Self.build(project, program, "--no-static")
            #expect(shared.errors == "extension-host: made \(project.bundle)\n")
            #expect(try await project.run().alert?["title"] == .string(Self.digest))
        }
    }

    @Test func `an extension without cryptography asks for nothing`() async throws {
        try await Project.with(["NotificationService.swift": Project.service("content.title += \"!\"")]) { project in
            let program = try await Self.layOut(project, script: "exit 1")
            #expect(try await Self.build(project, program).errors == "extension-host: made \(project.bundle)\n")
            #expect(try await project.run().alert?["title"] == "Alice!")
        }
    }

    @Test func `a part that does not build is the end of the command, and leaves no bundle`() async throws {
        try await Project.with(Self.files) { project in
            let program = try await Self.layOut(project, script: "exit 1")
            let result = try await Self.build(project, program)
            #expect(result.status == 1)
            let lines = result.errors.split(separator: "\n").suffix(2).map(String.init)
            #expect(
                lines.first
                    == "extension-host: error: the part of the extension SDK that has CryptoKit was not built, see above"
            )
            #expect(lines.last?.hasPrefix("extension-host: hint: mend what is named there, and run it again: ") == true)
            #expect(!FileManager.default.fileExists(atPath: project.bundle))
        }
    }

    @Test func `an SDK that was named is only read`() async throws {
        try await Project.with(Self.files) { project in
            let program = try await Self.layOut(project, script: "exit 0")
            let named = project.folder.path + "/named"
            try FileManager.default.createSymbolicLink(
                atPath: named,
                withDestinationPath: project.folder.path + "/.build/triple/debug/extension-sdk"
            )
            let result = try await Self.build(project, program, "--sdk", named)
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: \(project.sources)/NotificationService.swift:2 names CryptoKit, which the \
                    extension SDK in "\(named)" was made without
                    extension-host: hint: run this in the checkout that made it: \
                    scripts/extension-sdk --with-crypto \(named)

                    """
            )
        }
    }

    @Test func `every Swift module of that part is one that a build asks for`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sdk + "/crypto/modules")
        let modules = names.filter { $0.hasSuffix(".swiftmodule") }.map { String($0.dropLast(".swiftmodule".count)) }
        #expect(Set(modules) == ExtensionSDK.cryptoModules)
        let base = try FileManager.default.contentsOfDirectory(atPath: Self.sdk + "/modules")
        #expect(Set(base).isDisjoint(with: names))
        #expect(!base.contains { $0.contains("Crypto") || $0.contains("BoringSSL") }, "\(base)")
    }
}
