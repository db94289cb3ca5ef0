// SPDX-License-Identifier: Apache-2.0

/// The records that wait for sinks, as their holder knows it: each device's in order, and when its first may go.
///
/// Without the records themselves, some 100 bytes each. Times are the host's own and monotonic.
struct OutboxPlan {
    /// A record that waits.
    struct Head: Equatable {
        let place: PushPlace
        let byteCount: Int
        /// Attempts that failed.
        var attempts: Int32
        var due: Duration
    }

    private struct Sink {
        /// The records of each device, in the order of their places.
        var devices: [String: [Head]] = [:]
        /// Devices whose first record may go, in the order of its place.
        var ready: [(number: Int64, token: String)] = []
        /// Devices whose first record is to go again later, in the order of time.
        var later: [(due: Duration, number: Int64, token: String)] = []
        var count = 0
        var byteCount = 0
    }

    private var sinks: [String: Sink] = [:]
    /// The device of each record, by its place and sink.
    private var tokens: [String: [Int64: String]] = [:]

    /// The records that wait for each sink, and their bytes.
    var counts: [String: (records: Int, byteCount: Int)] { sinks.mapValues { ($0.count, $0.byteCount) } }

    /// The place of a record that waits for a sink; nil if none does.
    func place(of number: Int64, for sink: String) -> PushPlace? {
        guard let token = tokens[sink]?[number] else { return nil }
        return sinks[sink]?.devices[token]?.first { $0.place.number == number }?.place
    }

    func has(_ place: PushPlace, for sink: String) -> Bool { tokens[sink]?[place.number] != nil }

    /// Takes in a record, unless it is there already.
    mutating func add(_ head: Head, for sink: String, to token: String) {
        guard tokens[sink, default: [:]].updateValue(token, forKey: head.place.number) == nil else { return }
        unplan(sink, token)
        var heads = sinks[sink, default: Sink()].devices.removeValue(forKey: token) ?? []
        heads.insert(head, at: heads.firstIndex { $0.place.number > head.place.number } ?? heads.count)
        sinks[sink]?.devices[token] = heads
        sinks[sink]?.count += 1
        sinks[sink]?.byteCount += head.byteCount
        plan(sink, token)
    }

    /// Returns each device's first record that may go `now`, in the order of places.
    mutating func due(for sink: String, limit: Int, now: Duration) -> [PushPlace] {
        let tokens = sinks[sink]?.later.prefix { $0.due <= now }.map(\.token) ?? []
        sinks[sink]?.later.removeFirst(tokens.count)
        for token in tokens { plan(sink, token, isDue: true) }
        guard let sink = sinks[sink] else { return [] }
        return sink.ready.prefix(limit).compactMap { sink.devices[$0.token]?.first?.place }
    }

    /// Takes a record out: it was taken, or is given up.
    mutating func remove(_ number: Int64, for sink: String) {
        guard let token = tokens[sink]?.removeValue(forKey: number) else { return }
        unplan(sink, token)
        var heads = sinks[sink]?.devices.removeValue(forKey: token) ?? []
        if let index = heads.firstIndex(where: { $0.place.number == number }) {
            sinks[sink]?.count -= 1
            sinks[sink]?.byteCount -= heads.remove(at: index).byteCount
        }
        guard !heads.isEmpty else { return }
        sinks[sink]?.devices[token] = heads
        plan(sink, token)
    }

    /// Has a record go again at an instant; later ones of its device wait behind it.
    mutating func postpone(_ number: Int64, for sink: String, until due: Duration) {
        guard let token = tokens[sink]?[number],
            let index = sinks[sink]?.devices[token]?.firstIndex(where: { $0.place.number == number })
        else { return }
        unplan(sink, token)
        sinks[sink]?.devices[token]?[index].attempts += 1
        sinks[sink]?.devices[token]?[index].due = due
        plan(sink, token)
    }

    /// Forgets what waits of a partition.
    mutating func forget(_ part: Partition) {
        for (name, sink) in sinks {
            for heads in sink.devices.values where heads.first?.place.part == part {
                for head in heads { remove(head.place.number, for: name) }
            }
        }
    }

    private mutating func plan(_ sink: String, _ token: String, isDue: Bool = false) {
        guard let first = sinks[sink]?.devices[token]?.first, var plan = sinks[sink] else { return }
        sinks[sink] = nil
        let number = first.place.number
        if isDue || first.due == .zero {
            plan.ready.insert((number, token), at: plan.ready.place { $0.number < number })
        } else {
            plan.later.insert((first.due, number, token), at: plan.later.place { $0.due < first.due })
        }
        sinks[sink] = plan
    }

    private mutating func unplan(_ sink: String, _ token: String) {
        guard let first = sinks[sink]?.devices[token]?.first, var plan = sinks[sink] else { return }
        sinks[sink] = nil
        let number = first.place.number
        let place = plan.ready.place { $0.number < number }
        if place < plan.ready.count, plan.ready[place].number == number {
            plan.ready.remove(at: place)
        } else if let place = plan.later.firstIndex(where: { $0.number == number }) {
            plan.later.remove(at: place)
        }
        sinks[sink] = plan
    }
}

extension Array {
    /// The number of elements before which none is false; they are in order.
    fileprivate func place(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
