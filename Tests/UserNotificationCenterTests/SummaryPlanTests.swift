// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The hours of the owner's summary, and what one holds.
///
/// Source: center.md §8, "Summary".
struct SummaryPlanTests {
    private static func minute(_ text: String) throws -> MinuteOfDay { try #require(MinuteOfDay(text)) }

    private static func plan(_ times: [String], apps: Set<String> = ["com.example.news"]) throws -> SummaryPlan {
        try SummaryPlan(times: times.map(minute), apps: apps)
    }

    @Test func `only an app of the plan is held, and only with an hour that releases it`() throws {
        let plan = try Self.plan(["08:00"])
        #expect(plan.holds("com.example.news") && !plan.holds("com.example.chat"))
        #expect(try !Self.plan([]).holds("com.example.news"))
        #expect(!SummaryPlan().holds("com.example.news"))
    }

    @Test func `twelve times a day are allowed, in any order, and no more`() throws {
        let times = (0..<13).compactMap { MinuteOfDay($0 * 60) }
        #expect(try SummaryPlan(times: times.dropLast().reversed(), apps: []).times == times.dropLast())
        #expect(throws: PreferenceFault.tooMany("times", count: 13)) { try SummaryPlan(times: times, apps: []) }
        #expect(throws: PreferenceFault.repeated("times")) { try Self.plan(["08:00", "09:00", "08:00"]) }
        #expect(throws: PreferenceFault.tooMany("apps", count: 1001)) {
            try SummaryPlan(times: times.prefix(1), apps: Set((0...1000).map { "a\($0)" }))
        }
    }

    @Test(
        arguments: [
            ("07:00", 60), ("08:00", 600), ("07:59", 1), ("17:59", 1), ("18:00", 840), ("23:00", 540), ("08:01", 599),
        ]
    )
    func `the next summary is so many minutes away`(now: String, minutes: Int) throws {
        #expect(try Self.plan(["18:00", "08:00"]).minutesToNext(after: Self.minute(now)) == minutes)
    }

    @Test func `one time a day comes again after a day, and none never`() throws {
        #expect(try Self.plan(["08:00"]).minutesToNext(after: Self.minute("08:00")) == 1440)
        #expect(try SummaryPlan().minutesToNext(after: Self.minute("08:00")) == nil)
        #expect(try !SummaryPlan().isDue(after: Self.minute("08:00"), through: Self.minute("07:00")))
    }

    @Test func `an hour is due once, for whoever looks at any two minutes of a day`() throws {
        let plan = try Self.plan(["00:00", "08:00", "23:59"])
        let hours: Set = [0, 480, 1439]
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<3000 {
            let last = Int.random(in: 0..<1440, using: &generator)
            let distance = Int.random(in: 0..<1440, using: &generator)
            let passed = distance == 0 ? [] : (1...distance).map { (last + $0) % 1440 }
            let (from, to) = (try #require(MinuteOfDay(last)), try #require(MinuteOfDay((last + distance) % 1440)))
            #expect(plan.isDue(after: from, through: to) == passed.contains(where: hours.contains))
        }
    }

    // MARK: What a summary holds

    @Test func `a summary is ordered by score, then newest first, and features two`() throws {
        let held = [(1, 0.5), (2, 0.0), (3, 0.9), (4, 0.5), (5, 0.0)].map {
            SummaryIssue.Entry(number: $0.0, relevanceScore: $0.1)
        }
        let issue = try #require(SummaryIssue(held))
        #expect(issue.numbers == [3, 4, 1, 5, 2])
        #expect(issue.featured == [3, 4])
        #expect(SummaryIssue(held.prefix(1))?.featured == [1])
    }

    @Test func `an empty summary is none`() {
        #expect(SummaryIssue([]) == nil)
    }

    // MARK: JSON

    @Test func `a plan is read as it is written`() throws {
        let plan = try Self.plan(["18:00", "08:00"], apps: ["b.c", "a.b"])
        let text = String(decoding: plan.json.serialized, as: UTF8.self)
        #expect(text == #"{"times":["08:00","18:00"],"apps":["a.b","b.c"]}"#)
        #expect(try SummaryPlan(plan.json) == plan)
        #expect(try SummaryPlan(["times": []]) == SummaryPlan())
    }

    @Test(
        arguments: [
            ([:], .missing("times")), (["times": "08:00"], .wrongKind("times")), (["times": [8]], .wrongKind("times")),
            (["times": ["8:00"]], .malformed("times")), (["times": ["08:00", "08:00"]], .repeated("times")),
            (["times": .array(Array(repeating: "08:00", count: 13))], .tooMany("times", count: 13)),
            (["times": [], "apps": 1], .wrongKind("apps")), (["times": [], "apps": ["a", "a"]], .repeated("apps")),
        ] as [(JSONObject, PreferenceFault)]
    )
    func `members that are no plan are refused`(object: JSONObject, fault: PreferenceFault) {
        #expect(throws: fault) { try SummaryPlan(object) }
    }
}
