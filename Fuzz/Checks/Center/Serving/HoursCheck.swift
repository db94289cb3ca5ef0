// SPDX-License-Identifier: Apache-2.0

import UserNotificationCenter

/// The hours of quiet and of summaries, asked at some minutes of a day.
enum HoursCheck {
    private static let now: Int64 = 1_795_230_000_000
    private static let minutes = [0, 1, 419, 420, 720, 1320, 1438, 1439]

    /// Quiet changes at the minute that it names for its next change, and not before.
    static func check(_ quiet: DoNotDisturb) throws(BrokenPromise) {
        for number in minutes {
            func isOn(after minutes: Int) -> Bool? {
                MinuteOfDay((number + minutes) % MinuteOfDay.perDay).map { minute in
                    quiet.isOn(at: now + Int64(minutes) * 60_000, minute: minute)
                }
            }
            guard let minute = MinuteOfDay(number) else { throw BrokenPromise("a day has 1,440 minutes") }
            guard let change = quiet.minutesToChange(at: now, minute: minute) else {
                try expect(isOn(after: 0) == false, "quiet that never ends is none")
                continue
            }
            try expect(change > 0, "the next change is to come")
            try expect(isOn(after: change) != isOn(after: 0), "quiet changes at the minute that it names")
            try expect(isOn(after: change - 1) == isOn(after: 0), "quiet does not change before")
        }
    }

    /// A summary comes at the minute that is named for it, and not before.
    static func check(_ plan: SummaryPlan) throws(BrokenPromise) {
        try expect(plan.times.count <= 12, "a day has twelve summaries at most")
        try expect(zip(plan.times, plan.times.dropFirst()).allSatisfy { $0 < $1 }, "summaries ascend")
        for number in minutes {
            guard let minute = MinuteOfDay(number) else { throw BrokenPromise("a day has 1,440 minutes") }
            guard let next = plan.minutesToNext(after: minute) else {
                try expect(plan.times.isEmpty, "a plan with hours has a next summary")
                continue
            }
            guard let due = MinuteOfDay((number + next) % 1440), let early = MinuteOfDay((number + next - 1) % 1440)
            else { throw BrokenPromise("a day has 1,440 minutes") }
            try expect(plan.times.contains(due), "the next summary is one of the plan")
            try expect(!plan.isDue(after: minute, through: early), "a summary does not come early")
            // A day later it is the same minute again, which has nothing before it.
            try expect(next == 1440 || plan.isDue(after: minute, through: due), "a summary comes at its minute")
        }
    }
}
