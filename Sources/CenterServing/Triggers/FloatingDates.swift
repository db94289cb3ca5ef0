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
        var last: Int64 = 0
        while let end = try center.store.pending(on: .wall, after: last, limit: Self.pieceLimit).last?.id {
            let (first, center, owner) = (last, center, owner)
            // Read and written with nothing in between: none of them fires or is dated meanwhile.
            try await center.perform { store throws(DatabaseFailure) in
                let zone = center.zone(of: owner)
                let page = try store.pending(on: .wall, after: first, limit: Self.pieceLimit)
                return page.filter { $0.id <= end && $0.request.installation.owner == owner }.compactMap { pending in
                    let trigger = pending.request.content.trigger.flatMap { RequestTrigger(stored: $0) }
                    guard let trigger, trigger.isFloating else { return nil }
                    let date = TriggerDates(trigger, zone: zone).first(center.clock)?.1
                    return .redate(pending: pending.id, date ?? DueDate(due: center.clock.wall()))
                }
            }
            last = end
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
