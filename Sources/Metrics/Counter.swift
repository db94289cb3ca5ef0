// SPDX-License-Identifier: Apache-2.0

private import Locking
private import Synchronization

/// A number that only grows; a few nanoseconds a call, from any thread.
package final class Counter: Metric {
    package static let typeName = "counter"

    private let amount = Atomic<Int>(0)
    private let source = Locked<(@Sendable () -> Int)?>(nil)

    package init() {}

    package func increment(by amount: Int = 1) {
        self.amount.add(amount, ordering: .relaxed)
    }

    /// From now on `source`, which counts itself, is asked whenever the metrics are read; it must not block.
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
