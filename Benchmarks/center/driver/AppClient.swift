// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import PacketSockets

/// An app's end of its socket, one call after the other.
final class AppClient {
    private let socket: PacketSocket
    private var end = AppEnd()
    private var buffer = [UInt8](repeating: 0, count: AppMessageType.maximumByteCount + 1)
    private let start = ContinuousClock.now

    init(_ center: CenterProcess, app: String) throws {
        do { socket = try PacketSocket(connectingTo: center.appSocket) } catch {
            throw BenchError("the centre's socket of apps cannot be reached: \(error)")
        }
        try say(.hello(AppHello(bundleIdentifier: app)))
        try Watchdog.shared.within(30, "the centre, to an app's hello,") {
            while true { if case .welcome = try receive() { return } }
        }
    }

    /// Makes a call, and returns the time until its answer in microseconds.
    func call(_ call: CenterCall) throws -> Double {
        let id = end.nextCallID
        let watch = Stopwatch()
        try say(.call(id: id, call))
        let answer = try Watchdog.shared.within(30, "the centre, to a call,") {
            while true { if case .answer(id, _, let answer) = try receive() { return answer } }
        }
        let time = watch.microseconds
        if case .failed(let failure) = answer { throw BenchError("the centre refuses a call: \(failure)") }
        return time
    }

    private func say(_ message: AppMessage) throws {
        let packet = try end.send(message, at: ContinuousClock.now - start)
        guard socket.send(packet) else { throw BenchError("the centre closes the app's socket") }
    }

    private func receive() throws -> CenterAppMessage {
        guard case .packet(let count) = socket.receive(into: &buffer) else {
            throw BenchError("the centre closes the app's socket")
        }
        let bytes = buffer
        return try end.receive(bytes.span.extracting(0..<count), descriptorCount: 0)
    }
}
