// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Testing

/// The rights and the surroundings of a started process, in every profile that this machine offers.
@Suite(.timeLimit(.minutes(10)))
struct ConfinementTests {
    static let isRoot = geteuid() == 0
    static let profiles = isRoot ? ["A", "B", "C"] : ["A", "C"]
    static let openNamespaces = (try? LauncherUnderTest().hasOwnPids) ?? false

    @Test(arguments: profiles)
    func `a worker has descriptors 0 to 3 and the listed environment, nothing else`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let bundle = try Bundle()
        let worker = try launcher.start(in: bundle)
        let report = try worker.ask("report")
        #expect(values("descriptor", report) == ["0", "1", "2", "3"])
        #expect(
            values("environment", report).sorted() == [
                "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no", "TZ=Europe/Berlin",
            ]
        )
        let folder = launcher.hasOwnPids ? "/X.appex" : bundle.path
        #expect(values("argument", report) == [folder + "/launcher-probe"])
        #expect(values("folder", report) == ["/"])
        #expect(values("umask", report) == ["077"])
        #expect(values("session", report) == ["own"])
    }

    @Test(arguments: profiles)
    func `a worker has no capability, no new privileges and clean signals`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let report = try launcher.start(in: Bundle()).ask("report")
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            #expect(values(set, report) == ["0000000000000000"])
        }
        if Self.isRoot || launcher.hasOwnPids {
            #expect(values("CapBnd", report) == ["0000000000000000"])
        }
        #expect(values("NoNewPrivs", report) == ["1"])
        #expect(values("SigBlk", report) == ["0000000000000000"])
        #expect(values("SigIgn", report) == ["0000000001001000"])  // SIGPIPE and SIGXFSZ
        #expect(values("oom", report) == ["900"])
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `a worker is process 1, alone, under another host name`() throws {
        let launcher = try LauncherUnderTest()
        let worker = try launcher.start(in: Bundle())
        let report = try worker.ask("report")
        #expect(values("pid", report) == ["1"])
        #expect(values("ppid", report) == ["0"])
        #expect(values("name", report) == ["worker"])
        let entries = try worker.ask("list /proc").filter { $0.allSatisfy(\.isNumber) }
        #expect(entries == ["1"])
        #expect(try worker.ask("list /proc/sys") == ["ENOENT"])
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `the root of a worker is small and holds libraries, its bundle and proc`() throws {
        let launcher = try LauncherUnderTest()
        let worker = try launcher.start(in: Bundle())
        let hidden = [
            "bin", "boot", "dev", "etc", "home", "media", "mnt", "root", "run", "sbin", "srv", "sys", "tmp", "var",
            "usr/bin", "usr/local", "usr/share/doc",
        ]
        for name in hidden {
            #expect(try worker.ask("read /\(name)") == ["ENOENT"], "\(name)")
        }
        for name in ["usr/lib", "lib", "proc", "usr/share/zoneinfo", "X.appex"] {
            #expect(try worker.ask("read /\(name)") == ["EISDIR"], "\(name)")
        }
        #expect(try worker.ask("list /X.appex") == ["launcher-probe"])
        #expect(try worker.ask("space /") == ["bytes 262144", "inodes 128"])
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `a folder is shown to its own app, the runtime to all, and the opener has no proc`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let folder = try Bundle([])
        try folder.add("inside", "text", mode: 0o644)
        #expect(try launcher.show(folder.path, slot: 2) == 0)
        let one = try launcher.start(in: bundle, slot: 1)
        let two = try launcher.start(in: bundle, slot: 2)
        let other = try launcher.start(in: bundle, slot: 2, user: 9)
        let opener = try launcher.start(in: bundle, kind: LAUNCHER_OPENER, slot: 2)
        #expect(try one.ask("list \(folder.path)") == ["ENOENT"])
        for worker in [two, other] { #expect(try worker.ask("list \(folder.path)") == ["inside"]) }
        #expect(try opener.ask("list \(folder.path)") == ["ENOENT"])
        for process in [one, two, opener] {
            #expect(try process.ask("list \(SwiftRuntime.folder)").contains("libswiftCore.so"))
        }
        #expect(try opener.ask("list /proc") == ["ENOENT"])
        #expect(try opener.ask("list /X.appex") == ["EACCES"])
    }

    @Test(arguments: profiles)
    func `a worker has the limits of the design`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let bundle = try Bundle()
        let report = try launcher.start(in: bundle, cpuSeconds: 9).ask("report")
        var expected = [
            "CORE": 0, "FSIZE": 0, "NOFILE": 64, "STACK": 512 << 10, "DATA": 48 << 20, "AS": 4 << 30,
            "MSGQUEUE": 0, "SIGPENDING": 64, "CPU": 9,
        ]
        if Self.isRoot || launcher.hasOwnPids {
            expected["NPROC"] = profile == "A" ? 64 : 4096
        }
        for (name, value) in expected {
            #expect(values("limit.\(name)", report) == ["\(value) \(value)"], "\(name)")
        }
        let locked = try #require(Int(values("limit.MEMLOCK", report)[0].split(separator: " ")[0]))
        #expect(locked <= 1 << 20)
    }

    @Test(.enabled(if: isRoot, "needs root"), arguments: ["A", "B", "C"])
    func `as root two users of one app are two to the system`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let bundle = try Bundle()
        for user: UInt32 in [7, 4000] {
            let worker = try launcher.start(in: bundle, slot: 7, user: user)
            let status = try String(contentsOfFile: "/proc/\(worker.pid)/status", encoding: .utf8)
            let uid = 61_200 + user
            #expect(status.contains("Uid:\t\(uid)\t\(uid)\t\(uid)\t\(uid)\n"))
            #expect(status.contains("Gid:\t\(uid)\t\(uid)\t\(uid)\t\(uid)\n"))
        }
    }

    @Test(.enabled(if: isRoot, "needs root"), arguments: ["A", "B", "C"])
    func `as root each app and the opener run as users of their own`(profile: String) throws {
        let launcher = try LauncherUnderTest(["--profile", profile])
        let bundle = try Bundle()
        let processes = [
            (try launcher.start(in: bundle, slot: 0), 61_200), (try launcher.start(in: bundle, slot: 7), 61_207),
            (try launcher.start(in: bundle, kind: LAUNCHER_OPENER, slot: 7), 61_199),
        ]
        for (worker, uid) in processes {
            // The one that the host reads has the numbers of the namespaces the process opened it in.
            let status = try String(contentsOfFile: "/proc/\(worker.pid)/status", encoding: .utf8)
            #expect(status.contains("Uid:\t\(uid)\t\(uid)\t\(uid)\t\(uid)\n"))
            #expect(status.contains("Gid:\t\(uid)\t\(uid)\t\(uid)\t\(uid)\n"))
            #expect(status.contains("Groups:\t \n"))
            let inside = launcher.namespaces & LAUNCHER_NAMESPACE_USER.rawValue != 0 ? 1000 : uid
            #expect(values("uid", try worker.ask("report")) == ["\(inside)"])
        }
    }

    @Test(.enabled(if: isRoot && openNamespaces, "needs root to become a plain user, and namespaces"))
    func `a plain user's worker sees no file of that user, and no key even where its bundle holds one`() throws {
        let bundle = try Bundle(["worker-launcher", "launcher-probe"])
        let key = try bundle.add("key", "the key", mode: 0o600)
        let letter = "/var/tmp/letter-\(getpid())"
        try run(["cp", key, letter])
        defer { unlink(letter) }
        chown(letter, 65_000, 65_000)
        bundle.give(to: 65_000)
        chown(key, 65_000, 65_000)

        let launcher = try LauncherUnderTest(
            binary: bundle.path + "/worker-launcher",
            wrapper: ["setpriv", "--reuid=65000", "--regid=65000", "--clear-groups"]
        )
        #expect(try launcher.register(key) == .keyRegistered(index: 0, verdict: LAUNCHER_KEY_OK, error: 0))
        let worker = try launcher.start(in: bundle)
        #expect(try worker.ask("read \(letter)") == ["ENOENT"])
        #expect(try worker.ask("read /X.appex/key") == ["EACCES"])
    }

    @Test(.enabled(if: isRoot, "needs root to become a plain user"))
    func `a plain user gets the same namespaces as root`() throws {
        let asNobody = ["setpriv", "--reuid=65000", "--regid=65000", "--clear-groups"]
        let wrapper = try Bundle(["worker-launcher", "launcher-probe"])
        wrapper.give(to: 65_000)
        let root = try LauncherUnderTest()
        let launcher = try LauncherUnderTest(binary: wrapper.path + "/worker-launcher", wrapper: asNobody)
        #expect(launcher.profile == root.profile)
        #expect(launcher.namespaces == root.namespaces)
        let report = try launcher.start(in: wrapper).ask("report")
        #expect(values("uid", report) == ["1000"])
        #expect(values("oom", report) == ["900"])
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `a Swift worker starts under the memory limit and finds its bundle below a private folder`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle(["swift-probe"])
        try bundle.add(
            "Info.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.probe</string></dict></plist>
            """,
            mode: 0o644
        )
        let worker = try launcher.start("swift-probe", in: bundle)
        #expect(
            worker.outputText() == """
                json Lunch?
                date Donnerstag 01:00
                tasks 210
                queue done
                bundle com.example.probe

                """
        )
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
    }

    @Test(arguments: profiles)
    func `a script runs through the interpreter that its app was given`(profile: String) throws {
        let python = "/usr/bin/python3"
        let launcher = try LauncherUnderTest(["--profile", profile])
        #expect(try launcher.show(python, as: LAUNCHER_VIEW_INTERPRETER, slot: 3) == 0)
        let bundle = try Bundle([])
        bundle.openToAll()
        try bundle.add("script", "import json, struct, socket, sys\nprint('ran', sys.argv)\n", mode: 0o644)
        let worker = try launcher.start("script", in: bundle, slot: 3)
        let folder = launcher.hasOwnPids ? "/X.appex" : bundle.path
        #expect(worker.outputText() == "ran ['\(folder)/script']\n")
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
    }

    /// The values of a field of the probe's report.
    private func values(_ field: String, _ report: [String]) -> [String] {
        report.filter { $0.hasPrefix(field + ":") }.map {
            $0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }
}
