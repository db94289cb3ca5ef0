// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import NotificationPayload
import TestClock
import Testing

@testable import WorkerSupervisor

/// The files that an extension stores, and the time for which they are kept.
@Suite(.timeLimit(.minutes(10)))
struct StorageTests {
    private func withFolder<Result>(_ body: (HostFolder) async throws -> Result) async throws -> Result {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        return try await body(folder)
    }

    @Test(arguments: [("bytes", 4, 1 << 20), ("files", 200, 1)], AttachmentTests.profiles)
    func `an extension that stores too much is ended`(
        storing: (name: String, count: Int, size: Int),
        profile: Character
    ) async throws {
        try await withFolder { folder in
            let limit = StorageLimit(byteCount: 3 << 20, fileCount: 100)
            try await SupervisorHarness.withHarness(profile: profile, folder: folder, storageLimit: limit) { harness in
                let details: JSONObject = [
                    "count": .integer(Int64(storing.count)), "size": .integer(Int64(storing.size)),
                ]
                let result = await harness.run("store", details)
                #expect(result.conclusion == .failed(.crashed(signal: SIGKILL)))
            }
        }
    }

    @Test func `an extension below its limit works on`() async throws {
        try await withFolder { folder in
            let limit = StorageLimit(byteCount: 3 << 20, fileCount: 100)
            try await SupervisorHarness.withHarness(folder: folder, storageLimit: limit) { harness in
                let result = await harness.run(
                    "store",
                    ["count": 2, "size": .integer(1 << 20)],
                    budget: .milliseconds(900),
                    grace: .milliseconds(100)
                )
                #expect(result.conclusion == .failed(.budgetExceeded))
            }
        }
    }

