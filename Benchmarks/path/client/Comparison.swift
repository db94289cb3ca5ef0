// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix

/// Two paths in the same run: both hosts live, and rounds come in turn, so that both meet the same machine.
///
/// A process keeps for its life what its start gave it, memory and processors, and that alone differs by some percent
/// between two starts of the same program. So the hosts are started anew every ten rounds, each of them first in turn.
struct Comparison {
    private static let roundsOfStart = 10

    private let pushes: Int
    /// The pairs of rounds of each start.
    private let starts: [[(first: Round, second: Round)]]

    /// Runs `rounds` pairs of rounds, each pair in a random order.
    static func measure(
        _ first: Setting,
        beside second: Setting,
        rounds: Int,
        pushes: Int
    ) async throws -> Comparison {
        var starts: [[(first: Round, second: Round)]] = []
        for start in 0..<(rounds + roundsOfStart - 1) / roundsOfStart {
            let count = min(roundsOfStart, rounds - start * roundsOfStart)
            if start % 2 == 0 {
                starts.append(try await pairs(first, second, count: count, pushes: pushes))
            } else {
                starts.append(
                    try await pairs(second, first, count: count, pushes: pushes).map { ($0.second, $0.first) }
                )
            }
        }
        return Comparison(pushes: pushes, starts: starts)
    }

    /// Starts both hosts and runs pairs of rounds, behind a pair that only warms them.
    private static func pairs(
        _ first: Setting,
        _ second: Setting,
        count: Int,
        pushes: Int
    ) async throws -> [(first: Round, second: Round)] {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let mint = try PushMint(first)
        var pairs: [(first: Round, second: Round)] = []
        try await HostProcess.with(first) { host in
            try await HostProcess.with(second) { otherHost in
                let client = try await PushClient.connect(to: [host], on: group.next())
                let otherClient = try await PushClient.connect(to: [otherHost], on: group.next())
                // A body sealed for one host is no replay to another, but each is sealed anew all the same.
                let run = { (client: PushClient, host: HostProcess) in
                    let sealed = try mint.make(pushes, tokens: first.tokens)
                    return try await PathBench.round(client, [host], sealed, PathBench.inFlight.few)
                }
                for turn in 0...count {
                    let isFirst = Bool.random()
                    let early = isFirst ? try await run(client, host) : try await run(otherClient, otherHost)
                    let late = isFirst ? try await run(otherClient, otherHost) : try await run(client, host)
                    if turn > 0 { pairs.append(isFirst ? (early, late) : (late, early)) }
                }
                try await client.close()
                try await otherClient.close()
            }
        }
        try await group.shutdownGracefully()
        return pairs
    }

    private var all: [(first: Round, second: Round)] { starts.flatMap { $0 } }

    /// Prints what the sandbox costs: the second host's launcher separates nothing.
    func printSandbox() {
        print(
            "the sandbox on the whole path|||warm worker, \(all.count) rounds of \(pushes) pushes in turn with a launcher that separates nothing"
        )
        let pairs = all
        let rates = (pairs.map(\.first.perSecond), pairs.map(\.second.perSecond))
        print(
            "  throughput with and without|\(hundredths(median(pairs.map { $0.first.perSecond / $0.second.perSecond }))) ×|≥ 0.95 ×|"
                + "\(Int(median(rates.0).rounded())) and \(Int(median(rates.1).rounded())) a second"
        )
    }

    /// Prints how many times as much this build does or takes as another, and how sure that is.
    ///
    /// Throws if a process took no time in a round, as one does that was started anew in it.
    func printBuilds() throws(BenchError) {
        print(
            "path, this build beside the other|||\(all.count) pairs of rounds of \(pushes) pushes, \(starts.count) starts of both"
        )
        try row("  notifications per second", "") { $0.perSecond }
        let count = Double(pushes)
        try row("  CPU of all our processes", " µs") { $0.cpu.ours * 1e6 / count }
        try row("  of it the host", " µs") { $0.cpu.host * 1e6 / count }
        try row("  of it the opener", " µs") { $0.cpu.opener * 1e6 / count }
        try row("  of it the workers", " µs") { $0.cpu.workers * 1e6 / count }
    }

    /// Prints the geometric mean of the ratios, which is the inverse when the builds change places, and its standard
    /// error over the starts.
    private func row(_ what: String, _ unit: String, _ value: (Round) -> Double) throws(BenchError) {
        guard all.allSatisfy({ value($0.first) > 0 && value($0.second) > 0 }) else {
            throw BenchError("\(what): a round without any; a process was started anew")
        }
        let ratios = starts.map { pairs in
            pairs.reduce(0) { $0 + log(value($1.first) / value($1.second)) } / Double(pairs.count)
        }
        let mean = ratios.reduce(0, +) / Double(ratios.count)
        let squares = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let error = sqrt(squares / Double(max(1, ratios.count - 1)) / Double(ratios.count))
        let medians = (median(all.map { value($0.first) }), median(all.map { value($0.second) }))
        print(
            "\(what)|\(String(format: "%.3f", exp(mean))) ×||± \(starts.count > 1 ? String(format: "%.3f", exp(mean) * error) : "unknown"); "
                + "medians \(Int(medians.0.rounded()))\(unit) and \(Int(medians.1.rounded()))\(unit)"
        )
    }

    private func hundredths(_ ratio: Double) -> String {
        String(format: "%.2f", ratio)
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
