// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The condition on which a requested notification is delivered; a request without one is delivered now.
package enum RequestTrigger: Sendable, Equatable {
    /// Seconds of elapsed time, suspension included.
    case interval(seconds: Double, repeats: Bool)
    case calendar(CalendarComponents, repeats: Bool)
    case region(Circle, Crossing)
    case beacon(Beacon, Crossing)
    /// The notification came from a gateway; only answers have it.
    case push

    /// A circle on the surface of the Earth.
    package struct Circle: Sendable, Equatable {
        /// Degrees, -90 to 90.
        package var latitude: Double
        /// Degrees, -180 to 180.
        package var longitude: Double
        /// Metres, above 0.
        package var radius: Double

        package init(latitude: Double, longitude: Double, radius: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
        }
    }

    /// The beacons of a UUID; a number left out stands for all.
    package struct Beacon: Sendable, Equatable {
        /// 36 characters, upper case.
        package var uuid: String
        package var major: UInt16?
        /// `nil` means all; a minor number without a major one is no beacon.
        package var minor: UInt16?

        package init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
            self.uuid = uuid
            self.major = major
            self.minor = minor
        }
    }

    /// The border of a region, and the directions in which crossing it counts.
    package struct Crossing: Sendable, Equatable {
        /// The region's own identifier.
        package var identifier: String
        package var onEntry: Bool
        package var onExit: Bool
        package var repeats: Bool

        package init(identifier: String, onEntry: Bool = true, onExit: Bool = true, repeats: Bool = false) {
            self.identifier = identifier
            self.onEntry = onEntry
            self.onExit = onExit
            self.repeats = repeats
        }
    }
}

// MARK: Validity

extension RequestTrigger {
    /// The shortest interval that may repeat, in seconds.
    package static let shortestRepeatingInterval = 60.0
    /// The longest interval, in seconds: from 1970 to the end of the year 9999.
    package static let longestInterval = 253_402_300_800.0

    /// True if the trigger may fire one day, as far as that can be told without a clock and the names of time zones.
    ///
    /// A request whose trigger never fires is answered with `noDate`.
    package var mayFire: Bool {
        switch self {
        case .interval(let seconds, let repeats):
            seconds > 0 && seconds <= Self.longestInterval && (!repeats || seconds >= Self.shortestRepeatingInterval)
        case .calendar(let components, _): components.nameADate
        case .region(let circle, let crossing): circle.isOnEarth && crossing.counts
        case .beacon(_, let crossing): crossing.counts
        case .push: false
        }
    }
}

extension RequestTrigger.Circle {
    fileprivate var isOnEarth: Bool {
        // No comparison holds for NaN.
        abs(latitude) <= 90 && abs(longitude) <= 180 && radius > 0 && radius.isFinite
    }
}

extension RequestTrigger.Crossing {
    /// True if one direction at least counts.
    fileprivate var counts: Bool { onEntry || onExit }
}

// MARK: JSON

extension RequestTrigger {
    fileprivate enum Kind: String, CaseIterable { case interval, calendar, region, beacon, push }

    package var json: JSONObject {
        switch self {
        case .interval(let seconds, let repeats):
            return ["type": "interval", "seconds": .double(seconds), "repeats": .bool(repeats)]
        case .calendar(let components, let repeats):
            return ["type": "calendar", "components": .object(components.json), "repeats": .bool(repeats)]
        case .region(let circle, let crossing):
            let circle: JSON = [
                "latitude": .double(circle.latitude), "longitude": .double(circle.longitude),
                "radius": .double(circle.radius),
            ]
            return crossing.json(type: .region, members: [("circle", circle)])
        case .beacon(let beacon, let crossing):
            var members: [(String, JSON)] = [("uuid", .string(beacon.uuid))]
            if let major = beacon.major { members.append(("major", .integer(Int64(major)))) }
            if let minor = beacon.minor { members.append(("minor", .integer(Int64(minor)))) }
            return crossing.json(type: .beacon, members: members)
        case .push: return ["type": "push"]
        }
    }

    init(_ members: inout Members) throws(MemberFault) {
        let kind: Kind = try members.word("type")
        switch kind {
        case .interval: self = .interval(seconds: try members.number("seconds"), repeats: try members.flag("repeats"))
        case .calendar:
            var components = try members.members("components")
            let read = try CalendarComponents(&components)
            try components.end()
            self = .calendar(read, repeats: try members.flag("repeats"))
        case .region:
            var circle = try members.members("circle")
            let read = Circle(
                latitude: try circle.number("latitude"),
                longitude: try circle.number("longitude"),
                radius: try circle.number("radius")
            )
            try circle.end()
            self = .region(read, try Crossing(&members))
        case .beacon: self = .beacon(try Beacon(&members), try Crossing(&members))
        case .push: self = .push
        }
    }
}

extension RequestTrigger {
    /// Reads what `json` wrote; `nil` for anything else.
    package init?(stored object: JSONObject) {
        var members = Members(object, .strict)
        guard let trigger = try? RequestTrigger(&members), (try? members.end()) != nil else { return nil }
        self = trigger
    }
}

extension RequestTrigger.Crossing {
    fileprivate func json(type: RequestTrigger.Kind, members: [(String, JSON)]) -> JSONObject {
        JSONObject(
            [("type", .string(type.rawValue))] + members + [
                ("identifier", .string(identifier)), ("onEntry", .bool(onEntry)), ("onExit", .bool(onExit)),
                ("repeats", .bool(repeats)),
            ]
        )
    }

    fileprivate init(_ members: inout Members) throws(MemberFault) {
        identifier = try members.identifier()
        onEntry = try members.flag("onEntry")
        onExit = try members.flag("onExit")
        repeats = try members.flag("repeats")
    }
}

extension RequestTrigger.Beacon {
    fileprivate init(_ members: inout Members) throws(MemberFault) {
        let numbers = Int64(UInt16.min)...Int64(UInt16.max)
        uuid = try members.shape("uuid") { Self.isUUID($0) ? $0.uppercased() : nil }
        major = try members.optionalInteger("major", numbers).map { UInt16(truncatingIfNeeded: $0) }
        minor = try members.optionalInteger("minor", numbers).map { UInt16(truncatingIfNeeded: $0) }
        guard major != nil || minor == nil else { throw .missing(members.path(of: "major")) }
    }

    /// Tells whether a text is 32 hex digits in groups of 8, 4, 4, 4 and 12.
    private static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy { Hexadecimal.value(of: $0) != nil } }
    }
}
