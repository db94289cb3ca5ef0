// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One record at a time while nothing else happens, from the link to the event of a watcher.
struct Idle {
    private static let count = 200
    private static let pauseMilliseconds = 20

    let setting: Setting

    /// Prints the times, and returns those of a bare commit.
    func measure(_ center: CenterProcess, beside folder: String) throws -> Reference.Records {
        let link = try HostLink(center)
        defer { link.close() }
        let watcher = try center.connect()
        try watcher.watch()
        try center.settle()
        let cpu = try center.child.cpu
        var times: [Double] = []
        for number in 0..<Self.count {
            usleep(UInt32(Self.pauseMilliseconds) * 1000)
            let record = BenchRecord(1_000_000 + number, owner: Accounts.watched)
            let watch = Stopwatch()
            try link.send(record)
            _ = try Watchdog.shared.within(30, "the centre, to a watcher,") { try watcher.event() }
            times.append(watch.milliseconds)
            try link.settle()
        }
        let perRecord = (try center.child.cpu - cpu) * 1e6 / Double(Self.count)
        let commit = try Reference(setting: setting).records(
            folder,
            group: 1,
            count: Self.count,
            byteCount: BenchRecord.contentByteCount,
            pause: Self.pauseMilliseconds
        )
        let ours = Times(times)
        Table.row(
            "one record, idle: link to event, p50",
            Table.milliseconds(ours.p50),
            "≤ 3 ms",
            Table.beside("one commit in C", Table.milliseconds(commit.p50), ours.p50 / commit.p50)
                + "; CPU \(Table.microseconds(perRecord)), C: \(Table.microseconds(commit.cpu))"
        )
        Table.row(
            "the same, p99 of \(Self.count)",
            Table.milliseconds(ours.p99),
            "≤ 10 ms",
            Table.beside("p99 of C", Table.milliseconds(commit.p99), ours.p99 / commit.p99)
        )
        return commit
    }
}
