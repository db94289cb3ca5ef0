// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Testing

/// Key files: judged, kept open, given to openers only.
@Suite(.timeLimit(.minutes(5)))
struct KeyTests {
    static let isRoot = geteuid() == 0

    @Test func `an opener finds the keys from descriptor 96 on in order of registration`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        for index: UInt32 in 0..<3 {
            let path = try bundle.add("key\(index)", "key number \(index)", mode: 0o600)
            #expect(
                try launcher.register(path, index: index)
                    == .keyRegistered(index: index, verdict: LAUNCHER_KEY_OK, error: 0)
            )
            unlink(path)
        }
        #expect(launcher_send_seal(launcher.socket.number) == 0)
        for _ in 1...2 {
            let opener = try launcher.start(in: bundle, kind: LAUNCHER_OPENER)
            #expect(try opener.ask("keys") == ["96: key number 0", "97: key number 1", "98: key number 2"])
            #expect(
                try opener.ask("report").filter { $0.hasPrefix("descriptor") }
                    == ([0, 1, 2, 3] + [96, 97, 98]).map { "descriptor: \($0)" }
            )
        }
        let worker = try launcher.start(in: bundle)
        #expect(try worker.ask("keys") == [])
    }

    @Test func `an opener finds its replay files before the keys and may let them grow`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let key = try bundle.add("key", "the key", mode: 0o600)
        #expect(try launcher.register(key) == .keyRegistered(index: 0, verdict: LAUNCHER_KEY_OK, error: 0))
        let files = try ["a", "b"].map { name in
            try Descriptor(checking: open(try bundle.add(name, "file \(name)", mode: 0o600), O_RDWR | O_CLOEXEC))
        }
        let opener = try launcher.start(
            in: bundle,
            kind: LAUNCHER_OPENER,
            replayFiles: (files[0].number, files[1].number)
        )
        #expect(try opener.ask("keys") == ["4: file a", "5: file b", "96: the key"])
        let report = try opener.ask("report")
        #expect(report.filter { $0.hasPrefix("descriptor") } == ([0, 1, 2, 3, 4, 5, 96]).map { "descriptor: \($0)" })
        let limit = OPENER_FILE_BYTES
        #expect(report.contains("limit.FSIZE: \(limit) \(limit)"))
    }

    @Test func `replay files for an extension end the launcher`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let file = try Descriptor(checking: open("/dev/null", O_RDWR | O_CLOEXEC))
        _ = try launcher.order("launcher-probe", in: bundle, replayFiles: (file.number, file.number))
        #expect(launcher.exitStatus() == 1)
    }

    @Test(arguments: [
        ("missing", LAUNCHER_KEY_UNREADABLE, ENOENT),
        ("folder", LAUNCHER_KEY_NOT_A_FILE, 0),
        ("fifo", LAUNCHER_KEY_NOT_A_FILE, 0),
        ("link", LAUNCHER_KEY_SYMBOLIC_LINK, ELOOP),
        ("0640", LAUNCHER_KEY_OPEN_TO_OTHERS, 0),
        ("0604", LAUNCHER_KEY_OPEN_TO_OTHERS, 0),
        ("0620", LAUNCHER_KEY_OPEN_TO_OTHERS, 0),
        ("0400", LAUNCHER_KEY_OK, 0),
    ])
    func `a key file is judged before it is kept`(
        name: String,
        verdict: launcher_key_verdict,
        error: Int32
    ) throws {
        let bundle = try Bundle([])
        mkdir(bundle.path + "/folder", 0o700)
        mkfifo(bundle.path + "/fifo", 0o600)
        symlink("0400", bundle.path + "/link")
        for mode: mode_t in [0o640, 0o604, 0o620, 0o400] {
            let octal = String(mode, radix: 8)
            try bundle.add("0" + octal, "k", mode: mode)
        }
        let launcher = try LauncherUnderTest()
        let before = try launcher.openDescriptorCount()
        let answer = try launcher.register(bundle.path + "/" + name, index: 5)
        #expect(answer == .keyRegistered(index: 5, verdict: verdict, error: error))
        let kept = verdict == LAUNCHER_KEY_OK ? 1 : 0
        #expect(try launcher.openDescriptorCount() == before.map { $0 + kept })
    }

    @Test(.enabled(if: isRoot, "needs root to make a file of another user"))
    func `a key file of another user is refused`() throws {
        let bundle = try Bundle([])
        let path = try bundle.add("key", "k", mode: 0o600)
        chown(path, 65_000, 65_000)
        let launcher = try LauncherUnderTest()
        #expect(
            try launcher.register(path) == .keyRegistered(index: 0, verdict: LAUNCHER_KEY_FOREIGN_OWNER, error: 0)
        )
    }

    @Test func `after seal no path is taken`() throws {
        let bundle = try Bundle([])
        let path = try bundle.add("key", "k", mode: 0o600)
        let launcher = try LauncherUnderTest()
        #expect(launcher_send_seal(launcher.socket.number) == 0)
        #expect(try launcher.register(path) == .keyRegistered(index: 0, verdict: LAUNCHER_KEY_SEALED, error: 0))
    }

    @Test func `the 1,025th key is one too many`() throws {
        let bundle = try Bundle()
        let path = try bundle.add("key", "k", mode: 0o600)
        let launcher = try LauncherUnderTest()
        for index in 0..<UInt32(LAUNCHER_MAXIMUM_KEYS) {
            #expect(
                try launcher.register(path, index: index)
                    == .keyRegistered(index: index, verdict: LAUNCHER_KEY_OK, error: 0)
            )
        }
        #expect(
            try launcher.register(path, index: 1024)
                == .keyRegistered(index: 1024, verdict: LAUNCHER_KEY_TOO_MANY, error: 0)
        )
        let opener = try launcher.start(in: bundle, kind: LAUNCHER_OPENER)
        #expect(try opener.ask("keys").count == 1024)
    }
}
