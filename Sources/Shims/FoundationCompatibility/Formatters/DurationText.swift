// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A unit in which a length of time is written, from the longest on.
enum DurationUnit: CaseIterable {
    case year, month, week, day, hour, minute, second

    /// True for a unit that is written when no units were chosen.
    var isUsual: Bool { self != .week }

    /// True for a unit that is told by its place: "1:05".
    var hasPlace: Bool { self == .hour || self == .minute || self == .second }

    var option: NSCalendar.Unit {
        switch self {
        case .year: .year
        case .month: .month
        case .week: .weekOfMonth
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        }
    }

    var component: Calendar.Component {
        switch self {
        case .year: .year
        case .month: .month
        case .week: .weekOfMonth
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        }
    }

    /// The name of the unit in the tables of languages.
    var name: String { "duration-\(self)" }

    /// The number of the next shorter unit of the list that one has, where that is always the same.
    func count(of shorter: DurationUnit) -> Int? {
        switch (self, shorter) {
        case (.week, .day): 7
        case (.day, .hour): 24
        case (.hour, .minute), (.minute, .second): 60
        default: nil
        }
    }
}

/// The text of a length of time in the making.
struct DurationText {
    private typealias Value = (unit: DurationUnit, count: Int)

    private let style: DateComponentsFormatter.UnitsStyle
    private let locale: Locale
    private let isPadded: Bool
    private let isNegative: Bool
    private let phrases: (about: Bool, remaining: Bool)
    private var values: [Value]

    /// Chooses what is written of the values of all allowed units, from the longest on; all have one sign.
    init(_ values: [(DurationUnit, Int)], _ formatter: DateComponentsFormatter) {
        style = formatter.unitsStyle
        locale = formatter.calendar?.locale ?? .autoupdatingCurrent
        isPadded = formatter.zeroFormattingBehavior.contains(.pad)
        isNegative = values.contains { $0.1 < 0 }
        phrases = (formatter.includesApproximationPhrase, formatter.includesTimeRemainingPhrase)
        self.values = values.map { ($0.0, abs($0.1)) }
        if formatter.collapsesLargestUnit { collapse() }
        if !isPadded { drop(formatter.zeroFormattingBehavior) }
        if formatter.maximumUnitCount > 0 { self.values = Array(self.values.prefix(formatter.maximumUnitCount)) }
    }

    private mutating func collapse() {
        guard let first = values.firstIndex(where: { $0.count != 0 }), values[first].count == 1,
            first + 1 < values.count, let count = values[first].unit.count(of: values[first + 1].unit)
        else { return }
        values[first].count = 0
        values[first + 1].count += count
    }

    private mutating func drop(_ behavior: DateComponentsFormatter.ZeroFormattingBehavior) {
        var dropped = behavior
        if behavior.contains(.default) { dropped.formUnion(style == .positional ? .dropLeading : .dropAll) }
        guard let first = values.firstIndex(where: { $0.count != 0 }),
            let last = values.lastIndex(where: { $0.count != 0 })
        else {
            if !dropped.isDisjoint(with: .dropAll) { values = values.suffix(1) }
            return
        }
        values = values.enumerated().filter { place, value in
            value.count != 0
                || !dropped.contains(place < first ? .dropLeading : place > last ? .dropTrailing : .dropMiddle)
        }.map(\.element)
    }

    /// The text; `nil` when no unit is left, or the language has no words for one.
    var written: String? {
        guard !values.isEmpty else { return nil }
        let text =
            switch style {
            case .positional: positional
            case .abbreviated: joined(values, .narrow, as: .narrow)
            case .brief: joined(values, .short, as: .narrow)
            case .short: joined(values, .short, as: .short)
            case .full, .spellOut: joined(values, .full, as: .full)
            }
        guard let text else { return nil }
        let isEnglish = locale.language.languageCode == "en"
        let signed = isNegative ? "-\(text)" : text
        return (phrases.about && isEnglish ? "About " : "") + signed
            + (phrases.remaining && isEnglish ? " remaining" : "")
    }

    private var positional: String? {
        let long = values.filter { !$0.unit.hasPlace }
        let places = values.filter(\.unit.hasPlace)
        guard !long.isEmpty else { return digits(places) }
        guard let before = joined(long, .narrow, as: .narrow) else { return nil }
        return places.isEmpty ? before : "\(before) \(digits(places))"
    }

    private func digits(_ values: [Value]) -> String {
        let format = IntegerFormatStyle<Int>(locale: locale).grouping(.never)
        return values.enumerated().map { place, value in
            format.precision(.integerLength((place == 0 && !isPadded ? 1 : 2)...)).format(value.count)
        }.joined(separator: ":")
    }

    private func joined(
        _ values: [Value],
        _ width: LanguageTables.Width,
        as list: LanguageTables.Width
    ) -> String? {
        var parts: [String] = []
        for value in values {
            let number =
                style == .spellOut
                ? LanguageTables.spelledOut(value.count, locale)
                : IntegerFormatStyle<Int>(locale: locale).format(value.count)
            guard let number,
                let part = LanguageTables.unit(
                    value.unit.name,
                    Double(value.count),
                    written: number,
                    width,
                    locale
                )
            else { return nil }
            parts.append(style == .brief ? part.filter { !$0.isWhitespace } : part)
        }
        return LanguageTables.list(parts, locale, ofUnits: list)
    }
}
