// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The rights of the running host, and the files that it keeps on the disk.
@Suite(.timeLimit(.minutes(10)))
struct HostRightsTests {
    private static func makeKey(in folder: TemporaryFolder, at name: String) async throws -> String {
        let path = folder.path + "/" + name
        let made = try await CommandResult.run(Programs.sealPayload, ["keygen", "-o", path])
        #expect(made.status == 0, "\(made.errors)")
        return path
    }

    /// No thread is without the confinement: `NoNewPrivs` is set by the same steps, on the thread that starts them all.
    @Test func `every thread of a host is confined, and none of its descriptors is a key`() async throws {
        try await TemporaryFolder.with { folder in
            let key = try await Self.makeKey(in: folder, at: "app.key")
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(folder, app: ["extension: \(bundle)", "keys: [\(key)]"]) { host in
                _ = try await host.deliver(ExtensionTests.body(nil))
                let tasks = "/proc/\(host.process)/task"
                let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
                #expect(threads.count > 1)
                for thread in threads {
                    let status = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
                    #expect(status.contains("NoNewPrivs:\t1"), "thread \(thread)")
                }
                let descriptors = "/proc/\(host.process)/fd"
                let files = try FileManager.default.contentsOfDirectory(atPath: descriptors)
                    .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)") }
                #expect(!files.contains(key))
            }
        }
    }

    /// The memory that each thread of a host keeps when it is freed; glibc reads the setting from the environment.
    @Test func `a host has small caches of freed memory, under its own name and with its own arguments`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder, app: []) { host in
                func texts(_ name: String) throws -> [String] {
                    try String(contentsOfFile: "/proc/\(host.process)/\(name)", encoding: .utf8)
                        .split(separator: "\0").map(String.init)
                }
                let (environment, arguments) = (try texts("environ"), try texts("cmdline"))
                #expect(environment.contains("GLIBC_TUNABLES=glibc.malloc.tcache_count=2"))
                #expect(arguments.dropFirst().first == "serve")
                #expect(ProcessStatus(host.process)?.name == "extension-host")
            }
        }
    }

    @Test func `a key in the state folder is refused by name`() async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(
                atPath: folder.path + "/state",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let key = try await Self.makeKey(in: folder, at: "state/app.key")
            let file = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                state: ./state
                apps:
                  - topic: com.example.chat
                    keys: [state/app.key]

                """,
                to: "host.yaml"
            )
            let result = try await CommandResult.run(Programs.extensionHost, ["serve", "--config", file])
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    extension-host: error: key file "\(key)" lies in "\(folder.path)/state", which the host itself may read
                    extension-host: hint: move it to a folder of its own

                    """
            )
        }
    }

    @Test func `what an extension attaches lies in the state folder and stays there`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let path = try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: ["state: ./state"]) {
                host in
                let record = try #require(try await host.deliver(ExtensionTests.body("attach")))
                #expect(record.outcome == "modified")
                #expect(record.alert == ["title": "attached", "body": "text"])
                let attachments = try #require(record.object["attachments"]?.array)
                #expect(attachments.count == 1)
                let attachment = try #require(attachments.first?.object)
                #expect(attachment["identifier"] == "picture")
                #expect(attachment["type"] == "public.png")
                #expect(attachment["size"] == 1008)
                let refused = record.object["refusedAttachments"]
                #expect(refused == [["identifier": "no picture", "reason": "wrongContent"]])
                return try #require(attachment["path"]?.string)
            }
            #expect(path.hasPrefix(folder.path + "/state/attachments/"))
            #expect(FileManager.default.contents(atPath: path)?.count == 1008)
        }
    }

    @Test func `run shows attachments in its record and leaves nothing behind`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let temporary = folder.path + "/tmp"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["run", bundle, "-"],
                input: ExtensionTests.body("attach"),
                environment: ["TMPDIR": temporary]
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains(#""attachments":[{"identifier":"picture","path":"\#(temporary)/nestbox-"#))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }
    }

    @Test func `without scratch an extension has nowhere to write`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(folder, app: ["extension: \(bundle)", "scratch: 0"]) { host in
                let record = try await host.deliver(ExtensionTests.body("attach"))
                #expect(record?.object["attachments"] == nil)
                #expect(record?.alert?["title"] != "attached")
            }
        }
    }
}
