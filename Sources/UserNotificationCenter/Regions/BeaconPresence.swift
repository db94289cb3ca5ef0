// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// The nearness of a beacon, by when its signal was heard last.
///
/// One sighting is certain, since a signal does not reach far. The owner has left when no signal came for 30 s, whether
/// or not a source says so. Times are milliseconds of one clock that nobody sets.
package struct BeaconPresence: Sendable, Equatable {
    /// Milliseconds without a sighting after which the owner has left.
    package static let absence: Int64 = 30_000

    private var sighted: Int64?
    private var missedSince: Int64?

    /// Nothing was heard of the beacon, nor of any other.
    package init() {}

    /// The beacon was heard.
    package mutating func see(at time: Int64) { sighted = max(time, sighted ?? time) }

    /// The beacon was not heard although it would have been: its absence is counted from the first such moment.
    package mutating func miss(at time: Int64) { missedSince = missedSince ?? time }

    /// Returns the side on which the owner is; `nil` means that it has not been long enough without a sighting.
    package func side(at now: Int64) -> RegionSide? {
        if let sighted, now - sighted < Self.absence { return .inside }
        guard let since = sighted ?? missedSince else { return nil }
        return now - since >= Self.absence ? .outside : nil
    }
}

extension RequestTrigger.Beacon {
    /// Tells whether a beacon that was heard is one of these.
    package func covers(_ sighting: BeaconSighting) -> Bool {
        uuid == sighting.uuid && (major ?? sighting.major) == sighting.major
            && (minor ?? sighting.minor) == sighting.minor
    }
}
