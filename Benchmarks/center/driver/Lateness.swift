// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation

/// Requests that become due one after the other: the time from the date of each until it fires, and until it is shown.
struct Lateness {
    private static let count = 1000
    private static let spacing: Int64 = 10
    /// Milliseconds until the first one, in which a centre starts.
    private static let delay: Int64 = 3000

    let setting: Setting
    let folder: String

    func measure() throws {
        let first = Int64(Self.now) + Self.delay
        let fill = try StoreFill(folder)
        try fill.clearWatched()
        try fill.schedule(at: (0..<Int64(Self.count)).map { first + $0 * Self.spacing })
        try fill.close()
        let center = try CenterProcess(setting, folder: folder)
        let watcher = try center.connect()
        try watcher.watch()
        try center.settle()
        guard Self.now < Double(first) else { throw BenchError("the centre starts after its requests are due") }
        let cpu = try center.child.cpu
        var (fired, shown): ([Double], [Double]) = ([], [])
        try Watchdog.shared.within(60, "the centre, with requests that are due,") {
            while shown.count < Self.count {
                let event = try watcher.event()
                let now = Self.now
                guard let due = Self.value(of: "identifier", in: event).flatMap({ Int64($0.dropFirst(4)) }),
                    let date = Self.value(of: "date", in: event).flatMap({ Moment($0) })
                else { throw BenchError("an event has no date") }
                fired.append(Double(date.milliseconds - due))
                shown.append(now - Double(due))
            }
        }
        let perRequest = (try center.child.cpu - cpu) * 1e6 / Double(Self.count)
        try center.stop()
        let times = Times(shown)
        Table.row(
            "lateness of \(Self.count) triggers over 10 s, p99",
            Table.milliseconds(Times(fired).p99),
            "≤ 1 ms",
            "due to fired, in whole ms; due to the event p50 \(Table.milliseconds(times.p50)), "
                + "p99 \(Table.milliseconds(times.p99)); CPU \(Table.microseconds(perRequest)) each"
        )
    }

    /// The text of the first member of that name.
    private static func value(of name: String, in event: String) -> String? {
        guard let start = event.range(of: "\"\(name)\":\"")?.upperBound,
            let end = event[start...].firstIndex(of: "\"")
        else { return nil }
        return String(event[start..<end])
    }

    /// Milliseconds since 1970.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
