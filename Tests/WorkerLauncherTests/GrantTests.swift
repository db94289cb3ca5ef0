// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// The grants of an extension beyond its bundle: a folder to write to, and a way to the host's proxy.
@Suite(.timeLimit(.minutes(10)))
struct GrantTests {
    static let isRoot = geteuid() == 0
    static let profiles = isRoot ? ["A", "B", "C"] : ["A", "C"]
    static let scratch = LAUNCHER_SCRATCH.rawValue
    static let network = LAUNCHER_SCRATCH.rawValue | LAUNCHER_NETWORK.rawValue
    static let mebibyte: UInt64 = 1 << 20

    private func folder(of worker: Worker, _ storage: Storage) -> String {
        worker.order.launcher.hasOwnPids ? "/scratch" : storage.path
    }

    private func start(
        _ profile: String,
        _ storage: Storage,
        flags: UInt32 = scratch
    ) throws -> (LauncherUnderTest, Worker) {
        let launcher = try LauncherUnderTest(["--profile", profile])
        try #require("\(launcher.profile)" == profile)
        let bundle = try Bundle()
        bundle.openToAll()
        launcher.kept.append(storage)
        let worker = try launcher.start(
            in: bundle,
            slot: 1,
            flags: flags,
            scratchBytes: Self.mebibyte,
            storage: storage.path
        )
        return (launcher, worker)
    }

    @Test(arguments: profiles)
    func `a worker writes below its scratch folder and nowhere else`(profile: String) throws {
        let storage = try Storage()
        let (_, worker) = try start(profile, storage)
        #expect(worker.grants.flags == Self.scratch)
        let folder = folder(of: worker, storage)
        for part in ["tmp", "home", "groups"] {
            #expect(try worker.ask("append \(folder)/\(part)/a text") == ["OK"])
            #expect(try worker.ask("read \(folder)/\(part)/a") == ["text"])
            #expect(try worker.ask("folder \(folder)/\(part)/b") == ["OK"])
            #expect(try worker.ask("rename \(folder)/\(part)/a \(folder)/\(part)/b/c") == ["OK"])
            #expect(try worker.ask("link a \(folder)/\(part)/d") == ["EPERM"])
            #expect(try worker.ask("remove \(folder)/\(part)/b/c") == ["OK"])
        }
        let elsewhere = profile == "C" ? ["EACCES"] : ["EROFS"]
        let bundle = profile == "C" ? worker.order.bundle.path : "/X.appex"
        for place in ["/a", "/usr/lib/a", "\(bundle)/a"] {
            #expect(try worker.ask("append \(place) text") == elsewhere, "\(place)")
        }
        #expect(try worker.ask("append /tmp/a text") == (profile == "C" ? ["EACCES"] : ["ENOENT"]))
    }

