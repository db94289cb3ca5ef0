// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// The notifications of one app that wait for a worker: first come, first served, each from an instant on.
///
/// The line has a bound. A journal lets 256 devices of a topic be at work together, so that only a caller without one
/// can reach it; whoever finds the line full is told so and does not wait.
struct WaitingLine<Element> {
    static var limit: Int { 1024 }

    private var entries = Backlog<(element: Element, since: Duration)>()

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var isFull: Bool { count >= Self.limit }
    /// Since when the first one waits; nil when none does.
    var since: Duration? { entries.first?.since }

    var first: Element? { entries.first?.element }

    /// Everything that waits, the first one first.
    var all: [Element] { entries.all.map(\.element) }

    mutating func append(_ element: Element, since: Duration) {
        entries.append((element, since))
    }

    /// Takes back an element that came before all others and has waited since then.
    mutating func prepend(_ element: Element, since: Duration) {
        entries.prepend((element, since))
    }

    mutating func popFirst() -> Element? { entries.popFirst()?.element }

    mutating func remove(where fits: (Element) -> Bool) {
        entries.remove { fits($0.element) }
    }

    mutating func removeAll() -> [Element] { entries.removeAll().map(\.element) }
}
