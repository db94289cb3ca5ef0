// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A unit of Foundation as the tables of languages know it.
struct MeasurementUnit {
    /// The name in the tables: "length-kilometer".
    let name: String

    /// Nothing for a unit that the tables do not have, such as one of an extension's own.
    init?(_ unit: Unit) {
        guard let known = Self.families.first(where: { type(of: unit) == $0.kind })?.units[unit.symbol] else {
            return nil
        }
        name = known
    }

    /// Returns the unit in which people there write a measurement of that kind; `nil` where it keeps its own.
    static func usual(for unit: Dimension, _ system: Locale.MeasurementSystem) -> Dimension? {
        switch unit {
        case is UnitLength: system == .metric ? UnitLength.kilometers : UnitLength.miles
        case is UnitMass: system == .us ? UnitMass.pounds : UnitMass.kilograms
        case is UnitSpeed: system == .metric ? UnitSpeed.kilometersPerHour : UnitSpeed.milesPerHour
        case is UnitTemperature: system == .us ? UnitTemperature.fahrenheit : UnitTemperature.celsius
        default: nil
        }
    }

    /// Returns the units that people there use for a kind, from the smallest on; `nil` for one with a single unit.
    static func scale(of unit: Dimension, _ system: Locale.MeasurementSystem) -> [Dimension]? {
        let isMetric = system == .metric
        return switch unit {
        case is UnitLength:
            isMetric
                ? [UnitLength.millimeters, UnitLength.centimeters, UnitLength.meters, UnitLength.kilometers]
                : [UnitLength.inches, UnitLength.feet, UnitLength.miles]
        case is UnitMass:
            system == .us
                ? [UnitMass.ounces, UnitMass.pounds]
                : [UnitMass.milligrams, UnitMass.grams, UnitMass.kilograms, UnitMass.metricTons]
        case is UnitVolume:
            isMetric
                ? [UnitVolume.milliliters, UnitVolume.liters]
                : system == .us
                    ? [UnitVolume.fluidOunces, UnitVolume.gallons]
                    : [UnitVolume.imperialFluidOunces, UnitVolume.imperialGallons]
        case is UnitDuration: [UnitDuration.seconds, UnitDuration.minutes, UnitDuration.hours]
        case is UnitPower: [UnitPower.watts, UnitPower.kilowatts, UnitPower.megawatts]
        case is UnitEnergy: [UnitEnergy.joules, UnitEnergy.kilojoules]
        case is UnitInformationStorage:
            [
                UnitInformationStorage.bytes, UnitInformationStorage.kilobytes, UnitInformationStorage.megabytes,
                UnitInformationStorage.gigabytes, UnitInformationStorage.terabytes,
            ]
        case is UnitFrequency:
            [UnitFrequency.hertz, UnitFrequency.kilohertz, UnitFrequency.megahertz, UnitFrequency.gigahertz]
        default: nil
        }
    }

