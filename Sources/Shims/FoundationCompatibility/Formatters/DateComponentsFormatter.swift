// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Writes a length of time in a language: "1:05:00", "1h 5m", "1 hour, 5 minutes".
///
/// Units that `maximumUnitCount` leaves no room for are cut off, not rounded. Fractions of the smallest unit are cut
/// off too, whatever `allowsFractionalUnits` says. The phrases "About" and "remaining" are written in English alone.
/// Source: Apple, "DateComponentsFormatter".
open class DateComponentsFormatter: Formatter {
    /// The way in which units are written.
    public enum UnitsStyle: Int, Sendable {
        /// "1:10:00": hours, minutes and seconds by their places, longer units as in `abbreviated`.
        case positional
        /// "9h 41m 30s".
        case abbreviated
        /// "9 hr, 41 min, 30 sec".
        case short
        /// "9 hours, 41 minutes, 30 seconds".
        case full
        /// "nine hours, forty-one minutes, thirty seconds".
        case spellOut
        /// "9hr 41min 30sec".
        case brief
    }

    /// The units without a value that are written.
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Units before the first value are left out in `positional`, and every unit without a value in other styles.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)
        /// Units before the first value are left out.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)
        /// Units between values are left out.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)
        /// Units behind the last value are left out.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)
        /// Every unit without a value is left out.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// Every unit is written; in `positional` with two digits at least.
        public static let pad = ZeroFormattingBehavior(rawValue: 65536)
    }

    /// The way in which units are written.
    open var unitsStyle = UnitsStyle.positional
    /// The units that may be written; none stands for year, month, day, hour, minute and second.
    open var allowedUnits: NSCalendar.Unit = []
    /// The units without a value that are written.
    open var zeroFormattingBehavior = ZeroFormattingBehavior.default
    /// The calendar in which times are taken apart, whose locale gives the language.
    open var calendar: Calendar? = .autoupdatingCurrent
    /// The date from which a number of seconds is counted; `nil` is 1 January 2001.
    open var referenceDate: Date?
    /// True is kept and has no effect: values are whole numbers.
    open var allowsFractionalUnits = false
    /// The most units that are written; 0 is no limit.
    open var maximumUnitCount = 0
    /// True writes a largest unit of 1 in the next unit: "63s" in place of "1m 3s".
    open var collapsesLargestUnit = false
    /// True writes "About" before the text, in English.
    open var includesApproximationPhrase = false
    /// True writes "remaining" behind the text, in English.
    open var includesTimeRemainingPhrase = false
    /// The place of the text; kept, and without an effect on numbers.
    open var formattingContext = Formatter.Context.unknown

    /// Writes components in a style with all else as it is at first.
    open class func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    /// Writes the time that components say, taken apart anew in the allowed units.
    open func string(from components: DateComponents) -> String? {
        let start = referenceDate ?? Date(timeIntervalSinceReferenceDate: 0)
        return usedCalendar.date(byAdding: components, to: start).flatMap { string(from: start, to: $0) }
    }

    /// Writes a number of seconds; `nil` for what is no number, and beyond 10¹² seconds.
    open func string(from ti: TimeInterval) -> String? {
        guard ti.magnitude <= 1e12 else { return nil }
        let start = referenceDate ?? Date(timeIntervalSinceReferenceDate: 0)
        return string(from: start, to: start + ti.rounded(.towardZero))
    }

    /// Writes the time from one date to another.
    open func string(from startDate: Date, to endDate: Date) -> String? {
        let units = DurationUnit.allCases.filter {
            allowedUnits.isEmpty ? $0.isUsual : allowedUnits.contains($0.option)
        }
        let components = usedCalendar.dateComponents(Set(units.map(\.component)), from: startDate, to: endDate)
        let values = units.map { ($0, components.value(for: $0.component) ?? 0) }
        return DurationText(values, self).written
    }

    /// Writes `DateComponents`, or a number of seconds; `nil` for anything else.
    open override func string(for obj: Any) -> String? {
        switch obj {
        case let components as DateComponents: string(from: components)
        case let seconds as TimeInterval: string(from: seconds)
        default: nil
        }
    }

    private var usedCalendar: Calendar { calendar ?? .autoupdatingCurrent }
}
