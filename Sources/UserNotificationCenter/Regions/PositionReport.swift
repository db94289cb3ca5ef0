// SPDX-License-Identifier: Apache-2.0

/// A place at which an owner was found, and how far from there it may be.
package struct PositionFix: Sendable, Equatable {
    /// Metres; a fix that is worse says nothing about any region.
    package static let worstAccuracy = 1000.0

    package let place: Place
    /// Metres, 0 or more: the radius in which the owner is.
    package let accuracy: Double

    package init(_ place: Place, accuracy: Double) {
        self.place = place
        self.accuracy = accuracy
    }

    /// True unless it is too coarse to be looked at.
    package var isFineEnough: Bool { accuracy <= Self.worstAccuracy }
}

/// A beacon whose signal was heard.
package struct BeaconSighting: Sendable, Hashable {
    /// 36 characters, upper case.
    package let uuid: String
    package let major: UInt16
    package let minor: UInt16

    package init(uuid: String, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }
}

/// The news of a source about where an owner is: a fix, or the beacons that are near.
package struct PositionReport: Sendable, Equatable {
    package enum Observation: Sendable, Equatable {
        case fix(PositionFix)
        /// All beacons that are heard now; an empty list means none.
        case beacons([BeaconSighting])
    }

    /// Milliseconds; a report that is older says nothing any more.
    package static let longestAge: Int64 = 60_000
    /// Beacons of one report.
    package static let beaconLimit = 64

    package let observation: Observation
    /// Milliseconds since 1970; `nil` means that it was made as it came.
    package let time: Int64?

    package init(_ observation: Observation, time: Int64? = nil) {
        self.observation = observation
        self.time = time
    }

    /// Returns the milliseconds since it was made; `nil` means that it is too old, or of a clock that is not ours.
    ///
    /// A clock that is ahead of ours by a minute at most makes reports of now.
    package func age(at now: Int64) -> Int64? {
        guard let time else { return 0 }
        let (age, overflows) = now.subtractingReportingOverflow(time)
        guard !overflows, (-Self.longestAge...Self.longestAge).contains(age) else { return nil }
        return max(0, age)
    }
}
