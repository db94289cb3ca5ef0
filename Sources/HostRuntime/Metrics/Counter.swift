// SPDX-License-Identifier: Apache-2.0

private import Synchronization

/// A number that only grows; a few nanoseconds a call, from any thread.
package final class Counter: Metric {
    package static let typeName = "counter"

    private let amount = Atomic<Int>(0)

    package init() {}

    package func increment(by amount: Int = 1) {
        self.amount.add(amount, ordering: .relaxed)
    }

    package var value: Int { amount.load(ordering: .relaxed) }

    package func write(to text: inout MetricsText, as name: MetricName, unit: MetricUnit) {
        text.append(name, unit.text(value))
    }
}
