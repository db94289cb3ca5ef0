// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

struct UTCTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_228_800_000, "2026-11-21T02:40:00Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59Z"), (253_402_300_799_000, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)]
    )
    func `a second is written, and read again`(_ milliseconds: Int64, _ text: String) {
        #expect(UTCTime.text(of: milliseconds) == text)
        #expect(UTCTime.text(of: milliseconds + 999) == text)
        #expect(UTCTime.milliseconds(of: text.utf8) == milliseconds)
    }

    @Test(arguments: [Int64.min, -86_400_000, -1]) func `what is before 1970 is its beginning`(_ milliseconds: Int64) {
        #expect(UTCTime.text(of: milliseconds) == "1970-01-01T00:00:00Z")
    }

    @Test(
        arguments: [
            (253_402_300_800_000, "10000-01-01T00:00:00Z"), (Int64.max, "292278994-08-17T07:12:55Z"),
        ] as [(Int64, String)]
    )
    func `a year of more than four digits is written whole, and not read`(_ milliseconds: Int64, _ text: String) {
        #expect(UTCTime.text(of: milliseconds) == text)
        #expect(UTCTime.milliseconds(of: text.utf8) == nil)
    }

    @Test(
        arguments: [
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_230_000_007, "2026-11-21T03:00:00.007Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func `milliseconds stand behind the second where they are asked for`(_ milliseconds: Int64, _ text: String) {
        #expect(UTCTime.preciseText(of: milliseconds) == text)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T02:40:00", "2026-11-21 02:40:00Z", "2026-11-21t02:40:00z",
        "2026-11-21T02:40:00.0Z",
        "2026-11-21T02:40:00+00:00", "2026-00-21T02:40:00Z", "2026-13-21T02:40:00Z", "2026-11-00T02:40:00Z",
        "2026-11-31T02:40:00Z", "2026-02-29T02:40:00Z", "2100-02-29T00:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T02:60:00Z", "2026-11-21T02:40:60Z", "1969-12-31T23:59:59Z", "+026-11-21T02:40:00Z",
        "２026-11-21T02:40:00Z", " 2026-11-21T02:40:00Z",
    ])
    func `any other text is none`(_ text: String) {
        #expect(UTCTime.milliseconds(of: text.utf8) == nil)
    }

    @Test(arguments: 0..<4) func `what is written is read`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<5000 {
            let seconds = Int64.random(in: 0..<253_402_300_800, using: &generator) * 1000
            #expect(UTCTime.milliseconds(of: UTCTime.text(of: seconds).utf8) == seconds)
        }
    }
}
