// SPDX-License-Identifier: Apache-2.0

import Glibc
import NotificationPayload
import Testing

/// Glibc's calendar is the second implementation.
struct CivilDayTests {
    @Test(arguments: [
        (1970, 1, 1, 0), (1969, 12, 31, -1), (1, 1, 1, -719_162), (0, 3, 1, -719_468), (0, 1, 1, -719_528),
        (2000, 2, 29, 11_016), (2370, 1, 1, 146_097), (9999, 12, 31, 2_932_896), (-1, 12, 31, -719_529),
    ])
    func `a day has a number, and a number its day`(_ year: Int, _ month: Int, _ day: Int, _ number: Int) {
        let civil = CivilDay(year: year, month: month, day: day)
        #expect(civil.number == number)
        #expect(CivilDay(number: number) == civil)
    }

    @Test(arguments: 0..<4) func `days are those of gmtime`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<5000 {
            let number = Int.random(in: -1_500_000...5_000_000, using: &generator)
            var seconds = time_t(number * 86_400)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let day = CivilDay(number: number)
            #expect(
                [day.year, day.month, day.day] == [
                    Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday),
                ]
            )
            #expect([day.weekday, day.dayOfYear] == [Int(parts.tm_wday) + 1, Int(parts.tm_yday) + 1])
            #expect(CivilDay(year: day.year, month: day.month, day: day.day) == day)
        }
    }

    @Test func `each day of an era follows the one before it`() {
        var day = CivilDay(year: 1900, month: 1, day: 1)
        var monthCount = 1
        while day.year < 2301 {
            let next = day.next
            #expect(next == CivilDay(number: day.number + 1))
            #expect(next.previous == day)
            #expect(day < next)
            if next.day == 1 {
                monthCount += 1
                #expect(day.day == day.monthLength)
                #expect(day.firstOfNextMonth == next)
            }
            day = next
        }
        #expect(monthCount == 401 * 12 + 1)
    }

    @Test(arguments: [(2023, 28), (2024, 29), (2000, 29), (1900, 28), (2100, 28), (0, 29)])
    func `February has 29 days every fourth year, not every hundredth, every four hundredth`(_ year: Int, _ length: Int)
    {
        #expect(CivilDay.length(of: 2, in: year) == length)
    }

    @Test(arguments: [(7, 2, 3, 1), (-7, 2, -4, 1), (-8, 4, -2, 0), (0, 3, 0, 0), (-1, 86_400, -1, 86_399)])
    func `division rounds down below zero as well`(_ number: Int, _ divisor: Int, _ quotient: Int, _ remainder: Int) {
        #expect(number.floored(by: divisor) == quotient)
        #expect(number.remainder(by: divisor) == remainder)
    }
}
