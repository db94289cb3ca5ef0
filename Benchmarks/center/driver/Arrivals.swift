// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Records over the link, as fast as they are taken.
struct Arrivals {
    private static let count = 20_000
    /// The first ones, which are not measured.
    private static let warmCount = 1000

    let setting: Setting

    struct Run {
        let perSecond: Double
        /// Microseconds of the centre's process for a record.
        let cpu: Double
        /// Records of a transaction.
        let group: Int
    }

    func run(_ center: CenterProcess) throws -> Run {
        let link = try HostLink(center)
        defer { link.close() }
        try link.deliver(BenchRecord.forAll(0..<Self.warmCount))
        try center.settle()
        let records = BenchRecord.forAll(Self.warmCount..<Self.warmCount + Self.count)
        let (groups, cpu, watch) = (link.groups, try center.child.cpu, Stopwatch())
        try link.deliver(records)
        let seconds = watch.seconds
        return Run(
            perSecond: Double(Self.count) / seconds,
            cpu: (try center.child.cpu - cpu) * 1e6 / Double(Self.count),
            group: max(1, Self.count / max(1, link.groups - groups))
        )
    }

    /// Prints a run beside C, which inserts as many rows in the same groups into the store of a folder.
    func print(_ run: Run, _ what: String, beside folder: String, goal: String) throws {
        let reference = try Reference(setting: setting).records(
            folder,
            group: run.group,
            count: Self.count,
            byteCount: BenchRecord.contentByteCount
        )
        Table.row(
            "records a second, \(what)",
            Table.number(run.perSecond),
            "≥ 10000",
            "groups of \(run.group) on average; "
                + Table.beside("C", Table.number(reference.perSecond), run.perSecond / reference.perSecond)
        )
        Table.row(
            "CPU of the centre a record",
            Table.microseconds(run.cpu),
            goal,
            Table.beside("C", Table.microseconds(reference.cpu), run.cpu / reference.cpu)
        )
    }
}
