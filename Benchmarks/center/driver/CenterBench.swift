// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The figures of a notification centre, each beside the least that it takes in C on the same machine.
///
///   center-bench PROGRAMS REFERENCES FOLDER
///
/// PROGRAMS has notification-center, REFERENCES the programs of Benchmarks/center/reference, and FOLDER, which is empty
/// and closed to other users, takes what is stored. Prints rows of a table, four fields each with "|" between: what,
/// figure, goal, remark.
@main
enum CenterBench {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            FileHandle.standardError.write(
                Data("center-bench: error: usage: center-bench PROGRAMS REFERENCES FOLDER\n".utf8)
            )
            exit(2)
        }
        let setting = Setting(programs: arguments[1], references: arguments[2], folder: arguments[3])
        do {
            let emptyStart = try measureEmpty(setting)
            try measureFull(setting, emptyStart: emptyStart)
        } catch {
            Watchdog.shared.end("\(error)")
        }
    }

    /// Measures a centre that begins with nothing; returns the milliseconds of its start.
    private static func measureEmpty(_ setting: Setting) throws -> Double {
        Table.heading(
            "centre: a store that was empty",
            "records of 1 KB, 100 owners with 10 apps, each group synchronised to the disk"
        )
        let arrivals = Arrivals(setting: setting)
        let folder = try setting.makeFolder("empty")
        try StoreFill(folder).close()
        let center = try CenterProcess(setting, folder: folder)
        let run = try arrivals.run(center)
        let reference = try setting.makeFolder("reference")
        try StoreFill(reference).close()
        try arrivals.print(run, "empty to 20,000", beside: reference, goal: "≤ 60 µs")
        let commit = try Idle(setting: setting).measure(center, beside: reference)
        try Calls(setting: setting, commit: commit).measure(center)
        try Fanout(setting: setting).measure(center)
        try center.stop()
        return center.startMilliseconds
    }

    /// Measures centres over a store that has much.
    private static func measureFull(_ setting: Setting, emptyStart: Double) throws {
        Table.heading(
            "centre: 300,000 notifications of 100 owners, 10,000 requests pending",
            "the watched owner has 10,000, which is its bound; files in the machine's cache"
        )
        let folder = try setting.makeFolder("full")
        let fill = try StoreFill(folder)
        try fill.fill()
        let oldEnd = try fill.position - Int64(StoreFill.newCount) + 1
        try fill.close()
        let restarts = Restarts(setting: setting, folder: folder)
        let center = try restarts.measure(emptyStart: emptyStart)
        try FrontPages(setting: setting, folder: folder, oldEnd: oldEnd).measure(center, cold: restarts.cold)
        let arrivals = Arrivals(setting: setting)
        let run = try arrivals.run(center)
        try restarts.measureCrash(center)
        try Lateness(setting: setting, folder: folder).measure()
        // The reference writes to the same file, which no centre has any more.
        try arrivals.print(run, "on top of 300,000", beside: folder, goal: "≤ 80 µs")
    }
}

/// The places of a run.
struct Setting {
    /// The folder of notification-center.
    let programs: String
    /// The folder of the programs in C.
    let references: String
    /// The folder for everything that is stored.
    let folder: String

    /// Makes a folder that its user alone can open.
    func makeFolder(_ name: String) throws -> String {
        let path = folder + "/" + name
        guard mkdir(path, 0o700) == 0 else { throw BenchError.system("mkdir \(path)") }
        return path
    }
}
