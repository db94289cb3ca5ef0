// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Locking
import NotificationPayload
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

/// The host's end of a socket whose other end is served by the SDK, in this process or in another one.
///
/// Nothing here waits longer than ten seconds; what takes that long is a failure.
final class FakeHost: Sendable {
    /// Set to -1 once the host has hung up.
    private let descriptor: Locked<Int32>
    /// Set to -1 once a process of its own has it.
    private let workerDescriptor: Locked<Int32>
    private let exitStatus = Locked<Int32?>(nil)
    private let exited = DispatchSemaphore(value: 0)

    init() throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        descriptor = Locked(ends[0])
        workerDescriptor = Locked(ends[1])
    }

    deinit {
        hangUp()
        // A session may still read here: closing would let another test's descriptor take its number.
        _ = workerDescriptor.withLock { shutdown($0, Int32(SHUT_RDWR)) }
    }

    // MARK: The worker

    /// Starts a session in this process.
    func serve(_ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) -> WorkerSession {
        serve(.service(makeExtension))
    }

    func serve(_ work: WorkerSession.Work) -> WorkerSession {
        let session = WorkerSession(
            socket: PacketSocket(descriptor: workerDescriptor.withLock { $0 }),
            work: work
        ) {
            [weak self] status in self?.didExit(status)
        }
        #expect(session.start())
        return session
    }

    /// Starts an executable with its end of the socket as descriptor 3.
    func spawn(_ executable: String) throws -> pid_t {
        let workerEnd = workerDescriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        defer { close(workerEnd) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, workerEnd, 3)
        var pid: pid_t = 0
        let path = try #require(strdup(executable))
        let settings = ["PATH=/usr/local/bin:/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]
        let environment = settings.map { (setting: String) in strdup(setting) }
        defer {
            free(path)
            for variable in environment { free(variable) }
        }
        try #require(posix_spawn(&pid, executable, &actions, nil, [path, nil], environment + [nil]) == 0)
        return pid
    }

    private func didExit(_ status: Int32) {
        exitStatus.withLock { $0 = $0 ?? status }
        exited.signal()
    }

    /// Waits, for at most 10 s, until the session ends the process; returns the exit status that it wanted.
    func waitForExit() throws -> Int32 {
        try #require(exited.wait(timeout: .now() + 10) == .success)
        return try #require(exitStatus.withLock { $0 })
    }

    var hasExited: Bool { exitStatus.withLock { $0 } != nil }

    // MARK: Packets

    func send(_ message: HostMessage) throws {
        try send(bytes: message.packet.encoded())
    }

    func send(bytes: [UInt8], descriptors: [Int32] = []) throws {
        let sent = descriptor.withLock {
            linux_send_packet($0, bytes, bytes.count, descriptors, Int32(descriptors.count))
        }
        try #require(sent == bytes.count)
    }

    func receive() throws -> WorkerMessage {
        var buffer = PacketSocket.makeBuffer()
        let socket = descriptor.withLock { $0 }
        let count = linux_receive_plain_packet(socket, &buffer, buffer.count, 0)
        try #require(count > 0, "no packet: \(count)")
        return try WorkerMessage(Packet(decoding: buffer.span.extracting(0..<count)))
    }

    /// True if a packet can be read without waiting.
    var hasPacket: Bool {
        var poll = pollfd(fd: descriptor.withLock { $0 }, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1 && poll.revents & Int16(POLLIN) != 0
    }

    func hangUp() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    // MARK: Conversation

    func greet(maxConcurrentRequests: Int = 1, scratch: String? = nil, hasCenter: Bool = false, ahead: Int = 7) throws {
        try send(
            .hello(
                .init(
                    bundleIdentifier: "com.example.chat.service",
                    topic: "com.example.chat",
                    scratch: scratch,
                    maxConcurrentRequests: maxConcurrentRequests,
                    hasCenter: hasCenter
                )
            )
        )
        let answer = try receive()
        #expect(answer == .ready(ahead: ahead))
    }

    func request(
        _ id: UInt64,
        _ payload: JSONObject = ["aps": ["alert": ["title": "Alice"]]],
        attachments: [ScratchAttachment] = []
    ) throws {
        try send(
            .request(
                id: id,
                .init(
                    identifier: "request-\(id)",
                    date: "2026-11-21T03:00:00.123Z",
                    payload: Payload(payload),
                    budgetMilliseconds: 30_000,
                    attachments: attachments
                )
            )
        )
    }

    /// The next message, which must be the content of that request; its title.
    func title(of id: UInt64) throws -> String? {
        guard case .content(id, let content) = try receive() else {
            Issue.record("another message than the content of \(id)")
            return nil
        }
        return content.payload.aps?["alert"]?.object?["title"]?.string
    }
}
