// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import Dispatch
import HostLog
import Locking
import PacketSockets

/// The conversation of an app's process with its notification centre, over as many connections as it takes.
///
/// A connection is made when there is something to say, and again after 0.1 s to 30 s when it is lost. Up to 64 calls
/// wait meanwhile, for 10 s each. A call that was on its way is made again, twice at most. An `add` is not, which would
/// alert twice, nor is a removal or a badge that was called before it and could undo it: they end as `lost`. Source:
/// PROTOCOL.md, "App socket".
package final class CenterConnection: CenterCarrier {
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
        let files: OutgoingFiles
        let completion: @Sendable (Outcome) -> Void
        var since = ContinuousClock.now
        /// Connections on which it was sent and not answered.
        var attempts = 0

        /// True if the call, made again after an `add` that may have been done, could undo it.
        var mayUndo: Bool {
            switch call.name {
            case .removePending, .removeDelivered, .badge: true
            case .authorize, .settings, .setCategories, .categories, .add, .pending, .delivered, .file, .register,
                .withdraw:
                false
            }
        }
    }

    private enum Step {
        case send(PacketSocket, [UInt8], OutgoingFiles)
        case refuse(Call)
        case wait(Duration)
        case rest
    }

    private struct State: ~Copyable {
        var end = AppEnd()
        var socket: PacketSocket?
        /// The number of connections so far: an answer to a question of an earlier one is not sent.
        var epoch = 0
        var waiting: [Call] = []
        var open: [UInt64: Call] = [:]
        var presence = Presence()
        /// The centre of this connection has not heard of `presence`.
        var owesPresence = false
        var isServing = false
        /// The centre took the app once: when it is away, it is about to come back.
        var wasServed = false
        /// A timer runs until the rate allows the next message.
        var isPaused = false

        /// Takes what may be sent next: the presence, which however often it changed is told once, then the calls that
        /// wait.
        mutating func nextStep(at now: Duration) -> Step {
            guard !isPaused, let socket, end.isOpen, owesPresence || end.hasRoomForCall && !waiting.isEmpty else {
                return .rest
            }
            let pause = end.pause(at: now)
            guard pause == .zero else {
                isPaused = true
                return .wait(pause)
            }
            if owesPresence {
                owesPresence = false
                guard let packet = try? end.send(.presence(presence), at: now) else { return .rest }
                return .send(socket, packet, .none)
            }
            let call = waiting.removeFirst()
            let id = end.nextCallID
            guard let packet = try? end.send(.call(id: id, call.call), at: now) else { return .refuse(call) }
            open[id] = call
            return .send(socket, packet, call.files)
        }

        /// Puts calls that have no answer back among those that wait; returns those that end.
        mutating func putBack() -> [Call] {
            let sent = open.sorted { $0.key < $1.key }.map(\.value)
            open = [:]
            let lastAdd = sent.lastIndex { $0.call.name == .add } ?? -1
            var again: [Call] = []
            var lost: [Call] = []
            for (place, var call) in sent.enumerated() {
                call.attempts += 1
                let isOver = call.call.name == .add || call.attempts == CenterConnection.attemptLimit
                if isOver || (place < lastAdd && call.mayUndo) { lost.append(call) } else { again.append(call) }
            }
            waiting = again + waiting
            for place in waiting.indices { waiting[place].since = .now }
            return lost
        }
    }

    private static let waitingLimit = 64
    /// Connections on which a call is tried that each of them ends.
    private static let attemptLimit = 3
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

    package var handsOutFiles: Bool { true }

    package init(_ address: CenterAddress, listener: @escaping Listener) {
        self.address = address
        self.listener = listener
    }

    /// Makes a call; its completion is called once, on some other thread.
    package func call(_ call: CenterCall, _ completion: @escaping @Sendable (Outcome) -> Void) {
        self.call(call, files: .none, completion)
    }

    /// The same with files, which travel with the call.
    package func call(
        _ call: CenterCall,
        files: OutgoingFiles,
        _ completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let isTaken = state.withLock { state in
            guard state.end.isOpen || state.waiting.count < Self.waitingLimit else { return false }
            state.waiting.append(Call(call: call, files: files, completion: completion))
            return true
        }
        guard isTaken else { return outgoing.async { completion(.unreachable) } }
        serve()
    }

    /// Tells the centre what the app is ready for, on this connection and on those that follow.
    package func announce(_ presence: Presence) {
        let hasChanged = state.withLock { state in
            guard state.presence != presence else { return false }
            state.presence = presence
            state.owesPresence = true
            return true
        }
        if hasChanged { serve() }
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
            } else if CenterAddress.isAbsent(address.socket), !state.withLock({ $0.wasServed }) {
                fail { _ in true }
            }
            fail { ContinuousClock.now - $0.since >= Self.patience }
            let isOver = state.withLock { state in
                guard state.waiting.isEmpty, state.presence == Presence() else { return false }
                state.isServing = false
                return true
            }
            if isOver { return }
            if !rest(pause) { pause = min(pause * 2, Self.pauses.upperBound) }
        }
    }

    /// Waits for the next attempt, and not beyond the patience of a call; true if something more is to be said.
    private func rest(_ pause: Duration) -> Bool {
        // Those of the calls that a connection has carried.
        while wake.wait(timeout: .now()) == .success {}
        let now = ContinuousClock.now
        let left = state.withLock { state in state.waiting.map { Self.patience - (now - $0.since) }.min() }
        let time = max(Self.pauses.lowerBound, min(pause, left ?? pause))
        return wake.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1)))) == .success
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
        outgoing.asyncAfter(deadline: .now() + .seconds(Int(Self.patience / .seconds(1)))) { [weak self, weak socket] in
            // A centre that accepts and says nothing holds up no call for longer.
            guard let self, let socket, self.state.withLock({ $0.socket === socket && !$0.end.isOpen }) else { return }
            socket.shutDown()
        }
        var buffer = [UInt8](repeating: 0, count: AppMessageType.maximumByteCount + 1)
        reading: while case .packet(let count) = socket.receive(into: &buffer) {
            do {
                let message = try state.withLock { state throws(AppViolation) in
                    try state.end.receive(buffer.span.extracting(0..<count), descriptorCount: 0)
                }
                switch message {
                case .welcome:
                    wasOpen = true
                    state.withLock { state in
                        state.wasServed = true
                        state.owesPresence = true
                    }
                    outgoing.async { self.flush() }
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
            return state.putBack()
        }
        for call in lost { call.completion(.lost) }
    }

    // MARK: Sending, on the outgoing queue alone

    /// Sends the presence and the calls that wait, as fast as the centre's rate allows.
    private func flush() {
        while true {
            switch state.withLock({ $0.nextStep(at: ContinuousClock.now - start) }) {
            // A centre that is gone is found out by the reader.
            case .send(let socket, let packet, let files):
                guard socket.send(packet, files: files.passed) else { return socket.shutDown() }
            case .refuse(let call): call.completion(.tooLarge)
            case .wait(let pause):
                let time = DispatchTimeInterval.microseconds(Int(pause / .microseconds(1)) + 1)
                return outgoing.asyncAfter(deadline: .now() + time) {
                    self.state.withLock { $0.isPaused = false }
                    self.flush()
                }
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
