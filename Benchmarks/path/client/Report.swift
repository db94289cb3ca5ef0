// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The figures of one round; times in µs.
struct Round {
    let perSecond: Double
    let seconds: Double
    let cpu: CPUTimes
    let fromPost: [Double]
    /// The times between the post of each push and the sender's answer.
    let toAnswer: [Double]
    let total: [Double]
    let opening: [Double]
    let extending: [Double]

    /// Throws unless every push was modified by the extension.
    init(_ run: Load.Run, pushes: [Push], cpu: CPUTimes) throws {
        let decoder = JSONDecoder()
        let records = try run.lines.map { try decoder.decode(Record.self, from: Data($0)) }
        let others = records.filter { $0.outcome != "modified" }
        if let other = others.first {
            throw BenchError("\(others.count) of \(records.count) pushes ended otherwise: \(other.words)")
        }
        let last = run.recorded.max() ?? 0
        seconds = Double(last - (run.posted.first ?? 0)) / 1e9
        perSecond = Double(pushes.count) / seconds
        self.cpu = cpu
        fromPost = zip(run.posted, run.recorded).map { Double($1 - $0) / 1e3 }.sorted()
        toAnswer = zip(run.posted, run.answered).map { Double($1 - $0) / 1e3 }.sorted()
        total = records.map { Double($0.timings.totalMicroseconds) }.sorted()
        opening = records.compactMap { $0.timings.openMicroseconds.map(Double.init) }.sorted()
        // With the wait for a worker.
        extending = records.compactMap { record in
            record.timings.extensionMicroseconds.map { Double($0 + (record.timings.waitMicroseconds ?? 0)) }
        }
        .sorted()
    }
}

/// The fields of a delivery record that the report reads.
private struct Record: Decodable {
    struct Timings: Decodable {
        let openMicroseconds: Int?
        let waitMicroseconds: Int?
        let extensionMicroseconds: Int?
        let totalMicroseconds: Int
    }

    let outcome: String
    let reason: String?
    let timings: Timings

    var words: String { "\(outcome) \(reason ?? "")" }
}

/// Rounds of one kind as rows of the table, medians of the rounds.
struct Report {
    private let rounds: [Round]
    private let pushes: Int
    private let tokens: Int
    private let bodyByteCount: Int
    private let inFlight: Int

    init(_ rounds: [Round], pushes: Int, tokens: Int, bodyByteCount: Int, inFlight: Int) {
        self.rounds = rounds
        self.pushes = pushes
        self.tokens = tokens
        self.bodyByteCount = bodyByteCount
        self.inFlight = inFlight
    }

    func print() {
        heading(
            "path, \(tokens) devices: post, journal, open, extend, record",
            "\(rounds.count) rounds of \(pushes) pushes, bodies of \(bodyByteCount) bytes, "
                + "one connection, \(inFlight) in flight"
        )
        let rates = rounds.map(\.perSecond)
        row(
            "  notifications per second",
            number(median(rates)),
            "≥ 6000",
            "rounds \(number(rates.min() ?? 0)) to \(number(rates.max() ?? 0))"
        )
        let host = rounds.map { $0.cpu.host * 1e6 / Double(pushes) }
        let user = 100 * rounds.reduce(0) { $0 + $1.cpu.hostUser } / rounds.reduce(0) { $0 + $1.cpu.host }
        row("  CPU of all our processes", perPush(\.ours), "≤ 250 µs", "per notification")
        row(
            "  of it the host",
            perPush(\.host),
            "",
            "rounds \(number(host.min() ?? 0)) to \(number(host.max() ?? 0)) µs; user \(number(user)) %"
        )
        row(
            "  opener, workers, launcher; the client",
            "",
            "",
            "\(perPush(\.opener)), \(perPush(\.workers)), \(perPush(\.launcher)); \(perPush(\.client))"
        )
        row("  post to record", milliseconds(\.fromPost, 0.5), "", "p99 \(milliseconds(\.fromPost, 0.99))")
        row(
            "  accepted to concluded (totalMicroseconds)",
            milliseconds(\.total, 0.5),
            "",
            "p99 \(milliseconds(\.total, 0.99)); p50 of opening \(milliseconds(\.opening, 0.5)), "
                + "of extending \(milliseconds(\.extending, 0.5))"
        )
        let cores = Double(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let others = median(rounds.map { 100 * $0.cpu.others / $0.seconds / cores })
        row("  CPU that went to others meanwhile", number(others) + " %", "", "of all cores")
    }

    /// The rows of hosts that share a database, whose servers are the others.
    func print(hosts: Int) {
        heading(
            "path in a fleet of \(hosts) hosts, primary and standby, \(tokens) devices",
            "\(rounds.count) rounds of \(pushes) pushes, bodies of \(bodyByteCount) bytes, \(inFlight) in flight"
        )
        let rates = rounds.map(\.perSecond)
        row(
            "  notifications per second",
            number(median(rates)),
            inFlight > PathBench.inFlight.few ? "≥ 1500" : "",
            "rounds \(number(rates.min() ?? 0)) to \(number(rates.max() ?? 0))"
        )
        row(
            "  post to the answer, p99",
            milliseconds(\.toAnswer, 0.99),
            "≤ 80 ms",
            "p50 \(milliseconds(\.toAnswer, 0.5))"
        )
        row("  post to record", milliseconds(\.fromPost, 0.5), "", "p99 \(milliseconds(\.fromPost, 0.99))")
        row("  CPU of all our processes", perPush(\.ours), "", "of it hosts \(perPush(\.host))")
        row("  CPU of the servers and all else", perPush(\.others), "", "the client \(perPush(\.client))")
    }

    private func heading(_ what: String, _ remark: String) {
        Swift.print("\(what)|||\(remark)")
    }

    private func row(_ what: String, _ figure: String, _ goal: String, _ remark: String) {
        Swift.print("\(what)|\(figure)|\(goal)|\(remark)")
    }

    private func perPush(_ time: KeyPath<CPUTimes, Double>) -> String {
        number(median(rounds.map { $0.cpu[keyPath: time] * 1e6 / Double(pushes) })) + " µs"
    }

    private func milliseconds(_ times: KeyPath<Round, [Double]>, _ part: Double) -> String {
        let microseconds = median(rounds.map { percentile($0[keyPath: times], part) })
        return String(format: "%.1f ms", microseconds / 1e3)
    }

    private func percentile(_ sorted: [Double], _ part: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    private func median(_ values: [Double]) -> Double {
        percentile(values.sorted(), 0.5)
    }

    private func number(_ value: Double) -> String {
        String(Int(value.rounded()))
    }
}