    @Test(arguments: AttachmentTests.profiles)
    func `tmp is empty for each notification that has a process of its own`(profile: Character) async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(isolation: .notification, profile: profile, folder: folder) {
                harness in
                let first = await harness.run("attach", ["write": ["tmp/left": 1, "home/left": 1]])
                #expect(first.alert == "attach")
                let second = await harness.run("list")
                guard case .content(let payload, _) = second.conclusion else {
                    Issue.record("concluded with \(second.conclusion)")
                    return
                }
                #expect(payload["names"] == [])
                #expect(access(folder.path + "/apps/\(SupervisorHarness.app)/home/left", F_OK) == 0)
            }
        }
    }

    @Test func `a worker that leaves its tmp more than half full makes room for a fresh one`() async throws {
        try await withFolder { folder in
            try await SupervisorHarness.withHarness(folder: folder) { harness in
                let first = await harness.run("attach", ["write": ["tmp/left": .integer(33 << 20)]])
                var second = await harness.run("list")
                // The launcher's answer about the folder comes on its own time.
                while second.worker?.pid == first.worker?.pid, !Task.isCancelled {
                    second = await harness.run("list")
                }
                guard case .content(let payload, _) = second.conclusion else {
                    Issue.record("concluded with \(second.conclusion)")
                    return
                }
                #expect(payload["names"] == [])
            }
        }
    }

    @Test func `storage belongs to the extension's user, also after apps have changed places`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        let (first, second): (UInt32, UInt32) = geteuid() == 0 ? (61_201, 61_202) : (geteuid(), geteuid())
        let path = try folder.makeStorage(of: "com.example.chat", user: first)
        #expect(mkdir(path + "/home/deep", 0o700) == 0)
        #expect(FileManager.default.createFile(atPath: path + "/home/deep/file", contents: Data([1])))
        #expect(symlink("/etc/passwd", path + "/home/link") == 0)
        #expect(FileManager.default.createFile(atPath: path + "/tmp/file", contents: Data([1])))
        // What a host that was killed had put aside.
        #expect(mkdir(path + "/.tmp-7", 0o700) == 0)
        #expect(FileManager.default.createFile(atPath: path + "/.tmp-7/file", contents: Data([1])))
        #expect(symlink(path + "/home/deep", path + "/.tmp-8") == 0)
        #expect(try folder.makeStorage(of: "com.example.chat", user: second) == path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["groups", "home", "tmp"])
        // The temporary folder's names are gone, the rest has changed hands; what a link names has not.
        #expect(access(path + "/tmp/file", F_OK) != 0)
        for name in ["", "/home", "/home/deep", "/home/deep/file", "/groups", "/tmp"] {
            var status = stat()
            #expect(lstat(path + name, &status) == 0)
            #expect(status.st_uid == second, "\(name)")
        }
        var status = stat()
        #expect(stat("/etc/passwd", &status) == 0)
        #expect(status.st_uid == 0)
    }

    @Test func `names that an extension took keep nothing in tmp, and its links lead nowhere`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        let path = try folder.makeStorage(of: "com.example.chat", user: geteuid())
        let storage = try AppStorage(path: path)
        #expect(mkdir(path + "/.tmp-1", 0o700) == 0)
        for name in ["/.tmp-1/file", "/.tmp-2", "/tmp/file", "/home/file"] {
            #expect(FileManager.default.createFile(atPath: path + name, contents: Data([1])))
        }
        #expect(storage.renewTemporaryFolder() == ".tmp-3")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/tmp").isEmpty)
        // While the host has not yet come to it, the next worker runs.
        #expect(rename(path + "/.tmp-3", path + "/home/taken") == 0)
        #expect(symlink(path + "/home", path + "/.tmp-3") == 0)
        storage.removeOld(".tmp-3")
        #expect(access(path + "/home/file", F_OK) == 0)
        storage.removeOld(".tmp-1")
        #expect(access(path + "/.tmp-1", F_OK) != 0)
    }

    @Test func `files of tmp that are wanted are there behind its renewal, until nobody wants them`() async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        let path = try folder.makeStorage(of: "com.example.chat", user: geteuid())
        let storage = try AppStorage(path: path)
        let names = try ["tmp/a", "tmp/b", "home/c"].map { try #require(ScratchName($0)) }
        for name in names {
            #expect(FileManager.default.createFile(atPath: path + "/" + name.text, contents: Data([1])))
        }
        var hold = storage.holdTemporaryFolder()
        let old = try #require(storage.renewTemporaryFolder())
        storage.removeOld(old)
        #expect(throws: SystemError("openat2", ENOENT)) { try storage.take(names[0]).get() }
        for name in names.dropFirst() {
            let file = try? storage.take(name, hold).get()
            #expect(file != nil)
        }
        #expect(access(path + "/" + old + "/a", F_OK) == 0)
        hold = nil
        while access(path + "/" + old, F_OK) == 0 { try await Task.turn() }
    }

    @Test(arguments: ["../x", "a/b", "..", "."])
    func `a topic that is no name of a folder is refused`(topic: String) throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        #expect(throws: StateFolderError.appName(topic)) { try folder.makeStorage(of: topic, user: geteuid()) }
    }

    @Test(arguments: ["", "..", ".", "../x", "a/b", "-a", "A", ".hidden", String(repeating: "a", count: 65)])
    func `a name that is no owner's is no name of a folder`(owner: String) throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        #expect(throws: StateFolderError.ownerName(owner)) { try folder.makeFolder(of: owner) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `an owner's folders lie beside the apps, whatever the owner is called`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        let topic = "com.example.chat"
        let user: UInt32 = geteuid() == 0 ? 61_207 : geteuid()
        for owner in ["apps", "com.example.chat", "keychains", "a..b", "0"] {
            let own = try folder.makeFolder(of: owner)
            #expect(own.path == "\(folder.path)/owners/\(owner)")
            try own.makeKeychains()
            #expect(try own.makeStorage(of: topic, user: user) == "\(own.path)/apps/\(topic)")
            for (name, mode, its) in [
                ("", 0o711, geteuid()), ("/apps", 0o711, geteuid()), ("/keychains", 0o700, geteuid()),
                ("/apps/\(topic)", 0o700, user),
            ] {
                var status = stat()
                #expect(lstat(own.path + name, &status) == 0)
                #expect(status.st_mode & 0o777 == mode && status.st_uid == its, "\(name)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["owners"])
        #expect(HostFolder.closedFolder(onTheWayTo: "\(folder.path)/owners/0/apps/\(topic)") == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `no user of a former run has a folder before it is given away anew`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        let own = try folder.makeFolder(of: "maria")
        let paths = [
            try folder.makeStorage(of: "com.example.a", user: 61_201),
            try own.makeStorage(of: "com.example.a", user: 61_202),
            try own.makeStorage(of: "com.example.b", user: 61_203),
        ]
        #expect(symlink("/etc", own.path + "/apps/link") == 0)
        try folder.closeStorage()
        for path in paths {
            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_uid == 0 && status.st_mode & 0o777 == 0o700, "\(path)")
        }
        var status = stat()
        #expect(stat("/etc", &status) == 0)
        #expect(status.st_uid == 0)
        #expect(try own.makeStorage(of: "com.example.b", user: 61_209) == paths[2])
        #expect(lstat(paths[2] + "/home", &status) == 0)
        #expect(status.st_uid == 61_209)
    }

    @Test func `a temporary folder goes with all that is in it, however deep and however closed`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        var path = folder.path
        for _ in 0..<200 {
            path += "/d"
            #expect(mkdir(path, 0o700) == 0)
        }
        #expect(FileManager.default.createFile(atPath: folder.path + "/d/file", contents: nil))
        #expect(symlink("/etc", folder.path + "/d/d/link") == 0)
        #expect(chmod(folder.path + "/d/d", 0) == 0)
        folder.remove()
        #expect(access(folder.path, F_OK) != 0)
        #expect(access("/etc/passwd", F_OK) == 0)
    }

    @Test func `a folder of many names is counted whole, and goes whole`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        let path = try folder.makeStorage(of: "com.example.chat", user: geteuid())
        // More names than one system call returns, of files and of full folders.
        for number in 0..<500 {
            #expect(FileManager.default.createFile(atPath: path + "/home/file-\(number)", contents: nil))
        }
        for number in 0..<60 {
            let full = path + "/home/folder-\(number)"
            #expect(mkdir(full, 0o700) == 0)
            for name in 0..<60 {
                #expect(FileManager.default.createFile(atPath: full + "/\(name)", contents: nil))
            }
        }
        let storage = try AppStorage(path: path)
        let count = 500 + 60 + 60 * 60
        #expect(!storage.exceeds(StorageLimit(byteCount: 64 << 20, fileCount: count)))
        #expect(storage.exceeds(StorageLimit(byteCount: 64 << 20, fileCount: count - 1)))
        folder.remove()
        #expect(access(folder.path, F_OK) != 0)
    }

    @Test func `a folder that is closed to others is found on the way`() throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        #expect(HostFolder.closedFolder(onTheWayTo: folder.path + "/apps/x") == folder.path + "/apps")
        #expect(mkdir(folder.path + "/apps", 0o711) == 0)
        #expect(HostFolder.closedFolder(onTheWayTo: folder.path + "/apps/x") == nil)
        #expect(chmod(folder.path, 0o700) == 0)
        #expect(HostFolder.closedFolder(onTheWayTo: folder.path + "/apps/x") == folder.path)
    }
}
