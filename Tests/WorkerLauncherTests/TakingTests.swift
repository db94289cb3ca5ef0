// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Synchronization
import Testing

/// A file is taken out of a scratch folder while its owner does its worst to it.
@Suite(.timeLimit(.minutes(10)))
struct TakingTests {
    static let mebibyte: UInt64 = 1 << 20

    private func start(_ profile: String = "A") throws -> (LauncherUnderTest, Worker) {
        let launcher = try LauncherUnderTest(["--profile", profile])
        try #require(launcher.hasOwnPids, "needs namespaces")
        let flags = LAUNCHER_SCRATCH.rawValue
        return (launcher, try launcher.start(in: Bundle(), slot: 1, flags: flags, scratchBytes: Self.mebibyte))
    }

    /// Takes until `enough` files and refusals were there; each file has the text, each refusal is one of these.
    private func take(
        _ name: String,
        of worker: Worker,
        _ launcher: LauncherUnderTest,
        enough: Int,
        refusals allowed: Set<Int32>
    ) throws {
        var files = 0
        var refusals = 0
        while files < enough || refusals < enough {
            guard case .scratchFile(_, let error, _, let file) = try launcher.takeScratch(name, of: worker) else {
                throw Unexpected("no answer")
            }
            if let file {
                files += 1
                var status = stat()
                #expect(fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
                #expect(["", "text"].contains(file.text()))
                file.close()
            } else {
                refusals += 1
                #expect(allowed.contains(error), "\(error)")
            }
        }
    }

    @Test func `a name that its owner swaps gives a file or an error`() throws {
        let (launcher, worker) = try start()
        let descriptors = try launcher.openDescriptorCount()
        try worker.tell("swap /scratch/tmp/a /scratch/tmp/b")
        try take("tmp/a", of: worker, launcher, enough: 200, refusals: [ENOENT, EINVAL, EISDIR])
        #expect(try launcher.openDescriptorCount() == descriptors)
    }

    /// In B, where root can make what a worker cannot: links and fifos.
    @Test(.enabled(if: geteuid() == 0, "needs root to make what a worker cannot"))
    func `a name that turns into a link or a fifo never leads elsewhere and never waits`() throws {
        let (launcher, worker) = try start("B")
        let folder = "/proc/\(worker.pid)/root/scratch/tmp/"
        let isOver = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
        withExtendedLifetime(worker) {
            Thread {
                while !isOver.load(ordering: .relaxed) {
                    let file = fopen(folder + "b", "w")
                    fputs("text", file)
                    if let file { fclose(file) }
                    rename(folder + "b", folder + "a")
                    unlink(folder + "a")
                    symlink("/etc/passwd", folder + "a")
                    unlink(folder + "a")
                    mkfifo(folder + "a", 0o600)
                    unlink(folder + "a")
                }
                ended.signal()
            }.start()
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            ended.wait()
        }
        try take("tmp/a", of: worker, launcher, enough: 200, refusals: [ENOENT, ELOOP, EINVAL])
    }

    @Test func `a file that grows without end is taken as it stands`() throws {
        let (launcher, worker) = try start()
        try worker.tell("grow /scratch/tmp/a")
        var taken: Descriptor?
        while taken == nil {
            guard case .scratchFile(_, let error, _, let file) = try launcher.takeScratch("tmp/a", of: worker) else {
                throw Unexpected("no answer")
            }
            #expect(error == 0 || error == ENOENT)
            taken = file
        }
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(read(try #require(taken).number, &bytes, 4) >= 0)
    }

    /// Has a worker write files and end.
    private func end(_ worker: Worker, _ launcher: LauncherUnderTest, writing names: [String]) throws {
        for name in names { #expect(try worker.ask("append /scratch/tmp/\(name) text") == ["OK"]) }
        try worker.tell("exit 0")
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
    }

    @Test func `files of a worker that has ended are taken until its folder is forgotten`() throws {
        let (launcher, worker) = try start()
        let descriptors = try launcher.openDescriptorCount()
        try end(worker, launcher, writing: ["a", "b"])
        guard case .scratchFile(_, 0, _, let file?) = try launcher.takeScratch("tmp/a", of: worker) else {
            throw Unexpected("refused")
        }
        #expect(file.text() == "text")
        file.close()
        guard case .scratchFile(_, ESRCH, _, nil) = try launcher.putScratch("tmp/c", of: worker) else {
            throw Unexpected("a file for nobody")
        }
        try launcher.forgetScratch(of: worker)
        guard case .scratchFile(_, ESRCH, 0, nil) = try launcher.takeScratch("tmp/b", of: worker) else {
            throw Unexpected("a folder that is gone")
        }
        // What is not there is no matter.
        try launcher.forgetScratch(of: worker)
        if let descriptors, let left = try launcher.openDescriptorCount() { #expect(left < descriptors) }
    }

    @Test func `the folders of 64 workers that have ended are kept, and the oldest gives way`() throws {
        let (launcher, first) = try start()
        try end(first, launcher, writing: ["a"])
        var others: [Worker] = []
        for _ in 0..<64 {
            let bundle = try Bundle()
            let flags = LAUNCHER_SCRATCH.rawValue
            let next = try launcher.start(in: bundle, slot: 1, flags: flags, scratchBytes: Self.mebibyte)
            try end(next, launcher, writing: ["a"])
            others.append(next)
        }
        guard case .scratchFile(_, ESRCH, _, nil) = try launcher.takeScratch("tmp/a", of: first) else {
            throw Unexpected("a folder too many")
        }
        for worker in others {
            guard case .scratchFile(_, 0, _, let file?) = try launcher.takeScratch("tmp/a", of: worker) else {
                throw Unexpected("a folder too few")
            }
            file.close()
        }
    }

    @Test func `a name has up to 255 bytes`() throws {
        let (launcher, worker) = try start()
        let name = "tmp/" + String(repeating: "a", count: 251)
        #expect(try worker.ask("append /scratch/\(name.dropLast(10)) text") == ["OK"])
        guard case .scratchFile(_, 0, _, let file?) = try launcher.takeScratch("\(name.dropLast(10))", of: worker)
        else {
            throw Unexpected("refused")
        }
        #expect(file.text() == "text")
        guard case .scratchFile(_, ENOENT, _, nil) = try launcher.takeScratch(name, of: worker) else {
            throw Unexpected("a file of another name")
        }
        #expect(launcher_send_take_scratch(launcher.socket.number, worker.order.serial, name + "a") == -ENAMETOOLONG)
    }

    // MARK: Scratch as memory

    @Test func `mapped pages of scratch are counted, and there are no more than its size`() throws {
        let (launcher, worker) = try start()
        #expect(try worker.ask("map /scratch/tmp/a 512") == ["OK"])
        var text = [UInt8](repeating: 0, count: 8192)
        let count = pread(worker.status.number, &text, text.count, 0)
        let status = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
        let counted = try #require(status.first { $0.hasPrefix("RssShmem:") }?.split(separator: " "))
        #expect(try #require(Int(counted[1])) >= 512)
        try worker.tell("map /scratch/tmp/b 1024")
        #expect(try launcher.nextEvent().end == .killed(worker, SIGBUS))
    }
}