    @Test(arguments: profiles)
    func `the environment names the folders of scratch, and the proxy with the network`(profile: String) throws {
        let storage = try Storage()
        let (_, worker) = try start(profile, storage, flags: Self.network)
        let folder = folder(of: worker, storage)
        var expected = [
            "CFFIXED_USER_HOME=\(folder)/home", "HOME=\(folder)/home", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
            "TMPDIR=\(folder)/tmp", "TZ=Europe/Berlin",
        ]
        if profile != "C" {
            expected += ["http_proxy", "https_proxy", "HTTPS_PROXY"].map { "\($0)=http://127.0.0.1:3128" }
        }
        let report = try worker.ask("report")
        let environment = report.filter { $0.hasPrefix("environment: ") }.map { String($0.dropFirst(13)) }
        #expect(environment.sorted() == expected.sorted())
        #expect(
            report.filter { $0.hasPrefix("descriptor") }
                == ["descriptor: 0", "descriptor: 1", "descriptor: 2", "descriptor: 3"]
        )
    }

    @Test(arguments: profiles)
    func `an overfull scratch folder is an error to the worker and not its end`(profile: String) throws {
        let storage = try Storage()
        let (_, worker) = try start(profile, storage)
        let folder = folder(of: worker, storage)
        // One file may fill the folder; in storage that is not in memory every file has that limit for itself.
        #expect(try worker.ask("fill \(folder)/tmp/a") == ["EFBIG \(Self.mebibyte)"])
        let second = profile == "C" ? "EFBIG \(Self.mebibyte)" : "ENOSPC 0"
        #expect(try worker.ask("fill \(folder)/tmp/b") == [second])
        #expect(try worker.ask("fill \(folder)/home/a") == ["EFBIG \(Self.mebibyte)"])
        #expect(try worker.ask("remove \(folder)/tmp/a") == ["OK"])
        #expect(try worker.ask("append \(folder)/tmp/b text") == (profile == "C" ? ["EFBIG"] : ["OK"]))
    }

    @Test(arguments: profiles.filter { $0 != "C" })
    func `a scratch folder holds some thousand files and no more`(profile: String) throws {
        let storage = try Storage()
        let (_, worker) = try start(profile, storage)
        // The folder itself and its three parts are among the 1024.
        #expect(try worker.ask("files /scratch/tmp") == ["ENOSPC 1020"])
    }

    @Test(arguments: profiles)
    func `home and groups outlive a process, and in A and B its temporary folder does not`(profile: String) throws {
        let storage = try Storage()
        let (launcher, worker) = try start(profile, storage)
        let folder = folder(of: worker, storage)
        for part in ["tmp", "home", "groups"] {
            #expect(try worker.ask("append \(folder)/\(part)/a text") == ["OK"])
        }
        worker.order.socket.close()
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
        let (_, next) = try start(profile, storage)
        #expect(try next.ask("read \(folder)/home/a") == ["text"])
        #expect(try next.ask("read \(folder)/groups/a") == ["text"])
        #expect(try next.ask("read \(folder)/tmp/a") == (profile == "C" ? ["text"] : ["ENOENT"]))
    }

    @Test(arguments: profiles.filter { $0 != "C" })
    func `without storage everything in scratch goes with the process`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let worker = try launcher.start(in: Bundle(), slot: 1, flags: Self.scratch, scratchBytes: Self.mebibyte)
        for part in ["tmp", "home", "groups"] {
            #expect(try worker.ask("append /scratch/\(part)/a text") == ["OK"])
        }
    }

    @Test func `without mounts and without storage there is no scratch`() throws {
        let launcher = try LauncherUnderTest(["--profile", "C"])
        let bundle = try Bundle()
        bundle.openToAll()
        let worker = try launcher.start(in: bundle, slot: 1, flags: Self.network, scratchBytes: Self.mebibyte)
        #expect(worker.grants == Grants(flags: 0, sharesUser: !Self.isRoot, listener: nil))
    }

    // MARK: Storage that is not what it was

    @Test(arguments: profiles)
    func `storage that is another folder than the host opened is refused`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let (storage, other) = (try Storage(), try Storage())
        let bundle = try Bundle()
        let order = try launcher.order(
            "launcher-probe",
            in: bundle,
            slot: 1,
            flags: Self.scratch,
            scratchBytes: Self.mebibyte,
            storage: storage.path,
            storagePath: other.path
        )
        #expect(
            try launcher.nextEvent()
                == .failed(serial: order.serial, step: "storage folder was replaced", error: ESTALE)
        )
    }

    @Test(arguments: profiles)
    func `a link in the place of storage is refused`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let (storage, other) = (try Storage(), try Storage())
        let link = other.path + "/link"
        symlink(storage.path, link)
        let order = try launcher.order(
            "launcher-probe",
            in: Bundle(),
            slot: 1,
            flags: Self.scratch,
            scratchBytes: Self.mebibyte,
            storage: storage.path,
            storagePath: link
        )
        #expect(try launcher.nextEvent() == .failed(serial: order.serial, step: "storage folder", error: ELOOP))
    }

    @Test(arguments: profiles.filter { $0 != "C" })
    func `a link in the place of a home is refused`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let storage = try Storage()
        rmdir(storage.path + "/home")
        symlink("/etc", storage.path + "/home")
        let order = try launcher.order(
            "launcher-probe",
            in: Bundle(),
            slot: 1,
            flags: Self.scratch,
            scratchBytes: Self.mebibyte,
            storage: storage.path
        )
        #expect(try launcher.nextEvent() == .failed(serial: order.serial, step: "storage folder", error: ELOOP))
    }

    // MARK: Taking a file

    @Test(arguments: profiles.filter { $0 != "C" })
    func `a file taken out of scratch is gone from it`(profile: String) throws {
        let (launcher, worker) = try start(profile, Storage())
        #expect(try worker.ask("folder /scratch/tmp/a") == ["OK"])
        #expect(try worker.ask("append /scratch/tmp/a/b text") == ["OK"])
        guard
            case .scratchFile(worker.order.serial, 0, 4096, let file?) = try launcher.takeScratch("tmp/a/b", of: worker)
        else { throw Unexpected("no file") }
        #expect(try worker.ask("read /scratch/tmp/a/b") == ["ENOENT"])
        #expect(file.text() == "text")
        file.close()
        #expect(
            try launcher.takeScratch("", of: worker)
                == .scratchFile(serial: worker.order.serial, error: 0, usedByteCount: 0, file: nil)
        )
    }

    @Test(arguments: profiles.filter { $0 != "C" })
    func `a taken file that grows is read as far as its reader wants`(profile: String) throws {
        let (launcher, worker) = try start(profile, Storage())
        #expect(try worker.ask("append /scratch/tmp/a text") == ["OK"])
        guard case .scratchFile(_, 0, _, let file?) = try launcher.takeScratch("tmp/a", of: worker) else {
            throw Unexpected("no file")
        }
        // The name is free again, and what is written under it is another file.
        #expect(try worker.ask("append /scratch/tmp/a other") == ["OK"])
        #expect(file.text() == "text")
    }

    @Test(
        .enabled(if: isRoot, "needs root to make what a worker cannot"),
        arguments: [
            ("tmp/link", ELOOP), ("tmp/around/a", ELOOP), ("tmp/fifo", EINVAL), ("tmp", EINVAL),
            ("../X.appex/a", EXDEV),
            ("tmp/../../a", EXDEV), ("/scratch/tmp/a", EXDEV), ("/etc/passwd", EXDEV), ("home/a", EXDEV),
            ("groups/a", EXDEV), ("tmp/none", ENOENT),
        ]
    )
    func `what is no file of the scratch folder is not taken`(name: String, error: Int32) throws {
        // In B, where root can write to a worker's file system.
        let (launcher, worker) = try start("B", Storage())
        let inside = "/proc/\(worker.pid)/root/scratch/"
        for part in ["tmp", "home", "groups"] {
            #expect(try worker.ask("append /scratch/\(part)/a text") == ["OK"])
        }
        #expect(symlink("a", inside + "tmp/link") == 0)
        #expect(symlink("/scratch/tmp", inside + "tmp/around") == 0)
        #expect(mkfifo(inside + "tmp/fifo", 0o600) == 0)
        guard case .scratchFile(_, let refusal, 4096, nil) = try launcher.takeScratch(name, of: worker) else {
            throw Unexpected("taken")
        }
        #expect(refusal == error)
        for part in ["tmp", "home", "groups"] {
            #expect(try worker.ask("read /scratch/\(part)/a") == ["text"])
        }
    }

    @Test func `a worker without a private scratch folder, or that has ended, has no file to take`() throws {
        let (launcher, worker) = try start("C", Storage())
        let none = Event.scratchFile(serial: worker.order.serial, error: ESRCH, usedByteCount: 0, file: nil)
        #expect(try launcher.takeScratch("tmp/a", of: worker) == none)
        worker.order.socket.close()
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
        #expect(try launcher.takeScratch("", of: worker) == none)
    }

    // MARK: Network

    @Test(arguments: profiles.filter { $0 != "C" })
    func `a worker with the network reaches the listener and no other port`(profile: String) throws {
        let (_, worker) = try start(profile, Storage(), flags: Self.network)
        let listener = try #require(worker.grants.listener)
        #expect(worker.grants.flags == Self.network)
        #expect(try worker.ask("connect 127.0.0.1 3128") == ["OK"])
        // Who connects may know of it first.
        var state = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 60_000) == 1)
        let connection = try Descriptor(checking: accept(listener.number, nil, nil))
        #expect(connection.text() == "hello")
        #expect(try worker.ask("connect 127.0.0.1 80") == ["EACCES"])
        #expect(try worker.ask("connect 192.0.2.1 3128") == ["ENETUNREACH"])
        if access("/etc/ssl/certs", F_OK) == 0 {
            #expect(try worker.ask("read /etc/ssl/certs") == ["EISDIR"])
        }
    }

    @Test(arguments: profiles.filter { $0 != "C" })
    func `the listener is in the worker's network only`(profile: String) throws {
        let (launcher, worker) = try start(profile, Storage(), flags: Self.network)
        let other = try launcher.start(
            in: worker.order.bundle,
            slot: 2,
            flags: Self.network,
            scratchBytes: Self.mebibyte
        )
        #expect(try other.ask("connect 127.0.0.1 3128") == ["OK"])
        let listener = try #require(worker.grants.listener)
        #expect(accept(listener.number, nil, nil) == -1)
        #expect(errno == EAGAIN)
        // Of the host's own network it is not even a port in use.
        let host = try Descriptor(checking: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(WORKER_PROXY_PORT).bigEndian
        place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(host.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(connected == -1)
        #expect(errno == ECONNREFUSED)
    }

    @Test(arguments: profiles)
    func `a worker without the network has no socket to connect`(profile: String) throws {
        let (_, worker) = try start(profile, Storage(), flags: profile == "C" ? Self.network : Self.scratch)
        #expect(worker.grants.flags == Self.scratch)
        #expect(worker.grants.listener == nil)
        #expect(try worker.ask("connect 127.0.0.1 3128") == ["EAFNOSUPPORT"])
        if profile != "C" { #expect(try worker.ask("read /etc/ssl/certs") == ["ENOENT"]) }
    }

    // MARK: Leftovers

    @Test(.enabled(if: isRoot, "needs root to look into the launcher"), arguments: profiles)
    func `no descriptor of a grant stays in the launcher`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let bundle = try Bundle()
        bundle.openToAll()
        let storage = try Storage()
        let before = try launcher.openDescriptorCount()
        for _ in 1...5 {
            let worker = try launcher.start(
                in: bundle,
                slot: 1,
                flags: Self.network,
                scratchBytes: Self.mebibyte,
                storage: storage.path
            )
            #expect(try worker.ask("append \(folder(of: worker, storage))/tmp/a text") == ["OK"])
            _ = try launcher.takeScratch("tmp/a", of: worker)
            _ = try launcher.takeScratch("tmp/b", of: worker)
            worker.closeAll()
            _ = try launcher.nextEvent()
            let refused = try launcher.order(
                "nobody",
                in: bundle,
                slot: 1,
                flags: Self.network,
                scratchBytes: Self.mebibyte,
                storage: storage.path
            )
            #expect(
                try launcher.nextEvent() == .failed(serial: refused.serial, step: "open executable", error: ENOENT)
            )
        }
        #expect(try launcher.openDescriptorCount() == before)
    }

    @Test(arguments: [
        // No such flag; network without scratch; a size without a folder; a folder without a size; storage for nothing.
        (4, 0, false), (LAUNCHER_NETWORK.rawValue, 0, false), (0, mebibyte, false), (scratch, 0, false), (0, 0, true),
    ])
    func `grants that contradict each other end the launcher`(flags: UInt32, bytes: UInt64, hasStorage: Bool) throws {
        let launcher = try LauncherUnderTest()
        let storage = try Storage()
        _ = try launcher.order(
            "launcher-probe",
            in: Bundle(),
            flags: flags,
            scratchBytes: bytes,
            storage: hasStorage ? storage.path : nil
        )
        #expect(try launcher.nextEvent() == .endOfFile)
        #expect(launcher.exitStatus() == 1)
    }
}

/// An app's folder as the host makes it, of the user that a worker of slot 1 has outside: of root's host one of its
/// own.
final class Storage {
    let path: String
    let parent: String

    init(owner: uid_t = FIRST_WORKER_USER + 1) throws {
        var template = Array("/tmp/launcher-storage-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure(error: errno) }
        parent = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(parent, 0o711)
        path = parent + "/app"
        for folder in [path, path + "/tmp", path + "/home", path + "/groups"] {
            guard mkdir(folder, 0o700) == 0 else { throw SystemFailure(error: errno) }
            if geteuid() == 0 { chown(folder, owner, owner) }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: parent) }
}
