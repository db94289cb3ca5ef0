// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Locking
import Metrics

/// A connection of an app, whatever carries it, as responses of people see it.
protocol ResponseReceiver: Sendable {
    /// False while the app takes no further response.
    var hasRoom: Bool { get }
    /// Hands a response to the app; throws when the app is gone.
    func send(_ response: StoredResponse) async throws
    /// The app did not complete a response in time: it goes back to the store.
    func giveUp(_ response: Int64)
    /// Nothing happened for some 30 s; throws when the app is gone.
    func idle() async throws
}

/// The responses of people for one app: those that waited for it, and then those that come.
///
/// A response that the app does not complete within 30 s, or before it goes, waits again; after three attempts it is
/// given up. Each response is with one of an app's connections.
struct ResponseDelivery {
    /// Responses that an app has at once.
    private static let limit = 16
    /// Milliseconds of the machine's clock.
    private static let completionLimit: Int64 = 30_000
    private static let retryPause = Duration.seconds(1)

    let center: Center
    let key: InstallationKey
    let clock: any Clock<Duration>

    /// Hands responses over until the app is gone, which the receiver throws, or the task is cancelled.
    func run(to receiver: some ResponseReceiver) async throws {
        try await center.listeningApps.with(key) {
            try await center.responseWatchers.withSignal(of: key) { signal in
                var sent = Sent()
                do {
                    try await serve(receiver, &sent, signal)
                } catch {
                    await giveBack(sent)
                    throw error
                }
                await giveBack(sent)
            }
        }
    }

    /// The instants by the machine's clock at which the app got what it has.
    private typealias Sent = [Int64: Int64]

    private func serve(_ receiver: some ResponseReceiver, _ sent: inout Sent, _ signal: Signal) async throws {
        while !Task.isCancelled {
            do {
                let position = try center.store.owner(key.owner)?.position ?? 0
                guard try await handOver(to: receiver, &sent) else { continue }
                if !(await news(after: position, sent.values.min(), signal)) { try await receiver.idle() }
            } catch is DatabaseFailure {
                // The connection stays: an app that connected anew would find the same disk.
                try await clock.sleep(for: Self.retryPause)
            }
        }
    }

    /// Hands over what there is room for; false if something was given back first, which is looked at in the next
    /// round.
    private func handOver(to receiver: some ResponseReceiver, _ sent: inout Sent) async throws -> Bool {
        let open = try center.store.responses(of: key, limit: Self.limit)
        sent = sent.filter { id, _ in open.contains { $0.id == id } }
        let overdue = sent.filter { $0.value + Self.completionLimit <= center.clock.boot() }
        for id in overdue.keys {
            receiver.giveUp(id)
            sent[id] = nil
        }
        await giveBack(overdue)
        guard overdue.isEmpty else { return false }
        for response in open where response.state == .stored && receiver.hasRoom {
            let results = try await center.perform([.step(response: response.id, .sent)])
            // Another connection of the app may have been first.
            guard case .stepped(.kept(.sent, _))? = results.first else { continue }
            sent[response.id] = center.clock.boot()
            try await receiver.send(response)
            guard response.tries == 0 else { continue }
            let wait = max(0, center.clock.wall() - response.stored)
            center.metrics.apps.responseWait.observe(.milliseconds(wait))
        }
        return true
    }

    /// The app does not have them any more; a disk that fails has the centre try again each second.
    private func giveBack(_ responses: Sent) async {
        guard !responses.isEmpty else { return }
        await center.giveBack(responses.keys.sorted(), of: key)
    }

    /// Waits for a change of the owner's or of the responses, until the oldest of what the app has is overdue; false:
    /// none came.
    private func news(after position: Int64, _ oldest: Int64?, _ signal: Signal) async -> Bool {
        let now = center.clock.boot()
        let rest = max(1, (oldest ?? now) + Self.completionLimit - now)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await center.wait(for: key.owner, after: position)
                return true
            }
            group.addTask {
                await signal.wait()
                return true
            }
            group.addTask {
                try? await clock.sleep(for: .milliseconds(rest))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
