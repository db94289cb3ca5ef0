// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

struct TriggerTests {
    private static let crossing = RequestTrigger.Crossing(
        identifier: "home",
        onEntry: true,
        onExit: false,
        repeats: true
    )
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    private static func circle(_ latitude: Double, _ longitude: Double, _ radius: Double) -> RequestTrigger {
        .region(.init(latitude: latitude, longitude: longitude, radius: radius), crossing)
    }

    static let triggers: [(RequestTrigger, String)] = [
        (.interval(seconds: 5, repeats: false), #"{"type":"interval","seconds":5,"repeats":false}"#),
        (.interval(seconds: 60.5, repeats: true), #"{"type":"interval","seconds":60.5,"repeats":true}"#),
        (
            .calendar(CalendarComponents([.month: 2, .day: 29, .hour: 9], timeZone: "Europe/Madrid"), repeats: true),
            #"{"type":"calendar","components":{"month":2,"day":29,"hour":9,"timeZone":"Europe/Madrid"},"repeats":true}"#
        ),
        (
            .calendar(CalendarComponents([.weekOfYear: 1], firstWeekday: 2, minimumDaysInFirstWeek: 4), repeats: false),
            #"{"type":"calendar","components":{"weekOfYear":1,"firstWeekday":2,"minimumDaysInFirstWeek":4},"#
                + #""repeats":false}"#
        ),
        (
            circle(40.4, -3.7, 100),
            #"{"type":"region","circle":{"latitude":40.4,"longitude":-3.7,"radius":100},"identifier":"home","#
                + #""onEntry":true,"onExit":false,"repeats":true}"#
        ),
        (
            .beacon(.init(uuid: uuid, major: 1, minor: 65_535), crossing),
            #"{"type":"beacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":65535,"#
                + #""identifier":"home","onEntry":true,"onExit":false,"repeats":true}"#
        ),
        (
            .beacon(.init(uuid: uuid), crossing),
            #"{"type":"beacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","#
                + #""identifier":"home","onEntry":true,"onExit":false,"repeats":true}"#
        ),
        (.push, #"{"type":"push"}"#),
    ]

    private func read(_ text: String) throws -> RequestTrigger {
        var members = Members(try JSONObject(text: text), .strict, path: "trigger")
        let trigger = try RequestTrigger(&members)
        try members.end()
        return trigger
    }

    @Test(arguments: triggers)
    func `a trigger says exactly this`(trigger: RequestTrigger, text: String) throws {
        #expect(trigger.json.text == text)
        #expect(try read(text) == trigger)
    }

    @Test(
        arguments: [
            ("{}", .missing("trigger.type")), (#"{"type":"place"}"#, .unknownWord("trigger.type")),
            (#"{"type":"interval"}"#, .missing("trigger.seconds")),
            (#"{"type":"interval","seconds":"5","repeats":false}"#, .wrongKind("trigger.seconds")),
            (#"{"type":"interval","seconds":null,"repeats":false}"#, .wrongKind("trigger.seconds")),
            (#"{"type":"interval","seconds":5,"repeats":0}"#, .wrongKind("trigger.repeats")),
            (#"{"type":"interval","seconds":5,"repeats":false,"at":1}"#, .unknownMember(of: "trigger")),
            (#"{"type":"calendar","repeats":false}"#, .missing("trigger.components")),
            (#"{"type":"calendar","components":{"hour":9.5},"repeats":false}"#, .wrongKind("trigger.components.hour")),
            (
                #"{"type":"calendar","components":{"hours":9},"repeats":false}"#,
                .unknownMember(of: "trigger.components")
            ),
            (
                #"{"type":"calendar","components":{"timeZone":"../../etc/passwd"},"repeats":false}"#,
                .malformed("trigger.components.timeZone")
            ),
            (
                #"{"type":"calendar","components":{"timeZone":"/etc"},"repeats":false}"#,
                .malformed("trigger.components.timeZone")
            ),
            (
                #"{"type":"calendar","components":{"firstWeekday":8},"repeats":false}"#,
                .outOfRange("trigger.components.firstWeekday")
            ),
            (#"{"type":"region","circle":{"latitude":1}}"#, .missing("trigger.circle.longitude")),
            (
                #"{"type":"region","circle":{"latitude":1,"longitude":1,"radius":1}}"#, .missing("trigger.identifier")
            ),
            (#"{"type":"beacon","uuid":"E2C56DB5"}"#, .malformed("trigger.uuid")),
            (
                #"{"type":"beacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":65536}"#,
                .outOfRange("trigger.major")
            ),
            (
                #"{"type":"beacon","uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","minor":1}"#,
                .missing("trigger.major")
            ),
            (#"{"type":"push","repeats":false}"#, .unknownMember(of: "trigger")),
        ] as [(String, MemberFault)]
    )
    func `what is no trigger is refused by name`(text: String, fault: MemberFault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test(
        arguments: [
            (.interval(seconds: 0.001, repeats: false), true), (.interval(seconds: 0, repeats: false), false),
            (.interval(seconds: -1, repeats: false), false), (.interval(seconds: 59.999, repeats: true), false),
            (.interval(seconds: 60, repeats: true), true), (.interval(seconds: .infinity, repeats: true), false),
            (.interval(seconds: .nan, repeats: false), false), (.interval(seconds: 1e300, repeats: false), false),
            (circle(90, 180, 1), true), (circle(-90, -180, 1), true), (circle(90.1, 0, 1), false),
            (circle(-90.1, 0, 1), false), (circle(0, -180.1, 1), false),
            (circle(0, 180.1, 1), false), (circle(0, 0, 0), false), (circle(0, 0, -1), false),
            (circle(.nan, 0, 1), false), (circle(0, 0, .infinity), false),
            (.beacon(.init(uuid: uuid), crossing), true), (.push, false),
            (.beacon(.init(uuid: uuid), .init(identifier: "home", onEntry: false, onExit: false)), false),
            (
                .region(
                    .init(latitude: 1, longitude: 1, radius: 1),
                    .init(identifier: "home", onEntry: false, onExit: false)
                ), false
            ),
            (.calendar(CalendarComponents([.hour: 9]), repeats: true), true),
            (.calendar(CalendarComponents([:]), repeats: true), false),
        ] as [(RequestTrigger, Bool)]
    )
    func `a trigger that never fires is no date`(trigger: RequestTrigger, mayFire: Bool) {
        #expect(trigger.mayFire == mayFire)
        let request = NotificationRequest(identifier: "a", payload: .sample, trigger: trigger)
        #expect(CenterCall.add(request).failure == (mayFire ? nil : .noDate))
    }
}

struct CalendarComponentsTests {
    @Test(
        arguments: [
            ([.month: 2, .day: 29], true), ([.month: 2, .day: 30], false), ([.month: 4, .day: 31], false),
            ([.month: 2, .day: 29, .year: 2027], false), ([.month: 2, .day: 29, .year: 2028], true),
            ([.month: 2, .day: 29, .year: 2100], false), ([.day: 31], true), ([.day: 32], false), ([.day: 0], false),
            ([.month: 13], false), ([.hour: 24], false), ([.hour: 23, .minute: 59, .second: 59], true),
            ([.minute: 60], false), ([.second: 60], false), ([.nanosecond: 1_000_000_000], false),
            ([.nanosecond: 5], true), ([.weekday: 7], true), ([.weekday: 8], false),
            ([.weekdayOrdinal: 5, .weekday: 2], true), ([.weekdayOrdinal: 6], false),
            ([.day: 8, .weekdayOrdinal: 1], false), ([.day: 8, .weekdayOrdinal: 2], true),
            ([.month: 2, .weekday: 1, .weekdayOrdinal: 5], true),
            ([.month: 2, .weekday: 1, .weekdayOrdinal: 5, .year: 2027], false),
            ([.year: 2026, .month: 11, .day: 21, .weekday: 7], true),
            ([.year: 2026, .month: 11, .day: 21, .weekday: 1], false), ([.quarter: 1, .month: 4], false),
            ([.quarter: 2, .month: 4], true), ([.quarter: 5], false), ([.dayOfYear: 366], true),
            ([.dayOfYear: 366, .year: 2027], false), ([.dayOfYear: 60, .month: 2], true),
            ([.dayOfYear: 61, .month: 2], false), ([.dayOfYear: 367], false), ([.era: 1], false), ([.era: 0], false),
            ([.era: 1, .hour: 9], true), ([.year: 0], false), ([.year: 10_000], false), ([.year: 9999], true),
            ([.weekOfYear: 53], true), ([.weekOfYear: 54], false), ([.weekOfMonth: 6], true),
            ([.weekOfMonth: 7], false), ([.yearForWeekOfYear: 2026], true), ([.day: .max], false),
            ([.month: .min], false), ([:], false),
        ] as [([CalendarComponents.Part: Int64], Bool)]
    )
    func `parts name a date or none`(parts: [CalendarComponents.Part: Int64], namesADate: Bool) {
        #expect(CalendarComponents(parts).nameADate == namesADate)
    }

    /// The naive model looks at every day of the 400 years after which the calendar repeats itself.
    @Test func `the days that some year has are those of 400 years`() {
        let first = CivilDay(year: 2000, month: 1, day: 1).number
        let days = (0..<146_097).map { CivilDay(number: first + $0) }
        func exists(_ parts: [CalendarComponents.Part: Int64]) -> Bool {
            func fits(_ part: CalendarComponents.Part, _ value: Int) -> Bool { parts[part].map { $0 == value } ?? true }
            return days.contains { day in
                fits(.month, day.month) && fits(.day, day.day) && fits(.weekday, day.weekday)
                    && fits(.weekdayOrdinal, (day.day - 1) / 7 + 1) && fits(.quarter, (day.month - 1) / 3 + 1)
                    && fits(.dayOfYear, day.number - CivilDay.number(ofFirstIn: day.year) + 1)
            }
        }
        var random = SeededGenerator(seed: 5)
        var impossible = 0
        for _ in 0..<300 where impossible < 25 {
            var parts: [CalendarComponents.Part: Int64] = [:]
            for part in [.month, .day, .weekday, .weekdayOrdinal, .quarter, .dayOfYear] as [CalendarComponents.Part]
            where Int.random(in: 0...2, using: &random) > 0 {
                parts[part] = Int64.random(in: part.range, using: &random)
            }
            guard !parts.isEmpty else { continue }
            let isPossible = exists(parts)
            if !isPossible { impossible += 1 }
            #expect(CalendarComponents(parts).nameADate == isPossible, "\(parts)")
        }
    }
}
