// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

@testable import ExtensionWorker

/// A worker as the host meets it: a process of its own, started with its socket as descriptor 3.
@Suite(.timeLimit(.minutes(5)))
struct WorkerProcessTests {
    private static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("MisbehavingExtension").path
    }

    /// Waits for the end of a process; returns its status in the form that `waitpid` gives.
    private static func status(of pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static let exited0: Int32 = 0
    private static func exited(_ code: Int32) -> Int32 { code << 8 }

    private static func payload(_ behavior: String) -> JSONObject {
        ["aps": ["alert": ["title": "Alice"]], "behave": .string(behavior)]
    }

    @Test func `one process serves many notifications and ends at shutdown`() throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet()
        for id in 1...5 {
            try host.request(UInt64(id))
            #expect(try host.title(of: UInt64(id)) == "handled")
        }
        try host.send(.shutdown)
        #expect(Self.status(of: pid) == Self.exited0)
    }

    @Test(arguments: ["mainQueue", "mainActor"])
    func `the main thread runs the main queue`(behavior: String) throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet()
        try host.request(1, Self.payload(behavior))
        #expect(try host.title(of: 1) == "main thread")
        host.hangUp()
        #expect(Self.status(of: pid) == Self.exited0)
    }

    @Test func `an exit right after the completion loses nothing`() throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet()
        try host.request(1, Self.payload("exitAfter"))
        #expect(try host.title(of: 1) == "handled")
        #expect(Self.status(of: pid) == Self.exited0)
    }

    @Test func `two contents for one request reach the host when they are sent past the SDK`() throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet()
        try host.request(1, Self.payload("twiceRaw"))
        #expect(try host.title(of: 1) == "first")
        #expect(try host.title(of: 1) == "second")
        host.hangUp()
        #expect(Self.status(of: pid) == Self.exited0)
    }

    @Test(arguments: [("exit", 3 << 8), ("abort", SIGABRT), ("kill", SIGKILL), ("trap", SIGILL), ("huge", 1 << 8)])
    func `a process that ends with a request open ends as it did`(behavior: String, status: Int32) throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet()
        try host.request(1, Self.payload(behavior))
        // The upper bit says that a core was written.
        #expect(Self.status(of: pid) & ~0x80 == status)
    }

    @Test func `what the centre cannot do is in the host's log, once a process`() throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet()
        try host.request(1, Self.payload("centre"))
        let warning =
            "UNUserNotificationCenter does not reach the app from here: lists are empty, changes have no effect"
        #expect(try host.receive() == .log(.init(level: .notice, message: warning)))
        #expect(try host.title(of: 1) == "handled")
        try host.request(2, Self.payload("centre"))
        #expect(try host.title(of: 2) == "handled")
        host.hangUp()
        #expect(Self.status(of: pid) == Self.exited0)
    }

    @Test func `calls to the centre leave before the content that comes later`() throws {
        let host = try FakeHost()
        let pid = try host.spawn(Self.executable)
        try host.greet(hasCenter: true)
        try host.request(1, Self.payload("centre"))
        #expect(try host.receive() == .call(id: 1, .removeDelivered(.all)))
        #expect(try host.receive() == .call(id: 2, .removePending(.all)))
        #expect(try host.title(of: 1) == "handled")
        // Answered in any order, or failed: an extension that does not wait does not hear it.
        try host.send(.answer(id: 2, CallAnswer.done.body))
        try host.send(.answer(id: 1, CallAnswer.failed(.notAllowed).body))
        try host.request(2, Self.payload("centreAndExit"))
        #expect(try host.receive() == .call(id: 3, .removeDelivered(.all)))
        let added = NotificationRequest(
            identifier: "added",
            payload: Payload(["aps": ["alert": ["title": "added"]]]),
            trigger: nil
        )
        #expect(try host.receive() == .call(id: 4, .add(added)))
        #expect(try host.title(of: 2) == "handled")
        host.hangUp()
        #expect(Self.status(of: pid) == Self.exited0)
    }

    @Test func `an answer to no call, or one that its call cannot have, ends the process`() throws {
        for answer in [HostMessage.answer(id: 9, CallAnswer.done.body), .answer(id: 1, CallAnswer.granted(true).body)] {
            let host = try FakeHost()
            let pid = try host.spawn(Self.executable)
            try host.greet(hasCenter: true)
            try host.request(1, Self.payload("centre"))
            _ = try host.receive()
            try host.send(answer)
            #expect(Self.status(of: pid) & ~0x80 == 1 << 8)
        }
    }

    @Test func `without a socket it says so and ends with status 2`() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.executable)
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(
            text == """
                MisbehavingExtension: error: descriptor 3 is no socket of extension-host
                MisbehavingExtension: hint: start the bundle with "extension-host run BUNDLE PAYLOAD"

                """
        )
    }
}
