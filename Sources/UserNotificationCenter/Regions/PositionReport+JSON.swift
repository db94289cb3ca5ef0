// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import FoundationEssentials
package import NotificationPayload

/// The reason for which members are no report of a position.
///
/// A text in a fault is the key of a member, a constant of ours, and never what was written there.
package enum PositionFault: Error, Equatable {
    /// A text where a number belongs, and the like.
    case wrongKind(String)
    case missing(String)
    /// A number that no place, no accuracy or no beacon has.
    case outOfRange(String)
    /// A text that is no date, or no UUID.
    case malformed(String)
    case tooMany(String, count: Int)
    /// A report is a fix or a list of beacons, and not both.
    case both
}

extension PositionReport {
    /// Reads a place with its accuracy, or a list of beacons; both may have a `time`.
    ///
    /// Unknown members are ignored.
    package init(_ object: JSONObject) throws(PositionFault) {
        let members = Members(object)
        let time = try members.time("time")
        guard let value = object["beacons"] else {
            self.init(.fix(try members.fix()), time: time)
            return
        }
        guard ["latitude", "longitude", "accuracy"].allSatisfy({ object[$0] == nil }) else { throw .both }
        guard let list = value.array else { throw .wrongKind("beacons") }
        guard list.count <= Self.beaconLimit else { throw .tooMany("beacons", count: list.count) }
        var sightings: [BeaconSighting] = []
        for element in list {
            guard let beacon = element.object else { throw .wrongKind("beacons") }
            sightings.append(try Members(beacon).sighting())
        }
        self.init(.beacons(sightings), time: time)
    }
}

/// A reader of the members of a report, each of which says what is wrong with it.
private struct Members {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    func fix() throws(PositionFault) -> PositionFix {
        let (latitude, longitude) = (try number("latitude"), try number("longitude"))
        guard (-90.0...90).contains(latitude) else { throw .outOfRange("latitude") }
        guard let place = Place(latitude: latitude, longitude: longitude) else { throw .outOfRange("longitude") }
        let accuracy = try number("accuracy")
        guard accuracy >= 0 else { throw .outOfRange("accuracy") }
        return PositionFix(place, accuracy: accuracy)
    }

    func sighting() throws(PositionFault) -> BeaconSighting {
        guard let value = object["uuid"] else { throw .missing("uuid") }
        guard let text = value.string else { throw .wrongKind("uuid") }
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { throw .malformed("uuid") }
        return BeaconSighting(uuid: uuid.uuidString, major: try word("major"), minor: try word("minor"))
    }

    /// Reads a moment; `nil` means that there is none.
    func time(_ key: String) throws(PositionFault) -> Int64? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else { throw .wrongKind(key) }
        guard let moment = Moment(text) else { throw .malformed(key) }
        return moment.milliseconds
    }

    private func number(_ key: String) throws(PositionFault) -> Double {
        guard let value = object[key] else { throw .missing(key) }
        guard let number = value.double else { throw .wrongKind(key) }
        return number
    }

    private func word(_ key: String) throws(PositionFault) -> UInt16 {
        guard let value = object[key] else { throw .missing(key) }
        guard let number = value.integer else { throw .wrongKind(key) }
        guard let word = UInt16(exactly: number) else { throw .outOfRange(key) }
        return word
    }
}
