// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Writes measurements and units in a language: "5 km", "21°C", "3 miles per hour".
///
/// Lengths, masses, speeds and temperatures are converted to the unit that is usual in the locale's region, kilometres
/// or miles, kilograms or pounds, and so on; other measurements keep their unit.
/// Source: Apple, "MeasurementFormatter".
open class MeasurementFormatter: Formatter {
    /// The choice of a measurement's unit.
    public struct UnitOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The measurement keeps its unit.
        public static let providedUnit = UnitOptions(rawValue: 1)
        /// The largest usual unit of which the measurement is one at least: "500 m" in place of "0.5 km".
        public static let naturalScale = UnitOptions(rawValue: 2)
        /// A temperature is written as "21°".
        public static let temperatureWithoutUnit = UnitOptions(rawValue: 4)
    }

    /// The choice of a measurement's unit.
    open var unitOptions: UnitOptions = []
    /// The length of a unit's name as it is written: "5km", "5 km" or "5 kilometers".
    open var unitStyle = Formatter.UnitStyle.medium
    /// The language and the units that are usual; setting `nil` sets those of the process again, in the sandbox English
    /// and metric.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var locale: Locale! = .autoupdatingCurrent {
        didSet {
            if locale == nil { locale = .autoupdatingCurrent }
            numberFormatter.locale = locale
        }
    }
    /// The formatter of the number: with at most three digits behind the comma at first; setting `nil` sets that again.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var numberFormatter: NumberFormatter! = MeasurementFormatter.decimal(.autoupdatingCurrent) {
        didSet { if numberFormatter == nil { numberFormatter = Self.decimal(locale) } }
    }

    private static func decimal(_ locale: Locale) -> NumberFormatter {
        let formatter = _NumberFormatter()
        formatter.numberStyle = .decimal
        formatter.locale = locale
        return formatter
    }

    private var width: LanguageTables.Width {
        switch unitStyle {
        case .short: .narrow
        case .long: .full
        default: .short
        }
    }

    /// Writes a measurement.
    open func string<UnitType: Unit>(from measurement: Measurement<UnitType>) -> String {
        text(measurement.value, measurement.unit)
    }

    /// Writes the name of a unit alone, in the plural where the style is long.
    open func string(from unit: Unit) -> String {
        let name = MeasurementUnit(unit)?.name
        let text = name.flatMap { LanguageTables.unit($0, 0, written: "", width, locale) }
        return text?.trimmingCharacters(in: .whitespaces) ?? unit.symbol
    }

    /// Writes a `Measurement<Unit>` or a `Unit`; `nil` for anything else.
    open override func string(for obj: Any) -> String? {
        switch obj {
        case let measurement as Measurement<Unit>: string(from: measurement)
        case let unit as Unit: string(from: unit)
        default: nil
        }
    }

    private func text(_ value: Double, _ unit: Unit) -> String {
        let (value, shown) = converted(value, unit)
        let number = numberFormatter.string(from: NSNumber(value: value)) ?? String(value)
        let isBare = shown is UnitTemperature && unitOptions.contains(.temperatureWithoutUnit)
        let name = isBare ? "temperature-generic" : MeasurementUnit(shown)?.name
        return name.flatMap { LanguageTables.unit($0, value, written: number, width, locale) }
            ?? "\(number) \(shown.symbol)"
    }

    private func converted(_ value: Double, _ unit: Unit) -> (Double, Unit) {
        guard !unitOptions.contains(.providedUnit), let dimension = unit as? Dimension else { return (value, unit) }
        let system = locale.measurementSystem
        let base = dimension.converter.baseUnitValue(fromValue: value)
        func amount(in unit: Dimension) -> Double { unit.converter.value(fromBaseUnitValue: base) }
        if unitOptions.contains(.naturalScale), let scale = MeasurementUnit.scale(of: dimension, system) {
            guard let natural = scale.last(where: { abs(amount(in: $0)) >= 1 }) ?? scale.first else {
                return (value, unit)
            }
            return (amount(in: natural), natural)
        }
        guard let usual = MeasurementUnit.usual(for: dimension, system), usual != dimension else {
            return (value, unit)
        }
        return (amount(in: usual), usual)
    }
}
