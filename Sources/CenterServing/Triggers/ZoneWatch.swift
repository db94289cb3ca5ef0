// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Foundation

/// Follows the time zone of the machine, which is that of every owner who named none.
///
/// The zone whose dates the store has is a fact of the store, so that a change while no centre ran is noticed by the next
/// one, and one that is interrupted is done again.
struct ZoneWatch: Sendable {
    private static let fact = "zone"

    private let center: Center
    private let current: @Sendable () -> String

    /// A watch that asks `current` for the name of the machine's zone.
    init(_ center: Center, current: @escaping @Sendable () -> String = Self.machine) {
        self.center = center
        self.current = current
    }

    /// Reads the zone of the machine anew, for the whole process, and returns its name.
    static func machine() -> String {
        NSTimeZone.resetSystemTimeZone()
        return TimeZone.current.identifier
    }

    /// Dates the requests without a zone of their own anew if the machine has another zone than at the last look.
    func look() async throws(DatabaseFailure) {
        let zone = Array(current().utf8)
        guard try center.store.fact(Self.fact) != zone else { return }
        for record in try center.store.owners() where try center.wishes(of: record.name).zoneName == nil {
            try await FloatingDates(center: center, owner: record.name).redate()
        }
        _ = try await center.perform([.setFact(Self.fact, zone)])
    }
}
