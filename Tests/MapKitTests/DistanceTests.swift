// SPDX-License-Identifier: Apache-2.0

import Foundation
import MapKit
import Testing

@Suite struct DistanceTests {
    private func written(_ metres: Double, _ language: String, _ units: MKDistanceFormatter.Units = .default) -> String
    {
        let formatter = MKDistanceFormatter()
        formatter.locale = Locale(identifier: language)
        formatter.units = units
        return formatter.string(fromDistance: metres)
    }

    @Test("a distance is written in the units of the country, with few digits")
    func countries() {
        #expect([34, 350, 1234, 12_345].map { written($0, "de_DE") } == ["30 m", "350 m", "1,2 km", "12 km"])
        #expect([34, 350, 1234, 32_187].map { written($0, "en_US") } == ["110 ft", "0.2 mi", "0.8 mi", "20 mi"])
        #expect(written(34, "en_GB") == "40 yd")
        #expect([994, 996, 999.9].map { written($0, "de_DE") } == ["990 m", "1 km", "1 km"])
    }

    @Test("chosen units stand, the style may be long, and what is no distance is none")
    func choices() {
        #expect(written(1500, "en_US", .metric) == "1.5 km")
        #expect(written(-350, "de_DE") == "350 m")
        #expect([.nan, .infinity, -.infinity].map { written($0, "de_DE") } == ["0 m", "0 m", "0 m"])
        #expect(written(.greatestFiniteMagnitude, "en_US").hasSuffix(" mi"))
        let formatter = MKDistanceFormatter()
        formatter.locale = Locale(identifier: "en_US")
        formatter.unitStyle = .full
        #expect(formatter.string(fromDistance: 8046.72) == "5 miles")
        #expect(formatter.string(for: 8046.72) == "5 miles")
        #expect(formatter.string(for: "far") == nil)
    }
}
