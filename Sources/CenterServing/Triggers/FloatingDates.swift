// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Locking

/// The dates of requests that name no zone of their own, when their owner's zone is another one.
struct FloatingDates {
    private static let pieceLimit = 256

    let center: Center
    let owner: OwnerName

    /// Dates them anew; one whose date has no place in the new zone any more is due now.
    func redate() async throws(DatabaseFailure) {
        let zone = center.zone(of: owner)
        var last: Int64 = 0
        while true {
            let page = try center.store.pending(on: .wall, after: last, limit: Self.pieceLimit)
            guard let end = page.last?.id else { break }
            last = end
            let work = page.compactMap { pending -> CenterWork? in
                guard pending.request.installation.owner == owner,
                    let trigger = pending.request.content.trigger.flatMap({ RequestTrigger(stored: $0) }),
                    trigger.isFloating
                else { return nil }
                let date = TriggerDates(trigger, zone: zone).first(center.clock)?.1
                return .redate(pending: pending.id, date ?? DueDate(due: center.clock.wall()))
            }
            if !work.isEmpty { _ = try await center.perform(work) }
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
