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
