// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Glibc
import Locking
import PostgreSQL
import Sampling
import TestClock

/// Hosts in processes of their own, senders that offer them pushes, and what both saw.
final class FleetStorm: Sendable {
    private struct State {
        var history = FleetHistory()
        var hosts: [ProbeHost?]
        var lastOffer: Int64 = 0
        var isOver = false
        var numbers: SimulatedFleet.Numbers
        var offered = 0
        var repeated = 0
        var replayed = 0
    }

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
    var counts: (offered: Int, repeated: Int, replayed: Int) {
        state.withLock { ($0.offered, $0.repeated, $0.replayed) }
    }

    func chance(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.numbers) } }

    // MARK: Hosts

    func start(_ index: Int) throws {
        let host = try ProbeHost("host\(index)", conninfo, lease: Self.lease) { [self] in hear($0) }
        state.withLock { $0.hosts[index] = host }
    }

    func host(_ index: Int) -> ProbeHost? { state.withLock { $0.hosts[index] } }

    /// Has a host stand still; nobody offers it anything, and whoever waits for it has no answer.
    func pause(_ index: Int) -> ProbeHost? {
        let host = state.withLock { $0.hosts[index].take() }
        host?.signal(SIGSTOP)
        host?.breakOff()
        return host
    }

    func goOn(_ host: ProbeHost, as index: Int) {
        host.signal(SIGCONT)
        state.withLock { $0.hosts[index] = host }
    }

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
        let hosts = state.withLock(\.hosts).compactMap { $0 }
        for host in hosts { host.tell("drain") }
        while !hosts.allSatisfy(\.isGone) { try await Task.turn() }
    }

    /// Ends what is left, as after a test that has failed.
    func end() {
        for host in state.withLock(\.hosts) where host?.isGone == false {
            host?.signal(SIGCONT)
            host?.signal(SIGKILL)
        }
    }

    // MARK: Senders

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    func stopSending() { state.withLock { $0.isOver = true } }

    /// Sends to one device, one push after the other: a tenth of them twice, some contents under another identifier.
    func send(to token: String) async throws {
        var number = 0
        while !state.withLock(\.isOver) {
            // The sink takes them one after the other: senders do not run away from it.
            while state.withLock({ $0.history.openCount > Self.openLimit }) { try await Task.turn() }
            let push = "\(token)-\(number)"
            try await offer(push, token: token, content: push, until: { $0 })
            if chance(0..<10) == 0 {
                state.withLock { $0.repeated += 1 }
                try await offer(push, token: token, content: push, until: { _ in true })
            }
            if chance(0..<20) == 0 {
                state.withLock { $0.replayed += 1 }
                let old = "\(token)-\(chance(0..<number + 1))"
                try await offer("again-\(push)", token: token, content: old, as: old, until: { _ in true })
            }
            number += 1
        }
    }

    /// Offers a push to one host or another until one has answered as it should.
    private func offer(
        _ id: String,
        token: String,
        content: String,
        as push: String? = nil,
        until isEnough: (Bool) -> Bool
    ) async throws {
        while true {
            let time = Self.now
            let (host, offer) = state.withLock { state in
                state.lastOffer += 1
                state.offered += 1
                state.history.add(.offered(push: push ?? id, token: token, at: time))
                return (state.hosts.randomElement(using: &state.numbers) ?? nil, state.lastOffer)
            }
            if let answer = await host?.offer(offer, id, token: token, content: content) {
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
