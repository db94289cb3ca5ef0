// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import FleetHistory
import Glibc
import Locking
import PostgreSQL
import Sampling
import TestClock

/// Hosts in processes of their own, senders that offer them pushes, and what both saw.
final class FleetStorm: Sendable {
    /// A device and the app to which its token belongs.
    struct Device {
        let token: String
        let app: String
    }

    /// Nothing happened for minutes, or a host died that nobody had struck.
    struct Stuck: Error {
        let wanted: String
        let counts: String
        let faults: Set<FleetHistory.Fault>
    }

    private struct State {
        var history = FleetHistory()
        var hosts: [ProbeHost?]
        var all: [ProbeHost] = []
        var lastOffer: Int64 = 0
        var isOver = false
        var numbers: SimulatedFleet.Numbers
        var offered = 0
        var repeated = 0
        var replayed = 0
        var wrapped = 0
    }

    /// The longest wait for anything.
    private static let patience = Duration.seconds(300)
    private static let lease = 2000
    /// Accepted pushes without a record, beyond which senders wait.
    private static let openLimit = 400
    private let conninfo: String
    private let state: Locked<State>

    init(hosts: Int, _ conninfo: String, seed: UInt64) {
        self.conninfo = conninfo
        state = Locked(
            State(hosts: Array(repeating: nil, count: hosts), numbers: SimulatedFleet.Numbers(state: seed | 1))
        )
    }

    var history: FleetHistory { state.withLock(\.history) }
    var acceptedCount: Int { state.withLock(\.history.acceptedCount) }
    var counts: String {
        state.withLock { state in
            """
            \(state.history.acceptedCount) accepted of \(state.offered) offers, \(state.repeated) repeats, \
            \(state.replayed) replays, \(state.wrapped) in other words
            """
        }
    }

    /// Returns when something is true of the fleet; throws if it is not in minutes, or a host is gone by itself.
    func until(_ wanted: String, gone: Int? = nil, _ isTrue: () throws -> Bool) async throws {
        let end = ContinuousClock.now + Self.patience
        while try !isTrue() {
            let isGone = state.withLock { state in
                state.hosts.indices.contains { $0 != gone && state.hosts[$0]?.isGone == true }
            }
            guard !isGone, ContinuousClock.now < end else {
                throw Stuck(wanted: wanted, counts: counts, faults: history.faults)
            }
            try await Task.turn()
        }
    }

    func chance(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.numbers) } }

    // MARK: Hosts

    func start(_ index: Int) throws {
        let host = try ProbeHost("host\(index)", conninfo, lease: Self.lease) { [self] in hear($0) }
        state.withLock { state in
            state.hosts[index] = host
            state.all.append(host)
        }
    }

    func host(_ index: Int) -> ProbeHost? { state.withLock { $0.hosts[index] } }

    private func hear(_ words: [String]) {
        state.withLock { state in
            switch words.first {
            case "opened" where words.count == 3: state.history.add(.opened(content: words[1], name: words[2]))
            case "recorded" where words.count == 5:
                guard let place = Int64(words[3]), let time = Int64(words[4]) else { return }
                state.history.add(.recorded(push: words[1], name: words[2], place: place, at: time))
            default: break
            }
        }
    }

    /// Tells all hosts to leave, and returns when they have.
    func drain() async throws {
        let hosts = state.withLock { state in
            defer { state.hosts = [] }
            return state.hosts.compactMap { $0 }
        }
        for host in hosts { host.tell("drain") }
        try await until("hosts leave") { hosts.allSatisfy(\.isGone) }
    }

    /// Ends what is left, as after a test that has failed.
    func end() {
        let all = state.withLock { state in
            defer { (state.hosts, state.all) = ([], []) }
            return state.all
        }
        for host in all {
            host.goOn()
            host.signal(SIGKILL)
        }
    }

    // MARK: Senders

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// True when a push of each device has a record that was offered at that time or later.
    func hasServed(_ devices: [Device], since time: Int64) -> Bool {
        state.withLock { state in devices.allSatisfy { state.history.lastServed[$0.token] ?? 0 >= time } }
    }

    func stopSending() { state.withLock { $0.isOver = true } }

    /// Sends to one device, one push after the other: a tenth of them twice, some contents under another identifier,
    /// and some of these beside another text, which makes another push of them.
    func send(to device: Device) async throws {
        let token = device.token
        var number = 0
        while !state.withLock(\.isOver) {
            // The sink takes them one after the other: senders do not run away from it.
            while state.withLock({ $0.history.openCount > Self.openLimit }) { try await Task.turn() }
            let push = "\(token)-\(number)"
            try await offer(push, device, content: push, until: { $0 })
            if chance(0..<10) == 0 {
                state.withLock { $0.repeated += 1 }
                try await offer(push, device, content: push, until: { _ in true })
            }
            if chance(0..<20) == 0 {
                state.withLock { $0.replayed += 1 }
                let old = "\(token)-\(chance(0..<number + 1))"
                try await offer("again-\(push)", device, content: old, as: old, until: { _ in true })
            }
            if chance(0..<20) == 0 {
                state.withLock { $0.wrapped += 1 }
                let old = "\(token)-\(chance(0..<number + 1))"
                try await offer("other-\(push)", device, content: old, alert: "other\(number)", until: { $0 })
            }
            number += 1
        }
    }

    /// Offers a push to one host or another until one has answered as it should.
    private func offer(
        _ id: String,
        _ device: Device,
        content: String,
        alert: String = "clear",
        as push: String? = nil,
        until isEnough: (Bool) -> Bool
    ) async throws {
        while true {
            let time = Self.now
            let (host, offer) = state.withLock { state in
                state.lastOffer += 1
                state.offered += 1
                state.history.add(.offered(push: push ?? id, token: device.token, at: time))
                return (state.hosts.randomElement(using: &state.numbers) ?? nil, state.lastOffer)
            }
            if let answer = await host?.offer(
                offer,
                id,
                token: device.token,
                content: content,
                alert: alert,
                topic: device.app
            ) {
                if answer {
                    let now = Self.now
                    state.withLock { $0.history.add(.accepted(push: push ?? id, offeredAt: time, at: now)) }
                }
                if isEnough(answer) { return }
            }
            try await Task.turn()
        }
    }
}
