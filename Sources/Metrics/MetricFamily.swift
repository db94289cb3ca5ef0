// SPDX-License-Identifier: Apache-2.0

private import Locking

/// Metrics of one name, one for each set of labels that was asked for.
///
/// There are at most `limit`; sets beyond it share one whose labels all are `other`.
package final class MetricFamily<Child: Metric>: Sendable {
    private let labels: [String]
    private let make: @Sendable () -> Child
    private let limit: Int
    private let children = Locked<[[LabelValue]: Child]>([:])

    init(labels: [String], limit: Int = 256, make: @escaping @Sendable () -> Child) {
        self.labels = labels
        self.limit = limit
        self.make = make
    }

    /// The metric with these values, in the order of the labels.
    ///
    /// Looks it up under a lock: where every push comes by, ask once and keep it.
    package func with(_ values: LabelValue...) -> Child {
        child(values)
    }

    private func child(_ values: [LabelValue]) -> Child {
        precondition(values.count == labels.count, "a value for each label")
        return children.withLock { children in
            if let child = children[values] { return child }
            let values = children.count < limit ? values : labels.map { _ in "other" }
            if let child = children[values] { return child }
            let child = make()
            children[values] = child
            return child
        }
    }

    /// The metrics so far with their labels, in the order of the labels.
    package var all: [(labels: [String], metric: Child)] {
        let all = children.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return all.map { ($0.key.map(\.text), $0.value) }
    }

    func write(to text: inout MetricsText, as name: String, unit: MetricUnit) {
        for (values, child) in all {
            child.write(to: &text, as: MetricName(name, labels: Array(zip(labels, values))), unit: unit)
        }
    }
}
