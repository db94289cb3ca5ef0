// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Foundation
import Locking
import Logging
import Metrics

/// Fires the triggers of pending requests: the soonest first, and at the start what became due meanwhile, once.
///
/// The scheduler sleeps until the soonest date, and a second at most, so that a clock that was set and a machine that
/// was suspended need no timer of their own. What is due by both clocks goes out in the order of its dates, 256 in a
/// transaction.
package struct Scheduler: Sendable {
    private static let batchLimit = 256
    private static let longestSleep = Duration.seconds(1)
    /// The boot by whose clock all intervals are dated.
    private static let bootFact = "boot"

    private let center: Center

    package init(_ center: Center) {
        self.center = center
    }

    /// Fires until the task is cancelled.
    package func run(_ clock: some Clock<Duration>) async {
        var isDated = false
        while !Task.isCancelled {
            var pause = Self.longestSleep
            do {
                if !isDated { try await dateAnew() }
                isDated = true
                let now = Instant(center.clock)
                pause = try await fire(at: now) ? .zero : min(pause, untilNext(after: now))
            } catch {
                center.logger.error("triggers not fired", metadata: ["error": "\(error)"])
            }
            if pause > .zero { await sleep(for: pause, clock) }
        }
    }

    private func sleep(for pause: Duration, _ clock: some Clock<Duration>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await clock.sleep(for: pause) }
            group.addTask { [center] in await center.requestsChanged.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Fires what is due now; true means that there may be more.
    func fire() async throws(DatabaseFailure) -> Bool { try await fire(at: Instant(center.clock)) }

    /// A moment by both clocks, in their milliseconds.
    private struct Instant {
        let boot: Int64
        let wall: WallTime

        init(_ clock: CenterClock) {
            boot = clock.boot()
            wall = clock.wall()
        }
    }

    private func fire(at now: Instant) async throws(DatabaseFailure) -> Bool {
        let ofBoot = try center.store.due(on: .boot, before: now.boot + 1, limit: Self.batchLimit)
        let ofWall = try center.store.due(on: .wall, before: now.wall + 1, limit: Self.batchLimit)
        let dated =
            ofBoot.map { ($0, ($0.request.date.due ?? 0) + now.wall - now.boot) }
            + ofWall.map { ($0, $0.request.date.due ?? 0) }
        let due = dated.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.prefix(Self.batchLimit)
        guard !due.isEmpty else { return false }
        var work: [CenterWork] = []
        for (pending, _) in due {
            work.append(.arrive(try arrival(of: pending, at: now.wall)))
        }
        let results = try await center.perform(work)
        for ((_, date), result) in zip(due, results) where result.isFiring {
            center.metrics.notifications.triggerLateness.observe(.milliseconds(now.wall - date))
        }
        // One that is refused stays, and is not tried again and again without a pause.
        return results.contains { if case .refused = $0 { false } else { true } }
    }

    private func arrival(of pending: StoredPending, at now: WallTime) throws(DatabaseFailure) -> NotificationArrival {
        let request = pending.request
        let trigger = request.content.trigger.flatMap { RequestTrigger(stored: $0) }
        let dates = trigger.map { TriggerDates($0, zone: center.zone(of: request.installation.owner)) }
        let next = dates?.next(after: request.date, center.clock)
        return try RequestFiring(center).arrival(of: pending, next: next, at: now)
    }

    /// The time until something is due; what was due by that moment and did not fire is damaged, and is left out.
    private func untilNext(after now: Instant) throws(DatabaseFailure) -> Duration {
        let boot = try center.store.nextDue(on: .boot).map { $0 - now.boot }
        let wall = try center.store.nextDue(on: .wall).map { $0 - now.wall }
        let next = [boot, wall].compactMap { $0 }.filter { $0 > 0 }.min()
        return next.map { .milliseconds($0) } ?? Self.longestSleep
    }

    /// Counts intervals that were set before this boot by the clock of this one, once after each boot.
    ///
    /// Each says of which boot it is, so that a crash in between costs nothing.
    func dateAnew() async throws(DatabaseFailure) {
        let boot = Array(center.clock.bootID.utf8)
        guard try center.store.fact(Self.bootFact) != boot else { return }
        var last: Int64 = 0
        while true {
            let page = try center.store.pending(on: .boot, after: last, limit: Self.batchLimit)
            guard let end = page.last?.id else { break }
            last = end
            let work = page.compactMap { pending in
                let trigger = pending.request.content.trigger.flatMap { RequestTrigger(stored: $0) }
                let dates = trigger.map { TriggerDates($0, zone: center.zone(of: pending.request.installation.owner)) }
                return dates?.afterBoot(pending.request.date, center.clock).map {
                    CenterWork.redate(pending: pending.id, $0)
                }
            }
            _ = try await center.perform(work)
        }
        _ = try await center.perform([.setFact(Self.bootFact, boot)])
    }
}

extension WorkResult {
    /// True if the request became a notification, shown or not.
    fileprivate var isFiring: Bool {
        switch self {
        case .listed, .waits, .noted: true
        case .repeated, .withdrawn, .removed, .answered, .stepped, .renewed, .changed, .unchanged, .uninstalled,
            .scheduled, .unscheduled, .done, .refused:
            false
        }
    }
}
