// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// `make install` of the programs that are built: what it writes, and that it is enough.
@Suite(.timeLimit(.minutes(10)))
struct InstallTests {
    private static func install(_ arguments: [String], _ variables: [String: String]) async throws -> CommandResult {
        try #require(
            FileManager.default.fileExists(atPath: Programs.folder + "/extension-sdk"),
            "scripts/extension-sdk has not run"
        )
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        // What a careful user's files are made with.
        return try await CommandResult.run(
            "/bin/sh",
            ["-c", #"umask 077; exec "$0" "$@""#, Programs.root + "/scripts/install"] + arguments,
            environment: environment
        )
    }

    /// Everything below a folder, with its permissions: "755 bin/extension-host".
    private static func files(_ folder: String) async throws -> [String] {
        let found = try await CommandResult.run("/usr/bin/find", [folder, "-mindepth", "1", "-printf", "%m %P\n"])
        return found.output.split(separator: "\n").map(String.init).sorted()
    }

    @Test func `an installation builds, seals and runs without the checkout and without a network`() async throws {
        let source = Project.service(
            "content.title += Data(SHA256.hash(data: Data())).count == 32 ? \"!\" : \"?\"",
            imports: "import CryptoKit"
        )
        try await Project.with(["NotificationService.swift": source]) { project in
            let stage = project.folder.path + "/stage"
            let installed = try await Self.install([Programs.folder], ["DESTDIR": stage, "PREFIX": "/opt/nestbox"])
            #expect(installed.status == 0, "\(installed.errors)")
            let push = try project.folder.write(Project.push, to: "push.json")
            let folder = project.folder.path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            let script = """
                set -e
                mount -t tmpfs none '\(Programs.root)'
                cd '\(stage)/opt/nestbox/bin'
                ./seal-payload keygen -o '\(folder)/app.key'
                ./extension-host build '\(project.sources)' --identifier com.example.chat.service -o '\(project.bundle)'
                ./extension-host run '\(project.bundle)' '\(push)' --seal-with '\(folder)/app.key'
                """
            let result = try await CommandResult.run(
                "/usr/bin/unshare",
                (geteuid() == 0 ? ["-mn"] : ["-rmn"]) + ["sh", "-c", script]
            )
            #expect(result.status == 0, "\(result.errors)")
            let record = Record(object: try JSONObject(parsing: Array(result.output.utf8).span))
            #expect(record.outcome == "modified")
            #expect(record.alert?["title"] == "Alice!")
        }
    }

    @Test func `everybody may read and run it, and a removal takes what was installed and no more`() async throws {
        try await TemporaryFolder.with { folder in
            let place = ["DESTDIR": folder.path, "PREFIX": "/usr"]
            // A second time, as an update does.
            for _ in 0..<2 { #expect(try await Self.install([Programs.folder], place).status == 0) }
            let files = try await Self.files(folder.path)
            let programs = [
                "extension-host", "notification-center", "notification-desktop", "payload-opener", "seal-payload",
                "worker-launcher",
            ]
            #expect(files.filter { $0.contains("/bin/") } == programs.map { "755 usr/bin/\($0)" })
            let kit = "usr/lib/nestbox/extension-sdk"
            for line in [
                "755 \(kit)", "644 \(kit)/libExtensionSDK.a", "644 \(kit)/modules/UserNotifications.swiftmodule",
                "644 \(kit)/crypto/libExtensionSDKCrypto.a", "644 \(kit)/crypto/modules/CryptoKit.swiftmodule",
            ] {
                #expect(files.contains(line), "\(line)")
            }
            #expect(files.allSatisfy { $0.hasPrefix("755 ") || $0.hasPrefix("644 ") })
            #expect(!files.contains { $0.hasSuffix(".new") })

            _ = try folder.write("", to: "usr/lib/nestbox/notes")
            #expect(try await Self.install(["--uninstall"], place).status == 0)
            #expect(
                try await Self.files(folder.path).map { $0.split(separator: " ")[1] }
                    == ["usr/lib/nestbox/notes", "usr", "usr/bin", "usr/lib", "usr/lib/nestbox"]
            )
        }
    }

    @Test func `an SDK without CryptoKit is not installed, since nobody could add it there`() async throws {
        try await TemporaryFolder.with { folder in
            let built = folder.path + "/built"
            let script = #"""
                mkdir -p "$2/extension-sdk" && cd "$2" && touch extension-sdk/libExtensionSDK.a &&
                    for program in extension-host payload-opener worker-launcher seal-payload notification-center \
                        notification-desktop; do
                        ln -s "$1/$program" .
                    done
                """#
            let made = try await CommandResult.run("/bin/sh", ["-c", script, "sh", Programs.folder, built])
            try #require(made.status == 0, "\(made.errors)")
            let result = try await Self.install([built], ["DESTDIR": folder.path + "/stage", "PREFIX": "/usr"])
            #expect(
                result.errors == """
                    install: error: "\(built)/extension-sdk/crypto" is not built
                    install: hint: "make programs" builds what is installed

                    """
            )
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/stage"))
        }
    }

    @Test(arguments: [("extension-sdk", "extension SDK"), ("clients", "environment of Python")])
    func `a script makes nothing in a folder of somebody else's`(script: String, kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let mine = try folder.write("mine", to: "mine")
            let place = folder.path
            let result = try await CommandResult.run(Programs.root + "/scripts/" + script, [place])
            #expect(result.status == 2)
            #expect(
                result.errors == """
                    \(script): error: "\(place)" is there and no \(kind)
                    \(script): hint: name a folder that is not there, or is empty

                    """
            )
            #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
        }
    }

    @Test(
        arguments: [
            (
                ["/nowhere"], "/usr", 1, "\"/nowhere/extension-host\" is not built",
                "\"make programs\" builds what is installed"
            ),
            (["--uninstall"], "usr", 2, "PREFIX is \"usr\", no absolute path", "write PREFIX=/usr/local"),
            (
                ["--everything"], "/usr", 2, "unknown option \"--everything\"",
                "usage: scripts/install [FOLDER | --uninstall]"
            ),
        ] as [([String], String, Int32, String, String)]
    )
    func `what it refuses`(arguments: [String], prefix: String, status: Int32, error: String, hint: String) async throws
    {
        try await TemporaryFolder.with { folder in
            let result = try await Self.install(arguments, ["DESTDIR": folder.path, "PREFIX": prefix])
            #expect(result.status == status)
            #expect(result.errors == "install: error: \(error)\ninstall: hint: \(hint)\n")
            #expect(try await Self.files(folder.path) == [])
        }
    }
}
