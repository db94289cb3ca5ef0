// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Locking

/// The dates of requests that name no zone of their own, when the zone of their owners is another one.
struct FloatingDates {
    private static let pieceLimit = 256

    let center: Center
    let owners: Set<OwnerName>

    /// Dates them anew; one whose date has no place in the new zone any more is due now.
    ///
    /// A request that is due already is the scheduler's, and keeps its date until it has fired.
    func redate() async throws(DatabaseFailure) {
        let next = Locked<Int64?>(0)
        while let last = next.withLock(\.self) {
            // Read and written with nothing in between: none of them fires or is dated meanwhile.
            try await center.perform { [center, owners] store throws(DatabaseFailure) in
                let now = center.clock.wall()
                let page = try store.pending(on: .wall, after: last, limit: Self.pieceLimit)
                next.withLock { $0 = page.last?.id }
                return page.compactMap { pending in
                    let (owner, due) = (pending.request.installation.owner, pending.request.date.due)
                    let trigger = pending.request.content.trigger.flatMap { RequestTrigger(stored: $0) }
                    guard owners.contains(owner), let due, due > now, let trigger, trigger.isFloating else {
                        return nil
                    }
                    let date = TriggerDates(trigger, zone: center.zone(of: owner)).first(center.clock)?.1
                    return .redate(pending: pending.id, date ?? DueDate(due: now))
                }
            }
        }
        center.requestsChanged.raise()
    }
}

extension RequestTrigger {
    /// True for a date of whatever zone its owner is in.
    fileprivate var isFloating: Bool {
        if case .calendar(let components, _) = self { components.timeZone == nil } else { false }
    }
}
