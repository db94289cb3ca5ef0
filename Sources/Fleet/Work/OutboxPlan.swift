// SPDX-License-Identifier: Apache-2.0

/// The records that wait for sinks, as their holder knows it: each device's in order, and when its first may go.
///
/// A record takes some 100 bytes here, since its content stays in the database. Times are the host's own and monotonic.
struct OutboxPlan {
    /// A record that waits; those of a sink are in the order of their places.
    struct Head: Equatable {
        let place: PushPlace
        let byteCount: Int
        /// Attempts that failed.
        var attempts: Int32
        var due: Duration
    }

    /// The records of one device.
    private struct Device {
        var heads: [Head] = []
        /// Heads before it are gone.
        var start = 0

        var first: Head? { start < heads.count ? heads[start] : nil }

        /// Puts a record into its place, which is most often the last.
        mutating func insert(_ head: Head) {
            var index = heads.count
            while index > start, heads[index - 1].place.number > head.place.number { index -= 1 }
            heads.insert(head, at: index)
        }

        mutating func postpone(_ number: Int64, until due: Duration) {
            guard let index = heads[start...].firstIndex(where: { $0.place.number == number }) else { return }
            heads[index].attempts &+= 1
            heads[index].due = due
        }

        mutating func remove(_ number: Int64) -> Head? {
            guard let index = heads[start...].firstIndex(where: { $0.place.number == number }) else { return nil }
            let head = heads[index]
            if index == start { start += 1 } else { heads.remove(at: index) }
            if start > 32, start > heads.count / 2 {
                heads.removeFirst(start)
                start = 0
            }
            return head
        }
    }

    private struct Sink {
        var devices: [String: Device] = [:]
        /// The device of each record.
        var tokens: [Int64: String] = [:]
        /// The devices of each partition.
        var parts: [Partition: Set<String>] = [:]
        /// Devices whose first record may go, in the order of its place.
        var ready: [(number: Int64, token: String)] = []
        /// Devices whose first record is to go again later, in the order of time.
        var later: [(due: Duration, number: Int64, token: String)] = []
        var byteCount = 0

        mutating func plan(_ token: String, isDue: Bool = false) {
            guard let first = devices[token]?.first else { return }
            let number = first.place.number
            if isDue || first.due == .zero {
                ready.insert((number, token), at: ready.place { $0.number < number })
            } else {
                later.insert((first.due, number, token), at: later.place { $0.due < first.due })
            }
        }

        /// Takes out the devices whose time has come.
        mutating func takeDue(now: Duration) -> [String] {
            let tokens = later.prefix { $0.due <= now }.map(\.token)
            later.removeFirst(tokens.count)
            return tokens
        }

        mutating func unplan(_ token: String) {
            guard let first = devices[token]?.first else { return }
            let number = first.place.number
            let place = ready.place { $0.number < number }
            if place < ready.count, ready[place].number == number {
                ready.remove(at: place)
                return
            }
            var index = later.place { $0.due < first.due }
            while index < later.count, later[index].due == first.due {
                if later[index].number == number {
                    later.remove(at: index)
                    return
                }
                index += 1
            }
        }

        mutating func add(_ head: Head, to token: String) {
            guard tokens.updateValue(token, forKey: head.place.number) == nil else { return }
            unplan(token)
            devices[token, default: Device()].insert(head)
            parts[head.place.part, default: []].insert(token)
            byteCount += head.byteCount
            plan(token)
        }

        mutating func remove(_ number: Int64) {
            guard let token = tokens.removeValue(forKey: number) else { return }
            unplan(token)
            if let head = devices[token]?.remove(number) {
                byteCount -= head.byteCount
                if devices[token]?.first == nil {
                    devices[token] = nil
                    parts[head.place.part]?.remove(token)
                }
            }
            plan(token)
        }

        mutating func postpone(_ number: Int64, until due: Duration) {
            guard let token = tokens[number] else { return }
            unplan(token)
            devices[token]?.postpone(number, until: due)
            plan(token)
        }

        mutating func forget(_ part: Partition) {
            for token in parts.removeValue(forKey: part) ?? [] {
                unplan(token)
                guard let device = devices.removeValue(forKey: token) else { continue }
                for head in device.heads[device.start...] {
                    tokens[head.place.number] = nil
                    byteCount -= head.byteCount
                }
            }
        }
    }

    private var sinks: [String: Sink] = [:]

    /// The records that wait for each sink, and their bytes.
    var counts: [String: (records: Int, byteCount: Int)] {
        sinks.mapValues { ($0.tokens.count, $0.byteCount) }
    }

    func count(for sink: String) -> Int { sinks[sink]?.tokens.count ?? 0 }

    /// The place of a record that waits for a sink; nil if none does.
    func place(of number: Int64, for sink: String) -> PushPlace? {
        guard let sink = sinks[sink], let token = sink.tokens[number] else { return nil }
        return sink.devices[token]?.first.map { PushPlace($0.place.part, number) }
    }

    func has(_ place: PushPlace, for sink: String) -> Bool { sinks[sink]?.tokens[place.number] != nil }

    /// Takes in a record, unless it is there already.
    mutating func add(_ head: Head, for sink: String, to token: String) {
        sinks[sink, default: Sink()].add(head, to: token)
    }

    /// Returns each device's first record that may go `now`, in the order of places.
    mutating func due(for sink: String, limit: Int, now: Duration) -> [PushPlace] {
        for token in sinks[sink]?.takeDue(now: now) ?? [] { sinks[sink]?.plan(token, isDue: true) }
        guard let sink = sinks[sink] else { return [] }
        return sink.ready.prefix(limit).compactMap { sink.devices[$0.token]?.first?.place }
    }

    /// Takes a record out: it was taken, or is given up.
    mutating func remove(_ number: Int64, for sink: String) { sinks[sink]?.remove(number) }

    /// Has a record go again at an instant; later ones of its device wait behind it.
    mutating func postpone(_ number: Int64, for sink: String, until due: Duration) {
        sinks[sink]?.postpone(number, until: due)
    }

    /// Forgets what waits of a partition.
    mutating func forget(_ part: Partition) {
        for name in sinks.keys { sinks[name]?.forget(part) }
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
