// SPDX-License-Identifier: Apache-2.0

import Glibc
import NotificationPayload

/// The reason for which a line is none of gpsd's.
package enum GpsdFault: Error, Equatable {
    /// The line is no JSON object, or a deeper one than gpsd's are.
    case noObject
    /// The object does not name its class.
    case noClass
    /// A member of a fix is of another kind, or is out of its range.
    case badFix(String)
}

/// A line of gpsd's JSON protocol, as far as it tells a position.
///
/// Source: gpsd_json(5), "TPV".
package enum GpsdLine: Sendable, Equatable {
    case report(PositionReport)
    /// The line tells no position: another class, or a receiver that knows none.
    case other

    /// Bytes of a line; gpsd's own bound is 10,240.
    package static let byteLimit = 16_384
    /// The command with which gpsd begins to tell.
    package static let watch = "?WATCH={\"enable\":true,\"json\":true}\n"
    /// Levels of arrays and objects.
    private static let depthLimit = 8
    /// The least `mode` of a receiver that knows where it is.
    private static let flatMode: Int64 = 2

    /// Reads a line without its end.
    package init(_ bytes: [UInt8]) throws(GpsdFault) {
        guard let object = try? JSONObject(parsing: bytes.span, depthLimit: Self.depthLimit) else { throw .noObject }
        guard let name = object["class"]?.string else { throw .noClass }
        guard name == "TPV", let fix = try Self.fix(object) else {
            self = .other
            return
        }
        self = .report(PositionReport(.fix(fix), time: try Self.time(object)))
    }

    /// Reads a fix; `nil` means that the receiver knows none, or not how good it is.
    private static func fix(_ object: JSONObject) throws(GpsdFault) -> PositionFix? {
        guard let mode = object["mode"]?.integer else { throw .badFix("mode") }
        guard mode >= flatMode else { return nil }
        guard let latitude = try number(object, "lat"), let longitude = try number(object, "lon") else { return nil }
        guard let place = Place(latitude: latitude, longitude: longitude) else { throw .badFix("lat") }
        guard let accuracy = try accuracy(object) else { return nil }
        guard accuracy >= 0 else { throw .badFix("eph") }
        return PositionFix(place, accuracy: accuracy)
    }

    /// Reads the error across the ground in metres: `eph`, else what `epx` and `epy` make of both directions.
    private static func accuracy(_ object: JSONObject) throws(GpsdFault) -> Double? {
        if let eph = try number(object, "eph") { return eph }
        guard let epx = try number(object, "epx"), let epy = try number(object, "epy") else { return nil }
        return hypot(epx, epy)
    }

    private static func number(_ object: JSONObject, _ key: String) throws(GpsdFault) -> Double? {
        guard let value = object[key] else { return nil }
        guard let number = value.double else { throw .badFix(key) }
        return number
    }

    /// Reads the time of a fix, with whatever digits behind the second; `nil` means that there is none.
    private static func time(_ object: JSONObject) throws(GpsdFault) -> Int64? {
        guard let value = object["time"] else { return nil }
        guard let text = value.string, text.utf8.count <= 32 else { throw .badFix("time") }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            guard let whole = UTCTime.milliseconds(of: text.utf8) else { throw .badFix("time") }
            return whole
        }
        let digits = parts[1].dropLast()
        guard let whole = UTCTime.milliseconds(of: parts[0] + parts[1].suffix(1)), !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .badFix("time") }
        let thousandths = (0..<3).reduce(Int64(0)) { sum, index in
            let digit = digits.dropFirst(index).first.map { Int64($0 & 15) } ?? 0
            return sum * 10 + digit
        }
        return whole + thousandths
    }
}
