// SPDX-License-Identifier: Apache-2.0

/// Counters with one label from a closed set, all of which are there from the beginning.
package struct CounterSet<Choice: CaseIterable & Hashable & RawRepresentable<String> & Sendable>: Sendable {
    private let counters: [Choice: Counter]

    init(_ family: MetricFamily<Counter>) {
        let choices = Choice.allCases.map { ($0, family.with(LabelValue($0))) }
        counters = Dictionary(uniqueKeysWithValues: choices)
    }

    package subscript(choice: Choice) -> Counter {
        guard let counter = counters[choice] else { preconditionFailure("a counter for each choice") }
        return counter
    }
}
