// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// The sounds that the desktop agent has a program play, by one that keeps what it was given.
@Suite(.timeLimit(.minutes(4)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopSoundTests {
    private static let wav = Data("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt 0123".utf8)

    /// A host whose app has a sound, a centre, and an agent on a bus whose daemon has these capabilities.
    private func withDesktop(
        capabilities: String = "body",
        player: String,
        _ body: (TemporaryFolder, RunningHost, FakeDaemon) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let sounds = folder.path + "/Sounds"
            try FileManager.default.createDirectory(atPath: sounds, withIntermediateDirectories: true)
            try Self.wav.write(to: URL(filePath: sounds + "/Ding 1.wav"))
            for (path, mode) in [(sounds, 0o755), (sounds + "/Ding 1.wav", 0o644)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            try await folder.desktopProgram("pw-play", "cd '\(folder.path)'\n" + player)
            let center = try await RunningCenter(folder)
            let words = ["critical-alerts: true", "center: { sounds: ./Sounds }"]
            try await RunningHost.with(folder, app: words, top: folder.centerTop()) { host in
                let bus = try await OwnBus(folder)
                let daemon = try await FakeDaemon(on: bus, capabilities: capabilities)
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
                try await folder.waitForDesktop()
                try await body(folder, host, daemon)
                #expect(desktop.terminate() == 0)
            }
            #expect(center.terminate() == 0)
        }
    }

    private func push(_ thread: String, _ sound: String, to host: RunningHost) async throws {
        _ = try await host.deliver(
            #"{"aps":{"alert":"\#(thread)","thread-id":"\#(thread)","sound":\#(sound)}}"#
        )
    }

    /// A player that keeps the file and its arguments, as `bytes-1` and `played-1`, and so on.
    private static let keeping = """
        for file; do :; done
        number=1
        while [ -e "played-$number" ]; do number=$((number + 1)); done
        cat "$file" > "bytes-$number"
        printf '%s\\n' "$@" > part
        mv part "played-$number"

        """

    @Test
    func `an app's sound is played from the agent's memory, a critical one with its loudness, and the own one else`()
        async throws
    {
        let player = Self.keeping + "ls /proc/$$/fd > part; mv part descriptors"
        try await withDesktop(player: player) { folder, host, daemon in
            try await push("first", #""Ding 1.wav""#, to: host)
            let first = try await folder.written("played-1").split(separator: "\n")
            #expect(first.count == 2 && first.first == "--media-role=Notification")
            #expect(first.last?.hasPrefix("/proc/") == true)
            #expect(FileManager.default.contents(atPath: folder.path + "/bytes-1") == Self.wav)
            let descriptors = try await folder.written("descriptors").split(separator: "\n")
            // From 10 on they are the shell's own.
            #expect(descriptors.filter { $0.count == 1 } == ["0", "1", "2"], "\(descriptors)")
            #expect(try await daemon.next("Notify")["hints"]?.object?["suppress-sound"] == true)
            try await push("second", #"{"critical":1,"name":"Ding 1.wav","volume":0.5}"#, to: host)
            let second = try await folder.written("played-2").split(separator: "\n")
            #expect(second.dropLast() == ["--media-role=Notification", "--volume=0.5"])
            #expect(FileManager.default.contents(atPath: folder.path + "/bytes-2") == Self.wav)
            // A sound that comes while the player of the one before has yet to end is not played.
            var tries = 0
            while !FileManager.default.fileExists(atPath: folder.path + "/played-3") {
                tries += 1
                try await push("other-\(tries)", #""/etc/passwd""#, to: host)
                while try await daemon.next("Notify")["body"]?.string != "other-\(tries)" {}
            }
            let own = try #require(FileManager.default.contents(atPath: folder.path + "/bytes-3"))
            #expect(own.count == 22_094 && own.starts(with: Data("RIFF".utf8)))
        }
    }

    @Test func `a sound that the player cannot read is the desktop's own`() async throws {
        let refusing = Self.keeping + "[ $(wc -c < bytes-$number) -gt 1000 ]\n"
        try await withDesktop(player: refusing) { folder, host, _ in
            try await push("first", #""Ding 1.wav""#, to: host)
            _ = try await folder.written("played-2")
            #expect(FileManager.default.contents(atPath: folder.path + "/bytes-1") == Self.wav)
            #expect(FileManager.default.contents(atPath: folder.path + "/bytes-2")?.count == 22_094)
        }
    }

    @Test func `one is played at a time, a critical one ends it, and the agent's end ends that`() async throws {
        let hanging = "echo $$ > pid" + "\n" + Self.keeping + "mv pid pid-$number; exec sleep 1000\n"
        var last: pid_t = 0
        try await withDesktop(player: hanging) { folder, host, daemon in
            try await push("first", #""Ding 1.wav""#, to: host)
            let first = try await process("pid-1", in: folder)
            try await push("second", #""Ding 1.wav""#, to: host)
            while try await daemon.next("Notify")["body"] != "second" {}
            try await push("third", #"{"critical":1,"name":"default","volume":1}"#, to: host)
            last = try await process("pid-2", in: folder)
            try await ended(first)
            #expect(FileManager.default.contents(atPath: folder.path + "/bytes-2")?.count == 22_094)
            #expect(kill(last, 0) == 0)
        }
        try await ended(last)
    }

    @Test func `a sound without an end is ended after thirty seconds`() async throws {
        try await withDesktop(player: "echo $$ > part; mv part pid-1; exec sleep 1000\n") { folder, host, _ in
            let begin = ContinuousClock.now
            try await push("first", #""Ding 1.wav""#, to: host)
            try await ended(try await process("pid-1", in: folder))
            let time = ContinuousClock.now - begin
            #expect(time > .seconds(25) && time < .seconds(90))
        }
    }

    @Test func `a daemon that plays sounds has no player beside it`() async throws {
        try await withDesktop(capabilities: "body,sound", player: Self.keeping) { folder, host, daemon in
            try await push("first", #""Ding 1.wav""#, to: host)
            let popup = try await daemon.next("Notify")
            #expect(popup["hints"]?.object?["sound-name"] == "message-new-instant")
            try await push("second", #""Ding 1.wav""#, to: host)
            _ = try await daemon.next("Notify")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/played-1"))
        }
    }

    @Test func `doctor says which program plays, the first that is on the path`() async throws {
        try await TemporaryFolder.with { folder in
            for name in ["canberra-gtk-play", "paplay"] { try await folder.desktopProgram(name, "exit 0") }
            let bus = try await OwnBus(folder)
            let daemon = try await FakeDaemon(on: bus)
            let result = try await CommandResult.run(
                Programs.notificationDesktop,
                ["doctor", "--folder", folder.path + "/center"],
                environment: bus.environment.merging(["PATH": folder.path + "/bin"]) { $1 }
            )
            #expect(result.output.contains("\nyes  sound     paplay plays it\n"), "\(result.output)")
            daemon.kill()
        }
    }

    private func process(_ name: String, in folder: TemporaryFolder) async throws -> pid_t {
        try #require(pid_t(try await folder.written(name).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Waits until a process is there no more.
    private func ended(_ process: pid_t) async throws {
        while kill(process, 0) == 0 {
            try await Task.turn()
        }
    }
}
