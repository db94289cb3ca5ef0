// SPDX-License-Identifier: Apache-2.0

private import Locking
private import Synchronization

/// A number that goes up and down, or one that is found out when somebody asks.
package final class Gauge: Metric {
    package static let typeName = "gauge"

    private let amount = Atomic<Int>(0)
    private let source = Locked<(@Sendable () -> Int)?>(nil)

    package init() {}

    package func set(_ amount: Int) {
        self.amount.store(amount, ordering: .relaxed)
    }

    /// Sets a gauge of seconds.
    package func set(_ duration: Duration) {
        set(duration.nanoseconds)
    }

    package func add(_ amount: Int) {
        self.amount.add(amount, ordering: .relaxed)
    }

    /// From now on `source` is asked whenever the metrics are read; it must not block.
    ///
    /// A gauge of seconds wants nanoseconds.
    package func compute(_ source: @escaping @Sendable () -> Int) {
        self.source.withLock { $0 = source }
    }

    package var value: Int {
        source.withLock { $0 }?() ?? amount.load(ordering: .relaxed)
    }

    package func write(to text: inout MetricsText, as name: MetricName, unit: MetricUnit) {
        text.append(name, unit.text(value))
    }
}
