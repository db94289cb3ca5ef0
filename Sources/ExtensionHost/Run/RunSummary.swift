// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// Many pushes in a few lines: how they ended, and how long they took.
struct RunSummary {
    /// A run of more pushes shows their summary alone.
    static let mostShownPushes = 5

    private let records: [DeliveryRecord]
    private let expectation: Expectation

    init(_ records: [DeliveryRecord], expectation: Expectation) {
        self.records = records
        self.expectation = expectation
    }

    var text: String {
        var counts: [String: Int] = [:]
        for record in records {
            let name = [record.outcome.name, record.outcome.reason].compactMap { $0 }.joined(separator: " · ")
            counts[name, default: 0] += 1
        }
        var lines = ["\(records.count) pushes"]
        for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("  \(count) \(name)")
        }
        lines.append(Self.line("waiting for a worker", records.compactMap(\.timings.wait)))
        lines.append(Self.line("in the extension", records.compactMap(\.timings.extension)))
        lines.append(Self.line("in all", records.map(\.timings.total)))
        let peaks = records.compactMap { $0.worker?.peakMemoryByteCount }
        if let peak = peaks.max() { lines.append("  memory: largest \(HumanText.size(peak))") }
        let missed = records.count { !expectation.isMet(by: $0) }
        if missed > 0 { lines.append("  \(missed) did not end with \(expectation.text)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ what: String, _ durations: [Duration]) -> String {
        let sorted = durations.sorted()
        guard let largest = sorted.last else { return "  \(what): none" }
        func share(_ part: Double) -> String { HumanText.time(sorted[Int(Double(sorted.count - 1) * part)]) }
        return "  \(what): median \(share(0.5)), p99 \(share(0.99)), largest \(HumanText.time(largest))"
    }
}

/// Times and sizes as people read them.
enum HumanText {
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds < 10 { return "\(rounded(milliseconds, to: 100)) ms" }
        if milliseconds < 1000 { return "\(rounded(milliseconds, to: 10)) ms" }
        return "\(rounded(milliseconds / 1000, to: 100)) s"
    }

    static func size(_ byteCount: UInt64) -> String {
        "\(rounded(Double(byteCount) / 1_048_576, to: 10)) MB"
    }

    private static func rounded(_ value: Double, to part: Double) -> Double {
        (value * part).rounded() / part
    }
}
