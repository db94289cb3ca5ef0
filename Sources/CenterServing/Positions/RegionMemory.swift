// SPDX-License-Identifier: Apache-2.0

import CenterStore
import UserNotificationCenter

/// The times of what a centre was told about places since it started; no place is among them.
///
/// Milliseconds of the machine's clock. What must outlive the centre is the standing of a region, in the store.
struct RegionMemory {
    /// Milliseconds between two fixes that are looked at: twenty in a second are more than a person moves.
    private static let leastPause: Int64 = 50

    private var lastFixes: [OwnerName: Int64] = [:]
    /// The sightings of the beacons of pending requests, by the numbers of those.
    private var presences: [Int64: BeaconPresence] = [:]

    /// Tells whether a fix is looked at: it is newer than the last one, and not too soon after it.
    mutating func admitsFix(of owner: OwnerName, at time: Int64) -> Bool {
        guard lastFixes[owner].map({ time - $0 >= Self.leastPause }) ?? true else { return false }
        lastFixes[owner] = time
        return true
    }

    /// The sightings of a request's beacons, as a change leaves them.
    mutating func presence(of region: Int64, _ change: (inout BeaconPresence) -> Void) -> BeaconPresence {
        var presence = presences[region] ?? BeaconPresence()
        change(&presence)
        presences[region] = presence == BeaconPresence() ? nil : presence
        return presence
    }

    /// Forgets the beacons of requests that wait no more.
    mutating func keep(only regions: Set<Int64>) {
        presences = presences.filter { regions.contains($0.key) }
    }
}
