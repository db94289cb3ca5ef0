// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The key files that a host takes, and its errors for others.
@Suite(.timeLimit(.minutes(10)))
struct HostKeyTests {
    @Test func `a host whose key is none does not start, and says that and no more`() async throws {
        try await TemporaryFolder.with { folder in
            let key = try folder.write("not a key\n", to: "chat.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/state",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let file = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                state: state
                apps: [{ topic: com.example.chat, keys: [chat.key] }]

                """,
                to: "host.yaml"
            )
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["serve", "--config", file, "--insecure"]
            )
            #expect(result.status == 1)
            let hint = ##"a secret key begins with "NSE-SECRET-KEY-1…"; a comment with "#""##
            #expect(
                result.errors == """
                    extension-host: error: \(key):1: the line is no key
                    extension-host: hint: \(hint)

                    """
            )
        }
    }

    /// A person who swaps the halves of a key, or pastes a key where its file belongs, reads of the mistake alone.
    @Test(
        arguments: [
            "NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG",
            "nse-psk-1q23hsp6x0nqwyjtcy45p9d03lvpngxmetdu7mrqushqylr4x5s6qj9lsug",
            "web-push: q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg",
            "home-assistant: c0ca21e5296018ec36a7da38f36bd758d96d95a5b6a74049c5fa98ec65cbb183",
            "bark-cbc: q1dXpw3UpT5VOmu1 BTBZMqHH6r4Tts7J",
        ]
    )
    func `a secret in host.yaml is in no message`(secret: String) async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            for app in [
                "keys: [\(keys.recipient)], senders: [{ public-key: '\(secret)' }]",
                "keys: [\(keys.recipient)], senders: [{ public-key: '\(secret)', name: '\(secret)' }]",
                "keys: ['\(secret)']", "extension: '\(secret)'", "budget: '\(secret)'",
            ] {
                let file = try folder.write(
                    "listen: { apns: { port: 0, plaintext: true } }\napps: [{ topic: com.example.chat, \(app) }]\n",
                    to: "host.yaml"
                )
                for command in [["serve", "--log-level", "trace", "--insecure", "--config"], ["config", "check"]] {
                    let result = try await CommandResult.run(Programs.extensionHost, command + [file])
                    #expect(result.status == 1, "\(app)")
                    #expect(result.errors.contains("extension-host: error: "), "\(app)")
                    // The first word of each form is a key of its own, or a part of it that would give it away.
                    for word in secret.replacing("KEY-1", with: " ").replacing("psk-1", with: " ").split(separator: " ")
                    where word.count > 15 {
                        #expect(!(result.errors + result.output).contains(word), "\(app)")
                    }
                }
            }
        }
    }

    /// Access lists, the first as systemd makes it for credentials since version 254: 0440, for the owner and one user.
    @Test(
        .enabled(if: Programs.installed("python3") != nil, "needs python3 for access lists"),
        arguments: [
            // Tag, rights and id of entries: owner 1, a user 2, the group 4, the mask 16, everybody 32.
            ([(1, 4, 0), (2, 4, geteuid()), (4, 0, 0), (16, 4, 0), (32, 0, 0)], true),
            ([(1, 4, 0), (2, 4, geteuid()), (4, 4, 0), (16, 4, 0), (32, 0, 0)], false),
            ([(1, 4, 0), (2, 4, geteuid()), (2, 4, 4711), (4, 0, 0), (16, 4, 0), (32, 0, 0)], false),
            ([(1, 4, 0), (4, 4, 0), (32, 0, 0)], false),
        ]
    )
    func `a key that an access list gives to the host alone is private`(
        entries: [(tag: Int, rights: Int, user: UInt32)],
        isPrivate: Bool
    ) async throws {
        try await TemporaryFolder.with { folder in
            let keys = try await TestKeys(in: folder)
            let list = entries.map { "(\($0.tag), \($0.rights), \($0.tag == 2 ? $0.user : UInt32.max))" }
            let program = """
                import os, struct, sys
                entries = [\(list.joined(separator: ", "))]
                value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
                os.setxattr(sys.argv[1], "system.posix_acl_access", value)
                """
            let python = try #require(Programs.installed("python3"))
            let set = try await CommandResult.run(python, ["-c", program, keys.recipient])
            try #require(set.status == 0, "\(set.errors)")
            let facts = try FileManager.default.attributesOfItem(atPath: keys.recipient)
            #expect(facts[.posixPermissions] as? Int == 0o440)
            let read = try await CommandResult.run(Programs.sealPayload, ["keygen", "-y", keys.recipient])
            #expect((read.status == 0) == isPrivate, "\(read.errors)")
            guard !isPrivate else {
                return try await RunningHost.with(folder, app: keys.configuration) { host in
                    let record = try await host.deliver(try await keys.seal(OpeningTests.message))
                    #expect(record?.alert?["title"] == "Alice")
                }
            }
            let file = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                apps: [{ topic: com.example.chat, keys: [\(keys.recipient)] }]

                """,
                to: "host.yaml"
            )
            let host = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file, "--insecure"])
            #expect(host.status == 1)
            let refusal = "key file \"\(keys.recipient)\" is open to other users\n"
            #expect(host.errors.hasPrefix("extension-host: error: " + refusal))
        }
    }
}
