// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import Locking
import NotificationPayload

/// A program whose lines are read as they come.
final class SpokenLines {
    private let handle: FileHandle
    private var buffer = Data()
    /// The whole of what was read, for a test that fails.
    private(set) var everything = ""

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// Returns the next line; `nil` means that the program has ended.
    func next() async -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[buffer.index(after: end)...])
                everything += line + "\n"
                return line
            }
            let more = await Self.read(handle)
            guard !more.isEmpty else { return nil }
            buffer += more
        }
    }

    /// Returns nothing once the program has closed its end, or the task is cancelled.
    private static func read(_ handle: FileHandle) async -> Data {
        let isOver = Locked(false)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var state = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
                    while !isOver.withLock(\.self), poll(&state, 1, 100) == 0 {}
                    continuation.resume(returning: isOver.withLock(\.self) ? Data() : handle.availableData)
                }
            }
        } onCancel: {
            isOver.withLock { $0 = true }
        }
    }
}

/// A session bus of a test's own, on which nobody is started but what the test names in `services` of its folder.
final class OwnBus {
    struct NoBus: Error {}

    static let isThere = Programs.installed("dbus-daemon") != nil

    let address: String
    /// The folder of the data of the programs on the bus, which is not that of whoever runs the tests.
    private let data: String
    private let process = Process()

    init(_ folder: TemporaryFolder) async throws {
        let configuration = try folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder.path)/bus</listen>
              <servicedir>\(folder.path)/services</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """,
            to: "bus.conf"
        )
        guard let program = Programs.installed("dbus-daemon") else { throw ProgramMissing(name: "dbus-daemon") }
        let process = self.process
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--config-file", configuration, "--nofork", "--nopidfile", "--print-address=1"]
        guard let line = try await process.firstLine() else { throw NoBus() }
        address = line
        data = folder.path + "/data"
    }

    deinit { process.end() }

    /// Waits until a notification daemon has its name.
    func waitForDaemon() async throws { try await wait(for: "org.freedesktop.Notifications") }

    /// Waits until somebody has a name.
    func wait(for name: String) async throws {
        guard let send = Programs.installed("dbus-send") else { throw ProgramMissing(name: "dbus-send") }
        let question = ["org.freedesktop.DBus.NameHasOwner", "string:\(name)"]
        while true {
            let asked = try await CommandResult.run(
                send,
                ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"] + question,
                environment: environment
            )
            if asked.output.contains("boolean true") { return }
            try Task.checkCancellation()
        }
    }

    /// The variables by which a program finds the bus, as the session's and as the machine's, and session "7" there.
    var environment: [String: String] {
        let own = [
            "DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address, "XDG_SESSION_ID": "7",
            "XDG_DATA_HOME": data, "LC_ALL": "C",
        ]
        return ProcessInfo.processInfo.environment.merging(own) { $1 }
    }
}

/// The notification daemon of Tests/Support/FakeNotifications on a bus.
final class FakeDaemon {
    struct Ended: Error { let said: String }

    private let process = Process()
    private let input: Pipe
    private let lines: SpokenLines

    /// Starts one, and waits until it has its names on the bus.
    init(
        on bus: OwnBus,
        name: String = "fake",
        capabilities: String = "actions,body",
        app: String? = nil
    ) async throws {
        let process = self.process
        process.executableURL = URL(fileURLWithPath: Programs.folder + "/FakeNotifications")
        process.arguments = [name, capabilities] + [app].compactMap(\.self)
        process.environment = bus.environment
        let (input, output) = try ProcessStart.alone {
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            return (input, output)
        }
        self.input = input
        lines = SpokenLines(output.fileHandleForReading)
        _ = try await next("ready")
    }

    deinit { process.end() }

    /// Returns the next call of this method; those before it are passed over.
    func next(_ call: String) async throws -> JSONObject { try await next([call]) }

    /// Returns the next call of one of these methods; others before it are passed over.
    func next(_ calls: Set<String>) async throws -> JSONObject {
        while let line = await lines.next() {
            let object = try JSONObject(parsing: Array(line.utf8).span)
            if let call = object["call"]?.string, calls.contains(call) { return object }
        }
        throw Ended(said: lines.everything)
    }

    /// Sends a signal: `closed ID REASON`, `chosen ID KEY`, `replied ID TEXT`, `token ID TOKEN` or `woke`.
    func send(_ signal: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((signal + "\n").utf8)) }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// The desktop agent of a centre, in the folder "center" below another.
final class RunningDesktop {
    let process = Process()
    private let lines: SpokenLines

    init(_ folder: TemporaryFolder, environment: [String: String], options: [String] = []) throws {
        let process = self.process
        process.executableURL = URL(fileURLWithPath: Programs.notificationDesktop)
        process.arguments = ["--folder", folder.path + "/center"] + options
        process.environment = environment
        let notes = try ProcessStart.alone {
            let notes = Pipe()
            process.standardError = notes
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return notes
        }
        lines = SpokenLines(notes.fileHandleForReading)
    }

    deinit { process.end() }

    /// Returns the next line of its notes; `nil` means that it has ended.
    func note() async -> String? { await lines.next() }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

extension Process {
    /// Starts a server, and returns the line by which it says where it is; `nil` means that it has ended.
    func firstLine() async throws -> String? {
        let output = try ProcessStart.alone {
            let output = Pipe()
            standardOutput = output
            standardError = FileHandle.nullDevice
            try run()
            return output
        }
        return await SpokenLines(output.fileHandleForReading).next()
    }

    /// Kills the program if it runs.
    ///
    /// Foundation's children inherit the signals that the thread which starts them has blocked, and SIGTERM is one.
    func end() { if isRunning { kill(processIdentifier, SIGKILL) } }
}
