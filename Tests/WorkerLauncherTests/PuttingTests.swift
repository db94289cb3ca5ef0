// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Synchronization
import Testing

/// A file is put into a scratch folder while its owner does its worst to it.
@Suite(.timeLimit(.minutes(10)))
struct PuttingTests {
    static let profiles = ["A", "B"].filter { $0 == "A" || geteuid() == 0 }
    static let mebibyte: UInt64 = 1 << 20

    private func start(_ profile: String = "A", _ storage: Storage? = nil) throws -> (LauncherUnderTest, Worker) {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let bundle = try Bundle()
        bundle.openToAll()
        if let storage { launcher.kept.append(storage) }
        let worker = try launcher.start(
            in: bundle,
            slot: 1,
            flags: LAUNCHER_SCRATCH.rawValue,
            scratchBytes: Self.mebibyte,
            storage: storage?.path
        )
        return (launcher, worker)
    }

    private func put(_ name: String, of worker: Worker, _ launcher: LauncherUnderTest) throws -> Descriptor {
        guard case .scratchFile(worker.order.serial, 0, _, let file?) = try launcher.putScratch(name, of: worker)
        else { throw Unexpected("no file") }
        return file
    }

    @Test(arguments: profiles)
    func `a file put there is the worker's own, empty, and the host's to write`(profile: String) throws {
        let (launcher, worker) = try start(profile)
        let file = try put("tmp/a", of: worker, launcher)
        var status = stat()
        #expect(fstat(file.number, &status) == 0)
        #expect(status.st_mode == S_IFREG | 0o600)
        #expect(status.st_uid == (geteuid() == 0 ? 61_201 : geteuid()))
        #expect(status.st_size == 0)
        #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_WRONLY)
        #expect(write(file.number, "text", 4) == 4)
        #expect(try worker.ask("read /scratch/tmp/a") == ["text"])
        #expect(try worker.ask("append /scratch/tmp/a more") == ["OK"])
        #expect(try worker.ask("remove /scratch/tmp/a") == ["OK"])
    }

    /// The launcher, if it is root, takes the worker's user for the length of a call.
    @Test(arguments: profiles)
    func `the launcher is itself again afterwards`(profile: String) throws {
        let (launcher, worker) = try start(profile)
        let before = try identity(of: launcher)
        for number in 1...3 { try put("tmp/\(number)", of: worker, launcher).close() }
        #expect(try identity(of: launcher) == before)
        let next = try launcher.start(in: worker.order.bundle, slot: 2)
        #expect(try next.ask("report").contains { $0.hasPrefix("descriptor") })
    }

    /// Users and groups, those for file systems among them, and capabilities.
    private func identity(of launcher: LauncherUnderTest) throws -> [Substring] {
        let status = try String(contentsOfFile: "/proc/\(launcher.pid)/status", encoding: .utf8)
        let lines = status.split(separator: "\n").filter { line in
            ["Uid:", "Gid:", "CapEff:"].contains { line.hasPrefix($0) }
        }
        try #require(lines.count == 3)
        return lines
    }

    @Test(arguments: profiles)
    func `what is there already stays as it is`(profile: String) throws {
        let (launcher, worker) = try start(profile)
        #expect(try worker.ask("append /scratch/tmp/a text") == ["OK"])
        #expect(try worker.ask("folder /scratch/tmp/b") == ["OK"])
        for name in ["tmp/a", "tmp/b", "tmp"] {
            guard case .scratchFile(_, EEXIST, _, nil) = try launcher.putScratch(name, of: worker) else {
                throw Unexpected("made")
            }
        }
        #expect(try worker.ask("read /scratch/tmp/a") == ["text"])
    }

