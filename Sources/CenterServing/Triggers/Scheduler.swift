// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Foundation
import Logging
import NotificationPayload

/// Fires the triggers of pending requests: the soonest first, and at the start what became due meanwhile, once.
///
/// The scheduler sleeps until the soonest date, and a second at most: a clock that was set, a zone that changed and a machine that
/// was suspended are noticed by then. What is due by both clocks goes out in the order of its dates, 256 in a transaction.
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
                pause = try await fire() ? .zero : min(pause, untilNext())
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
    func fire() async throws(DatabaseFailure) -> Bool {
        let clocks = center.clock
        let (boot, wall, difference) = (clocks.boot(), clocks.wall(), clocks.wallMinusBoot)
        let ofBoot = try center.store.due(on: .boot, before: boot + 1, limit: Self.batchLimit)
        let ofWall = try center.store.due(on: .wall, before: wall + 1, limit: Self.batchLimit)
        let dated =
            ofBoot.map { ($0, ($0.request.date.due ?? 0) + difference) } + ofWall.map { ($0, $0.request.date.due ?? 0) }
        let due = dated.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.prefix(Self.batchLimit).map(\.0)
        guard !due.isEmpty else { return false }
        var work: [CenterWork] = []
        for pending in due {
            if let arrival = try arrival(of: pending.request, id: pending.id, at: wall) {
                work.append(.arrive(arrival))
            }
        }
        _ = try await center.perform(work)
        return true
    }

    private func arrival(
        of request: KeptRequest,
        id: Int64,
        at now: WallTime
    ) throws(DatabaseFailure) -> NotificationArrival? {
        let content = request.content
        let trigger = content.trigger.flatMap { RequestTrigger(stored: $0) }
        let dates = trigger.map { TriggerDates($0, zone: center.zone(of: request.installation.owner)) }
        let rule = try center.deliveryRule(for: request.installation)
        let (fate, badge) = rule.fate(
            of: DeliveryRule.Delivery(
                identifier: content.identifier,
                payload: Payload(content.payload),
                trigger: content.trigger
            )
        )
        return NotificationArrival(
            installation: request.installation,
            source: .pending(id, next: dates?.next(after: request.date, center.clock)),
            fate: fate,
            date: now,
            badge: badge
        )
    }

    /// The time until something is due.
    private func untilNext() throws(DatabaseFailure) -> Duration {
        let boot = try center.store.nextDue(on: .boot).map { $0 - center.clock.boot() }
        let wall = try center.store.nextDue(on: .wall).map { $0 - center.clock.wall() }
        return .milliseconds(max(0, [boot, wall].compactMap { $0 }.min() ?? .max / 2))
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
                TriggerDates.afterBoot(pending.request.date, center.clock).map {
                    CenterWork.redate(pending: pending.id, $0)
                }
            }
            _ = try await center.perform(work)
        }
        _ = try await center.perform([.setFact(Self.bootFact, boot)])
    }
}
