// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Dispatch
import Glibc
import NotificationPayload
import PacketSockets
import Testing
import UserNotifications

@testable import CenterServing

extension Bench {
    /// The path of the apps' socket.
    var appSocket: String { folder + "/app.sock" }

    /// The centre as an app's process sees it, in the place of `UNUserNotificationCenter.current()`.
    func app(
        _ identifier: String = topic,
        isThere: @escaping @Sendable () -> Bool = { true }
    ) -> UNUserNotificationCenter {
        let address = CenterAddress(socket: appSocket, app: identifier)
        return UNUserNotificationCenter { isThere() ? CenterConnection(address, listener: $0) : nil }
    }

    /// Serves apps until the body returns.
    func withApps(
        _ clock: any Clock<Duration> = ContinuousClock(),
        _ body: () async throws -> Void
    ) async throws {
        let server = AppServer(center, owner: me, listener: try PacketListener(path: appSocket))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run(clock) }
            defer { server.stop() }
            try await body()
        }
    }
}

/// An app's end of a socket without the SDK: it says what a test wants it to say.
final class RawApp: Sendable {
    let socket: PacketSocket
    /// The thread that waits for the centre: a task that waited would keep others from running.
    private let reader = DispatchQueue(label: "raw-app")

    /// Connects as soon as there is room among those that wait to be accepted.
    init(_ bench: Bench) async throws {
        while true {
            do {
                socket = try PacketSocket(connectingTo: bench.appSocket)
                return
            } catch  where error.code == EAGAIN { await Task.yield() }
        }
    }

    func send(_ packet: AppPacket) throws { #expect(socket.send(try packet.encoded())) }

    func send(bytes: [UInt8]) { #expect(socket.send(bytes)) }

    func hello(_ app: String = Bench.topic) async throws -> AppPacket? {
        try send(AppPacket(.hello, body: ["protocol": 1, "bundleIdentifier": .string(app)]))
        return try await receive()
    }

    /// The next packet; `nil` means that the centre has closed the socket.
    func receive() async throws -> AppPacket? {
        try await withCheckedThrowingContinuation { answer in
            reader.async { [socket] in
                var buffer = [UInt8](repeating: 0, count: 65_537)
                guard case .packet(let count) = socket.receive(into: &buffer) else {
                    return answer.resume(returning: nil)
                }
                answer.resume(with: Result { try AppPacket(decoding: buffer.span.extracting(0..<count)) })
            }
        }
    }
}

/// A centre that takes an app and ends the connection at its first call.
final class HostileCentre: Sendable {
    private let listener: PacketListener
    private let thread = DispatchQueue(label: "hostile-centre")

    init(_ listener: PacketListener) { self.listener = listener }

    /// Ends so many connections, and returns how many came with a call.
    func serve(ending count: Int) async -> Int {
        await withCheckedContinuation { answer in
            thread.async { [listener] in
                var calls = 0
                for _ in 0..<count {
                    guard let socket = try? listener.accept(), let welcome = try? Self.welcome.encoded() else { break }
                    var buffer = [UInt8](repeating: 0, count: 65_537)
                    guard case .packet = socket.receive(into: &buffer), socket.send(welcome) else { break }
                    while case .packet = socket.receive(into: &buffer) {
                        // The presence comes first.
                        guard buffer[0] == AppMessageType.call.rawValue else { continue }
                        calls += 1
                        break
                    }
                    socket.shutDown()
                }
                answer.resume(returning: calls)
            }
        }
    }

    /// Takes an app, reads nothing while the body runs, and then each presence that it says before its first call.
    func presences(after body: @escaping @Sendable () -> Void) async -> [Bool?] {
        await withCheckedContinuation { answer in
            thread.async { [listener] in
                var found: [Bool?] = []
                var buffer = [UInt8](repeating: 0, count: 65_537)
                if let socket = try? listener.accept(), let welcome = try? Self.welcome.encoded(),
                    case .packet = socket.receive(into: &buffer), socket.send(welcome)
                {
                    body()
                    while case .packet(let count) = socket.receive(into: &buffer),
                        let packet = try? AppPacket(decoding: buffer.span.extracting(0..<count)),
                        packet.type == .presence
                    {
                        found.append(packet.body["inFront"]?.bool)
                    }
                    socket.shutDown()
                }
                answer.resume(returning: found)
            }
        }
    }

    private static let welcome = AppPacket(.welcome, body: ["owner": "me", "status": "authorized"])
}

/// A delegate that hands on what it hears.
final class Hearing: NSObject, UNUserNotificationCenterDelegate {
    let responses: AsyncStream<UNNotificationResponse>
    private let continuation: AsyncStream<UNNotificationResponse>.Continuation
    private let completes: Bool

    init(completes: Bool = true) {
        (responses, continuation) = AsyncStream.makeStream()
        self.completes = completes
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        continuation.yield(response)
        if completes { completionHandler() }
    }

    func next() async -> UNNotificationResponse? {
        for await response in responses { return response }
        return nil
    }
}
