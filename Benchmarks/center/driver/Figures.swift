// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time since it was made.
struct Stopwatch {
    private let start = ContinuousClock.now

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
    var milliseconds: Double { seconds * 1e3 }
    var microseconds: Double { seconds * 1e6 }
}

/// Times of one kind, in the order of their length.
struct Times {
    private let sorted: [Double]

    init(_ times: [Double]) {
        sorted = times.sorted()
    }

    var p50: Double { part(0.5) }
    var p99: Double { part(0.99) }

    private func part(_ part: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

/// Rows of the table: four fields with "|" between, what, figure, goal and remark.
enum Table {
    static func heading(_ what: String, _ remark: String) { print("\(what)|||\(remark)") }

    static func row(_ what: String, _ figure: String, _ goal: String, _ remark: String) {
        print("  \(what)|\(figure)|\(goal)|\(remark)")
    }

    static func number(_ value: Double) -> String { String(Int(value.rounded())) }

    static func milliseconds(_ value: Double) -> String { String(format: "%.1f ms", value) }

    static func microseconds(_ value: Double) -> String { String(format: "%.0f µs", value) }

    /// The words about a reference: its figure, and how many times as much ours is.
    static func beside(_ name: String, _ figure: String, _ ratio: Double) -> String {
        "\(name): \(figure), ratio \(String(format: "%.2f", ratio))"
    }
}
