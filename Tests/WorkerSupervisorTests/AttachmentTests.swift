// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import NotificationPayload
import Testing

@testable import WorkerSupervisor

/// Files of a real worker, on their way into the host's store.
@Suite(.timeLimit(.minutes(10)))
struct AttachmentTests {
    static let profiles: [Character] = ["A", "C"]
    /// The largest file that the worker can be asked for is the signature of a PNG and this many zeros.
    static let signatureByteCount = 8

    private static func named(_ paths: String..., type: String = "public.png") -> JSONObject {
        ["attach": .array(paths.map { ["identifier": .string($0), "path": .string($0), "type": .string(type)] })]
    }

    /// With a folder of the host's, and the app's own below it.
    private func withFolder<Result>(_ body: (HostFolder) async throws -> Result) async throws -> Result {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        return try await body(folder)
    }

    @Test(arguments: profiles)
    func `files of tmp, home and groups are kept, and gone from where they were`(profile: Character) async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(profile: profile, folder: folder) { harness in
                let names = ["tmp/a.png", "home/deep/b.png", "groups/g/c.png"]
                var details = Self.named("tmp/a.png", "home/deep/b.png", "groups/g/c.png")
                details["write"] = ["tmp/a.png": 10, "home/deep/b.png": 20, "groups/g/c.png": 30]
                let result = await harness.run("attach", details)
                #expect(result.alert == "attach")
                #expect(result.attachments.refused.isEmpty)
                let kept = result.attachments.kept
                #expect(kept.map(\.identifier) == names)
                #expect(kept.map(\.byteCount) == [18, 28, 38])
                #expect(kept.map(\.type) == names.map { _ in "public.png" })
                for attachment in kept {
                    #expect(attachment.path.hasPrefix(folder.attachments + "/"))
                    let file = try #require(FileManager.default.contents(atPath: attachment.path))
                    #expect(file.count == attachment.byteCount)
                    #expect(file.starts(with: [0x89] + Array("PNG".utf8)))
                    var status = stat()
                    #expect(stat(attachment.path, &status) == 0)
                    #expect(status.st_mode & 0o777 == 0o600)
                    #expect(status.st_uid == geteuid())
                }
                let again = await harness.run("attach", Self.named("tmp/a.png", "home/deep/b.png", "groups/g/c.png"))
                #expect(again.attachments.refused == names.map { .init(identifier: $0, reason: .notFound) })
            }
        }
    }

    @Test func `bad names are refused each by its reason, the good one is kept`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                let long = "tmp/" + String(repeating: "x", count: 252)
                let bad = ["../x", "/etc/passwd", "", "tmp//a", "tmp/./a", "tmp/../../a", "a/b/c/d/e/f/g", long]
                var details = Self.named(
                    "../x",
                    "/etc/passwd",
                    "",
                    "tmp//a",
                    "tmp/./a",
                    "tmp/../../a",
                    "a/b/c/d/e/f/g",
                    long,
                    "tmp/good.png"
                )
                details["write"] = ["tmp/good.png": 1]
                let result = await harness.run("attach", details)
                #expect(result.attachments.refused.map(\.reason) == bad.map { _ in .badName })
                #expect(result.attachments.kept.map(\.identifier) == ["tmp/good.png"])
            }
        }
    }

    @Test(arguments: profiles)
    func `a link, a pipe, a device, a folder and a sparse giant are refused`(profile: Character) async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(profile: profile, folder: folder) { harness in
                let home = folder.path + "/apps/\(SupervisorHarness.app)/home/"
                #expect(symlink("/etc/passwd", home + "link") == 0)
                #expect(symlink("/etc", home + "folder-link") == 0)
                #expect(mkfifo(home + "pipe", 0o666) == 0)
                #expect(geteuid() != 0 || mknod(home + "device", S_IFCHR | 0o666, 0x103) == 0)
                #expect(mkdir(home + "folder", 0o777) == 0)
                let giant = open(home + "giant", O_WRONLY | O_CREAT, 0o666)
                #expect(ftruncate(giant, 10 << 30) == 0)
                close(giant)
                let details = Self.named(
                    "home/link",
                    "home/folder-link/passwd",
                    "home/pipe",
                    "home/device",
                    "home/folder",
                    "home/giant"
                )
                let result = await harness.run("attach", details)
                let reasons: [AttachmentRefusal] = [
                    .notAFile, .notAFile, .notAFile, geteuid() == 0 ? .notAFile : .notFound, .notAFile, .tooLarge,
                ]
                #expect(result.attachments.refused.map(\.reason) == reasons)
                #expect(result.attachments.kept.isEmpty)
                #expect(result.alert == "attach")
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.attachments)
                #expect(left.isEmpty)
            }
        }
    }

    @Test func `types and contents that are none are refused`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                var details: JSONObject = [
                    "attach": [
                        ["identifier": "unknown", "path": "tmp/a", "type": "public.html"],
                        ["identifier": "other kind", "path": "tmp/a", "type": "public.mp3"],
                        ["identifier": "same kind", "path": "tmp/b", "type": "public.jpeg"],
                    ]
                ]
                details["write"] = ["tmp/a": 1, "tmp/b": 1]
                let result = await harness.run("attach", details)
                #expect(
                    result.attachments.refused == [
                        .init(identifier: "unknown", reason: .unknownType),
                        .init(identifier: "other kind", reason: .wrongContent),
                    ]
                )
                #expect(result.attachments.kept.map(\.identifier) == ["same kind"])
            }
        }
    }

    @Test func `an image of ten megabytes is kept, one byte more is refused`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                var details = Self.named("tmp/most.png", "tmp/more.png")
                let most = (10 << 20) - Self.signatureByteCount
                details["write"] = ["tmp/most.png": .integer(Int64(most)), "tmp/more.png": .integer(Int64(most + 1))]
                let result = await harness.run("attach", details)
                #expect(result.attachments.kept.map(\.byteCount) == [10 << 20])
                #expect(result.attachments.refused == [.init(identifier: "tmp/more.png", reason: .tooLarge)])
            }
        }
    }

    @Test func `of a thousand attachments ten are taken`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                let all = (0..<1000).map { number -> JSON in
                    ["identifier": .string("\(number)"), "path": "tmp/a", "type": "public.png"]
                }
                let result = await harness.run("attach", ["write": ["tmp/a": 1], "attach": .array(all)])
                #expect(result.attachments.kept.map(\.identifier) == ["0"])
                #expect(result.attachments.refused.first == .init(identifier: "10", reason: .tooMany))
                #expect(result.attachments.refused.dropFirst().map(\.identifier) == (1..<10).map { "\($0)" })
                #expect(result.attachments.refused.dropFirst().allSatisfy { $0.reason == .notFound })
            }
        }
    }

    @Test func `of several with one identifier the last one counts, one without gets a name`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                let result = await harness.run(
                    "attach",
                    [
                        "write": ["tmp/a": 1, "tmp/b": 2, "tmp/c": 3],
                        "attach": [
                            ["identifier": "same", "path": "tmp/a", "type": "public.png"],
                            ["identifier": "", "path": "tmp/b", "type": "public.png"],
                            ["identifier": "same", "path": "tmp/c", "type": "public.png"],
                        ],
                    ]
                )
                #expect(result.attachments.kept.map(\.identifier) == ["same", "attachment-2"])
                #expect(result.attachments.kept.map(\.byteCount) == [11, 10])
            }
        }
    }

    @Test(arguments: profiles)
    func `files of a worker that ends at once are kept`(profile: Character) async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(profile: profile, folder: folder) { harness in
                let names = ["tmp/a", "home/b", "tmp/c", "tmp/d"]
                var details = Self.named("tmp/a", "home/b", "tmp/c", "tmp/d")
                details["write"] = ["tmp/a": 1, "home/b": 2, "tmp/c": 3, "tmp/d": 4]
                details["exit"] = true
                // Two in turn: what the launcher keeps of the first is none of the second's.
                for _ in 0..<2 {
                    let result = await harness.run("attach", details)
                    #expect(result.alert == "attach")
                    #expect(result.attachments.kept.map(\.identifier) == names)
                }
            }
        }
    }

    @Test func `a host without a store refuses every file and delivers the content`() async throws {
        try await SupervisorHarness.withHarness { harness in
            let result = await harness.run("attach", Self.named("tmp/a"))
            #expect(result.alert == "attach")
            #expect(result.attachments == Attachments(refused: [.init(identifier: "tmp/a", reason: .noScratch)]))
        }
    }

    @Test func `the host keeps no descriptor of what it took`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                var details = Self.named("tmp/a", "home/b", "tmp/none")
                details["write"] = ["tmp/a": 1, "home/b": 1]
                let before = try Self.descriptorsBelow(folder)
                for _ in 0..<20 { _ = await harness.run("attach", details) }
                // The last one's are let go of beside its answer.
                await harness.until { _ in ((try? Self.descriptorsBelow(folder)) ?? .max) <= before }
            }
        }
    }

    private static func descriptorsBelow(_ folder: HostFolder) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0) }
            .count { $0.hasPrefix(folder.path) || $0.contains("(deleted)") && $0.hasPrefix("/tmp/a") }
    }
}
