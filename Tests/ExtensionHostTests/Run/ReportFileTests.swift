// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExtensionBuild
import Foundation
import Testing

@testable import ExtensionHost

/// The output of a command, to files and to whoever may not read it.
@Suite(.timeLimit(.minutes(1)))
struct ReportFileTests {
    private let path = NSTemporaryDirectory() + "report-\(UUID().uuidString)"

    private var content: String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func `a report says that it is not finished until it is, and is never empty`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try String(repeating: "x", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
        let file = try ReportFile(path, until: "not yet")
        #expect(content == "not yet")
        try file.write("a result")
        #expect(content == "a result")
        try file.write("less")
        #expect(content == "less")
    }

    @Test func `a file that cannot be written is an error`() {
        #expect(
            throws: CommandError(
                "\"/nowhere/report.xml\" cannot be written: No such file or directory",
                hint: "name a file in a folder that exists and is yours"
            )
        ) {
            try ReportFile("/nowhere/report.xml", until: "not yet")
        }
        #expect(
            throws: CommandError(
                "\"/dev/full\" cannot be written: No space left on device",
                hint: "name a file in a folder that exists and is yours"
            )
        ) {
            try ReportFile("/dev/full", until: "not yet").write("a result")
        }
    }

    @Test func `a pipe gets the result alone`() throws {
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reading) }
        try ReportFile(path, until: "not yet").write("a result")
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = read(reading, &buffer, buffer.count)
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "a result")
    }

    @Test func `a run that has not come to its end is an error for a build server`() {
        #expect(
            JUnitReport.unfinished("view").xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                <testsuite name="view" tests="1" failures="0" errors="1" skipped="0" time="0.0">
                <testcase classname="view" name="view" time="0.0">
                <error message="extension-host view has not come to its end" type="unfinished"/>
                </testcase>
                </testsuite>
                </testsuites>

                """
        )
    }

    @Test func `output whose reader is gone ends the command quietly`() async {
        await #expect(processExitsWith: .exitCode(141)) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return }
            try Output.write("read", to: ends[1])
            close(ends[0])
            do { try Output.write("not read", to: ends[1]) } catch let code as ExitCode { exit(code.rawValue) }
        }
    }

    @Test func `output for which there is no room is an error`() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(
            throws: CommandError(
                "nothing can be written to standard output: No space left on device",
                hint: "give it a file or a pipe with room"
            )
        ) {
            try Output.write("much", to: full)
        }
    }

    @Test func `a command of this process has SIGPIPE as other programs have it`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            sigaddset(&signals, SIGUSR1)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            // SIGPIPE is the lowest bit of the fourth digit from the end of a mask, SIGUSR1 the second of the third.
            // A shell would change the masks before they are looked at.
            let masks = ["^SigBlk:.*[02468ace][2367abef]..$", "^SigIgn:.*[02468ace]...$"]
            for mask in masks {
                let status = try ChildCommand.run("/bin/grep", ["grep", "-q", mask, "/proc/self/status"])
                guard status == 0 else { exit(1) }
            }
        }
    }

    @Test func `a command has its status in a process that was started without SIGCHLD`() async {
        await #expect(processExitsWith: .exitCode(3)) {
            signal(SIGCHLD, SIG_IGN)
            let status = try ChildCommand.run("/bin/sh", ["sh", "-c", "exit 3"])
            signal(SIGCHLD, SIG_IGN)
            let program = ChildProgram(path: "/bin/sh", arguments: ["-c", "exit 3"])
            exit(try program.run().status == status ? status >> 8 : 1)
        }
    }
}
