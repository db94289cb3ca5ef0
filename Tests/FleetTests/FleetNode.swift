// SPDX-License-Identifier: Apache-2.0

import Fleet
import HostRuntime
import Locking
import Logging
import NotificationPayload
import TestClock

import struct Foundation.Date

/// A host of a fleet in this process: its queue, and extensions that take as long as a test wants.
final class FleetNode: Sendable {
    /// A push that ran to its end.
    struct Concluded: Equatable {
        let id: String
        let token: String
        let delivery: String
        let isTakenUpAgain: Bool
    }

    private struct Routes: Outbox {
        func sinks(taking topic: String) -> [String] { ["hook"] }
    }

    struct State {
        var concluded: [Concluded] = []
        var begun: [String] = []
        /// Devices whose pushes do not end before somebody says so, or they are cancelled.
        var stuck: Set<String> = []
        var waiting: [String: Signal] = [:]
    }

    static let keys = FleetKeys(sealing: [UInt8](repeating: 7, count: 32))

    let host: FleetHost
    let state = Locked(State())
    private let deadlines: DeadlineQueue

    /// Makes a host that gives partitions to their first host at once.
    convenience init(
        _ name: String,
        _ fixture: FleetFixture,
        lease: Duration = .seconds(600),
        weight: Double = 1,
        limits: QueueLimits = QueueLimits(),
        keys: FleetKeys = FleetNode.keys
    ) {
        let conninfo = fixture.conninfo
        self.init(name, lease: lease, weight: weight, limits: limits, keys: keys) { () throws(FleetError) in
            try FleetDatabase(conninfo, patience: .seconds(60))
        }
    }

    /// Makes a host with connections that are made in a way of their own.
    init(
        _ name: String,
        lease: Duration = .seconds(600),
        weight: Double = 1,
        limits: QueueLimits = QueueLimits(),
        keys: FleetKeys = FleetNode.keys,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase
    ) {
        let clock = HostClock(ContinuousClock())
        deadlines = DeadlineQueue(clock: clock)
        let member = FleetMember(host: name, version: "1", lease: lease, weight: weight)
        var settings = FleetHost.Settings(member: member, keys: keys)
        settings.rules.patience = .zero
        settings.rules.courtesy = .zero
        settings.rules.movingAtOnce = 1024
        settings.rules.drainLimit = .seconds(60)
        host = FleetHost(
            settings,
            limits: limits,
            outbox: Routes(),
            clock: clock,
            deadlines: deadlines,
            logger: Logger(label: "tests"),
            connect: connect
        )
    }

    var concluded: [Concluded] { state.withLock(\.concluded) }
    var begun: [String] { state.withLock(\.begun) }

    /// Has pushes of a device wait for `letGo`, or for their cancellation.
    func hold(_ token: String) {
        state.withLock { state in
            state.stuck.insert(token)
            state.waiting[token] = Signal()
        }
    }

    func letGo(_ token: String) {
        let signal = state.withLock { state in
            state.stuck.remove(token)
            return state.waiting[token]
        }
        signal?.raise()
    }

    private func conclude(_ push: IncomingPush) async -> Conclusion? {
        let signal = state.withLock { state in
            state.begun.append(push.id)
            return state.stuck.contains(push.deviceToken) ? state.waiting[push.deviceToken] : nil
        }
        if let signal { await signal.wait() }
        if Task.isCancelled { return nil }
        let delivery = push.delivery?.description ?? ""
        state.withLock { state in
            state.concluded.append(
                Concluded(
                    id: push.id,
                    token: push.deviceToken,
                    delivery: delivery,
                    isTakenUpAgain: push.isTakenUpAgain
                )
            )
        }
        return Conclusion(
            number: push.number ?? 0,
            record: Array("record of \(push.id)".utf8),
            deviceToken: push.deviceToken,
            sinks: ["hook"]
        )
    }

    /// Runs until the task is cancelled, as a crash would end it, or until `drain`.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.deadlines.run() }
            group.addTask { await self.host.queue.maintain() }
            group.addTask { await self.host.queue.run { await self.conclude($0) } }
            await host.run()
            group.cancelAll()
            await host.queue.end()
        }
        host.close()
    }

    /// Hands pushes in, and returns what their senders hear.
    func accept(_ pushes: [IncomingPush]) async -> [Acceptance] {
        let (answers, sender) = AsyncStream<(Int, [Acceptance])>.makeStream()
        host.queue.accept(pushes) { sender.yield(($0, $1)) }
        var all = [Acceptance?](repeating: nil, count: pushes.count)
        for await (place, some) in answers {
            for (index, answer) in some.enumerated() { all[place + index] = answer }
            if all.allSatisfy({ $0 != nil }) { break }
        }
        return all.compactMap { $0 }
    }

    /// Returns when something is true.
    func until(_ isTrue: (FleetNode) throws -> Bool) async throws {
        while try !isTrue(self) { try await Task.turn() }
    }
}

extension IncomingPush {
    /// The push of a device by its number, whose body no other number has.
    static func sample(_ number: Int, device: String, topic: String = "com.example.chat") -> IncomingPush {
        let payload: JSONObject = ["aps": ["alert": .string("\(number)")]]
        let body = payload.serialized
        return IncomingPush(
            id: "\(device)-\(number)",
            deviceToken: device,
            topic: topic,
            payload: Payload(payload),
            body: body,
            payloadByteCount: body.count,
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }
}
