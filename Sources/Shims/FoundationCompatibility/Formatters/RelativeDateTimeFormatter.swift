// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Writes how far a date is from another in a language: "in 2 days", "yesterday".
///
/// The largest unit in which the dates differ is written, rounded toward zero.
/// Source: Apple, "RelativeDateTimeFormatter".
open class RelativeDateTimeFormatter: Formatter {
    /// The choice between numbers and names of distances.
    public enum DateTimeStyle: Int, Sendable {
        /// Numbers alone: "1 day ago".
        case numeric
        /// Names where the language has one: "yesterday", "now".
        case named
    }

    /// The way in which units are written.
    public enum UnitsStyle: Int, Sendable {
        /// "2 months ago".
        case full
        /// "two months ago".
        case spellOut
        /// "2 mo. ago".
        case short
        /// "2mo ago", the shortest that the language has.
        case abbreviated
    }

    /// The choice between numbers and names of distances.
    open var dateTimeStyle = DateTimeStyle.numeric
    /// The way in which units are written.
    open var unitsStyle = UnitsStyle.full
    /// The place of the text, which decides about its first letter.
    open var formattingContext = Formatter.Context.unknown
    /// The calendar in which dates are compared; setting `nil` sets that of the process again.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var calendar: Calendar! = .autoupdatingCurrent {
        didSet { if calendar == nil { calendar = .autoupdatingCurrent } }
    }
    /// The language; setting `nil` sets that of the process again, in the sandbox English.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var locale: Locale! = .autoupdatingCurrent {
        didSet { if locale == nil { locale = .autoupdatingCurrent } }
    }

    private static let units: [Calendar.Component] = [.year, .month, .weekOfMonth, .day, .hour, .minute, .second]

    /// Writes the largest unit of the components that is not zero; the smallest that is set, when all are.
    open func localizedString(from dateComponents: DateComponents) -> String {
        let values = Self.units.compactMap { unit in
            dateComponents.value(for: unit).map { (unit: unit, value: $0) }
        }
        guard let written = values.first(where: { $0.value != 0 }) ?? values.last else { return "" }
        let style = LanguageTables.DistanceStyle(
            width: unitsStyle == .short ? .short : unitsStyle == .abbreviated ? .narrow : .full,
            isNamed: dateTimeStyle == .named,
            isSpelledOut: unitsStyle == .spellOut,
            context: formattingContext
        )
        return LanguageTables.distance(written.value, written.unit, style, locale) ?? ""
    }

    /// Writes how far a number of seconds is from now; a negative one is in the past.
    open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        return localizedString(for: start + timeInterval, relativeTo: start)
    }

    /// Writes how far a date is from the reference date.
    open func localizedString(for date: Date, relativeTo referenceDate: Date) -> String {
        localizedString(from: calendar.dateComponents(Set(Self.units), from: referenceDate, to: date))
    }

    /// Writes how far a `Date` is from now; `nil` for what is no date.
    open override func string(for obj: Any) -> String? {
        (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
    }
}
