// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The owner's quiet hours.
///
/// Source: center.md §8, "Do Not Disturb".
struct DoNotDisturbTests {
    private static func minute(_ text: String) throws -> MinuteOfDay { try #require(MinuteOfDay(text)) }

    private static func daily(_ from: String, _ to: String) throws -> DoNotDisturb {
        DoNotDisturb(.daily(from: try minute(from), to: try minute(to)))
    }

    @Test(
        arguments: [
            ("22:00", "07:00", "21:59", false), ("22:00", "07:00", "22:00", true), ("22:00", "07:00", "23:59", true),
            ("22:00", "07:00", "00:00", true), ("22:00", "07:00", "06:59", true), ("22:00", "07:00", "07:00", false),
            ("13:00", "14:30", "12:59", false), ("13:00", "14:30", "13:00", true), ("13:00", "14:30", "14:29", true),
            ("13:00", "14:30", "14:30", false), ("00:00", "23:59", "23:58", true), ("00:00", "23:59", "23:59", false),
            ("23:59", "00:00", "23:59", true), ("23:59", "00:00", "00:00", false),
        ]
    )
    func `daily hours begin with their first minute and end before their last`(
        from: String,
        to: String,
        now: String,
        isOn: Bool
    ) throws {
        #expect(try Self.daily(from, to).isOn(at: 0, minute: Self.minute(now)) == isOn)
    }

    @Test func `until a time is on before that moment, whatever the zone`() throws {
        let quiet = DoNotDisturb(.until(milliseconds: 1000))
        for text in ["00:00", "12:00"] {
            let minute = try Self.minute(text)
            #expect(quiet.isOn(at: 999, minute: minute) && !quiet.isOn(at: 1000, minute: minute))
        }
        #expect(!DoNotDisturb().isOn(at: 0, minute: try Self.minute("03:00")))
    }

    @Test func `an exception is not quietened`() throws {
        let quiet = DoNotDisturb(.until(milliseconds: 1000), exceptions: ["com.example.alarm"])
        let minute = try Self.minute("03:00")
        #expect(quiet.quietens("com.example.chat", at: 0, minute: minute))
        #expect(!quiet.quietens("com.example.alarm", at: 0, minute: minute))
        #expect(!quiet.quietens("com.example.chat", at: 1000, minute: minute))
    }

    @Test func `the minutes to the next change lead from each minute of the day to a change, and to none before`()
        throws
    {
        for (from, to) in [("22:00", "07:00"), ("13:00", "14:30"), ("23:59", "00:00"), ("00:00", "00:01")] {
            let quiet = try Self.daily(from, to)
            for number in 0..<MinuteOfDay.perDay {
                let now = try #require(MinuteOfDay(number))
                let wait = try #require(quiet.minutesToChange(at: 0, minute: now))
                let isOn = quiet.isOn(at: 0, minute: now)
                let changes = (1...wait).filter { later in
                    MinuteOfDay((number + later) % 1440).map { quiet.isOn(at: 0, minute: $0) != isOn } == true
                }
                #expect(changes == [wait])
            }
        }
    }

    @Test(
        arguments: [
            (0, 60_000, 1), (0, 60_001, 2), (0, 1, 1), (0, 0, nil), (5, 3, nil), (.min, .max, Int.max),
            (0, .max, Int(Int64.max / 60_000) + 1),
        ] as [(Int64, Int64, Int?)]
    )
    func `the minutes until a time are rounded up`(now: Int64, end: Int64, minutes: Int?) throws {
        let minute = try Self.minute("03:00")
        #expect(DoNotDisturb(.until(milliseconds: end)).minutesToChange(at: now, minute: minute) == minutes)
        #expect(DoNotDisturb().minutesToChange(at: now, minute: minute) == nil)
    }

    // MARK: The end

    @Test func `what was missed is told once`() {
        var spell = QuietSpell.none
        let events = [
            spell.update(isOn: false, position: 5), spell.update(isOn: true, position: 7),
            spell.update(isOn: true, position: 9), spell.update(isOn: false, position: 12),
            spell.update(isOn: false, position: 13), spell.update(isOn: true, position: 13),
            spell.update(isOn: false, position: 13),
        ]
        #expect(events == [nil, .began, nil, .missed(8...12), nil, .began, .ended])
        #expect(spell == .none)
    }

    // MARK: Texts

    @Test func `every minute is read as it is written`() {
        for number in 0..<1440 {
            let minute = MinuteOfDay(number)
            #expect(minute.flatMap { MinuteOfDay($0.text) } == minute)
        }
        #expect(MinuteOfDay(-1) == nil && MinuteOfDay(1440) == nil)
    }

    @Test(arguments: ["", "7:00", "07:0", "24:00", "07:60", "07-00", "07:00 ", "٠٧:٠٠", "0é:00", "+7:00"])
    func `what is no minute is none`(text: String) {
        #expect(MinuteOfDay(text) == nil)
    }

    static let written: [(DoNotDisturb.Schedule, Set<String>, String)] = [
        (.off, [], #"{"mode":"off"}"#),
        (.until(milliseconds: 1_795_228_800_000), [], #"{"mode":"until","until":"2026-11-21T02:40:00.000Z"}"#),
        (
            .until(milliseconds: 1), ["b", "a"],
            #"{"mode":"until","until":"1970-01-01T00:00:00.001Z","exceptions":["a","b"]}"#
        ),
    ]

    @Test(arguments: written)
    func `quiet hours are read as they are written`(
        schedule: DoNotDisturb.Schedule,
        exceptions: Set<String>,
        text: String
    ) throws {
        let quiet = DoNotDisturb(schedule, exceptions: exceptions)
        #expect(String(decoding: quiet.json.serialized, as: UTF8.self) == text)
        #expect(try DoNotDisturb(quiet.json) == quiet)
        let daily = try Self.daily("22:00", "07:05")
        #expect(try DoNotDisturb(daily.json) == daily)
        #expect(daily.json == ["mode": "daily", "from": "22:00", "to": "07:05"])
    }

    @Test(
        arguments: [
            ([:], .missing("mode")), (["mode": 1], .wrongKind("mode")), (["mode": "on"], .unknownWord("mode")),
            (["mode": "until"], .missing("until")), (["mode": "until", "until": 5], .wrongKind("until")),
            (["mode": "until", "until": "tomorrow"], .malformed("until")), (["mode": "daily"], .missing("from")),
            (["mode": "daily", "from": "22:00"], .missing("to")),
            (["mode": "daily", "from": "22:00", "to": 7], .wrongKind("to")),
            (["mode": "daily", "from": "22:00", "to": "24:00"], .malformed("to")),
            (["mode": "daily", "from": "22:00", "to": "22:00"], .emptyRange),
            (["mode": "off", "exceptions": "a"], .wrongKind("exceptions")),
            (["mode": "off", "exceptions": [1]], .wrongKind("exceptions")),
            (["mode": "off", "exceptions": ["a", "a"]], .repeated("exceptions")),
            (["mode": "off", "exceptions": [""]], .badLength("exceptions", byteCount: 0)),
            (
                ["mode": "off", "exceptions": [.string(String(repeating: "a", count: 256))]],
                .badLength("exceptions", byteCount: 256)
            ),
            (
                ["mode": "off", "exceptions": .array((0...1000).map { .string("a\($0)") })],
                .tooMany("exceptions", count: 1001)
            ),
        ] as [(JSONObject, PreferenceFault)]
    )
    func `members that are no quiet hours are refused`(object: JSONObject, fault: PreferenceFault) {
        #expect(throws: fault) { try DoNotDisturb(object) }
    }
}
