// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One event to many watchers of one owner, on the Unix socket.
struct Fanout {
    private static let watchersAtMost = 2000
    private static let rounds = 10

    let setting: Setting

    func measure(_ center: CenterProcess) throws {
        let count = min(Self.watchersAtMost, Self.raiseLimit() - 128)
        guard count > 0 else { throw BenchError("the machine allows too few descriptors for watchers") }
        let link = try HostLink(center)
        defer { link.close() }
        try center.settle()
        let before = center.child.ownMemory
        let watchers = try WatcherSet(center, count: count)
        try center.settle()
        let memory = Double(center.child.ownMemory - before) / Double(count) / 1024
        var (first, last, cpu): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<Self.rounds {
            try center.settle()
            let before = try center.child.cpu
            let watch = Stopwatch()
            try link.send(BenchRecord(2_000_000 + round, owner: Accounts.watched))
            let reached = try watchers.waitForAll(watch)
            try link.settle()
            try center.settle()
            first.append(reached.first)
            last.append(reached.last)
            cpu.append((try center.child.cpu - before) * 1e6 / Double(count))
        }
        let bytes = watchers.eventByteCount
        let c = try Reference(setting: setting).watchers(count, byteCount: bytes, rounds: Self.rounds)
        print(count, bytes, first: Times(first), last: Times(last), cpu: Times(cpu), memory: memory, c)
    }

    private func print(
        _ count: Int,
        _ bytes: Int,
        first: Times,
        last: Times,
        cpu: Times,
        memory: Double,
        _ c: Reference.Watchers
    ) {
        Table.row(
            "one event to \(count) watchers: the last one",
            Table.milliseconds(last.p50),
            "≤ \(400 * count / 10_000) ms",
            "the first \(Table.milliseconds(first.p50)); "
                + Table.beside("C, \(bytes) bytes each", Table.milliseconds(c.last), last.p50 / c.last)
        )
        Table.row(
            "CPU of the centre a watcher",
            String(format: "%.2f ×", cpu.p50 / c.cpu),
            "≤ 2.00 ×",
            "\(String(format: "%.1f µs", cpu.p50)); a loop of writes in C: \(String(format: "%.1f µs", c.cpu))"
        )
        Table.row("memory of the centre a watcher", String(format: "%.1f KB", memory), "≤ 20 KB", "its own pages")
    }

    /// Allows this process as many descriptors as it may have, and returns the number.
    private static func raiseLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
