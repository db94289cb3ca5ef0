// SPDX-License-Identifier: Apache-2.0

private import Foundation
private import UserNotificationCenter

/// Feeds hostile lines to the reader of gpsd's, and holds what it takes against Foundation's JSON.
///
/// Source: gpsd_json(5), class TPV.
public enum GpsdCheck {
    /// Reads one line without its end; one is taken if it tells a position.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            guard case .report(let report)? = try? GpsdLine(bytes) else { return 0 }
            guard case .fix(let fix) = report.observation else {
                throw BrokenPromise("gpsd tells where a receiver is")
            }
            try expect((-90...90).contains(fix.place.latitude), "a latitude is one")
            try expect((-180...180).contains(fix.place.longitude), "a longitude is one")
            try expect(fix.accuracy >= 0, "an accuracy is a radius")
            if let time = report.time {
                // From the year 0 to the year 9999.
                try expect(
                    (-62_167_219_200_000..<253_402_300_800_000).contains(time),
                    "a time has a year of four digits"
                )
            }
            try expect((try? GpsdLine(bytes)) == .report(report), "a line reads the same twice")
            guard let line = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
                let latitude = (line["lat"] as? NSNumber)?.doubleValue,
                let longitude = (line["lon"] as? NSNumber)?.doubleValue
            else { return 1 }
            try expect(line["class"] as? String == "TPV", "only a TPV tells a position")
            try expect(isNear(fix.place.latitude, latitude), "a latitude is what the line says")
            try expect(isNear(fix.place.longitude, longitude), "a longitude is what the line says")
            return 1
        }
    }

    /// Returns whether two readers' numbers are the same but for how they round: a millionth of a degree is a span.
    private static func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.000_001 }
}
