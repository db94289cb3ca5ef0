// SPDX-License-Identifier: Apache-2.0

private import Synchronization

/// A count of amounts in each of at most twenty ranges, and their sum.
package final class Histogram: Metric {
    package static let typeName = "histogram"

    /// Bounds of buckets: the largest amount that belongs to each, growing.
    package struct Bounds: Sendable {
        let limits: [Int]

        init(_ limits: [Int]) {
            precondition(limits.count < Histogram.slotCount)
            self.limits = limits
        }

        /// 100 µs to 30 s.
        package static let seconds = Bounds(
            [100, 250, 500].map { $0 * 1000 }
                + [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000].map { $0 * 1_000_000 }
        )
        /// 128 bytes to 64 KiB; the two limits of APNs are among them.
        package static let bytes = Bounds([128, 256, 512, 1024, 2048, 3072, 4096, 5120, 8192, 65_536])
        /// 1 to 256.
        package static let rows = Bounds([1, 2, 4, 8, 16, 32, 64, 128, 256])
    }

    private static let slotCount = 20

    private let limits: [Int]
    /// One for each limit, and one for what is beyond them.
    private let counts: InlineArray<20, Atomic<Int>>
    private let sum = Atomic<Int>(0)

    package init(_ bounds: Bounds) {
        limits = bounds.limits
        counts = InlineArray { _ in Atomic(0) }
    }

    package func observe(_ amount: Int) {
        var index = 0
        while index < limits.count, amount > limits[index] { index += 1 }
        counts[index].add(1, ordering: .relaxed)
        sum.add(amount, ordering: .relaxed)
    }

    /// Counts a duration in a histogram of seconds.
    package func observe(_ duration: Duration) {
        observe(duration.nanoseconds)
    }

    /// The number of amounts so far.
    package var count: Int {
        (0...limits.count).reduce(0) { $0 + counts[$1].load(ordering: .relaxed) }
    }

    package func write(to text: inout MetricsText, as name: MetricName, unit: MetricUnit) {
        var total = 0
        for (index, limit) in limits.enumerated() {
            total += counts[index].load(ordering: .relaxed)
            text.append(name.suffixed("_bucket", label: ("le", unit.text(limit))), "\(total)")
        }
        total += counts[limits.count].load(ordering: .relaxed)
        text.append(name.suffixed("_bucket", label: ("le", "+Inf")), "\(total)")
        text.append(name.suffixed("_sum"), unit.text(sum.load(ordering: .relaxed)))
        text.append(name.suffixed("_count"), "\(total)")
    }
}
