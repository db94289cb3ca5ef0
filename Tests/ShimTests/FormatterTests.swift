// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import Testing

/// Formatters that Foundation on Linux does not have: in the words of each language, as Apple documents them.
@Suite struct FormatterTests {
    private static let languages = ["en_US", "de_DE", "ja_JP", "ar_EG"]

    private func duration(
        _ style: DateComponentsFormatter.UnitsStyle,
        _ units: NSCalendar.Unit = [],
        _ language: String = "en_US"
    ) -> DateComponentsFormatter {
        let formatter = DateComponentsFormatter()
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: language)
        formatter.calendar = calendar
        formatter.unitsStyle = style
        formatter.allowedUnits = units
        return formatter
    }

    @Test("a list is joined as each language does it, with numbers and one item and none")
    func lists() {
        let formatter = ListFormatter()
        let lists = Self.languages.map { language in
            formatter.locale = Locale(identifier: language)
            return formatter.string(from: ["a", "b", 3])
        }
        #expect(lists.prefix(3) == ["a, b, and 3", "a, b und 3", "a、b、3"])
        #expect(formatter.string(from: []) == "")
        #expect(formatter.string(from: ["x"]) == "x")
        #expect(formatter.string(for: 3) == nil)
        formatter.locale = nil
        #expect(formatter.locale == .autoupdatingCurrent)
        let long = String(repeating: "x", count: 1000)
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.string(from: [long, long]) == "\(long) und \(long)")
    }

    @Test(
        "a list's items are written by the formatter for them",
        arguments: [("en_US", "1.5 and 2.5"), ("de_DE", "1,5 und 2,5")]
    )
    func items(_ language: String, _ expected: String) {
        let numbers = NumberFormatter()
        numbers.numberStyle = .decimal
        numbers.locale = Locale(identifier: language)
        let formatter = ListFormatter()
        formatter.locale = numbers.locale
        formatter.itemFormatter = numbers
        #expect(formatter.string(from: [1.5, 2.5]) == expected)
    }

    @Test(
        "a number has as many digits behind the point as the counts say",
        arguments: [
            (.decimal, nil, 0, "1,237"), (.decimal, 2, 2, "1,236.57"), (.decimal, 1, 2, "1,236.57"),
            (.decimal, 1, 1, "1,236.6"), (.decimal, 4, 4, "1,236.5679"), (.currency, nil, 0, "$1,237"),
            (.currency, nil, 1, "$1,236.6"), (.currency, 2, 2, "$1,236.57"), (.currency, 3, 3, "$1,236.568"),
            (.percent, 1, 1, "123,656.8%"), (.none, 2, 2, "1236.57"),
        ] as [(NumberFormatter.Style, Int?, Int, String)]
    )
    func digits(_ style: NumberFormatter.Style, _ least: Int?, _ greatest: Int, _ expected: String) {
        let formatter = _NumberFormatter()
        formatter.numberStyle = style
        if let least { formatter.minimumFractionDigits = least }
        formatter.maximumFractionDigits = greatest
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(from: 1236.567891) == expected)
        #expect(formatter.string(for: 1236.567891) == expected)
        #expect(formatter.string(from: -1236.567891) == "-" + expected)
        #expect((formatter.copy() as? NumberFormatter)?.string(from: 1236.567891) == expected)
    }

    @Test("counts of digits move each other, a pattern says its own, and languages keep their signs")
    func counts() {
        let formatter = _NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "de_DE")
        formatter.maximumFractionDigits = 0
        #expect(formatter.minimumFractionDigits == 0)
        #expect(formatter.string(from: 1236.5) == "1.236\u{A0}€")
        formatter.minimumFractionDigits = 7
        #expect(formatter.maximumFractionDigits == 7)
        formatter.positiveFormat = "#,##0.0"
        #expect(formatter.string(from: 1236.56) == "1.236,6")
        let plain = _NumberFormatter()
        plain.numberStyle = .decimal
        plain.locale = Locale(identifier: "en_US")
        #expect(plain.string(from: 1236.56789) == "1,236.568")
    }

    @Test("a distance in time is its largest unit, by number or by name")
    func distances() {
        let formatter = RelativeDateTimeFormatter()
        formatter.locale = Locale(identifier: "en_US")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        formatter.calendar = calendar
        let reference = Date(timeIntervalSince1970: 1_700_000_000)
        func all() -> [String] {
            [-86_400, 7_200, -34_560_000, 0, -59.0].map {
                formatter.localizedString(for: reference + $0, relativeTo: reference)
            }
        }
        #expect(all() == ["1 day ago", "in 2 hours", "1 year ago", "in 0 seconds", "59 seconds ago"])
        formatter.dateTimeStyle = .named
        #expect(all() == ["yesterday", "in 2 hours", "last year", "now", "59 seconds ago"])
        formatter.unitsStyle = .abbreviated
        #expect(all() == ["yesterday", "in 2h", "last yr.", "now", "59s ago"])
        formatter.unitsStyle = .spellOut
        #expect(all() == ["yesterday", "in two hours", "last year", "now", "fifty-nine seconds ago"])
        formatter.unitsStyle = .full
        formatter.formattingContext = .beginningOfSentence
        formatter.locale = Locale(identifier: "de_DE")
        #expect(all() == ["Gestern", "In 2 Stunden", "Letztes Jahr", "Jetzt", "Vor 59 Sekunden"])
        #expect(formatter.localizedString(from: DateComponents(day: 2)) == "Übermorgen")
        #expect(formatter.localizedString(from: DateComponents()) == "")
        #expect(formatter.string(for: "text") == nil)
    }

    @Test("a length of time is written in each style, by places with its days before")
    func styles() {
        let seconds: [TimeInterval] = [0, 5, 65, 600, 10_450, 100_844, -65]
        func all(_ style: DateComponentsFormatter.UnitsStyle, _ language: String = "en_US") -> [String?] {
            let formatter = duration(style, [], language)
            return seconds.map { formatter.string(from: $0) }
        }
        #expect(all(.positional) == ["0", "5", "1:05", "10:00", "2:54:10", "1d 4:00:44", "-1:05"])
        #expect(all(.abbreviated) == ["0s", "5s", "1m 5s", "10m", "2h 54m 10s", "1d 4h 44s", "-1m 5s"])
        #expect(
            all(.brief) == ["0sec", "5sec", "1min 5sec", "10min", "2hr 54min 10sec", "1day 4hr 44sec", "-1min 5sec"]
        )
        #expect(all(.short)[4] == "2 hr, 54 min, 10 sec")
        #expect(all(.full)[4] == "2 hours, 54 minutes, 10 seconds")
        #expect(all(.spellOut)[4] == "two hours, fifty-four minutes, ten seconds")
        #expect(all(.full, "de_DE")[4] == "2 Stunden, 54 Minuten und 10 Sekunden")
        // Arabic has words for one minute and for two hours, which hold no number.
        #expect(all(.full, "ar_EG")[2] == "دقيقة و٥ ثوان")
        #expect(all(.positional, "ar_EG")[2] == "١:٠٥")
    }

    @Test("units without a value are left out or padded as asked")
    func zeros() {
        let formatter = duration(.positional, [.minute, .second])
        func all(_ behavior: DateComponentsFormatter.ZeroFormattingBehavior) -> [String?] {
            formatter.zeroFormattingBehavior = behavior
            return [0, 5, 3600, 3665].map { formatter.string(from: TimeInterval($0)) }
        }
        #expect(all(.default) == ["0", "5", "60:00", "61:05"])
        #expect(all(.pad) == ["00:00", "00:05", "60:00", "61:05"])
        #expect(all([]) == ["0:00", "0:05", "60:00", "61:05"])
        #expect(all(.dropAll) == ["0", "5", "60", "61:05"])
        formatter.unitsStyle = .abbreviated
        formatter.allowedUnits = [.day, .hour, .minute, .second]
        #expect(all(.dropLeading) == ["0s", "5s", "1h 0m 0s", "1h 1m 5s"])
        #expect(all(.dropTrailing) == ["0s", "0d 0h 0m 5s", "0d 1h", "0d 1h 1m 5s"])
        #expect(all(.pad) == ["0d 0h 0m 0s", "0d 0h 0m 5s", "0d 1h 0m 0s", "0d 1h 1m 5s"])
    }

    @Test("units beyond the most are cut off, a single largest one is folded, and phrases are English")
    func options() {
        let formatter = duration(.full, [.hour, .minute])
        formatter.includesTimeRemainingPhrase = true
        formatter.includesApproximationPhrase = true
        formatter.maximumUnitCount = 1
        #expect(formatter.string(from: 7_000) == "About 1 hour remaining")
        formatter.maximumUnitCount = 0
        formatter.collapsesLargestUnit = true
        #expect(formatter.string(from: 7_000) == "About 116 minutes remaining")
        #expect(formatter.string(from: .nan) == nil)
        #expect(formatter.string(from: .infinity) == nil)
        #expect(formatter.string(from: 1e13) == nil)
        #expect(duration(.short, [.hour, .minute]).string(from: DateComponents(minute: 90)) == "1 hr, 30 min")
        #expect(duration(.short, [.nanosecond]).string(from: 5) == nil)
    }

    @Test("a measurement is written in the unit that is usual there, unless it keeps its own")
    func measurements() {
        let formatter = MeasurementFormatter()
        func all(_ language: String, _ options: MeasurementFormatter.UnitOptions) -> [String] {
            formatter.locale = Locale(identifier: language)
            formatter.unitOptions = options
            return [
                formatter.string(from: Measurement(value: 500, unit: UnitLength.meters)),
                formatter.string(from: Measurement(value: 21.46, unit: UnitTemperature.celsius)),
                formatter.string(from: Measurement(value: 30, unit: UnitSpeed.kilometersPerHour)),
            ]
        }
        #expect(all("en_US", .providedUnit) == ["500 m", "21.46°C", "30 km/h"])
        #expect(all("en_US", []) == ["0.311 mi", "70.628°F", "18.641 mph"])
        #expect(all("en_US", .naturalScale) == ["1,640.42 ft", "70.628°F", "18.641 mph"])
        #expect(all("de_DE", []) == ["0,5 km", "21,46 °C", "30 km/h"])
        #expect(all("de_DE", .naturalScale) == ["500 m", "21,46 °C", "30 km/h"])
        #expect(all("en_US", .temperatureWithoutUnit)[1] == "70.628°")
        formatter.numberFormatter.maximumFractionDigits = 0
        formatter.unitStyle = .long
        #expect(all("en_GB", [])[1] == "21 degrees Celsius")
        #expect(formatter.string(from: UnitLength.kilometers) == "kilometres")
        #expect(formatter.string(from: Measurement(value: 2, unit: UnitLength.hectometers)) == "0 miles")
        formatter.unitOptions = .providedUnit
        #expect(formatter.string(from: Measurement(value: 2, unit: UnitLength.hectometers)) == "2 hm")
        #expect(formatter.string(from: Measurement(value: 3, unit: Unit(symbol: "stars"))) == "3 stars")
    }

    @Test("a decimal number is written as any other")
    func decimals() throws {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "de_DE")
        formatter.currencyCode = "EUR"
        let amount = try #require(Decimal(string: "1249.5"))
        #expect(formatter.string(for: amount) == "1.249,50\u{a0}€")
    }
}
