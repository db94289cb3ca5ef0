// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Under a service manager that delegates a cgroup: one made here, with the mark that systemd would set.
@Suite(.timeLimit(.minutes(10)), .enabled(if: DelegatedGroup.tree != nil, "needs root and a cgroup v2"))
struct GroupTests {
    private func run(_ arguments: [String], in group: DelegatedGroup) async throws -> CommandResult {
        let enter = "echo $$ > \"$0/cgroup.procs\" && exec \"$@\""
        return try await CommandResult.run("/bin/sh", ["-c", enter, group.path, Programs.extensionHost] + arguments)
    }

    private static func row(_ result: CommandResult) -> String? {
        result.output.split(separator: "\n").first { $0.contains("cgroup v2 delegation") }.map(String.init)
    }

    @Test func `doctor says where each worker gets a group`() async throws {
        let group = try DelegatedGroup()
        let row = try #require(Self.row(try await run(["doctor"], in: group)))
        #expect(row.hasPrefix("yes"))
        #expect(row.contains("a group for each worker in \(group.path); "))
        let hasController = try group.text("cgroup.controllers").contains("memory")
        #expect(row.contains("the kernel limits its memory") == hasController)
    }

    @Test func `a group without the mark is left alone`() async throws {
        let group = try DelegatedGroup(isMarked: false)
        let row = try #require(Self.row(try await run(["doctor"], in: group)))
        #expect(row.hasPrefix("no "))
        #expect(row.contains("Delegate=yes"))
        #expect(try group.folders().isEmpty)
    }

    @Test func `workers run in groups that go with them, once and again`() async throws {
        let group = try DelegatedGroup()
        try await TemporaryFolder.with { folder in
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let payload = try folder.write(ExtensionTests.body(nil), to: "push.json")
            for _ in 1...2 {
                let result = try await run(["run", bundle, payload], in: group)
                #expect(result.status == 0, "\(result.errors)")
                #expect(try group.folders() == ["host"])
            }
        }
    }

    @Test func `a host that is started below the mark uses the group above`() async throws {
        let group = try DelegatedGroup()
        let leaf = try DelegatedGroup(isMarked: false, below: group)
        let row = try #require(Self.row(try await run(["doctor"], in: leaf)))
        #expect(row.contains("a group for each worker in \(group.path); "))
        #expect(try leaf.folders().isEmpty)
    }
}

/// A cgroup v2 folder of one test.
private final class DelegatedGroup {
    /// The mount point of the cgroup v2 tree; `nil` unless it is mounted and this user is root and can write to it.
    static let tree: String? = {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        let fields = mounts.split(separator: "\n").map { $0.split(separator: " ") }
        let place = fields.first { $0.count > 2 && $0[2] == "cgroup2" }.map { String($0[1]) }
        return geteuid() == 0 ? place.flatMap { access($0, W_OK) == 0 ? $0 : nil } : nil
    }()

    let path: String

    init(isMarked: Bool = true, below: DelegatedGroup? = nil) throws {
        let above = try #require(below?.path ?? Self.tree)
        path = above + "/end-to-end-\(UUID().uuidString)"
        try #require(mkdir(path, 0o755) == 0)
        if isMarked { try mark() }
    }

    deinit {
        for folder in (try? folders()) ?? [] { rmdir(path + "/" + folder) }
        rmdir(path)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
                && isFolder.boolValue
        }
    }

    /// Marks the folder as delegated, with the attribute that systemd sets; Swift's Glibc has no setxattr.
    private func mark() throws {
        typealias SetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
            ) -> Int32
        let symbol = try #require(dlsym(nil, "setxattr"))
        let setAttribute = unsafeBitCast(symbol, to: SetAttribute.self)
        try #require(setAttribute(path, "user.delegate", "1", 1, 0) == 0)
    }
}
