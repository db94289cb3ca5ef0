// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Remembers which requests of a connection have no end yet, and until when they may have none.
///
/// All wait equally long, so they leave in the order they came. Most end in the read that brought them and are never
/// kept; those that ended while an older one hangs are swept out once they outnumber what a peer may have open.
struct RequestDeadlines {
    private struct Entry {
        let deadline: NIODeadline
        let request: any PushAnswering
        /// The number of the request among those that one object answers one after the other.
        let number: Int

        var hasEnded: Bool { request.isComplete || request.number != number }
    }

    private let patience: TimeAmount
    private let openLimit: Int
    private var opened: [any PushAnswering] = []
    private var incomplete = CircularBuffer<Entry>()

    init(patience: TimeAmount, openLimit: Int) {
        self.patience = patience
        self.openLimit = openLimit
    }

    /// The next moment at which a request may be late.
    var next: NIODeadline? { incomplete.first?.deadline }

    /// The headers of a request came in this read.
    mutating func open(_ request: any PushAnswering) {
        opened.append(request)
    }

    /// The read is over: what it opened and did not end is kept.
    mutating func readComplete(at now: @autoclosure () -> NIODeadline) {
        guard !opened.isEmpty else { return }
        let deadline = now() + patience
        for request in opened where !request.isComplete {
            incomplete.append(Entry(deadline: deadline, request: request, number: request.number))
        }
        opened.removeAll(keepingCapacity: true)
        while let first = incomplete.first, first.hasEnded { incomplete.removeFirst() }
        if incomplete.count > 2 * openLimit { incomplete.removeAll { $0.hasEnded } }
    }

    /// The connection is gone: nobody waits for an end.
    mutating func removeAll() {
        opened.removeAll()
        incomplete.removeAll()
    }

    /// Takes out the requests that are late.
    mutating func takeLate(at now: NIODeadline) -> [any PushAnswering] {
        var late: [any PushAnswering] = []
        while let first = incomplete.first, first.hasEnded || first.deadline <= now {
            incomplete.removeFirst()
            if !first.hasEnded { late.append(first.request) }
        }
        return late
    }
}
