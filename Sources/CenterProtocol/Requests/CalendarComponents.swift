// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The parts of a date that a calendar trigger names; a part that is left out matches every value or the first.
///
/// The parts are read as whole numbers of any size, because an app may have made them by a calculation: what is out of
/// range names no date, which is an answer and no violation.
/// Source: Apple, "DateComponents"; "UNCalendarNotificationTrigger".
package struct CalendarComponents: Sendable, Equatable {
    /// A part of a date or time that a number names, by its word in JSON.
    package enum Part: String, CaseIterable, Sendable {
        case era, year, yearForWeekOfYear, quarter, month, weekOfYear, weekOfMonth, weekday, weekdayOrdinal, day
        case dayOfYear, hour, minute, second, nanosecond

        /// The values that the part has in some date.
        package var range: ClosedRange<Int64> {
            switch self {
            case .era: 1...1
            case .year, .yearForWeekOfYear: 1...9999
            case .quarter: 1...4
            case .month: 1...12
            case .weekOfYear: 1...53
            case .weekOfMonth: 0...6
            case .weekday: 1...7
            case .weekdayOrdinal: 1...5
            case .day: 1...31
            case .dayOfYear: 1...366
            case .hour: 0...23
            case .minute, .second: 0...59
            case .nanosecond: 0...999_999_999
            }
        }
    }

    /// The named parts; 1 is Sunday among weekdays.
    package var parts: [Part: Int64]
    /// A name of the time zone database; `nil` means the owner's zone, whichever that is when the date is looked for.
    package var timeZone: String?
    /// The first day of a week, 1 to 7; `nil` means Sunday.
    package var firstWeekday: Int?
    /// The number of days that the first week of a month or year has at least, 1 to 7; `nil` means 1.
    package var minimumDaysInFirstWeek: Int?

    package init(
        _ parts: [Part: Int64],
        timeZone: String? = nil,
        firstWeekday: Int? = nil,
        minimumDaysInFirstWeek: Int? = nil
    ) {
        self.parts = parts
        self.timeZone = timeZone
        self.firstWeekday = firstWeekday
        self.minimumDaysInFirstWeek = minimumDaysInFirstWeek
    }
}

// MARK: Validity

extension CalendarComponents {
    /// True if some date has these parts, whatever the date of today is.
    ///
    /// Numbers of weeks are checked for their range alone: the centre's search for the next date has the last word on
    /// them, and on names of time zones. The check looks at 14 years at most, which are all that a calendar has.
    package var nameADate: Bool {
        guard parts.contains(where: { $0.key != .era }), parts.allSatisfy({ $0.key.range.contains($0.value) }) else {
            return false
        }
        return Self.years(parts[.year]).contains(where: hasDay(in:))
    }

    /// The year that is named, or one of each kind: with and without a leap day, beginning on each of seven weekdays.
    private static func years(_ named: Int64?) -> [Int] {
        named.map { [Int($0)] } ?? kindsOfYears
    }

    private static let kindsOfYears: [Int] = {
        var kinds: Set<Int> = []
        return (2000..<2028).filter { year in
            let weekday = CivilDay.weekday(of: CivilDay.number(ofFirstIn: year))
            return kinds.insert(CivilDay.length(of: 2, in: year) * 8 + weekday).inserted
        }
    }()

    private func hasDay(in year: Int) -> Bool {
        let months = parts[.month].map { Int($0)...Int($0) } ?? 1...12
        return months.contains { month in
            let days = parts[.day].map { Int($0)...Int($0) } ?? 1...CivilDay.length(of: month, in: year)
            return fits(.quarter, (month + 2) / 3)
                && days.contains { day in
                    day <= CivilDay.length(of: month, in: year)
                        && fits(CivilDay(year: year, month: month, day: day))
                }
        }
    }

    private func fits(_ day: CivilDay) -> Bool {
        fits(.weekday, day.weekday) && fits(.weekdayOrdinal, (day.day + 6) / 7) && fits(.dayOfYear, day.dayOfYear)
    }

    private func fits(_ part: Part, _ value: Int) -> Bool { parts[part].map { $0 == Int64(value) } ?? true }
}

// MARK: JSON

extension CalendarComponents {
    package var json: JSONObject {
        var object = JSONObject(Part.allCases.compactMap { part in parts[part].map { (part.rawValue, .integer($0)) } })
        object["timeZone"] = timeZone.map(JSON.string)
        object["firstWeekday"] = firstWeekday.map { .integer(Int64($0)) }
        object["minimumDaysInFirstWeek"] = minimumDaysInFirstWeek.map { .integer(Int64($0)) }
        return object
    }

    init(_ members: inout Members) throws(MemberFault) {
        var parts: [Part: Int64] = [:]
        for part in Part.allCases {
            parts[part] = try members.optionalInteger(part.rawValue, Int64.min...Int64.max)
        }
        self.init(
            parts,
            timeZone: try members.optionalShape("timeZone") { Self.isTimeZone($0) ? $0 : nil },
            firstWeekday: try members.optionalInteger("firstWeekday", 1...7).map(Int.init),
            minimumDaysInFirstWeek: try members.optionalInteger("minimumDaysInFirstWeek", 1...7).map(Int.init)
        )
    }

    /// Tells whether a text may be a time zone's name; a name leads to a file, so that dots are not among its letters.
    private static func isTimeZone(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "+-/_".utf8.contains(byte)
            }
            && text.utf8.first != UInt8(ascii: "/")
    }
}