    private static let families: [(kind: Unit.Type, units: [String: String])] = [
        (
            UnitLength.self,
            named(
                "length",
                [
                    "km": "kilometer", "m": "meter", "dm": "decimeter", "cm": "centimeter",
                    "mm": "millimeter", "µm": "micrometer", "nm": "nanometer", "pm": "picometer", "in": "inch",
                    "ft": "foot",
                    "yd": "yard", "mi": "mile", "smi": "mile-scandinavian", "ly": "light-year", "NM": "nautical-mile",
                    "ftm": "fathom", "fur": "furlong", "ua": "astronomical-unit", "pc": "parsec",
                ]
            )
        ),
        (
            UnitMass.self,
            named(
                "mass",
                [
                    "kg": "kilogram", "g": "gram", "mg": "milligram", "µg": "microgram", "oz": "ounce", "lb": "pound",
                    "st": "stone", "t": "tonne", "ton": "ton", "ct": "carat", "oz t": "ounce-troy",
                ]
            )
        ),
        (UnitTemperature.self, named("temperature", ["K": "kelvin", "°C": "celsius", "°F": "fahrenheit"])),
        (
            UnitSpeed.self,
            named(
                "speed",
                [
                    "m/s": "meter-per-second", "km/h": "kilometer-per-hour", "mph": "mile-per-hour", "kn": "knot",
                ]
            )
        ),
        (
            UnitDuration.self,
            named(
                "duration",
                [
                    "s": "second", "m": "minute", "h": "hour", "ms": "millisecond", "µs": "microsecond",
                    "ns": "nanosecond",
                ]
            )
        ),
        (
            UnitVolume.self,
            named(
                "volume",
                [
                    "ML": "megaliter", "L": "liter", "dl": "deciliter", "cL": "centiliter", "mL": "milliliter",
                    "km³": "cubic-kilometer", "m³": "cubic-meter", "cm³": "cubic-centimeter", "in³": "cubic-inch",
                    "ft³": "cubic-foot", "yd³": "cubic-yard", "mi³": "cubic-mile", "tsp": "teaspoon",
                    "tbsp": "tablespoon",
                    "fl oz": "fluid-ounce", "cup": "cup", "pt": "pint", "qt": "quart", "gal": "gallon",
                    "fl oz Imperial": "fluid-ounce-imperial", "qt Imperial": "quart-imperial",
                    "gal Imperial": "gallon-imperial",
                ]
            )
        ),
        (
            UnitArea.self,
            named(
                "area",
                [
                    "km²": "square-kilometer", "m²": "square-meter", "cm²": "square-centimeter", "in²": "square-inch",
                    "ft²": "square-foot", "yd²": "square-yard", "mi²": "square-mile", "ac": "acre", "ha": "hectare",
                ]
            )
        ),
        (
            UnitEnergy.self,
            named(
                "energy",
                [
                    "kJ": "kilojoule", "J": "joule", "kCal": "kilocalorie", "cal": "calorie", "kWh": "kilowatt-hour",
                ]
            )
        ),
        (
            UnitPower.self,
            named(
                "power",
                [
                    "GW": "gigawatt", "MW": "megawatt", "kW": "kilowatt", "W": "watt", "mW": "milliwatt",
                    "hp": "horsepower",
                ]
            )
        ),
        (
            UnitPressure.self,
            named(
                "pressure",
                [
                    "hPa": "hectopascal", "kPa": "kilopascal", "MPa": "megapascal", "bar": "bar", "mbar": "millibar",
                    "mmHg": "millimeter-ofhg", "inHg": "inch-ofhg", "psi": "pound-force-per-square-inch",
                    "N/m²": "pascal",
                ]
            )
        ),
        (
            UnitAngle.self,
            named(
                "angle",
                [
                    "°": "degree", "ʹ": "arc-minute", "ʹʹ": "arc-second", "rad": "radian", "rev": "revolution",
                ]
            )
        ),
        (
            UnitFrequency.self,
            named(
                "frequency",
                [
                    "GHz": "gigahertz", "MHz": "megahertz", "kHz": "kilohertz", "Hz": "hertz",
                ]
            )
        ),
        (
            UnitInformationStorage.self,
            named(
                "digital",
                [
                    "bit": "bit", "B": "byte", "kB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte",
                    "PB": "petabyte", "kb": "kilobit", "Mb": "megabit", "Gb": "gigabit", "Tb": "terabit",
                ]
            )
        ),
        (UnitElectricCurrent.self, named("electric", ["A": "ampere", "mA": "milliampere"])),
        (UnitElectricPotentialDifference.self, named("electric", ["V": "volt"])),
        (UnitElectricResistance.self, named("electric", ["Ω": "ohm"])),
        (
            UnitFuelEfficiency.self,
            named(
                "consumption",
                [
                    "L/100km": "liter-per-100-kilometer", "mpg": "mile-per-gallon",
                ]
            )
        ),
        (UnitIlluminance.self, named("light", ["lx": "lux"])),
    ]

    private static func named(_ kind: String, _ units: [String: String]) -> [String: String] {
        units.mapValues { "\(kind)-\($0)" }
    }
}
