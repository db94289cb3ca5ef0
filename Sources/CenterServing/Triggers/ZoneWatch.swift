// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Foundation

/// Follows the time zone of the machine, which is that of every owner who named none.
///
/// The zone whose dates the store has is a fact of the store, so that a change while no centre ran is noticed by the
/// next one, and one that is interrupted is done again.
struct ZoneWatch: Sendable {
    private static let fact = "zone"

    private let center: Center
    private let current: @Sendable () -> String

    /// A watch that asks `current` for the name of the machine's zone.
    init(_ center: Center, current: @escaping @Sendable () -> String = Self.machine) {
        self.center = center
        self.current = current
    }

    /// Returns the name of the machine's zone, which the whole process has from then on.
    ///
    /// A change is followed where a name says it: a link into the database of zones. `TZ` goes before and stays, and a
    /// file without a name, or none while the link is put anew, leaves the zone that was.
    static func machine() -> String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
        if ProcessInfo.processInfo.environment["TZ"] == nil, let name = link.flatMap(Self.zone(inLink:)),
            name != TimeZone.current.identifier
        {
            NSTimeZone.resetSystemTimeZone()
        }
        return TimeZone.current.identifier
    }

    /// The name of the zone to which a link leads; `nil` means that it leads to none.
    static func zone(inLink path: String) -> String? {
        guard let folder = path.firstRange(of: "/zoneinfo/") else { return nil }
        let name = String(path[folder.upperBound...])
        return TimeZone(identifier: name) == nil ? nil : name
    }

    /// Dates the requests without a zone of their own anew if the machine has another zone than at the last look.
    func look() async throws(DatabaseFailure) {
        let zone = Array(current().utf8)
        let former = try center.store.fact(Self.fact)
        guard former != zone else { return }
        if former != nil {
            var owners: Set<OwnerName> = []
            for record in try center.store.owners() where try center.wishes(of: record.name).zoneName == nil {
                owners.insert(record.name)
            }
            try await FloatingDates(center: center, owners: owners).redate()
        }
        _ = try await center.perform([.setFact(Self.fact, zone)])
    }
}
