// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation
import FoundationCompatibility

/// Writes a distance as a map does: "350 m", "1.2 km", "0.5 mi", with as many digits as a person on the way wants.
///
/// Below a kilometre, metres are rounded to tens, and feet below a tenth of a mile; beyond ten, kilometres and miles
/// are whole. Source: Apple, "MKDistanceFormatter".
open class MKDistanceFormatter: Formatter {
    /// The units of a distance.
    public enum Units: UInt, Sendable {
        /// The usual ones of the locale.
        case `default`
        case metric
        case imperial
        /// Miles and yards.
        case imperialWithYards
    }

    /// The length of a unit's name.
    public enum DistanceUnitStyle: UInt, Sendable {
        /// The short name.
        case `default`
        case abbreviated
        case full
    }

    /// The language, and the units where none are chosen; setting `nil` sets the person's own again.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var locale: Locale! = .autoupdatingCurrent { didSet { if locale == nil { locale = .autoupdatingCurrent } } }
    /// The units of a distance.
    open var units = Units.default
    /// The length of a unit's name.
    open var unitStyle = DistanceUnitStyle.default

    /// Writes a number of metres; a negative one as its magnitude.
    open func string(fromDistance distance: CLLocationDistance) -> String {
        let metres = distance.isFinite ? distance.magnitude : 0
        let formatter = MeasurementFormatter()
        formatter.locale = locale
        formatter.unitOptions = .providedUnit
        formatter.unitStyle = unitStyle == .full ? .long : .medium
        let length = Self.length(of: metres, in: chosen)
        formatter.numberFormatter.maximumFractionDigits = length.value < 10 && length.isLong ? 1 : 0
        return formatter.string(from: Measurement(value: length.value, unit: length.unit))
    }

    /// Writes an `NSNumber` or a `Double` of metres; `nil` for anything else.
    open override func string(for obj: Any) -> String? {
        switch obj {
        case let metres as Double: string(fromDistance: metres)
        case let metres as NSNumber: string(fromDistance: metres.doubleValue)
        default: nil
        }
    }

    private var chosen: Units {
        guard units == .default else { return units }
        return locale.measurementSystem == .metric
            ? .metric : locale.measurementSystem == .uk ? .imperialWithYards : .imperial
    }

    private static func length(
        of metres: Double,
        in units: Units
    ) -> (value: Double, unit: UnitLength, isLong: Bool) {
        let measured = Measurement(value: metres, unit: UnitLength.meters)
        if units == .metric {
            let tens = (metres / 10).rounded() * 10
            return tens < 1000 ? (tens, .meters, false) : (metres / 1000, .kilometers, true)
        }
        let miles = measured.converted(to: .miles).value
        guard miles < 0.1 else { return (miles, .miles, true) }
        let unit: UnitLength = units == .imperialWithYards ? .yards : .feet
        return ((measured.converted(to: unit).value / 10).rounded() * 10, unit, false)
    }
}