    @Test(
        .enabled(if: geteuid() == 0, "needs root to make what a worker cannot"),
        arguments: [
            ("tmp/link", EEXIST), ("tmp/dangling", EEXIST), ("tmp/around/a", ELOOP), ("tmp/fifo", EEXIST),
            ("../a", EXDEV), ("tmp/../../a", EXDEV), ("/scratch/tmp/a", EXDEV), ("/etc/nestbox", EXDEV),
            ("home/a", EXDEV), ("groups/a", EXDEV), ("tmp/none/a", ENOENT), ("tmp/file/a", ENOTDIR), ("", ENOENT),
            ("tmp/closed/a", EACCES),
        ]
    )
    func `nothing is made elsewhere, through a link, or with rights that the worker has not`(
        name: String,
        error: Int32
    ) throws {
        // In B, where root can write to a worker's file system.
        let storage = try Storage()
        let (launcher, worker) = try start("B", storage)
        let inside = "/proc/\(worker.pid)/root/scratch/"
        #expect(symlink("/etc/passwd", inside + "tmp/link") == 0)
        #expect(symlink("none", inside + "tmp/dangling") == 0)
        #expect(symlink("/scratch/tmp", inside + "tmp/around") == 0)
        #expect(mkfifo(inside + "tmp/fifo", 0o600) == 0)
        #expect(mkdir(inside + "tmp/closed", 0o700) == 0)
        #expect(try worker.ask("append /scratch/tmp/file text") == ["OK"])
        guard case .scratchFile(_, let refusal, _, nil) = try launcher.putScratch(name, of: worker) else {
            throw Unexpected("made")
        }
        #expect(refusal == error)
        #expect(try worker.ask("read /scratch/tmp/none") == ["ENOENT"])
        for part in ["home", "groups"] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: storage.path + "/" + part) == [])
        }
    }

    /// Counts the launcher's descriptors after one more answer, since it closes files behind an answer and ends of a
    /// socket behind a new child; `nil` without root.
    private func descriptorCountAtRest(of launcher: LauncherUnderTest, _ worker: Worker) throws -> Int? {
        _ = try launcher.openDescriptorCount()
        _ = try launcher.takeScratch("", of: worker)
        return try launcher.openDescriptorCount()
    }

    @Test func `a name that its owner swaps is made or refused`() throws {
        let (launcher, worker) = try start()
        let descriptors = try descriptorCountAtRest(of: launcher, worker)
        try worker.tell("swap /scratch/tmp/a /scratch/tmp/b")
        var made = 0
        var refused = 0
        while made < 200 || refused < 200 {
            guard case .scratchFile(_, let error, _, let file) = try launcher.putScratch("tmp/a", of: worker) else {
                throw Unexpected("no answer")
            }
            if let file {
                made += 1
                var status = stat()
                #expect(fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
                file.close()
            } else {
                refused += 1
                #expect(error == EEXIST)
            }
        }
        #expect(try descriptorCountAtRest(of: launcher, worker) == descriptors)
    }

    /// In B, where root can make what a worker cannot: links.
    @Test(.enabled(if: geteuid() == 0, "needs root to make what a worker cannot"))
    func `a folder that turns into a link never leads elsewhere`() throws {
        let (launcher, worker) = try start("B")
        let inside = "/proc/\(worker.pid)/root/scratch/tmp/"
        let storage = try Storage()
        let elsewhere = storage.path
        chmod(elsewhere, 0o777)
        let isOver = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
        withExtendedLifetime(worker) {
            Thread {
                while !isOver.load(ordering: .relaxed) {
                    mkdir(inside + "a", 0o777)
                    chmod(inside + "a", 0o777)
                    rename(inside + "a", inside + "b")
                    symlink(elsewhere, inside + "a")
                    unlink(inside + "a")
                    unlink(inside + "b/file")
                    rmdir(inside + "b")
                }
                ended.signal()
            }.start()
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            ended.wait()
        }
        var outcomes: [Int32: Int] = [:]
        while outcomes[ELOOP, default: 0] < 20 || outcomes[0, default: 0] < 20 {
            guard case .scratchFile(_, let error, _, let file) = try launcher.putScratch("tmp/a/file", of: worker)
            else { throw Unexpected("no answer") }
            file?.close()
            outcomes[error, default: 0] += 1
        }
        #expect(Set(outcomes.keys).isSubset(of: [0, ELOOP, ENOENT, EEXIST, EACCES]))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: storage.path).sorted() == ["groups", "home", "tmp"]
        )
    }

    @Test(arguments: profiles)
    func `what is put counts against scratch, and a full one takes no more`(profile: String) throws {
        let (launcher, worker) = try start(profile)
        let file = try put("tmp/a", of: worker, launcher)
        let block = [UInt8](repeating: 1, count: Int(Self.mebibyte))
        #expect(write(file.number, block, block.count) == block.count)
        #expect(write(file.number, block, 1) == -1)
        #expect(errno == ENOSPC)
        guard case .scratchFile(_, 0, Self.mebibyte, nil) = try launcher.takeScratch("", of: worker) else {
            throw Unexpected("not counted")
        }
        #expect(try worker.ask("append /scratch/tmp/b text") == ["ENOSPC"])
    }

    @Test(arguments: profiles)
    func `a scratch folder without a name left takes no file`(profile: String) throws {
        let (launcher, worker) = try start(profile)
        #expect(try worker.ask("files /scratch/tmp") == ["ENOSPC 1020"])
        guard case .scratchFile(_, ENOSPC, _, nil) = try launcher.putScratch("tmp/a", of: worker) else {
            throw Unexpected("made")
        }
    }

    @Test func `a worker without a private scratch folder, or that has ended, gets no file`() throws {
        let (launcher, worker) = try start("C", Storage())
        let none = Event.scratchFile(serial: worker.order.serial, error: ESRCH, usedByteCount: 0, file: nil)
        #expect(try launcher.putScratch("tmp/a", of: worker) == none)
        worker.order.socket.close()
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
        #expect(try launcher.putScratch("tmp/a", of: worker) == none)
    }

    @Test func `a file outlives its worker only as long as the host holds it`() throws {
        let (launcher, worker) = try start()
        let file = try put("tmp/a", of: worker, launcher)
        worker.order.socket.close()
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
        #expect(write(file.number, "text", 4) == 4)
    }
}
