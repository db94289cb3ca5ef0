// SPDX-License-Identifier: Apache-2.0

private import Locking

/// A count of events and the sum of their amounts, both read from the part that keeps them.
package final class Summary: Metric {
    package static let typeName = "summary"

    private let source = Locked<@Sendable () -> (count: Int, sum: Int)>({ (0, 0) })

    package init() {}

    /// From now on `source` is asked whenever the metrics are read; it must not block.
    ///
    /// The source of a summary of seconds tells nanoseconds.
    package func compute(_ source: @escaping @Sendable () -> (count: Int, sum: Int)) {
        self.source.withLock { $0 = source }
    }

    package func write(to text: inout MetricsText, as name: MetricName, unit: MetricUnit) {
        let (count, sum) = source.withLock { $0 }()
        text.append(name.suffixed("_sum"), unit.text(sum))
        text.append(name.suffixed("_count"), "\(count)")
    }
}
