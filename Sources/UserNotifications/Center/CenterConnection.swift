// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import Dispatch
import HostLog
import Locking
import PacketSockets

/// The conversation of an app's process with its notification centre, over as many connections as it takes.
///
/// A connection is made when there is something to say, and again after 0.1 s to 30 s when it is lost. Up to 64 calls wait
/// meanwhile, for 10 s each. A call that was on its way is made again, because making it twice changes nothing;
/// only an `add` is not, which would alert twice, and ends as `lost`.
/// Source: PROTOCOL.md, "App socket".
package final class CenterConnection: Sendable {
    /// The end of a call.
    package enum Outcome: Sendable, Equatable {
        case answer(CallAnswer)
        /// No centre is there, or it does not serve this app.
        case unreachable
        /// The connection ended after the call was sent, so that nobody knows whether it was carried out.
        case lost
        /// The call is longer than a packet may be: nothing was sent.
        case tooLarge
    }

    /// A question of the centre, or something that it tells; `reply` sends the answer, and nothing once the connection
    /// is another one.
    package typealias Listener =
        @Sendable (_ message: CenterAppMessage, _ reply: @escaping @Sendable (AppMessage) -> Void) -> Void

    private struct Call {
        let call: CenterCall
        let completion: @Sendable (Outcome) -> Void
        var since = ContinuousClock.now
    }

    private struct State: ~Copyable {
        var end = AppEnd()
        var socket: PacketSocket?
        /// Counts connections: an answer to a question of an earlier one is not sent.
        var epoch = 0
        var waiting: [Call] = []
        var open: [UInt64: Call] = [:]
        var presence = Presence()
        var isServing = false

        /// Takes the next call that may be sent out of those that wait.
        mutating func nextStep(at now: Duration) -> Step {
            guard let socket, end.isOpen, end.hasRoomForCall, let call = waiting.first else { return .rest }
            let pause = end.pause(at: now)
            guard pause == .zero else { return .wait(pause) }
            waiting.removeFirst()
            let id = end.nextCallID
            guard let packet = try? end.send(.call(id: id, call.call), at: now) else { return .refuse(call) }
            open[id] = call
            return .send(socket, packet)
        }
    }

    private static let waitingLimit = 64
    private static let patience = Duration.seconds(10)
    private static let pauses: ClosedRange<Duration> = .milliseconds(100)...(.seconds(30))

    private let address: CenterAddress
    private let listener: Listener
    private let state = Locked(State())
    /// Something is to be said, so that a pause between two attempts ends.
    private let wake = DispatchSemaphore(value: 0)
    private let incoming = DispatchQueue(label: "notification-center.incoming")
    private let outgoing = DispatchQueue(label: "notification-center.outgoing")
    private let start = ContinuousClock.now

    package init(_ address: CenterAddress, listener: @escaping Listener) {
        self.address = address
        self.listener = listener
    }

    /// Makes a call; its completion is called once, on some other thread.
    package func call(_ call: CenterCall, _ completion: @escaping @Sendable (Outcome) -> Void) {
        let isTaken = state.withLock { state in
            guard state.end.isOpen || state.waiting.count < Self.waitingLimit else { return false }
            state.waiting.append(Call(call: call, completion: completion))
            return true
        }
        guard isTaken else { return outgoing.async { completion(.unreachable) } }
        serve()
    }

    /// Tells the centre what the app is ready for, on this connection and on those that follow.
    package func announce(_ change: (inout Presence) -> Void) {
        let presence = state.withLock { state -> Presence? in
            let former = state.presence
            change(&state.presence)
            return state.presence == former ? nil : state.presence
        }
        guard let presence else { return }
        outgoing.async { self.send(.presence(presence)) }
        serve()
    }

    // MARK: Connecting

    private func serve() {
        let isFirst = state.withLock { state in
            defer { state.isServing = true }
            return !state.isServing
        }
        if isFirst { incoming.async { self.run() } }
        wake.signal()
        outgoing.async { self.flush() }
    }

    /// Connects and reads until nobody waits for anything.
    private func run() {
        var pause = Self.pauses.lowerBound
        while true {
            if let socket = try? PacketSocket(connectingTo: address.socket) {
                if converse(on: socket) { pause = Self.pauses.lowerBound }
            } else if CenterAddress.isAbsent(address.socket) {
                fail { _ in true }
            }
            fail { ContinuousClock.now - $0.since >= Self.patience }
            let isOver = state.withLock { state in
                guard state.waiting.isEmpty, state.presence == Presence() else { return false }
                state.isServing = false
                return true
            }
            if isOver { return }
            _ = wake.wait(timeout: .now() + .milliseconds(Int(pause / .milliseconds(1))))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Ends calls that wait.
    private func fail(_ condition: (Call) -> Bool) {
        let failed = state.withLock { state in
            let failed = state.waiting.filter(condition)
            state.waiting.removeAll(where: condition)
            return failed
        }
        for call in failed { call.completion(.unreachable) }
    }

    // MARK: One connection

    /// Reads until the connection ends; true if the centre took the app.
    private func converse(on socket: PacketSocket) -> Bool {
        state.withLock { state in
            state.end = AppEnd()
            state.socket = socket
            state.epoch += 1
        }
        var wasOpen = false
        outgoing.async { self.send(.hello(AppHello(bundleIdentifier: self.address.app)), beforeWelcome: true) }
        var buffer = [UInt8](repeating: 0, count: AppMessageType.maximumByteCount + 1)
        reading: while case .packet(let count) = socket.receive(into: &buffer) {
            do {
                let message = try state.withLock { state throws(AppViolation) in
                    try state.end.receive(buffer.span.extracting(0..<count), descriptorCount: 0)
                }
                switch message {
                case .welcome:
                    wasOpen = true
                    let presence = state.withLock { $0.presence }
                    outgoing.async {
                        if presence != Presence() { self.send(.presence(presence)) }
                        self.flush()
                    }
                case .rejected(let rejection):
                    HostLog.warnOnce("the notification centre does not serve \(address.app): \(rejection.hint)")
                    fail { _ in true }
                    break reading
                case .answer(let id, _, let answer):
                    state.withLock { $0.open.removeValue(forKey: id) }?.completion(.answer(answer))
                    outgoing.async { self.flush() }
                case .willPresent, .response, .silent, .token, .openSettings: tell(message)
                }
            } catch {
                HostLog.write(.error, "the notification centre broke the rules of its socket: \(error)")
                break
            }
        }
        socket.shutDown()
        putBack()
        return wasOpen
    }

    private func tell(_ message: CenterAppMessage) {
        let epoch = state.withLock { $0.epoch }
        listener(message) { reply in self.outgoing.async { self.send(reply, epoch: epoch) } }
    }

    /// The connection is gone: calls on their way are made again, in their order.
    private func putBack() {
        let lost = state.withLock { state in
            state.socket = nil
            state.end = AppEnd()
            let open = state.open.sorted { $0.key < $1.key }.map(\.value)
            state.open = [:]
            let again = open.filter { $0.call.name != .add }
            state.waiting = again.map { Call(call: $0.call, completion: $0.completion) } + state.waiting
            return open.filter { $0.call.name == .add }
        }
        for call in lost { call.completion(.lost) }
    }

    // MARK: Sending, on the outgoing queue alone

    private enum Step {
        case send(PacketSocket, [UInt8])
        case refuse(Call)
        case wait(Duration)
        case rest
    }

    /// Sends the calls that wait, as fast as the centre's rate allows.
    private func flush() {
        while true {
            switch state.withLock({ $0.nextStep(at: ContinuousClock.now - start) }) {
            // A centre that is gone is found out by the reader.
            case .send(let socket, let packet): guard socket.send(packet) else { return }
            case .refuse(let call): call.completion(.tooLarge)
            case .wait(let pause):
                let time = DispatchTimeInterval.microseconds(Int(pause / .microseconds(1)) + 1)
                return outgoing.asyncAfter(deadline: .now() + time) { self.flush() }
            case .rest: return
            }
        }
    }

    private func send(_ message: AppMessage, epoch: Int? = nil, beforeWelcome: Bool = false) {
        let next = state.withLock { state -> (socket: PacketSocket, packet: [UInt8])? in
            guard let socket = state.socket, state.end.isOpen || beforeWelcome,
                epoch.map({ $0 == state.epoch }) ?? true,
                let packet = try? state.end.send(message, at: ContinuousClock.now - start)
            else { return nil }
            return (socket, packet)
        }
        if let next { _ = next.socket.send(next.packet) }
    }
}
