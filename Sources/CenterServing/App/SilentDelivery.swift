// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Locking
import Logging
import NotificationPayload

/// A connection of an app, whatever carries it, as silent pushes see it.
protocol SilentReceiver: Sendable {
    /// True while the app takes silent pushes.
    var takesSilentPushes: Bool { get }
    /// Hands a payload over and waits for the app's result; `nil` means that none came in time, or that the app went
    /// meanwhile. Throws where it could not be handed over, so that the next connection gets it.
    func handle(_ payload: Payload) async throws -> FetchResult?
}

/// The silent pushes of all apps: who waits for one, and which app is at work on one.
final class SilentPushes: Sendable {
    let watchers = Watchers()
    private let busy = Locked<Set<InstallationKey>>([])

    /// Has one connection of an app at a time hand a push over; false if another one does, or if there was none.
    func alone(_ key: InstallationKey, _ body: () async throws -> Bool) async throws -> Bool {
        guard busy.withLock({ $0.insert(key).inserted }) else { return false }
        let isDone: Bool
        do { isDone = try await body() } catch {
            _ = busy.withLock { $0.remove(key) }
            watchers.raise(key)
            throw error
        }
        _ = busy.withLock { $0.remove(key) }
        // Those who found the app at work; one that had nothing to hand over wakes nobody, itself included.
        if isDone { watchers.raise(key) }
        return isDone
    }
}

/// The silent pushes for one connection of an app: the newest that waits, and then those that come, one at a time.
///
/// An app has 30 s for each. It gets none twice: one that it did not finish, or died of, counts as failed, as on a
/// phone.
struct SilentDelivery {
    /// The time that an app has for a silent push.
    static let limit = Duration.seconds(30)
    private static let retryPause = Duration.seconds(1)

    let center: Center
    let key: InstallationKey
    let clock: any Clock<Duration>

    /// Hands pushes over until the app is gone, which the receiver throws, or the task is cancelled.
    func run(to receiver: some SilentReceiver) async throws {
        try await center.silentPushes.watchers.withSignal(of: key) { signal in
            while !Task.isCancelled {
                do {
                    let isDue = try receiver.takesSilentPushes && center.store.silent(of: key) != nil
                    if isDue, try await center.silentPushes.alone(key, { try await handOver(to: receiver) }) {
                        continue
                    }
                    await signal.wait()
                } catch is DatabaseFailure {
                    try await clock.sleep(for: Self.retryPause)
                }
            }
        }
    }

    /// False if there was nothing to hand over.
    private func handOver(to receiver: some SilentReceiver) async throws -> Bool {
        guard receiver.takesSilentPushes, let push = try center.store.silent(of: key) else { return false }
        let payload = (try? JSONObject(parsing: push.payload.span, depthLimit: Payload.depthLimit)).map { Payload($0) }
        // One that cannot be read is no app's.
        let result = if let payload { try await receiver.handle(payload) } else { FetchResult?.none }
        try await drop(push.stored)
        let word = result?.rawValue ?? "none"
        center.logger.info("silent push handled", metadata: ["app": "\(key.app)", "result": "\(word)"])
        return true
    }

    /// Forgets a push that was handed over, unless a newer one has its place; tries each second while the disk fails.
    private func drop(_ stored: WallTime) async throws {
        while true {
            do {
                _ = try await center.perform([.dropSilent(key, stored: stored)])
                return
            } catch {
                center.logger.error("nothing can be stored", metadata: ["error": "\(error)"])
                try await clock.sleep(for: Self.retryPause)
            }
        }
    }
}
