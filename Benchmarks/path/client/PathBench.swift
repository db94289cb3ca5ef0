// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix

/// From the post of a sealed push to its record: a client on one HTTP/2 connection, and the real programs.
///
/// Usage: path-bench PROGRAMS BUNDLE KEYS ROUNDS PUSHES [UNCONFINED | --beside PROGRAMS BUNDLE | --fleet DATABASE KEY
/// HOSTS]. PROGRAMS is the folder of extension-host and its helpers, KEYS holds recipient.key, recipient.pub,
/// sender.key and sender.pub; UNCONFINED is like PROGRAMS with a launcher that separates nothing, to compare the whole
/// path with. With --beside the programs and the bundle of another build run in turn with these, and only ratios are
/// printed. With --fleet so many hosts share a database, whose connection string and key are given. Prints rows of a
/// table, four fields each with "|" between: what, figure, goal, remark.
@main
enum PathBench {
    /// The pushes in flight: few for the time that one takes, many for how many go through.
    ///
    /// A fleet takes more: what a host has accepted for another waits there for the next reading.
    static let inFlight = (few: 64, many: 256, ofFleet: 768)

    static func main() async {
        let arguments = CommandLine.arguments
        let isBeside = arguments.count == 9 && arguments[6] == "--beside"
        let hosts = arguments.count == 10 && arguments[6] == "--fleet" ? Int(arguments[9]) : nil
        let isAlone = arguments.count == 6 || arguments.count == 7
        guard isBeside || isAlone || hosts.map({ $0 > 0 }) == true, let rounds = Int(arguments[4]),
            let pushes = Int(arguments[5]), rounds > 0, pushes > 0
        else {
            write(
                "usage: path-bench PROGRAMS BUNDLE KEYS ROUNDS PUSHES "
                    + "[UNCONFINED | --beside PROGRAMS BUNDLE | --fleet DATABASE KEY HOSTS]"
            )
            exit(2)
        }
        do {
            let setting = Setting(programs: arguments[1], bundle: arguments[2], keys: arguments[3])
            if isBeside {
                let other = Setting(programs: arguments[7], bundle: arguments[8], keys: arguments[3])
                let comparison = try await Comparison.measure(setting, beside: other, rounds: rounds, pushes: pushes)
                try comparison.printBuilds()
                return
            }
            if let hosts {
                let members = (0..<hosts).map { number in
                    var member = setting
                    member.fleet = Membership(database: arguments[7], key: arguments[8], host: "host\(number)")
                    return member
                }
                let loads = [(pushes, inFlight.few), (4 * pushes, inFlight.ofFleet)]
                try await measure(members, loads, rounds: rounds)
                return
            }
            try await measure([setting], [(pushes, inFlight.few)], rounds: rounds)
            try await measure([setting], [(2 * pushes, inFlight.many)], rounds: rounds)
            if arguments.count == 7 {
                var other = Setting(programs: arguments[6], bundle: arguments[2], keys: arguments[3])
                other.isUnconfined = true
                try await Comparison.measure(setting, beside: other, rounds: rounds, pushes: pushes).printSandbox()
            }
        } catch {
            write("path-bench: error: \(error)")
            exit(1)
        }
    }

    /// Measures a host alone, or the members of a fleet once each has its share.
    private static func measure(
        _ settings: [Setting],
        _ loads: [(pushes: Int, inFlight: Int)],
        rounds: Int
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (mint, tokens) = (try PushMint(settings[0]), settings[0].tokens)
        var reports: [Report] = []
        try await HostProcess.with(settings) { hosts in
            if settings[0].fleet != nil { try await FleetShares.settle(hosts, of: settings[0].programs) }
            let client = try await PushClient.connect(to: hosts, on: group.next())
            for (pushes, inFlight) in loads {
                _ = try await round(client, hosts, try mint.make(pushes / 4 + 1, tokens: tokens), inFlight)
                var results: [Round] = []
                for _ in 0..<rounds {
                    results.append(try await round(client, hosts, try mint.make(pushes, tokens: tokens), inFlight))
                }
                reports.append(
                    Report(
                        results,
                        pushes: pushes,
                        tokens: tokens.count,
                        bodyByteCount: mint.bodyByteCount,
                        inFlight: inFlight
                    )
                )
            }
            try await client.close()
        }
        for report in reports { settings[0].fleet == nil ? report.print() : report.print(hosts: settings.count) }
        try await group.shutdownGracefully()
    }

    static func round(
        _ client: PushClient,
        _ hosts: [HostProcess],
        _ pushes: [Push],
        _ inFlight: Int
    ) async throws -> Round {
        let before = CPUTimes(hosts: hosts)
        let run = try await client.post(pushes, inFlight: inFlight)
        return try Round(run, pushes: pushes, cpu: CPUTimes(hosts: hosts) - before)
    }

    private static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

/// A failure of the benchmark, in a sentence for people.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
