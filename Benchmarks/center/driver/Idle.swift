// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One record at a time while nothing else happens, from the link to the event of a watcher.
///
/// The centre and C take turns, because a disk is slower at one time than at another.
struct Idle {
    private static let turns = 5
    private static let countOfTurn = 40
    private static let pauseMilliseconds = 20

    let setting: Setting

    /// Prints the times, and returns those of a bare commit.
    func measure(_ center: CenterProcess, beside folder: String) throws -> Reference.Records {
        let link = try HostLink(center)
        defer { link.close() }
        let watcher = try center.connect()
        try watcher.watch()
        var (times, cpu, commits): ([Double], Double, [Reference.Records]) = ([], 0, [])
        for turn in 0..<Self.turns {
            try center.settle()
            let before = try center.child.cpu
            for number in 0..<Self.countOfTurn {
                usleep(UInt32(Self.pauseMilliseconds) * 1000)
                let number = 1_000_000 + turn * Self.countOfTurn + number
                let record = BenchRecord(number, owner: Accounts.watched)
                let watch = Stopwatch()
                try link.send(record)
                _ = try Watchdog.shared.within(30, "the centre, to a watcher,") { try watcher.event() }
                times.append(watch.milliseconds)
                try link.settle()
            }
            cpu += try center.child.cpu - before
            commits.append(try commit(folder))
        }
        let c = Reference.Records(
            cpu: Times(commits.map(\.cpu)).p50,
            perSecond: Times(commits.map(\.perSecond)).p50,
            p50: Times(commits.map(\.p50)).p50,
            p99: commits.map(\.p99).max() ?? 0
        )
        print(Times(times), cpu: cpu * 1e6 / Double(times.count), c)
        return c
    }

    private func commit(_ folder: String) throws -> Reference.Records {
        try Reference(setting: setting).records(
            folder,
            group: 1,
            count: Self.countOfTurn,
            byteCount: BenchRecord.contentByteCount,
            pause: Self.pauseMilliseconds
        )
    }

    private func print(_ ours: Times, cpu: Double, _ c: Reference.Records) {
        Table.row(
            "one record, idle: link to event, p50",
            Table.milliseconds(ours.p50),
            "≤ 3 ms",
            Table.beside("one commit in C", Table.milliseconds(c.p50), ours.p50 / c.p50)
                + "; CPU \(Table.microseconds(cpu)), C: \(Table.microseconds(c.cpu))"
        )
        Table.row(
            "the same, p99 of \(Self.turns * Self.countOfTurn)",
            Table.milliseconds(ours.p99),
            "≤ 10 ms",
            Table.beside("p99 of C", Table.milliseconds(c.p99), ours.p99 / c.p99)
        )
    }
}
