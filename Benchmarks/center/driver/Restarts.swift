// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Starts of a centre over a store that has much, until its first answer.
final class Restarts {
    private static let count = 3

    private let setting: Setting
    private let folder: String
    private var starts: [Double] = []
    /// Milliseconds of the first front page after each start.
    private(set) var cold: [Double] = []

    init(setting: Setting, folder: String) {
        self.setting = setting
        self.folder = folder
    }

    /// Prints the starts after a stop, and returns the centre of the last one.
    func measure(emptyStart: Double) throws -> CenterProcess {
        var center = try start()
        for _ in 1..<Self.count {
            try center.stop()
            center = try start()
        }
        let median = Times(starts).p50
        Table.row(
            "restart: start to the first answer",
            Table.milliseconds(median),
            "≤ 300 ms",
            "of \(Self.count); " + Table.beside("an empty store", Table.milliseconds(emptyStart), median / emptyStart)
        )
        return center
    }

    /// Prints the start after a crash of the centre, which leaves its log.
    func measureCrash(_ center: CenterProcess) throws {
        center.crash()
        let facts = try? FileManager.default.attributesOfItem(atPath: folder + "/center.sqlite-wal")
        let log = Double((facts?[.size] as? Int) ?? 0) / 1_048_576
        let next = try CenterProcess(setting, folder: folder)
        Table.row(
            "start to the first answer after SIGKILL",
            Table.milliseconds(next.startMilliseconds),
            "",
            "over a log of \(String(format: "%.1f", log)) MiB"
        )
        try next.stop()
    }

    private func start() throws -> CenterProcess {
        let center = try CenterProcess(setting, folder: folder)
        starts.append(center.startMilliseconds)
        let connection = try center.connect()
        let watch = Stopwatch()
        _ = try connection.get(FrontPages.newest)
        cold.append(watch.milliseconds)
        return center
    }
}
