// SPDX-License-Identifier: Apache-2.0

/// Makes metrics and remembers how each is written, in the order in which they were made.
package struct MetricCatalogue {
    package private(set) var writers: [@Sendable (inout MetricsText) -> Void] = []

    package init() {}

    package mutating func counter(_ name: String, _ help: String) -> Counter {
        single(Counter(), name, .one, help)
    }

    package mutating func gauge(_ name: String, unit: MetricUnit = .one, _ help: String) -> Gauge {
        single(Gauge(), name, unit, help)
    }

    package mutating func histogram(
        _ name: String,
        _ bounds: Histogram.Bounds,
        unit: MetricUnit = .one,
        _ help: String
    ) -> Histogram {
        single(Histogram(bounds), name, unit, help)
    }

    package mutating func summary(_ name: String, unit: MetricUnit, _ help: String) -> Summary {
        single(Summary(), name, unit, help)
    }

    /// Makes counters of at most `limit` sets of labels; those beyond it share one.
    package mutating func counters(
        _ name: String,
        _ labels: [String],
        limit: Int = 256,
        _ help: String
    ) -> MetricFamily<Counter> {
        family(MetricFamily(labels: labels, limit: limit) { Counter() }, name, .one, help)
    }

    /// Makes a counter for each value of the one label.
    package mutating func counters<Choice>(_ name: String, _ label: String, _ help: String) -> CounterSet<Choice> {
        CounterSet(counters(name, [label], help))
    }

    package mutating func gauges(_ name: String, _ labels: [String], _ help: String) -> MetricFamily<Gauge> {
        family(MetricFamily(labels: labels) { Gauge() }, name, .one, help)
    }

    package mutating func histograms(
        _ name: String,
        _ labels: [String],
        _ bounds: Histogram.Bounds,
        unit: MetricUnit = .one,
        _ help: String
    ) -> MetricFamily<Histogram> {
        family(MetricFamily(labels: labels) { Histogram(bounds) }, name, unit, help)
    }

    private mutating func single<Kind: Metric>(
        _ metric: Kind,
        _ name: String,
        _ unit: MetricUnit,
        _ help: String
    ) -> Kind {
        writers.append { text in
            text.describe(name, type: Kind.typeName, help: help)
            metric.write(to: &text, as: MetricName(name), unit: unit)
        }
        return metric
    }

    private mutating func family<Kind: Metric>(
        _ family: MetricFamily<Kind>,
        _ name: String,
        _ unit: MetricUnit,
        _ help: String
    ) -> MetricFamily<Kind> {
        writers.append { text in
            text.describe(name, type: Kind.typeName, help: help)
            family.write(to: &text, as: name, unit: unit)
        }
        return family
    }
}
