// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Testing

/// What a started process is and sees, in every profile this machine offers.
@Suite(.timeLimit(.minutes(2)))
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
        let folder = launcher.hasOwnPids ? "/tmp/X.appex" : bundle.path
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

    @Test func `memory that was writable never becomes executable where the kernel knows how`() throws {
        let report = try LauncherUnderTest().start(in: Bundle()).ask("report")
        #expect(values("mdwe", report) == ["1"] || values("mdwe", report) == ["-1"])
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `a worker is process 1, alone, without a network, under another host name`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        try bundle.add("list", "#!/bin/sh\necho /proc/[0-9]*\nls /proc/sys /proc/meminfo 2>&1 | grep -c 'No such'\n")
        let report = try launcher.start(in: bundle).ask("report")
        #expect(values("pid", report) == ["1"])
        #expect(values("ppid", report) == ["0"])
        #expect(values("interface", report) == ["lo"])
        #expect(values("name", report) == ["worker"])
        let list = try launcher.start("list", in: bundle)
        #expect(list.outputText().hasPrefix("/proc/1"))
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `a worker sees its bundle in an otherwise empty tmp and can write to neither`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        try bundle.add("look", "#!/bin/sh\necho /tmp/*\ntouch /tmp/new /tmp/X.appex/new 2>&1\nls /tmp/X.appex\n")
        #expect(
            try launcher.start("look", in: bundle).outputText() == """
                /tmp/X.appex
                touch: cannot touch '/tmp/new': Read-only file system
                touch: cannot touch '/tmp/X.appex/new': Read-only file system
                launcher-probe
                look

                """
        )
    }

    @Test(.enabled(if: openNamespaces, "this machine grants no namespaces"))
    func `the loopback interface is down`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        try bundle.add(
            "connect",
            """
            #!/usr/bin/env python3
            import socket
            try:
                socket.create_connection(("127.0.0.1", 9), 1)
            except OSError as error:
                print(error.errno)
            """
        )
        #expect(try launcher.start("connect", in: bundle).outputText() == "\(ENETUNREACH)\n")
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
            expected["NPROC"] = 64
        }
        for (name, value) in expected {
            #expect(values("limit.\(name)", report) == ["\(value) \(value)"], "\(name)")
        }
        let locked = try #require(Int(values("limit.MEMLOCK", report)[0].split(separator: " ")[0]))
        #expect(locked <= 1 << 20)
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
            let status = worker.status.text()
            #expect(status.contains("Uid:\t\(uid)\t\(uid)\t\(uid)\t\(uid)\n"))
            #expect(status.contains("Gid:\t\(uid)\t\(uid)\t\(uid)\t\(uid)\n"))
            #expect(status.contains("Groups:\t \n"))
            let inside = launcher.namespaces & LAUNCHER_NAMESPACE_USER.rawValue != 0 ? 1000 : uid
            #expect(values("uid", try worker.ask("report")) == ["\(inside)"])
        }
    }

    @Test(.enabled(if: isRoot && openNamespaces, "needs root to become a plain user, and namespaces"))
    func `a plain user's worker reads no key and changes no file of that user`() throws {
        let bundle = try Bundle(["worker-launcher"])
        bundle.give(to: 65_000)
        let key = try bundle.add("key", "the key", mode: 0o600)
        let letter = try bundle.add("letter", "a letter", mode: 0o600)
        chown(key, 65_000, 65_000)
        chown(letter, 65_000, 65_000)
        // Outside of what the bundle shows: the user's own folders.
        let outside = try Bundle([])
        outside.give(to: 65_000)
        try run(["cp", "--preserve=all", key, letter, outside.path])
        let home = "/var/tmp/\(getpid())-home"
        try run(["cp", "--archive", outside.path, home])
        defer { try? FileManager.default.removeItem(atPath: home) }
        try bundle.add("spy", "#!/bin/sh\ncat \(home)/letter \(home)/key\nrm -f \(home)/letter 2>&1\n")

        let launcher = try LauncherUnderTest(
            binary: bundle.path + "/worker-launcher",
            wrapper: ["setpriv", "--reuid=65000", "--regid=65000", "--clear-groups"]
        )
        #expect(
            try launcher.register(home + "/key") == .keyRegistered(index: 0, verdict: LAUNCHER_KEY_OK, error: 0)
        )
        #expect(
            try launcher.start("spy", in: bundle).outputText()
                == "a letterrm: cannot remove '\(home)/letter': Read-only file system\n"
        )
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

    @Test(arguments: ["#!/bin/sh\necho ran", "#!/usr/bin/env python3\nimport json, struct, socket\nprint('ran')"])
    func `a script runs`(script: String) throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle([])
        try bundle.add("script", script + "\n")
        let worker = try launcher.start("script", in: bundle)
        #expect(worker.outputText() == "ran\n")
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
    }

    /// The values of a field of the probe's report.
    private func values(_ field: String, _ report: [String]) -> [String] {
        report.filter { $0.hasPrefix(field + ":") }.map {
            $0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }
}
